#!/bin/sh
# Inputs that never end, files that would overwrite each other, functions that can't be believed.
. "$(dirname "$0")/lib.sh"

merge() {
  "$CONTPROF" merge "$@"
}

# refused WORDS ARG...: as merge and as show, in 400 MB of memory and half a minute, without an output.
refused() {
  words=$1
  shift
  for verb in "merge -o out" show; do
    # shellcheck disable=SC2086 # two words
    expect_status 1 sh -c 'ulimit -v 400000 && exec timeout 30 "$0" "$@"' "$CONTPROF" $verb "$@" 2>said
    expect_text said "^contprof: (error|warning): .*$words"
    [ ! -e out ] || die "wrote a profile"
  done
}

devices() {
  refused 'at offset 0: neither a raw nor an indexed profile, nor text' /dev/zero
  refused 'at offset 0: the file is empty' /dev/null
}

# A file that is all holes; one that begins well.
holes() {
  truncate -s 1T zeros.profraw
  refused 'at offset 0: neither a raw nor an indexed profile' zeros.profraw
  printf ':ir\nmain\n1\n1\n1\n' >long.proftext
  truncate -s 1T long.proftext
  refused 'no memory for the file' long.proftext
}

endless() {
  mkfifo pipe
  start sh -c 'exec yes name >pipe'
  sh -c 'ulimit -v 400000 && exec timeout 30 "$0" merge -o out pipe' "$CONTPROF" 2>said || status=$?
  expect "status" 1 "${status:-0}"
  expect_text said 'pipe: (no memory|at offset [0-9]+: no end in sight)'
}

# overwrites REPORT OUTPUT INPUT WHAT
overwrites() {
  expect_status 2 merge --report="$1" -o "$2" "$3" 2>said
  expect_text said "^contprof: error: --report=$1 would overwrite $4"
}

report_overwrites_nothing() {
  printf 'main\n1\n1\n1\n' >a.proftext
  cp a.proftext kept
  mkdir d
  ln -s ../a.proftext d/link
  overwrites out.profdata out.profdata a.proftext 'the merged profile'
  overwrites ./out.profdata out.profdata a.proftext 'the merged profile'
  overwrites d/../out.profdata "$PWD/out.profdata" a.proftext 'the merged profile'
  overwrites a.proftext out.profdata a.proftext a.proftext
  overwrites d/link out.profdata a.proftext a.proftext
  overwrites - - a.proftext 'the merged profile'
  cmp kept a.proftext
  [ ! -e out.profdata ] || die "wrote a profile"
  merge --text --report=- -o out.proftext a.proftext >report.json
  expect_text report.json '"merged": 1'
  merge --text --report=/dev/null -o /dev/null a.proftext
}

empty_names() {
  printf 'main\n1\n1\n1\n' >a.proftext
  expect_status 2 merge -o '' a.proftext 2>said
  expect_text said '^contprof: error: -o needs a file.s name'
  expect_status 2 merge --report= -o out a.proftext 2>said
  expect_text said '^contprof: error: --report needs a file.s name'
}

# spoil FILE FUNCTION COUNT: the function's first counter in a raw profile of version 10.
spoil() {
  python3 - "$@" <<'END'
import hashlib, struct, sys
path, name, count = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3], 0)
raw = bytearray(open(path, "rb").read())
field = lambda i: struct.unpack_from("<Q", raw, 8 * i)[0]
ids, records, before, counters_delta = field(2), field(3), field(4), field(10)
data = 128 + ids
counters = data + records * 64 + before
ref = struct.unpack("<Q", hashlib.md5(name).digest()[:8])[0]
for i in range(records):
    at = data + 64 * i
    if struct.unpack_from("<Q", raw, at)[0] == ref:
        pointer = struct.unpack_from("<Q", raw, at + 16)[0]
        place = counters + ((pointer - counters_delta + 64 * i) & (1 << 64) - 1)
        struct.pack_into("<Q", raw, place, count)
        break
else:
    sys.exit("no such function")
open(path, "wb").write(raw)
END
}

