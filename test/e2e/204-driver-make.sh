#!/bin/sh
# contprof-clang as CC and CXX of a plain makefile, with make's own rules for objects, archive,
# shared object and program, and dependency files.
# shellcheck source=driver-lib.sh
. "$(dirname "$0")/driver-lib.sh"

# A program of two_parts.c with part a in an archive and part b in a shared object.
write_project() {
  cp "$PROGRAMS"/two_parts.c "$PROGRAMS"/ending.[ch] "$PROGRAMS"/known.h .
  printf '#define PART a\n#include "part.h"\n' >part_a.c
  printf '#define PART b\n#include "part.h"\n' >part_b.c
  cp "$PROGRAMS/part.c" part.h
  cat >Makefile <<'MAKEFILE'
CPPFLAGS = -MMD -MP
two: two_parts.o ending.o libpart_a.a libpart_b.so
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ two_parts.o ending.o -L. -lpart_a -lpart_b -Wl,-rpath,$(CURDIR)
libpart_a.a: libpart_a.a(part_a.o)
part_b.o: override CFLAGS += -fPIC
libpart_b.so: part_b.o
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^
cxx: LINK.o = $(CXX) $(CXXFLAGS) $(LDFLAGS)
cxx: cxx.o
-include *.d
MAKEFILE
  printf '#include <string>\nint main(int argc, char **) { return std::string(argc, 120).size() != 1; }\n' >cxx.cpp
}

# build TARGET FLAG...
build() {
  target=$1
  shift
  CONTPROF_CLANG=clang-$llvm make -s CC="$BUILD/bin/contprof-clang" \
    CXX="$BUILD/bin/contprof-clang++" CFLAGS="$*" CXXFLAGS="$*" AR="llvm-ar-$llvm" \
    ARFLAGS=rcs "$target"
}

program() {
  write_project
  build two -O2 -fprofile-continuous "$ENTRY" "$@"
  expect_killed ./two kill >said
  expect "profiles" 2 "$(find . -name '*.profraw' | wc -l)"
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_entries said counts.txt
  expect_text two_parts.d 'two_parts.o:.*two_parts.c'
  build two -O2 -fprofile-continuous "$ENTRY" "$@" >again
  expect_empty again # nothing is made twice
}

program_cxx() {
  write_project
  build cxx -O1 -fprofile-continuous "$ENTRY"
  ./cxx
  stock_counts "$llvm" "$(the_profile .)" >counts.txt
  expect "calls of main" 1 "$(entry_count counts.txt main)"
}

for llvm in $LLVMS; do
  check "a program, clang $llvm" program
  check "a program, frontend instrumentation, clang $llvm" program -fprofile-instr-generate
  check "a C++ program, clang $llvm" program_cxx
done
