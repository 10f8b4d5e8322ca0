#!/bin/sh
# Counters of one byte, and MC/DC with its bitmaps.
. "$(dirname "$0")/lib.sh"

single_byte() {
  # shellcheck disable=SC2086 # a list of flags
  same_as_stock "$llvm" cc "$mode" "$opt" $flags "$PROGRAMS/calls.c" "$TEST_DIR/ending.o" ||
    die "$flags"
}

# Without `calls`: a byte says only whether.
expect_calls() {
  :
}

mcdc() {
  same_as_stock "$llvm" cc "$mode" "$opt" -fprofile-instr-generate -fcoverage-mapping \
    -fcoverage-mcdc "$PROGRAMS/conditions.c" "$TEST_DIR/ending.o"
  "$CONTPROF" merge -o ours/merged.profdata ours/profile.raw
  profdata "$llvm" merge -o stock/merged.profdata stock/profile.raw
  for who in ours stock; do
    cov "$llvm" show --show-mcdc "$who/program" -instr-profile="$who/merged.profdata" >$who/mcdc.txt
  done
  expect_text stock/mcdc.txt 'MC/DC Coverage for Decision: [1-9]'
  expect_same "MC/DC" stock/mcdc.txt ours/mcdc.txt
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for mode in $MODES; do
  for opt in -O0 -O2; do
    for llvm in $LLVMS; do
      flags="-fprofile-generate -mllvm -pgo-function-entry-coverage"
      check "clang $llvm $opt $mode: bytes for function entries" single_byte
    done
    llvm=$NEWEST
    flags="-fprofile-generate -mllvm -pgo-block-coverage"
    check "clang $llvm $opt $mode: bytes for blocks" single_byte
    flags="-fprofile-instr-generate -fcoverage-mapping -mllvm -enable-single-byte-coverage=true"
    check "clang $llvm $opt $mode: bytes, frontend" single_byte
    check "clang $llvm $opt $mode: MC/DC" mcdc
  done
done
