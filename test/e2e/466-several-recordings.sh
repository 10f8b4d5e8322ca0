#!/bin/sh
# Several recordings in one call count as one would that had seen it all, each with processes of its
# own; files that were joined are no recording; and contprof sample --list tells what is in one, as perf
# does.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/walk-lib.sh"
# shellcheck source=/dev/null
. "$E2E/perf-lib.sh"

WRITE=$BUILD/test/recordings/write_recording

convert() {
  "$CONTPROF" sample --binary=sampled_sort --format=text -o ours "$@" 2>said || die "$(cat said)"
}

# two.data has what one.data has not, of the same PIDs; moved.data the same as two.data with the program
# elsewhere.
prepare() {
  sampled "$NEWEST" cc sampled_sort
  make_walk one.data 7 300 4711 sampled_sort
  make_walk two.data 8 200 4711 sampled_sort
  BIAS=0x556677000000 make_walk moved.data 8 200 4711 sampled_sort
  for each in one two; do
    perf script -i $each.data -F ip,brstack --show-mmap-events >$each.script
  done
  cat one.script two.script >both.script
  "$PROFGEN" --format=text --binary=sampled_sort --perfscript=both.script -o stock 2>stock.said
}

count_together() {
  prepare
  convert --perfdata=one.data --perfdata=two.data
  expect_same "recordings" stock ours
  convert --perfdata=one.data --perfdata=moved.data
  expect_same "recordings of other addresses" stock ours
  convert --perfdata=moved.data --pd=one.data
  expect_same "recordings in another order" stock ours
  expect_text said 'note: moved.data: 200 samples counted$'
  expect_text said 'note: one.data: 300 samples counted$'
  convert --perfscript=one.script --perfscript=two.script
  expect_same "texts" stock ours
}

# What is missing is told of each and in sum.
are_told_of() {
  prepare
  cat >elsewhere.txt <<'END'
exec 7 other
mmap 7 0x400000 0x1000 0 /opt/other
sample 7 0x400010 0x400020>0x400030
sample 7 0x400010 0x400020>0x400030
lost 40
END
  "$WRITE" elsewhere.txt elsewhere.data
  sed 's/lost 40/lost 2/' elsewhere.txt | "$WRITE" - more.data
  convert --perfdata=one.data --perfdata=elsewhere.data --perfdata=more.data
  expect_text said 'note: elsewhere.data: 0 samples counted; not counted: 2 in other files, 40 lost by perf$'
  expect_text said 'note: more.data: 0 samples counted; not counted: 2 in other files, 2 lost by perf$'
  expect_text said 'note: 300 samples counted; not counted: 4 in other files, 42 lost by perf$'
  expect_text said 'note: +1.3% in /opt/other$'
  # One that is bad ends it all.
  head -c 3000 two.data >short.data
  rm ours
  expect_status 1 "$CONTPROF" sample --binary=sampled_sort --perfdata=one.data --perfdata=short.data -o ours 2>said
  expect_text said 'short.data: .*cut short'
  [ ! -e ours ]
}

# joined NAME: it is no recording, at the offset where the second one begins.
joined() {
  expect_status 1 "$CONTPROF" sample --binary=sampled_sort --perfdata="$1" -o ours 2>said
  expect_text said "$1: .*at offset $2: another recording begins here"
}

joined_files() {
  prepare
  cat one.data two.data >joined.data
  joined joined.data "$(wc -c <one.data)"
  expect_status 1 "$CONTPROF" sample --binary=sampled_sort --perfdata=- -o ours <joined.data 2>said
  expect_text said 'another recording begins here'
  printf '%s\n' stream 'exec 7 a' 'mmap 7 0x400000 0x1000 0 /opt/a' >stream.txt
  "$WRITE" stream.txt stream.data
  cat stream.data stream.data >joined.data
  joined joined.data "$(wc -c <stream.data)"
  { echo unfinished && grep -v stream stream.txt; } | "$WRITE" - killed.data
  cat killed.data one.data >joined.data
  joined joined.data "$(wc -c <killed.data)"
  # What is no recording is passed over, but not in silence.
  { cat one.data && echo something; } >longer.data
  convert --perfdata=longer.data
  expect_text said "longer.data: the recording ends at offset $(wc -c <one.data), and 10 bytes behind it were not read"
  convert --perfdata=one.data
  expect_no_text said 'behind it'
}

# perf_shares COLUMNS SAMPLES: how many samples perf script has of each, as --list's lines begin.
perf_shares() {
  perf script -i mixed.data -F "$1" 2>perf.said | sed "$2" | sort | uniq -c | awk '{ $1 = $1; print }' | sort
}

# listed PART: the lines of it, without shares.
listed() {
  awk -v part="$1" '/^[a-z]/ { here = index($0, part) == 1; next } here { $2 = ""; print }' list |
    sed 's/  */ /g' | sort
}

lists() {
  build_spins spins
  RECORD_FLAGS="--buildid-mmap" record mixed sh -c './spins a=40 forks=2 exec=./spins b=20 & ./spins b=20 & wait'
  "$CONTPROF" sample --list --perfdata=mixed.data >list 2>said
  expect_empty said
  total=$(perf script -i mixed.data -F ip | grep -c .)
  expect_text list "^mixed.data: $total samples, 0 with a branch stack, 0 lost$"
  perf_shares event 's/: *$//; s/^ *//' >wanted
  listed events >got
  expect_same events wanted got
  perf_shares pid,comm 's/^ *\(.*[^ ]\)  *\([0-9][0-9]*\) *$/\2 \1/' >wanted
  listed processes >got
  expect_same processes wanted got
  [ "$(grep -c spins got)" -ge 4 ]
  perf_shares ip,sym,dso 's/.*(\(.*\))$/\1/' >wanted
  listed files | sed 's/^\([0-9]*\) [0-9a-f-]* /\1 /' >got
  expect_same files wanted got
  perf buildid-list -i mixed.data >ids
  grep -q "^$(awk '$4 ~ /\/spins$/ { print $3 }' list | sort -u) .*/spins" ids
  # As text, too, and of one process.
  perf script -i mixed.data -F pid,event,ip --show-mmap-events --show-task-events >mixed.script
  "$CONTPROF" sample --list --perfscript=mixed.script >text.list
  sed 1d list | awk '{ if ($4 ~ /^\//) $3 = "" } 1' | sed 's/  */ /g' >list.rest
  sed 1d text.list | awk '{ if ($4 ~ /^\//) $3 = "" } 1' | sed 's/  */ /g' >text.rest
  expect_same "the text's list" list.rest text.rest
  pid=$(awk '/^processes/ { here = 1; next } here { print $3; exit }' list)
  "$CONTPROF" sample --list --perfdata=mixed.data --pid="$pid" -o one.list
  expect "processes" "$(awk -v pid="$pid" '/^processes/ { here = 1 } here && $3 == pid { sum += $1 } END { print sum }' list)" \
    "$(sed -n 's/^mixed.data: \([0-9]*\) samples.*/\1/p' one.list)"
}

check "several recordings are one" count_together
check "several recordings, and what is missing in each" are_told_of
check "files that were joined" joined_files
check "what is in a recording" lists
