#!/bin/sh
# contprof sample without branch stacks: each sample's address counts, by its period; held against perf
# script, llvm-profgen (which wants branch stacks beside) and create_llvm_prof.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/walk-lib.sh"
# shellcheck source=/dev/null
. "$E2E/perf-lib.sh"

HOME=$TEST_DIR # perf keeps what it knows of build-ids there
export HOME
OURS="split_last|split_first|sort|checksum|main" # with debug information

# body_sum PROFILE: all lines' counts, inlined functions' too.
body_sum() {
  awk '{ sub(/^ +/, "") } $1 ~ /^[0-9.]+:$/ && $2 ~ /^[0-9]+$/ { sum += $2 } END { print sum + 0 }' "$1"
}

# Each sample in the program counts on one line.
by_period() {
  sampled "$NEWEST" cc sampled_sort
  WALK_OPTION=--ip make_walk perf.data 5 2000 77 sampled_sort
  perf script -i perf.data -F ip,period,sym >lines
  wanted=$(awk -v ours="^($OURS)\$" '$3 ~ ours { sum += $1 } END { print sum }' lines)
  samples=$(awk -v ours="^($OURS)\$" '$3 ~ ours' lines | wc -l)
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=text -o by.period 2>said
  expect_text said 'note: perf.data has no branch stacks: the addresses of its samples are counted, each by its period'
  expect "periods" "$wanted" "$(body_sum by.period)"
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=text --leading-ip-only -o forced 2>said
  expect_same "--leading-ip-only" by.period forced
  expect_no_text said 'has no branch stacks'
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=text --sample-period=1 -o by.sample
  expect "samples" "$samples" "$(body_sum by.sample)"
  # Periods do not tell whether there are enough samples.
  density() {
    "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --profile-density-threshold=1e30 -o out "$@" 2>said
  }
  density
  expect_no_text said 'optimize better'
  density --sample-period=1
  expect_text said 'optimize better'
}

# Beside branch stacks llvm-profgen counts addresses, too, if they are printed; the text's own lines give
# the same numbers as the recording's.
as_llvm_profgen() {
  sampled "$NEWEST" cc sampled_sort
  WALK_OPTION=--ip make_walk perf.data 5 500 77 sampled_sort
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=text --sample-period=1 -o ours
  # Such a text with a branch stack that leads nowhere behind each address.
  perf script -i perf.data -F ip --show-mmap-events | sed 's|^ *[0-9a-f]* *$|& 0x1/0x2/P/-/-/0|' >stacks
  "$PROFGEN" --perfscript=stacks --binary=sampled_sort --format=text --leading-ip-only -o stock 2>said
  expect_same "addresses" stock ours
  "$CONTPROF" sample --perfscript=stacks --binary=sampled_sort --format=text --leading-ip-only -o text 2>said
  expect_same "addresses in text" stock text
  perf script -i perf.data -F ip --show-mmap-events >alone
  "$CONTPROF" sample --perfscript=alone --binary=sampled_sort --format=text -o text 2>said
  expect_same "addresses alone in text" stock text
}

# create_llvm_prof knows DWARF 4. It takes the largest count of a line's instructions where the sum is
# taken here, and multiplies by copies; so it never has more, and has the same functions. Names of inlined
# functions come out damaged there.
as_create_llvm_prof() {
  sampled 14 cc sampled_sort -gdwarf-4 -fno-unroll-loops -fno-vectorize
  perf record -q -e cpu-clock -c 200000 -o live.data ./sampled_sort 20000 >run.said 2>&1 || die "$(cat run.said)"
  create_llvm_prof --binary=./sampled_sort --profile=live.data --use_lbr=false --format=text --out=stock 2>said
  "$CONTPROF" sample --perfdata=live.data --binary=sampled_sort --format=text --sample-period=1 -o ours 2>said
  for each in stock ours; do
    # "function line count" of what is not inlined.
    awk '/^[^ ]/ { split($1, part, ":"); name = part[1] } /^ [0-9]/ && $2 ~ /^[0-9]+$/ { print name, $1, $2 }' \
      $each | sort >$each.lines
  done
  [ "$(awk '$3 > 0' stock.lines | wc -l)" -ge 10 ] || die "create_llvm_prof: $(cat stock)"
  awk 'NR == FNR { ours[$1, $2] = $3; next } !(($1, $2) in ours) && $3 > 0 || ours[$1, $2] < $3' \
    ours.lines stock.lines >exceeding
  expect_empty exceeding
  # The hottest function is the same.
  expect "hottest" "$(sed -n '1s/:.*//p' stock)" "$(sed -n '1s/:.*//p' ours)"
}

# Of callchains perf 6.1 prints offsets in files.
callchains() {
  build_spins pie -fPIE -pie
  stock "$NEWEST" -O1 -g -shared -fPIC "$PROGRAMS/spin_plugin.c" -o plugin.so
  RECORD_FLAGS=-g record chains sh -c './pie a=30 load=./plugin.so:30 & ./pie b=30 & wait'
  perf script -i chains.data --show-mmap-events --show-task-events >chains.script 2>script.said
  grep -q '^	  *[0-9a-f]\{4\} .*(/.*/pie)$' chains.script || die "perf script prints no offsets"
  for each in pie plugin.so; do
    "$CONTPROF" sample --perfdata=chains.data --binary=$each --format=text -o wanted 2>said
    "$CONTPROF" sample --perfscript=chains.script --binary=$each --format=text -o got 2>said
    expect_same "samples in $each" wanted got
    expect_text said 'note: [0-9]+ samples were placed by the offset in a file'
  done
  # Fixed addresses and offsets look alike.
  build_spins fixed -fno-pie -no-pie
  RECORD_FLAGS=-g record chains ./fixed a=30
  perf script -i chains.data --show-mmap-events --show-task-events >chains.script 2>script.said
  expect_status 1 "$CONTPROF" sample --perfscript=chains.script --binary=fixed -o got 2>said
  expect_text said 'in no known map: .*-G where there are callchains'
  perf script -G -i chains.data --show-mmap-events --show-task-events >chains.script 2>script.said
  "$CONTPROF" sample --perfdata=chains.data --binary=fixed --format=text -o wanted 2>said
  "$CONTPROF" sample --perfscript=chains.script --binary=fixed --format=text -o got 2>said
  expect_same "with -G" wanted got
}

check "addresses by their periods" by_period
check "as llvm-profgen --leading-ip-only" as_llvm_profgen
check "callchains in text" callchains
check "as create_llvm_prof, of a live recording" as_create_llvm_prof
