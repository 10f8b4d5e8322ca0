#!/bin/sh
# contprof sample says what is wrong and what to do: with the command line, the input, the binary, and with
# samples that belong nowhere.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/walk-lib.sh"

HOME=$TEST_DIR # perf keeps what it knows of build-ids there
export HOME

# refuses STATUS PATTERN ARGUMENT...
refuses() {
  refuses_status=$1
  refuses_pattern=$2
  shift 2
  rm -f out
  got=0
  "$CONTPROF" sample "$@" -o out >said 2>&1 || got=$?
  expect "status of $*" "$refuses_status" "$got"
  expect_text said "$refuses_pattern"
  [ ! -e out ] || die "$*: there is an output"
}

prepare() {
  sampled "$NEWEST" cc sampled_sort
  make_walk perf.data 7 100 4711 sampled_sort
}

command_lines() {
  : >file
  refuses 2 'which binary' --perfdata=file
  refuses 2 'no input' --binary=file
  refuses 2 'one input is read' --binary=file --perfdata=file --perfscript=file
  refuses 2 'file: an input is named by an option, as --perfdata=file' --binary=file --perfdata=file file
  refuses 2 'each --binary needs its own -o' --binary=file --binary=file2 --perfdata=file
  ln file hard
  ln -s file soft
  for again in file ./file hard soft; do
    refuses 2 'a binary is named twice' --binary=file --binary=$again -o out2 --perfdata=file
    refuses 2 'an input is named twice' --binary=file --perfdata=file --perfdata=$again
  done
  refuses 2 "can't have the same output" --binary=file --binary=file2 -o out --perfdata=file
  refuses 2 'of one binary alone' --binary=file --binary=file2 -o out2 --unsymbolized-profile=file
  refuses 2 'go with one --binary' --binary=file --binary=file2 -o out2 --perfdata=file --dwp=file
  refuses 2 'expected text, binary or extbinary' --binary=file --perfdata=file --format=gcc
  refuses 2 'expected process ids' --binary=file --perfdata=file --pid=1,x
  refuses 2 'expected a number above 0' --binary=file --perfdata=file --sample-period=0
  refuses 2 'use llvm-objdump' --binary=file --perfdata=file --show-disassembly-only
  refuses 2 'not an option of sample' --binary=file --perfdata=file --perfdat=file
  "$CONTPROF" sample --help | grep -q 'Usage: contprof sample'
}

inputs() {
  prepare
  perf script -i perf.data -F ip,brstack --show-mmap-events >perf.script
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --skip-symbolization -o counts
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=text -o profile
  refuses 1 "perf.data is not what --perfscript is for: give it with --perfdata" \
    --binary=sampled_sort --perfscript=perf.data
  refuses 1 "counts is not what --perfscript is for: give it with --unsymbolized-profile" \
    --binary=sampled_sort --perfscript=counts
  refuses 1 "profile is not what --perfdata is for: give it with --llvm-sample-profile" \
    --binary=sampled_sort --perfdata=profile
  refuses 1 "perf.script" --binary=sampled_sort --perfdata=perf.script
  refuses 1 "perf.script" --binary=sampled_sort --unsymbolized-profile=perf.script
  refuses 1 "none: can't be opened: No such file" --binary=sampled_sort --perfdata=none
  refuses 1 "none: .*No such file" --binary=none --perfdata=perf.data
  refuses 1 "perf.script: .*ELF" --binary=perf.script --perfdata=perf.data
  head -c 3000 perf.data >short.data
  refuses 1 "short.data: .*" --binary=sampled_sort --perfdata=short.data
  : >empty
  refuses 1 "empty" --binary=sampled_sort --perfscript=empty
}

binaries() {
  prepare
  sampled "$NEWEST" cxx sampled_shapes.cpp
  refuses 1 'no sample of perf.data is in sampled_shapes; most are in other files: contprof sample --list tells which' \
    --binary=sampled_shapes --perfdata=perf.data
  refuses 1 'leave no sample' --binary=sampled_sort --perfdata=perf.data --pid=1
  # What nobody writes to isn't waited for.
  mkfifo pipe
  refuses 1 'pipe: not a regular file' --binary=pipe --perfdata=perf.data
  refuses 1 'pipe: not a regular file' --binary=sampled_sort --debug-binary=pipe --perfdata=perf.data
  # The same name, another build, and the recording knows which.
  sampled "$NEWEST" cxx sampled_shapes.cpp -O1
  perf record -q -e cpu-clock -c 100000 -o live.data --buildid-mmap ./sampled_shapes 20000 >run.said 2>&1 ||
    die "$(cat run.said)"
  sampled "$NEWEST" cxx sampled_shapes.cpp -O2
  refuses 1 'in another build: name the binary that was recorded' --binary=sampled_shapes --perfdata=live.data
  expect_text said 'sampled_shapes has build-id [0-9a-f]{40}, but /.*/sampled_shapes was recorded with [0-9a-f]{40}:'
  # Without debug information.
  cp sampled_sort stripped
  "llvm-objcopy-$NEWEST" --strip-debug stripped
  mv stripped sampled_sort.stripped
  mkdir bare
  mv sampled_sort.stripped bare/sampled_sort
  refuses 1 'bare/sampled_sort: it has no debug information.*: compile it with -g' --binary=bare/sampled_sort \
    --perfdata=perf.data
  # With what was stripped off.
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --format=text -o whole 2>said
  "$CONTPROF" sample --binary=bare/sampled_sort --debug-binary=sampled_sort --perfdata=perf.data --format=text \
    -o out 2>said
  expect_same "with --debug-binary" whole out
  refuses 1 'sampled_shapes: it is the debug information of another build than bare/sampled_sort' \
    --binary=bare/sampled_sort --debug-binary=sampled_shapes --perfdata=perf.data
}

