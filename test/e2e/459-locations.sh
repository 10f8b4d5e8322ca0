#!/bin/sh
# Inline stacks, line offsets and discriminators: of every instruction the same as llvm-profgen has from
# LLVM's symbolizer, whatever form and place the debug information has.
. "$(dirname "$0")/namespace-lib.sh"
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/binary-lib.sh"

SHAPES=$PROGRAMS/sampled_shapes.cpp
SAMPLED="-g -fdebug-info-for-profiling"

# built LLVM FLAG...: the program `shapes` of that compiler, in this directory.
built() {
  built_llvm=$1
  shift
  # shellcheck disable=SC2086 # words
  stockxx "$built_llvm" -O2 $SAMPLED "$@" "$SHAPES" -o shapes
}

of_dwarf() {
  for dwarf in 4 5; do
    built "$1" -gdwarf-$dwarf
    same_locations shapes
    grep -qE ':[0-9]+\.[0-9]+' got || die "no discriminator"
    built "$1" -gdwarf-$dwarf -O3 -no-pie -ffunction-sections
    same_locations shapes
  done
}

of_plain_debug_information() {
  for flags in "-O1 -g" "-O2 -gline-tables-only" "-O2 -g -gdwarf-5 -gdwarf64" "-O2 -g -gdwarf-2"; do
    # shellcheck disable=SC2086 # words
    stockxx "$1" $flags "$SHAPES" -o shapes
    same_locations shapes
  done
  stockxx "$1" -O0 -g "$SHAPES" -o shapes
  STACKS=0 same_locations shapes
  stockxx "$1" -O2 "$SHAPES" -o shapes
  STACKS=0 same_locations shapes
}

# Functions that the linker folds have one place and several entries; those that it leaves out, none.
of_linkers() {
  lld=$(command -v "ld.lld-$1")
  built "$1" -ffunction-sections -fuse-ld="$lld" -Wl,--icf=all,--gc-sections
  same_locations shapes
  built "$1" -flto -fuse-ld="$lld"
  same_locations shapes
  built "$1" -flto=thin -fuse-ld="$lld"
  same_locations shapes
}

of_gcc() {
  g++ -O2 -g "$SHAPES" -o shapes
  same_locations shapes
  "$PRINT" functions shapes >functions
  expect_text functions ' part ' # cold parts are no entries
  g++ -O2 -g -gdwarf-4 -fdebug-types-section "$SHAPES" -o shapes
  same_locations shapes
}

# The .dwo files beside, in a package beside, in a package elsewhere, and gone. What the packages say is
# compared with what the files say, which is llvm-profgen's.
split_in() {
  for dwarf in 4 5; do
    built "$1" -gdwarf-$dwarf -gsplit-dwarf
    same_locations shapes
    cp got with_dwo
    "llvm-dwp-$NEWEST" -e shapes -o shapes.dwp
    rm ./*.dwo
    "$PRINT" locations shapes >got
    expect_same "locations from the package" with_dwo got
    mkdir "elsewhere$dwarf"
    mv shapes.dwp "elsewhere$dwarf/package"
    "$PRINT" locations shapes - "elsewhere$dwarf/package" >got
    expect_same "locations from the package elsewhere" with_dwo got
    "$PRINT" summary shapes >summary
    expect_text summary '^missing dwo 1$'
    STACKS=0 same_locations shapes
  done
}

# From a file of its own: named, or found by .gnu_debuglink, where llvm-profgen does not look.
separate() {
  built "$1"
  same_locations shapes
  cp got whole
  objcopy --only-keep-debug shapes shapes.debug
  objcopy --strip-debug shapes bare
  same_locations bare shapes.debug
  expect_same "locations of --debug-binary" whole got
  mkdir .debug
  mv shapes.debug .debug/linked.debug
  objcopy --add-gnu-debuglink=.debug/linked.debug bare linked
  "$PRINT" locations linked >got
  expect_same "locations by debuglink" whole got
  "$PRINT" functions linked >got
  "$PRINT" functions shapes >wanted
  expect_same "functions by debuglink" wanted got
  # Without a symbol table the debug file's serves.
  objcopy --strip-all shapes bare
  objcopy --add-gnu-debuglink=.debug/linked.debug bare linked
  "$PRINT" locations linked >got
  expect_same "locations of a stripped binary" whole got
}

# By build-id, in the system's directory: a mount of this script's own.
by_build_id() {
  if ! mounted tmpfs /usr/lib/debug; then
    echo "no directory of debug files of one's own here"
    return 0
  fi
  built "$1"
  "$PRINT" locations shapes >whole
  id=$("$PRINT" summary shapes | sed -n 's/^build id //p')
  place=/usr/lib/debug/.build-id/$(echo "$id" | cut -c 1-2)
  objcopy --strip-debug shapes bare
  "$PRINT" summary bare >summary
  expect_text summary '^functions 0$'
  mkdir -p "$place"
  objcopy --only-keep-debug shapes "$place/$(echo "$id" | cut -c 3-).debug"
  "$PRINT" locations bare >got
  umount /usr/lib/debug
  expect_same "locations by build-id" whole got
}

of_compressed_sections() {
  built "$NEWEST"
  "$PRINT" locations shapes >whole
  for kind in zlib zstd; do
    "llvm-objcopy-$NEWEST" --compress-debug-sections=$kind shapes compressed
    readelf -SW compressed | grep -qE 'debug_info .* C ' || die "$kind: not compressed"
    same_locations compressed
    expect_same "$kind" whole got
  done
  objcopy --compress-debug-sections=zlib-gnu shapes compressed
  "$PRINT" locations compressed >got
  expect_same "zlib-gnu" whole got
}

of_flow_sensitive_discriminators() {
  built "$1" -mllvm -enable-fs-discriminator=true
  same_locations shapes
  "$PRINT" summary shapes >summary
  expect_text summary '^fs discriminators 1$'
}

for llvm in $LLVMS; do
  check "DWARF 4 and 5, clang $llvm" of_dwarf "$llvm"
  check "without -fdebug-info-for-profiling, clang $llvm" of_plain_debug_information "$llvm"
  check "folded, left out, optimised by the linker, clang $llvm" of_linkers "$llvm"
  check "split DWARF, clang $llvm" split_in "$llvm"
  check "flow-sensitive discriminators, clang $llvm" of_flow_sensitive_discriminators "$llvm"
done
check "GCC" of_gcc
check "separate debug files" separate "$NEWEST"
check "separate debug files by build-id" by_build_id "$NEWEST"
check "compressed sections" of_compressed_sections
