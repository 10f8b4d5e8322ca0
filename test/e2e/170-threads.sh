#!/bin/sh
# Threads that count at the same time: exact with -fprofile-update=atomic.
. "$(dirname "$0")/lib.sh"

exact_with_atomic() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" -fprofile-update=atomic \
    -pthread "$PROGRAMS/threads.c" "$TEST_DIR/ending.o" -o threads
  expect_killed ./threads kill >said 2>complaints
  expect_empty complaints
  raw=$(the_profile .)
  stock_counts "$llvm" "$raw" >counts.txt
  expect_calls said counts.txt
}

# Without it counts may be lost, never more counted, and the file is whole.
valid_without_atomic() {
  # shellcheck disable=SC2046
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" -pthread \
    "$PROGRAMS/threads.c" "$TEST_DIR/ending.o" -o threads
  expect_killed ./threads kill >said 2>complaints
  expect_empty complaints
  raw=$(the_profile .)
  stock_counts "$llvm" "$raw" >counts.txt
  wanted=$(awk '$2 == "shared_leaf" { print $3 }' said)
  got=$(function_count counts.txt shared_leaf)
  [ "$got" -gt 0 ] && [ "$got" -le "$wanted" ] || die "counted $got of $wanted"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for mode in $MODES; do
      for opt in -O0 -O2; do
        check "clang $llvm $kind $opt $mode: threads, atomic" exact_with_atomic
      done
      check "clang $llvm $kind $mode: threads, not atomic" valid_without_atomic
    done
  done
done
