#!/bin/sh
# Objects of both modes, of stock clang and of no instrumentation in one executable; and a
# segment-mode object in a shared object, which must not link.
. "$(dirname "$0")/lib.sh"

# compile_part X MODE: MODE segment, pointer, relocation (stock clang's own continuous mode).
compile_part() {
  set -- "$2" -O2 -c "-DPART=$1" "$PROGRAMS/part.c" -o "part_$1.o"
  compile_in_mode "$@"
}

compile_in_mode() {
  compile_mode=$1
  shift
  # shellcheck disable=SC2046 # a list of flags
  case $compile_mode in
    relocation)
      stock "$llvm" $(instrumentation "$kind") -mllvm -runtime-counter-relocation "$@"
      ;;
    *) cc "$llvm" $(instrumentation "$kind") "-fprofile-continuous=$compile_mode" "$@" ;;
  esac
}

mixed() {
  compile_part a "$mode_a"
  compile_part b "$mode_b"
  compile_in_mode "$mode_main" -O2 -c "$PROGRAMS/two_parts.c" -o two_parts.o
  cc "$llvm" -fprofile-continuous two_parts.o part_a.o part_b.o "$TEST_DIR/ending.o" -o two_parts
  expect_killed ./two_parts kill >said 2>complaints
  expect_empty complaints
  raw=$(the_profile .)
  stock_counts "$llvm" "$raw" >counts.txt
  expect_calls said counts.txt
}

SYMBOL='contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_[0-9]+_and_compile_shared_objects_with_fPIC'

# shellcheck disable=SC2046,SC2086 # lists of flags
does_not_link() {
  cc "$llvm" $flags -O2 $(instrumentation "$kind") "-fprofile-continuous=$mode" -DPART=a -c \
    "$PROGRAMS/part.c" -o part_a.o
  expect_status 1 cc "$llvm" $flags $linker -fprofile-continuous -shared part_a.o -o libpart_a.so \
    >complaints 2>&1
  expect_text complaints "$SYMBOL"
  [ ! -e libpart_a.so ]
}

stock $NEWEST -fPIC -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for modes in "segment pointer segment" "pointer segment pointer" "segment segment pointer" \
      "pointer relocation segment" "segment relocation relocation"; do
      # shellcheck disable=SC2086 # three words
      set -- $modes
      mode_main=$1 mode_a=$2 mode_b=$3
      check "clang $llvm $kind: main $1, parts $2 and $3" mixed
    done
    for linker in -fuse-ld=bfd "-fuse-ld=lld-$llvm"; do
      mode=segment
      for flags in -fPIC "-fPIC -ffunction-sections -Wl,--gc-sections"; do
        check "clang $llvm $kind: segment mode in a shared object, $flags $linker" does_not_link
      done
      mode=auto flags=-fPIE
      check "clang $llvm $kind: -fPIE code in a shared object, $linker" does_not_link
    done
    mode=segment flags="-fPIC -flto=thin" linker=-fuse-ld=lld-$llvm
    check "clang $llvm $kind: segment mode in a shared object, ThinLTO" does_not_link
  done
done