# A count beyond 2^56 is none: that function is left out of that file alone, whichever way it is
# merged and wherever it stands among the files.
wrapped() {
  stock "$NEWEST" -fprofile-instr-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  for i in 1 2 3 4; do
    run_stock "$PWD/$i.profraw" ./program exit
  done
  cp 4.profraw bad.profraw
  spoil bad.profraw leaf "$1"
  profdata "$NEWEST" merge --failure-mode=warn --no-function='^leaf$' -o rest.profdata bad.profraw \
    2>said
  profdata "$NEWEST" merge --text -o wanted.proftext rest.profdata 1.profraw 2.profraw 3.profraw
  for order in "bad 1 2 3" "1 bad 2 3" "1 2 bad 3" "1 2 3 bad"; do
    # shellcheck disable=SC2046,SC2086 # names
    merge --text --report=report.json -o ours.proftext $(printf '%s.profraw ' $order) 2>said
    expect_same "$order" wanted.proftext ours.proftext
    expect_text said '^contprof: warning: bad.profraw: 1 functions left out, the first leaf: .*2\^56'
    expect "warnings" 1 "$(grep -c . said)"
    expect "left out" 1 "$(grep -c '"functions_left_out": 1, "left_out": ."leaf".' report.json)"
  done
}

# 2^56 itself is a count to llvm-profdata.
largest_count() {
  stock "$NEWEST" -fprofile-instr-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  for i in 1 2 3 4; do
    run_stock "$PWD/$i.profraw" ./program exit
    spoil $i.profraw leaf 0x100000000000000
  done
  profdata "$NEWEST" merge --text -o wanted.proftext 1.profraw 2.profraw 3.profraw 4.profraw
  merge --text -o ours.proftext 1.profraw 2.profraw 3.profraw 4.profraw 2>said
  expect_empty said
  expect_same "sums" wanted.proftext ours.proftext
}

# Named, by reader and by merge.
conflicts() {
  printf 'main\n1\n1\n1\n\nmain\n1\n2\n1\n2\n' >two.proftext
  printf 'main\n1\n1\n5\n' >one.proftext
  printf 'main\n1\n2\n1\n2\n\nrest\n1\n1\n7\n' >other.proftext
  merge --text -o out two.proftext 2>said
  expect_text said 'two.proftext: 1 functions left out, the first main: the file holds them in other'
  merge --text --report=report.json -o out one.proftext other.proftext two.proftext 2>said
  expect_text report.json '"other.proftext", .*"functions_left_out": 1, "left_out": ."main".\}'
  expect_text report.json '"two.proftext", .*"functions_left_out": 1, "left_out": ."main".\}'
  expect_text said 'other.proftext: 1 functions left out, the first main: the inputs before'
  expect_text out '^7$'
  "$CONTPROF" show two.proftext >shown 2>said
  expect_text said 'two.proftext: 1 functions left out, the first main'
}

cut_short() {
  stock "$NEWEST" -fprofile-instr-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
  merge -o a.profdata a.profraw
  for file in a.profraw a.profdata; do
    head -c $(($(wc -c <$file) - 100)) $file >cut
    expect_status 1 merge -o out cut 2>said
    expect_text said '^contprof: warning: cut: .* at offset [0-9]+: (cut short|.*(behind the end|more than the file holds))'
  done
}

# One that can't be read is a bad input among others; what is no file is none, whatever its name.
directories() {
  mkdir -p fleet/closed fleet/open/dir.profraw
  printf 'main\n1\n1\n1\n' >fleet/open/a.proftext
  mkfifo fleet/open/pipe.profraw
  ln -s ../.. fleet/open/circle
  chmod 0 fleet/closed
  closed=
  [ "$(id -u)" != 0 ] || closed="setpriv --bounding-set -dac_override,-dac_read_search"
  for mode in any all; do
    status=0
    # shellcheck disable=SC2086 # words
    timeout 30 $closed "$CONTPROF" merge --failure-mode=$mode --report=report.json -o out fleet 2>said ||
      status=$?
    expect "status of --failure-mode=$mode" "$([ $mode = all ] || echo 1)" "${status#0}"
    expect_text said '^contprof: warning: fleet/closed: can.t open: Permission denied$'
    expect_text report.json '"skipped": 1,'
    [ $mode = all ] || [ ! -e out ] || die "wrote a profile"
  done
  chmod 755 fleet/closed
}

check "devices" devices
check "directories" directories
check "holes" holes
check "an endless pipe" endless
check "a report overwrites nothing" report_overwrites_nothing
check "empty names" empty_names
for count in 0x100000000000001 0xfffffffffffffff0 0xffffffffffffffff; do
  check "a count of $count" wrapped $count
done
check "the largest count" largest_count
check "functions that conflict are named" conflicts
check "cut short" cut_short
