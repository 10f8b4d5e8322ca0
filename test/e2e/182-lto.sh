#!/bin/sh
# ThinLTO and full LTO, linked by that LLVM's lld, where the optimiser runs once more at link time.
. "$(dirname "$0")/lib.sh"

linked() {
  # shellcheck disable=SC2046 # a list of flags
  same_as_stock "$llvm" cc "$mode" "$opt" "-flto=$lto" "-fuse-ld=lld-$llvm" \
    $(instrumentation "$kind") "$PROGRAMS/calls.c" "$TEST_DIR/ending.o"
}

linked_cplusplus() {
  # shellcheck disable=SC2046
  same_as_stock "$llvm" cxx "$mode" "$opt" "-flto=$lto" "-fuse-ld=lld-$llvm" \
    $(instrumentation "$kind") "$PROGRAMS/shapes.cpp" "$PROGRAMS/more_shapes.cpp" \
    "$TEST_DIR/ending.o"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for lto in thin full; do
      for mode in $MODES; do
        for opt in -O0 -O2; do
          check "clang $llvm $kind $opt $mode, $lto LTO" linked
        done
        opt=-O2
        check "clang++ $llvm $kind $opt $mode, $lto LTO" linked_cplusplus
      done
    done
  done
done
