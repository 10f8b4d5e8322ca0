#!/bin/sh
# A link that would lose the profile does not succeed: counting objects without the runtime, and
# objects of LLVMs of different raw versions in one module. The linker's message names what to do,
# whatever the linker, --gc-sections, LTO or `ld -r` make of the objects.
. "$(dirname "$0")/lib.sh"

NEEDS=contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_
SHARED=_and_compile_shared_objects_with_fPIC

raw_version() {
  [ "$1" = 19 ] && echo 10 || echo 8
}

# The symbol that an object of clang $1 in mode $2 asks for.
needed() {
  case $2 in
    segment) echo "$NEEDS$(raw_version "$1")$SHARED" ;;
    shadow) echo "$NEEDS$(raw_version "$1")_for_shadow_mode" ;;
    *) echo "$NEEDS$(raw_version "$1")" ;;
  esac
}

# part X N MODE FLAG...: part_X.o
part() {
  part=$1 part_llvm=$2 part_mode=$3
  shift 3
  cc "$part_llvm" "$@" -O2 -fPIC "-fprofile-continuous=$part_mode" "-DPART=$part" -c \
    "$PROGRAMS/part.c" -o "part_$part.o"
}

# refused SYMBOL COMMAND...: the link fails, names the symbol, and writes nothing.
refused() {
  refused_symbol=$1
  shift
  rm -f linked
  status=0
  "$@" -o linked >complaint 2>&1 || status=$?
  [ "$status" != 0 ] || die "linked: $*"
  expect_text complaint "$refused_symbol([^_a-zA-Z0-9]|\$)"
  [ ! -e linked ] || die "written all the same: $*"
}

without_the_runtime() {
  for mode in pointer segment shadow; do
    part a "$llvm" $mode -ffunction-sections -fdata-sections
    symbol=$(needed "$llvm" $mode)
    for linker in bfd gold "lld-$llvm" mold; do
      refused "$symbol" stock "$llvm" "-fuse-ld=$linker" -shared part_a.o
      refused "$symbol" stock "$llvm" "-fuse-ld=$linker" -Wl,--gc-sections "$TEST_DIR/main.o" part_a.o
    done
    refused "$symbol" gcc "$TEST_DIR/main.o" part_a.o
    stock "$llvm" -nostdlib -r part_a.o -o again.o
    refused "$symbol" stock "$llvm" -shared -Wl,--gc-sections again.o
  done
}

without_the_runtime_by_lto() {
  for lto in thin full; do
    for mode in pointer segment; do
      part a "$llvm" $mode "-flto=$lto"
      refused "$(needed "$llvm" $mode)" stock "$llvm" -O2 "-flto=$lto" "-fuse-ld=lld-$llvm" -shared \
        -Wl,--gc-sections part_a.o
    done
  done
}

# Whichever of the two links, the other's objects are refused; in one module and mode alike.
of_two_versions() {
  for modes in "pointer pointer" "segment segment" "pointer segment"; do
    # shellcheck disable=SC2086 # two words
    set -- $modes
    part a "$llvm" "$1"
    part b $NEWEST "$2"
    refused "$(needed $NEWEST "$2")" cc "$llvm" -fprofile-continuous "$TEST_DIR/two.o" part_a.o part_b.o
    refused "$(needed "$llvm" "$1")" cc $NEWEST -fprofile-continuous "$TEST_DIR/two.o" part_a.o part_b.o
  done
}

# The newer linker reads both LLVMs' bitcode.
of_two_versions_by_lto() {
  for lto in thin full; do
    for mode in pointer segment; do
      part a "$llvm" $mode "-flto=$lto"
      part b $NEWEST $mode "-flto=$lto"
      refused "$(needed "$llvm" $mode)" cc $NEWEST -O2 -fprofile-continuous "-flto=$lto" \
        "-fuse-ld=lld-$NEWEST" "$TEST_DIR/two.o" part_a.o part_b.o
    done
  done
}

# Executable and shared object are modules of their own: there versions may differ.
of_two_versions_in_two_modules() {
  part b $NEWEST pointer
  cc $NEWEST -fprofile-continuous -shared part_b.o -o libpart_b.so
  part a "$llvm" auto
  cc "$llvm" -fprofile-continuous "$TEST_DIR/two.o" part_a.o -L. -lpart_b "-Wl,-rpath,$PWD" -o two
  start ./two wait >said 2>complaints
  wait_for 60 grep -q ready said
  kill_hard "$PID"
  expect_empty complaints
  stock_counts "$llvm" "two-$PID.profraw" >counts.txt
  expect_text counts.txt "part_a_leaf"
  stock_counts $NEWEST "two-$PID-libpart_b.so.profraw" >counts.txt
  expect_text counts.txt "part_b_leaf"
}

# The word that asks for it is eight bytes of data, once a module, and nothing to relocate at start.
costs() {
  part a "$llvm" auto
  part b "$llvm" auto
  cc "$llvm" -fprofile-continuous -shared part_a.o part_b.o -o linked.so
  size=$(nm -S linked.so | awk '/contprof_pointer_mode/ { print $2 }')
  expect "size of the marker" 0000000000000008 "$size"
  place=$(nm linked.so | awk '/contprof_pointer_mode/ { print $1 }')
  readelf -rW linked.so >relocations
  expect_no_text relocations "^$place"
}

echo 'void part_a(unsigned); int main(void) { part_a(1); return 0; }' >main.c
stock $NEWEST -c main.c -o main.o
stock $NEWEST -c "$PROGRAMS/two_parts.c" -o parts.o
stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
ld -r parts.o ending.o -o two.o
for llvm in $LLVMS; do
  check "clang $llvm: counting objects without the runtime" without_the_runtime
  check "clang $llvm: the same by LTO" without_the_runtime_by_lto
  check "clang $llvm: what the marker costs" costs
done
for llvm in 14 16; do
  check "objects of clang $llvm and $NEWEST in one module" of_two_versions
  check "objects of clang $llvm and $NEWEST in one module, by LTO" of_two_versions_by_lto
  check "an object of clang $llvm, a library of clang $NEWEST" of_two_versions_in_two_modules
done
