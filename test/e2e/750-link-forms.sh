#!/bin/sh
# Every way to link that may touch sections or symbols, with each linker, and what is done to the
# result afterwards: an executable and a shared object, both killed, have all their counts.
. "$(dirname "$0")/lib.sh"

# Objects of one LLVM; hidden: what is not said to be visible is not.
build_objects() {
  objects=$TEST_DIR/objects-$1
  mkdir -p "$objects"
  # shellcheck disable=SC2046 # a list of flags
  set -- "$1" -O2 $(instrumentation frontend) -fprofile-continuous -ffunction-sections -fdata-sections -c
  cc "$@" -fPIC -DPART=a "$PROGRAMS/part.c" -o "$objects/a.o"
  cc "$@" -DPART=b -fvisibility=hidden "$PROGRAMS/part.c" -o "$objects/b.o"
  cc "$@" -fvisibility=hidden "$PROGRAMS/two_parts.c" -o "$objects/main.o"
}

linker_flag() {
  [ "$linker" = lld ] && echo "-fuse-ld=lld-$llvm" || echo "-fuse-ld=$linker"
}

link_by() {
  cc "$llvm" -fprofile-continuous -Werror "$(linker_flag)" "$@" >linker.txt 2>&1 ||
    die "$form: $(cat linker.txt)"
}

# runs: two, killed, has counted everything that it says, in as many files as it has modules.
runs() {
  rm -f ./*.profraw
  expect_killed ./two kill >said 2>complaints || die "$form does not run"
  [ ! -s complaints ] || die "$form: $(cat complaints)"
  expect "$form: files" "$1" "$(find . -name '*.profraw' | wc -l)"
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_calls said counts.txt || die "$form"
}

# one FLAG...: all in the executable
one() {
  form="$linker: executable $*"
  link_by "$@" "$objects/main.o" "$objects/a.o" "$objects/b.o" "$TEST_DIR/ending.o" -o two
  runs 1
}

# two FLAG...: part a in a shared object linked so, the executable likewise
two() {
  form="$linker: shared object $*"
  link_by -shared "$@" "$objects/a.o" -o libpart_a.so
  link_by "$@" "$objects/main.o" "$objects/b.o" "$TEST_DIR/ending.o" -L. -lpart_a \
    "-Wl,-rpath,$PWD" -o two
  runs 2
}

both() {
  one "$@"
  two "$@"
}

# Not every linker knows each option.
known() {
  stock "$llvm" "$(linker_flag)" -Werror "$@" "$TEST_DIR/empty.o" -o empty >/dev/null 2>&1 && ./empty
}

if_known() {
  known "$@" || return 0
  both "$@"
}

forms() {
  both -Wl,--gc-sections
  both -Wl,-z,now -Wl,-z,relro -Wl,-O2
  both -Wl,-z,lazy -Wl,--as-needed
  both -Wl,--build-id=none -Wl,-s
  if_known -Wl,--gc-sections -Wl,-z,start-stop-gc
  if_known -Wl,--gc-sections -Wl,--icf=all
  if_known -Wl,-z,pack-relative-relocs
  if_known -Wl,--emit-relocs
  two -Wl,-Bsymbolic -Wl,--exclude-libs,ALL
  one -no-pie
  one -static
  known -static-pie && one -static-pie
  versions
}

# All that is not the library's interface is local.
versions() {
  echo '{ global: part_a; local: *; };' >versions
  form="$linker: shared object, version script"
  link_by -shared -Wl,--gc-sections -Wl,--version-script=versions "$objects/a.o" -o libpart_a.so
  link_by -Wl,--gc-sections "$objects/main.o" "$objects/b.o" "$TEST_DIR/ending.o" -L. -lpart_a \
    "-Wl,-rpath,$PWD" -o two
  nm -D --defined-only libpart_a.so >visible
  expect "visible" "part_a" "$(awk '{ print $3 }' visible)"
  runs 2
}

# strip and objcopy, of binutils and of LLVM, on what is linked.
stripped() {
  linker=bfd
  two -Wl,--gc-sections
  cp two libpart_a.so "$TEST_DIR/objects-$llvm"
  for command in "strip -s" "strip --strip-unneeded" "objcopy --strip-debug --remove-section=.comment" \
    "llvm-strip-$llvm -s" "llvm-strip-$llvm --strip-sections"; do
    cp "$TEST_DIR/objects-$llvm/two" "$TEST_DIR/objects-$llvm/libpart_a.so" .
    $command two
    $command libpart_a.so
    form=$command
    runs 2
  done
}

# Objects that another linker has put together first, and from an archive.
put_together() {
  for linker in bfd gold lld mold; do
    form="$linker: -r and an archive"
    link_by -nostdlib -r "$objects/a.o" "$objects/b.o" -o parts.o
    rm -f libparts.a
    "llvm-ar-$llvm" rcs libparts.a parts.o
    link_by -Wl,--gc-sections "$objects/main.o" "$TEST_DIR/ending.o" -L. -lparts -o two
    runs 1
  done
}

# Some objects by LTO, some by none; the linker of that LLVM makes one program of them.
lto_mixed() {
  linker=lld
  for lto in thin full; do
    form="$lto LTO beside none"
    cc "$llvm" -O2 -fprofile-instr-generate -fprofile-continuous "-flto=$lto" -DPART=b -c \
      "$PROGRAMS/part.c" -o b.o
    link_by "-flto=$lto" -O2 -Wl,--gc-sections "$objects/main.o" "$objects/a.o" b.o \
      "$TEST_DIR/ending.o" -o two
    runs 1
  done
}

echo 'int main(void) { return 0; }' >empty.c
stock $NEWEST -c empty.c -o empty.o
stock $NEWEST -fPIC -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  build_objects "$llvm"
  linkers="bfd gold lld mold"
  [ "$llvm" != 16 ] || linkers=lld # its objects are those of 14 to the others
  for linker in $linkers; do
    check "clang $llvm: forms of a link, $linker" forms
  done
  check "clang $llvm: stripped" stripped
  check "clang $llvm: put together before" put_together
  check "clang $llvm: mixed with LTO" lto_mixed
done
