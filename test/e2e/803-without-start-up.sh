#!/bin/sh
# A program that defines __llvm_profile_runtime itself: no file unless it asks for one, and what it
# asks for holds what stock's holds.
. "$(dirname "$0")/lib.sh"

# leaves_the_same HOW LEAF-COUNT
leaves_the_same() {
  mkdir stock # which has an empty default.profraw as well
  (cd stock && "$TEST_DIR/stock-asks" "$1" stock.profraw)
  stock_counts "$llvm" stock/stock.profraw >stock.txt
  "$TEST_DIR/asks" "$1" ours.profraw >said 2>complaints
  expect_empty complaints
  expect "files" ./ours.profraw "$(find . -path ./stock -prune -o -name '*.profraw' -print)"
  stock_counts "$llvm" ours.profraw >ours.txt
  expect_same "counts" stock.txt ours.txt
  expect "leaf" "$2" "$(function_count ours.txt leaf)"
}

for llvm in $LLVMS; do
  stock "$llvm" -O1 -fprofile-instr-generate "$PROGRAMS/asks.c" -o stock-asks
  for mode in segment pointer; do
    cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" "$PROGRAMS/asks.c" -o asks
    check "written when asked, clang $llvm, $mode" leaves_the_same write 10
    check "written at exit when asked, clang $llvm, $mode" leaves_the_same atexit 20
    check "in a buffer, clang $llvm, $mode" leaves_the_same buffer 10
  done
done
