#!/bin/sh
# The other levels of optimisation, and sections apart with --gc-sections.
. "$(dirname "$0")/lib.sh"

level() {
  # shellcheck disable=SC2046,SC2086 # lists of flags
  same_as_stock "$llvm" cc "$mode" $flags $(instrumentation "$kind") "$PROGRAMS/calls.c" \
    "$TEST_DIR/ending.o"
  # shellcheck disable=SC2086
  merge_and_use "$llvm" ${flags%% -Wl*} "$PROGRAMS/calls.c"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for mode in $MODES; do
      for flags in -O1 -O3 -Os -Oz "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections"; do
        check "clang $llvm $kind $mode $flags" level
      done
    done
  done
done
