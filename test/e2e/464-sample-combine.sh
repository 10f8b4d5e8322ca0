#!/bin/sh
# contprof combine takes a recording itself, with the program's name: the same as by way of a profile.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/walk-lib.sh"

# counts NAME: exact counts of a run of sampled_sort.
counts() {
  cc "$NEWEST" -O2 -fprofile-continuous "$PROGRAMS/sampled_sort.c" -o counting
  LLVM_PROFILE_FILE=$1 ./counting 3 >said
}

by_recording() {
  sampled "$NEWEST" cc sampled_sort
  make_walk perf.data 7 300 4711 sampled_sort
  counts exact.profraw
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort -o samples.prof
  "$CONTPROF" combine --instr=exact.profraw --sample=samples.prof -o by.profile
  "$CONTPROF" combine --instr=exact.profraw --sample=perf.data --binary=sampled_sort -o by.recording
  cmp by.profile by.recording
  "$CONTPROF" merge -o alone.profdata exact.profraw
  cmp -s alone.profdata by.profile && die "the samples have changed nothing"
  expect_status 2 "$CONTPROF" combine --instr=exact.profraw --sample=perf.data -o none >said 2>&1
  expect_text said 'is a recording: name the program with --binary=FILE'
  expect_status 2 "$CONTPROF" combine --instr=exact.profraw --sample=samples.prof --binary=sampled_sort -o none >said 2>&1
  expect_text said 'is no recording'
  sampled "$NEWEST" cxx sampled_shapes.cpp
  expect_status 1 "$CONTPROF" combine --instr=exact.profraw --sample=perf.data --binary=sampled_shapes -o none >said 2>&1
  expect_text said 'has no samples of sampled_shapes'
}

check "a recording in place of a profile" by_recording
