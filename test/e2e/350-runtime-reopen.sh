#!/bin/sh
# A shared object that a plain program loads and unloads a hundred times: all counts in one file, and
# nothing left behind in the process, also while another thread runs.
. "$(dirname "$0")/lib.sh"

a_hundred_times() {
  echo 'static volatile int sink; void counted(void) { sink++; }' >counted.c
  cc "$1" -O2 -fPIC -shared -fprofile-instr-generate -fprofile-continuous counted.c -o libcounted.so
  # shellcheck disable=SC2086 # none or one word
  LLVM_PROFILE_FILE=host-%p.profraw $RUN "$TEST_DIR/reopens" ./libcounted.so 100 $2 >said
  expect "what is left in the process" "more mappings: 0
more descriptors: 0" "$(cat said)"
  raw=$(the_profile)
  stock_counts "$1" "$raw" >counts.txt
  expect "counted" 100 "$(function_count counts.txt counted)"
}

stock $NEWEST "$PROGRAMS/reopens.c" -o reopens -ldl -lpthread
for llvm in $LLVMS; do
  check "clang $llvm: alone" a_hundred_times "$llvm" ""
  check "clang $llvm: with a thread" a_hundred_times "$llvm" thread
done