# A recording where a profile should be.
recordings() {
  prepare
  "$CONTPROF" show --sample perf.data >out 2>said && die "no error"
  expect_text said "perf.data is a recording of perf's: contprof sample makes a profile of it"
  "$CONTPROF" merge -o out.profdata perf.data >out 2>said && die "no error"
  expect_text said "perf.data is a recording of perf's: contprof sample makes a profile of it"
}

# keeps FILE ARGUMENT...: a command line that would write over FILE, which it reads
keeps() {
  keeps_file=$1
  shift
  cp "$keeps_file" kept
  "$CONTPROF" "$@" -o "$keeps_file" >said 2>&1 && die "$keeps_file: no error"
  expect_text said "-o $keeps_file would replace the input $keeps_file: give another name"
  expect_same "what is read" kept "$keeps_file"
}

outputs() {
  prepare
  keeps sampled_sort sample --binary=sampled_sort --perfdata=perf.data
  keeps perf.data sample --binary=sampled_sort --perfdata=perf.data
  printf '%s\n' main main 1 1 1 '' >counts.proftext
  keeps perf.data combine --instr=counts.proftext --sample=perf.data --binary=sampled_sort
  keeps sampled_sort combine --instr=counts.proftext --sample=perf.data --binary=sampled_sort
  for verb in sample "combine --instr=counts.proftext"; do
    inputs=$([ "$verb" = sample ] && echo --perfdata=perf.data || echo --sample=perf.data)
    expect_status 1 script -qec "$CONTPROF $verb $inputs --binary=sampled_sort" /dev/null >said </dev/null
    expect_text said 'not written to a terminal'
  done
  keeps perf.data merge --supplement-instr-with-sample=perf.data --binary=sampled_sort counts.proftext
}

