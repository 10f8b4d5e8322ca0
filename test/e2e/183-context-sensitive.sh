#!/bin/sh
# -fcs-profile-generate: a second instrumentation, after inlining, on top of a first profile.
. "$(dirname "$0")/lib.sh"

first_profile() {
  stock "$llvm" -O2 -fprofile-generate "$PROGRAMS/calls.c" "$TEST_DIR/ending.o" -o first
  run_stock first.profraw ./first exit
  profdata "$llvm" merge -o first.profdata first.profraw
}

cs_counts() {
  profdata "$llvm" show --all-functions --counts --showcs "$1"
}

context_sensitive() {
  first_profile
  set -- -O2 -fprofile-use="$PWD/first.profdata" -fcs-profile-generate "$PROGRAMS/calls.c" \
    "$TEST_DIR/ending.o"
  mkdir stock ours
  stock "$llvm" "$@" -o stock/program
  run_stock stock/profile.raw stock/program exit
  cc "$llvm" "-fprofile-continuous=$mode" "$@" -o ours/program
  (cd ours && expect_killed ./program kill >said 2>complaints)
  expect_empty ours/complaints
  raw=$(the_profile ours)
  cs_counts stock/profile.raw >stock.txt
  expect_text stock.txt "Block counts"
  cs_counts "$raw" >ours.txt
  expect_same "counts" stock.txt ours.txt
  use_both "$raw"
}

use_both() {
  "$CONTPROF" merge -o both.profdata first.profdata "$1"
  profdata "$llvm" merge -o stock_both.profdata first.profdata "$1"
  stock "$llvm" -O2 -Werror -fprofile-use=both.profdata -c "$PROGRAMS/calls.c" -o used.o 2>warnings
  expect_empty warnings
  stock "$llvm" -O2 -fprofile-use=stock_both.profdata -c "$PROGRAMS/calls.c" -o stock_used.o
  cmp stock_used.o used.o
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: context-sensitive" context_sensitive
  done
done
