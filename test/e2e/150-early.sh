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

# Counters of 70 pages, and those of the early functions in their middle. Where none of these has
# counted before the runtime starts, it does not look at the static counters at all.
among_many() {
  for part in a b; do
    awk -v part=$part 'BEGIN {
      for (i = 0; i < 2000; i++) {
        printf "int many_%s_%d(int x) {\n", part, i
        for (bit = 1; bit <= 128; bit *= 2) printf "  if (x & %d) x += %d;\n", bit, i
        print "  return x;\n}"
      }
    }' >many-$part.c
    cc "$llvm" -O0 -fprofile-instr-generate "-fprofile-continuous=$mode" -c many-$part.c -o many-$part.o
  done
  build_early
  for in_main in "" -DPREINIT_IN_MAIN; do
    # shellcheck disable=SC2086 # no argument or one
    cc "$llvm" $opt -fprofile-instr-generate "-fprofile-continuous=$mode" many-a.o $in_main \
      "$PROGRAMS/early.c" many-b.o "$TEST_DIR/ending.o" -L. -learly "-Wl,-rpath,$PWD" -o early
    pages=$((0x$(readelf -SW early | sed -n 's/.*__llvm_prf_cnts  *//p' | awk '{ print $4 }') / 4096))
    [ $pages -ge 70 ] || die "only $pages pages of counters"
    expect_early
    expect_early
  done
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

kind=frontend opt=-O1
for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: before main, among many" among_many
  done
done