reasons() {
  prepare
  sampled "$NEWEST" cxx sampled_shapes.cpp
  make_walk both.data 7 300 4711 sampled_sort sampled_shapes
  perf script -i both.data -F ip,brstack --show-mmap-events |
    grep -v 'PERF_RECORD_MMAP.*shapes' >hidden.script
  "$CONTPROF" sample --binary=sampled_sort --perfscript=hidden.script -o out 2>said
  expect_text said '[0-9]+ samples counted; not counted: [0-9]+ in no known map'
  "$CONTPROF" sample --binary=sampled_sort --perfdata=both.data -o out 2>said
  expect_text said '[0-9]+ samples counted; not counted: [0-9]+ in other files'
  sum=$(sed -n 's/.*note: \([0-9]*\) samples counted; not counted: \([0-9]*\) in other files$/\1 \2/p' said)
  expect_text said "note: +[0-9.]+% in .*/sampled_shapes$"
  expect "samples told of" 300 $((${sum% *} + ${sum#* }))
  # Most of them: then it is a warning.
  make_walk few.data 8 50 4711 sampled_sort
  make_walk many.data 9 10 4711 sampled_sort sampled_shapes
  perf script -i many.data -F ip,brstack --show-mmap-events >many.script
  {
    cat many.script
    for each in 1 2 3 4 5 6 7 8 9 10; do echo "    7f1234567890 0x7f1234567890/0x7f1234567894/P/-/-/0 # $each"; done
  } >much.script
  "$CONTPROF" sample --binary=sampled_sort --perfscript=much.script -o out 2>said
  expect_text said 'warning: [0-9]+% of the samples are not in the profile, most of them'
  # Events.
  perf script -i perf.data -F event,ip,brstack --show-mmap-events >events.script
  sed 's/branches:/cycles:/' events.script | grep -v MMAP >more.script
  cat more.script >>events.script
  "$CONTPROF" sample --binary=sampled_sort --perfscript=events.script -o out 2>said
  expect_text said 'No --perf-event filter was specified, but the samples are of several events.*: branches \([0-9]+\), cycles \([0-9]+\)$'
  "$CONTPROF" sample --binary=sampled_sort --perfscript=events.script --perf-event=nosuch -o none 2>said && die "no error"
  expect_text said 'leave no sample'
  expect_text said '--perf-event=nosuch: no sample is of that event; there are branches:? \([0-9]+\), cycles:? \([0-9]+\)$'
  "$CONTPROF" sample --binary=sampled_sort --perfscript=events.script --perf-events=nosuch,cycles -o out 2>said
  expect_text said '--perf-event=nosuch: no sample is of that event'
}

tells() {
  prepare
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --show-mmap-events --show-density -o out \
    >printed 2>said
  "$PROFGEN" --binary=sampled_sort --perfdata=perf.data --show-density -o stock >stock.printed 2>stock.said
  expect_text printed "^Mmap: Binary .*/sampled_sort loaded at 0x[0-9a-f]*: $"
  grep '^Functions with density' stock.printed >stock.density
  grep '^Functions with density' printed >density
  expect_same "density" stock.density density
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --show-detailed-warning -o out 2>said
  "$PROFGEN" --binary=sampled_sort --perfdata=perf.data --show-detailed-warning -o stock 2>stock.said
  for each in said stock.said; do
    sed -n 's/^.*warning: \(\[ *[0-9a-f]*, *[0-9a-f]*\]: \)/\1/p' $each | sort >$each.ranges
  done
  [ -s said.ranges ]
  expect_same "ranges that don't fit" stock.said.ranges said.ranges
  # To standard output, and from standard input; no other program is needed.
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --format=text -o text 2>said
  "$CONTPROF" sample --binary=sampled_sort --perfdata=- --format=text <perf.data >piped 2>said
  expect_same "through pipes" text piped
  env -i PATH=/nonexistent "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --format=text -o alone 2>said
  expect_same "alone" text alone
}

# Where outputs can go is looked at before the work, not after.
places() {
  prepare
  mkdir locked
  refuses 1 'nowhere/out: .*No such file or directory' --binary=sampled_sort -o nowhere/out \
    --binary=none --perfdata=none
  refuses 1 'locked: .*Is a directory' --binary=sampled_sort -o locked --binary=none --perfdata=none
  cp sampled_sort twice
  : >first
  ln first second
  ln -s first third
  ln -s missing fourth
  for each in second third ./first "$PWD/first"; do
    expect_status 1 "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort -o first --binary=twice \
      -o "$each" 2>said
    expect_text said "^contprof: error: first and $each are one file"
  done
  expect_status 1 "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort -o missing --binary=twice \
    -o fourth 2>said
  expect_text said "^contprof: error: missing and fourth are one file"
  expect_empty first
  [ ! -e missing ]
  [ "$(find . -name '*.tmp-*' | wc -l)" = 0 ]
}

# What llvm-profgen would do otherwise is said.
differences() {
  prepare
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --show-unwinder-output -o out 2>said
  expect_text said 'warning: --show-unwinder-output has no effect'
  sampled "$NEWEST" cc sampled_sort -fpseudo-probe-for-profiling
  make_walk perf.data 7 100 4711 sampled_sort
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --format=text -o out 2>said
  expect_text said 'note: sampled_sort has pseudo probes, by which llvm-profgen counts: this profile is by lines'
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data --format=text -o same --use-dwarf-correlation 2>said
  expect_no_text said 'pseudo probes'
  expect_same "by lines" out same
  "$PROFGEN" --binary=sampled_sort --perfdata=perf.data --format=text -o stock --use-dwarf-correlation 2>said
  expect_same "as llvm-profgen by lines" stock out
}

# Debug information that can't be read is missing in the profile.
damaged() {
  prepare
  "llvm-objcopy-$NEWEST" --compress-debug-sections=zlib sampled_sort
  python3 - <<'END'
import struct
data = bytearray(open("sampled_sort", "rb").read())
table, = struct.unpack_from("<Q", data, 0x28)
size, count, names = struct.unpack_from("<HHH", data, 0x3a)
headers = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
name = lambda header: data[headers[names][4] + header[0]:].split(b"\0", 1)[0]
line, = [header for header in headers if name(header) == b".debug_line"]
assert line[2] & 0x800  # SHF_COMPRESSED
struct.pack_into("<Q", data, line[4] + 8, line[5] * 200)  # ch_size
open("sampled_sort", "r+b").write(data)
END
  "$CONTPROF" sample --binary=sampled_sort --perfdata=perf.data -o out 2>said || true
  expect_text said 'warning: .*sampled_sort: .debug_line: a compressed section has an unlikely size'
}

check "command lines that are wrong" command_lines
check "inputs that are others" inputs
check "binaries that don't fit" binaries
check "recordings in place of profiles" recordings
check "outputs that are read" outputs
check "samples that belong nowhere" reasons
check "what is told on demand" tells
check "places where outputs can't go" places
check "what llvm-profgen does otherwise" differences
check "debug information that is damaged" damaged
