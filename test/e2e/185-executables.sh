#!/bin/sh
# Every form of an executable: position-independent or not, static or not, by both linkers.
. "$(dirname "$0")/lib.sh"

linked_as() {
  # shellcheck disable=SC2046,SC2086 # lists of flags
  same_as_stock "$llvm" cc "$mode" -O2 $flags $linker $(instrumentation "$kind") \
    "$PROGRAMS/calls.c" "$TEST_DIR/ending.o"
}

stock $NEWEST -fPIC -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for flags in "-fPIE -pie" "-fno-pie -no-pie" "-fno-pie -static" "-fPIE -static-pie" "-fPIC"; do
      for linker in -fuse-ld=bfd "-fuse-ld=lld-$llvm"; do
        for mode in auto $MODES; do
          check "clang $llvm $kind $mode $flags $linker" linked_as
        done
      done
    done
  done
done
