#!/bin/sh
# What a program asks of its own profile is no other one's affair: not of who has taken its name, nor
# of the dead in a pool. And what has begun under a function of contprof's, or without a file: signal
# handlers that fork and exit, a function that goes on in a child which can have a file.
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

build() {
  cc "$llvm" -O2 -fprofile-instr-generate "-fprofile-continuous=$mode" "$PROGRAMS/beside.c" \
    "$TEST_DIR/ending.o" -o "$TEST_DIR/beside"
}

expect_leaf() {
  expect "leaf in $2" "$1" "$(counted leaf "$2")"
}

name_taken() {
  LLVM_PROFILE_FILE=one.profraw expect_killed "$TEST_DIR/beside" moved 2>complaints
  expect_empty complaints
  expect_leaf 7 one.profraw
  expect_leaf 3 elsewhere.profraw
}

into_a_pool() {
  for run in 1 2 3; do
    LLVM_PROFILE_FILE=old-%p.profraw expect_killed "$TEST_DIR/beside" pool 2>complaints
    expect_empty complaints
    expect "leaf after run $run" $((61 * run)) "$(counted leaf ./*.profraw)"
  done
  expect_files 1
}

written_again() {
  : >place
  LLVM_PROFILE_FILE=place/one.profraw expect_killed "$TEST_DIR/beside" again 2>complaints
  expect_complaint "not a directory; counting in memory"
  expect_leaf 7 place/one.profraw
  expect_leaf 3 place/one.2.profraw
}

# Bounded from outside: what went wrong here was a process that no signal but SIGKILL ended.
in_handlers() {
  LLVM_PROFILE_FILE=h-%p.profraw expect_status 14 timeout -s KILL 60 "$TEST_DIR/beside" handlers
  expect "snapshots left" 1 "$(find . -name 'snapshot*' | wc -l)"
}

late_in_child() {
  : >place
  LLVM_PROFILE_FILE=place/x-%p.profraw "$TEST_DIR/beside" late 2>complaints
  expect_complaint "not a directory; counting in memory"
  for file in place/*.profraw; do
    stock_counts "$llvm" "$file" >counts.txt
    function_blocks counts.txt late
  done | sort >blocks.txt
  printf '[0, 0]\n[1, 1000]\n' >wanted.txt
  expect_same "blocks of late" wanted.txt blocks.txt
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for mode in $MODES; do
    name="clang $llvm $mode"
    build
    check "$name: a name that another has taken" name_taken
    check "$name: into a pool that the dead have counted in" into_a_pool
    check "$name: written again, under a name that another has taken" written_again
    check "$name: handlers that fork and exit" in_handlers
    check "$name: a function that goes on in a child with a file" late_in_child
  done
done
