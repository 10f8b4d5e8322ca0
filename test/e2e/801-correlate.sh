#!/bin/sh
# Programs whose profile has counters alone, since data and names are in the debug information or in
# the executable: llvm-profdata puts them together as it does with a clean exit of stock's.
. "$(dirname "$0")/lib.sh"

# correlated N MODE FLAG LLVM-PROFDATA-OPTION
correlated() {
  cc "$1" -g -O2 -fprofile-generate -mllvm --disable-vp=true -mllvm "$3" \
    "-fprofile-continuous=$2" "$PROGRAMS/calls.c" "$TEST_DIR/ending.o" -o calls
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./calls kill >said 2>complaints
  expect_empty complaints
  profdata "$1" merge "$4=calls" -o ours.profdata ours.profraw
  stock_counts "$1" ours.profdata >ours.txt
  expect_text ours.txt '^  leaf:'
  stock "$1" -g -O2 -fprofile-generate -mllvm --disable-vp=true -mllvm "$3" -mllvm \
    -do-counter-promotion=false "$PROGRAMS/calls.c" "$TEST_DIR/ending.o" -o calls
  LLVM_PROFILE_FILE=stock.profraw ./calls exit >stock_said
  profdata "$1" merge "$4=calls" -o stock.profdata stock.profraw
  stock_counts "$1" stock.profdata >stock.txt
  expect_same_functions "counts" stock.txt ours.txt
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for mode in segment pointer; do
  for llvm in $LLVMS; do
    check "debug information, clang $llvm, $mode" \
      correlated "$llvm" $mode --debug-info-correlate --debug-info
  done
  check "debug information, newer option, clang 19, $mode" \
    correlated 19 $mode -profile-correlate=debug-info --debug-info
  check "executable, clang 19, $mode" correlated 19 $mode -profile-correlate=binary --binary-file
done
