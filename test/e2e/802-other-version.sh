#!/bin/sh
# An object that stock clang of another raw version has instrumented: one line, no profile, and the
# program runs as if nothing were.
. "$(dirname "$0")/lib.sh"

# says_so OBJECT'S-LLVM LINKING-LLVM
says_so() {
  stock "$1" -O2 -fprofile-generate -c "$PROGRAMS/calls.c" -o calls.o
  cc "$2" -fprofile-continuous calls.o "$TEST_DIR/ending.o" -o calls
  ./calls exit >said 2>complaints
  expect_text said '^calls leaf 34$'
  expect_text complaints '^contprof: can.t profile "calls": an LLVM of another raw version'
  expect "lines" 1 "$(wc -l <complaints)"
  expect "files" "" "$(find . -name '*.profraw')"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
check "clang 16's object, linked by 19" says_so 16 19
check "clang 14's object, linked by 19" says_so 14 19
check "clang 19's object, linked by 16" says_so 19 16
check "clang 19's object, linked by 14" says_so 19 14
