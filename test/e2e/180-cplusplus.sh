#!/bin/sh
# C++: templates, inline functions and comdats of two objects, virtual calls, exceptions.
. "$(dirname "$0")/lib.sh"

cplusplus() {
  # shellcheck disable=SC2046 # a list of flags
  same_as_stock "$llvm" cxx "$mode" "$opt" $(instrumentation "$kind") "$PROGRAMS/shapes.cpp" \
    "$PROGRAMS/more_shapes.cpp" "$TEST_DIR/ending.o"
  merge_and_use "$llvm" "$opt" "$PROGRAMS/shapes.cpp"
  merge_and_use "$llvm" "$opt" "$PROGRAMS/more_shapes.cpp"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for opt in -O0 -O1 -O2; do
      for mode in $MODES; do
        check "clang++ $llvm $kind $opt $mode" cplusplus
      done
    done
  done
done
