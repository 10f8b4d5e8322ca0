#!/bin/sh
# Kinds of instrumentation that a live file can't carry end the compilation, and say what to do.
. "$(dirname "$0")/lib.sh"

# refused N WORDS FLAG...: at -O0 and -O2, in both modes, with and without LTO.
refused() {
  refused_llvm=$1
  words=$2
  shift 2
  for mode in segment pointer; do
    for how in -O0 -O2 "-O2 -flto=thin"; do
      # shellcheck disable=SC2086 # a list of flags
      expect_status 1 cc "$refused_llvm" $how "$@" -fprofile-continuous=$mode \
        -c "$PROGRAMS/in_order.c" -o in_order.o 2>words.txt
      expect_text words.txt "error: .*$words"
      [ ! -e in_order.o ] || die "wrote an object"
    done
  done
}

# The same flags are fine without -fprofile-continuous.
stock_takes_them() {
  stock "$NEWEST" -O2 "$@" -c "$PROGRAMS/in_order.c" -o in_order.o
}

check "orders of functions counted at their entry alone" refused 19 \
  '-pgo-temporal-instrumentation and -pgo-function-entry-coverage' -fprofile-generate \
  -mllvm -pgo-temporal-instrumentation -mllvm -pgo-function-entry-coverage
check "stock clang takes such flags" stock_takes_them -fprofile-generate \
  -mllvm -pgo-temporal-instrumentation -mllvm -pgo-function-entry-coverage
