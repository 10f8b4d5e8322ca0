#!/bin/sh
# Where the GS base cannot be set (no instruction for it, and a sandbox that refuses the system
# call), segment mode counts in the program's own memory and brings it to the file at exit; one line
# says so. Pointer mode does not care.
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2046 # a list of flags
build() {
  program=$1
  shift
  cc "$llvm" -O2 $(instrumentation "$kind") "$@" "$PROGRAMS/$program.c" "$TEST_DIR/ending.o" -o "$program"
}

# Both the sandbox and the program's own view of the processor.
refused() {
  LD_PRELOAD=$TEST_DIR/libwithout.so "$TEST_DIR/refuse_gs" "$@"
}

expect_one_line() {
  expect "lines of complaint" 1 "$(wc -l <complaints)"
  expect_text complaints "^contprof: can't count into \"[^\"]*\.profraw\": the GS segment base can't be set"
}

at_exit() {
  build calls -fprofile-continuous=segment
  refused ./calls exit >said 2>complaints
  expect_one_line
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
}

# All is lost then, but the file is a profile.
killed() {
  build calls -fprofile-continuous=segment
  LD_PRELOAD=$TEST_DIR/libwithout.so expect_killed "$TEST_DIR/refuse_gs" ./calls kill >said 2>complaints
  expect_one_line
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect "count of leaf" 0 "$(function_count counts.txt leaf)"
}

in_children() {
  build forks -fprofile-continuous=segment
  refused ./forks exit 2>complaints
  expect_one_line
  expect "processes" 5 "$(find . -name 'said-*' | wc -l)"
  for said in said-*; do
    stock_counts "$llvm" "forks-${said#said-}.profraw" >counts.txt
    expect_calls "$said" counts.txt
  done
}

pointer_mode() {
  build calls -fprofile-continuous=pointer
  LD_PRELOAD=$TEST_DIR/libwithout.so expect_killed "$TEST_DIR/refuse_gs" ./calls kill >said 2>complaints
  expect_empty complaints
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
}

# Pointer-mode objects of the executable do as the others, or half its counts would be elsewhere.
both_modes() {
  for each in "a pointer" "b segment"; do
    # shellcheck disable=SC2086 # two words
    set -- $each
    # shellcheck disable=SC2046
    cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$2" "-DPART=$1" -c \
      "$PROGRAMS/part.c" -o "$1.o"
  done
  build two_parts -fprofile-continuous=segment a.o b.o
  refused ./two_parts exit >said 2>complaints
  expect_one_line
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
}

stock $NEWEST -fPIC -c "$PROGRAMS/ending.c" -o ending.o
stock $NEWEST "$PROGRAMS/refuse_gs.c" -o refuse_gs
stock $NEWEST -fPIC -shared -DLIBRARY "$PROGRAMS/refuse_gs.c" -ldl -o libwithout.so
for llvm in $LLVMS; do
  for kind in frontend ir; do
    check "clang $llvm $kind: no GS base, at exit" at_exit
    check "clang $llvm $kind: no GS base, killed" killed
    check "clang $llvm $kind: no GS base, pointer mode" pointer_mode
  done
  check "clang $llvm: no GS base, children" in_children
  check "clang $llvm: no GS base, both modes" both_modes
done
