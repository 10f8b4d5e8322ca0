#!/bin/sh
# What runs before main: .preinit_array, constructors of priority 101, in the executable and in a
# shared object; also in a second process with the same name pattern.
. "$(dirname "$0")/lib.sh"

build_early() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" "$opt" $(instrumentation "$kind") -fprofile-continuous -fPIC -shared -DLIBRARY \
    "$PROGRAMS/early.c" -o libearly.so
  # shellcheck disable=SC2046
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" "$PROGRAMS/early.c" \
    "$TEST_DIR/ending.o" -L. -learly "-Wl,-rpath,$PWD" -o early
}

build_early_static() {
  # shellcheck disable=SC2046
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" -c -DLIBRARY \
    "$PROGRAMS/early.c" -o libearly.o
  # shellcheck disable=SC2046
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" -static \
    "$PROGRAMS/early.c" libearly.o "$TEST_DIR/ending.o" -o early
}

expect_early() {
  expect_killed ./early kill >said 2>complaints
  expect_empty complaints
  "$CONTPROF" merge -o merged.profdata ./*.profraw
  stock_counts "$llvm" merged.profdata >counts.txt
  expect_calls said counts.txt
  rm ./*.profraw
}

early_counts() {
  build_early
  expect_early
  expect_early
}

early_counts_static() {
  build_early_static
  expect_early
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for opt in -O0 -O2; do
      for mode in $MODES; do
        check "clang $llvm $kind $opt $mode: before main" early_counts
      done
    done
    for mode in $MODES; do
      check "clang $llvm $kind $mode: before main, static" early_counts_static
    done
  done
done
