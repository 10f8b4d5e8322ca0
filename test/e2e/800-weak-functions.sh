#!/bin/sh
# Functions of the runtime that the program declares weak are there, in an instrumented executable and
# only there; and a program that keeps start-up out of its link runs, whichever linker made it.
. "$(dirname "$0")/lib.sh"

resets_where_there_is_a_runtime() {
  cc "$1" -O2 -fprofile-instr-generate "-fprofile-continuous=$2" "$PROGRAMS/weakly.c" \
    "$TEST_DIR/ending.o" -o weakly
  expect_killed ./weakly kill >said 2>complaints
  expect_empty complaints
  expect_text said '^resets$'
  stock_counts "$1" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
}

links_without_a_runtime() {
  cc "$1" -O2 "$PROGRAMS/weakly.c" "$TEST_DIR/ending.o" -o weakly
  ./weakly >said
  expect_text said '^nothing to reset$'
}

runs_without_start_up() {
  cc "$1" -O2 -fprofile-continuous -DOWN_RUNTIME "-fuse-ld=$2" "$PROGRAMS/weakly.c" \
    "$TEST_DIR/ending.o" -o weakly
  ./weakly >said 2>complaints
  expect_text said '^calls leaf 10$'
  expect_empty complaints
  expect "files" "" "$(find . -name '*.profraw')"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for mode in segment pointer; do
    check "weak functions, clang $llvm, $mode" resets_where_there_is_a_runtime "$llvm" $mode
  done
  check "weak functions without instrumentation, clang $llvm" links_without_a_runtime "$llvm"
  for linker in bfd gold lld; do
    check "no start-up, clang $llvm, $linker" runs_without_start_up "$llvm" $linker
  done
done
