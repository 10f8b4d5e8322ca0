#!/bin/sh
# contprof sample over several processes and binaries: one pass gives each binary what a run for it alone
# gives, and processes add up to what llvm-profgen makes of each of them, at its own addresses.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/walk-lib.sh"

two_programs() {
  sampled "$NEWEST" cxx sampled_shapes.cpp
  sampled "$NEWEST" cc sampled_sort -shared -fPIC
  mv sampled_sort libsort.so
}

# Branches lead from one binary into the other and back.
in_one_pass() {
  two_programs
  make_walk perf.data 17 600 "4711 4712" sampled_shapes libsort.so
  perf script -i perf.data -F pid,ip,brstack --show-mmap-events --show-task-events >perf.script
  for input in --perfdata=perf.data --perfscript=perf.script; do
    for more in --format=text --skip-symbolization "--leading-ip-only --format=text"; do
      # shellcheck disable=SC2086 # words
      "$CONTPROF" sample $input $more --binary=sampled_shapes -o shapes.both --binary=libsort.so -o sort.both
      # shellcheck disable=SC2086 # words
      "$CONTPROF" sample $input $more --binary=sampled_shapes -o shapes.alone
      # shellcheck disable=SC2086 # words
      "$CONTPROF" sample $input $more --binary=libsort.so -o sort.alone
      expect_same "$input $more: the program" shapes.alone shapes.both
      expect_same "$input $more: the library" sort.alone sort.both
      [ -s shapes.alone ] && [ -s sort.alone ]
    done
  done
}

# What is written is the same with and without threads; that it is right is the other checks' matter.
whatever_the_threads() {
  two_programs
  make_walk perf.data 29 3000 "4711 4712" sampled_shapes libsort.so
  perf script -i perf.data -F pid,ip,brstack --show-mmap-events --show-task-events >perf.script
  for input in --perfdata=perf.data --perfscript=perf.script "--perfdata=perf.data --leading-ip-only"; do
    for threads in 1 2 9; do
      # shellcheck disable=SC2086 # words
      "$CONTPROF" sample $input --num-threads=$threads --binary=sampled_shapes -o shapes.$threads \
        --binary=libsort.so -o sort.$threads 2>said.$threads
    done
    for threads in 2 9; do
      expect_same "$input: the program, $threads threads" shapes.1 shapes.$threads
      expect_same "$input: the library, $threads threads" sort.1 sort.$threads
      expect_same "$input: what is said, $threads threads" said.1 said.$threads
    done
  done
}

# llvm-profgen, of one process at a time, is right; its counts are summed.
processes_add_up() {
  two_programs
  make_walk perf.data 23 400 "11 12 13" sampled_shapes libsort.so
  for pid in 11 12 13; do
    "$PROFGEN" --perfdata=perf.data --pid=$pid --skip-symbolization --binary=sampled_shapes -o $pid.counts
    "$CONTPROF" sample --perfdata=perf.data --pid=$pid --skip-symbolization --binary=sampled_shapes \
      -o $pid.ours 2>said
    expect_same "process $pid" $pid.counts $pid.ours
    expect_text said 'left out as asked: 800 samples of other processes'
  done
  for pids in 11,12,13 11,13; do
    list=$(echo "$pids" | sed 's/\([0-9]*\),*/\1.counts /g')
    # shellcheck disable=SC2086 # words
    sum_counts $list >wanted
    "$CONTPROF" sample --perfdata=perf.data --pid=$pids --skip-symbolization --binary=sampled_shapes -o got
    sum_counts got >got.lines
    expect_same "processes $pids" wanted got.lines
  done
  "$CONTPROF" sample --perfdata=perf.data --skip-symbolization --binary=sampled_shapes -o all
  "$CONTPROF" sample --perfdata=perf.data --pid=11,12,13 --skip-symbolization --binary=sampled_shapes -o named
  expect_same "all processes" named all
}

# Ranges and branches of unsymbolised profiles, with their sums.
sum_counts() {
  awk -F: 'NF == 2 { sum[$1] += $2 } END { for (each in sum) print each ":" sum[each] }' "$@" | sort
}

check "several binaries in one pass" in_one_pass
check "processes add up" processes_add_up
check "whatever the threads" whatever_the_threads
