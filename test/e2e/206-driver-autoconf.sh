#!/bin/sh
# contprof-clang as CC of a configure script: its checks go as with clang, and what automake's rules
# build keeps its counts.
# shellcheck source=driver-lib.sh
. "$(dirname "$0")/driver-lib.sh"

# In $PROJECT, once for all compilers.
PROJECT=$TEST_DIR/project
write_project() {
  mkdir "$PROJECT"
  cd "$PROJECT"
  cp "$PROGRAMS"/two_parts.c "$PROGRAMS"/ending.[ch] "$PROGRAMS"/known.h "$PROGRAMS"/part.c .
  printf '#define PART a\n#include "part.c"\n' >part_a.c
  printf '#define PART b\n#include "part.c"\n' >part_b.c
  cat >configure.ac <<'AUTOCONF'
AC_INIT([parts], [1])
AM_INIT_AUTOMAKE([foreign -Wall])
AC_CONFIG_HEADERS([config.h])
AC_PROG_CC
AC_PROG_CXX
AM_PROG_AR
AC_PROG_RANLIB
AC_CHECK_HEADERS([unistd.h no_such_header.h])
AC_CHECK_FUNCS([fork no_such_function])
AC_SEARCH_LIBS([pow], [m])
AC_CHECK_SIZEOF([long])
AC_C_BIGENDIAN
AC_C_INLINE
AC_C_RESTRICT
AC_RUN_IFELSE([AC_LANG_PROGRAM([], [return 0;])], [AC_DEFINE([RUNS], [1], [A program runs.])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
AUTOCONF
  cat >Makefile.am <<'AUTOMAKE'
noinst_LIBRARIES = libparts.a
libparts_a_SOURCES = part_a.c part_b.c
noinst_PROGRAMS = two
two_SOURCES = two_parts.c ending.c ending.h known.h
two_LDADD = libparts.a
EXTRA_DIST = part.c
AUTOMAKE
  autoreconf -i >autoreconf.log 2>&1 || {
    cat autoreconf.log
    die "autoreconf failed"
  }
}

# configure DIRECTORY ARG...
configure() {
  directory=$1
  shift
  mkdir "$directory"
  (cd "$directory" && "$PROJECT/configure" AR="llvm-ar-$llvm" "$@") >"$directory.log" 2>&1 || {
    cat "$directory.log"
    die "configure failed"
  }
}

# project FLAGS
project() {
  export CONTPROF_CLANG="clang-$llvm"
  configure theirs CC="clang-$llvm" CXX="clang++-$llvm" CFLAGS=-O2 CXXFLAGS=-O2
  configure ours CC="$BUILD/bin/contprof-clang" CXX="$BUILD/bin/contprof-clang++" \
    CFLAGS="-O2 $ENTRY $1" CXXFLAGS="-O2 $ENTRY $1"
  expect_same "what configure found out" theirs/config.h ours/config.h
  expect "profiles left by configure" "" "$(find ours -name '*.profraw')"
  make -s -j2 -C ours >build.log 2>&1 || {
    cat build.log
    die "the build failed"
  }
  mkdir run
  cd run
  expect_killed ../ours/two kill >said
  stock_counts "$llvm" "$(the_profile .)" >counts.txt
  expect_entries said counts.txt
}

# The option may be part of the compiler's name, as with CC="gcc -m64".
in_the_name() {
  export CONTPROF_CLANG="clang-$llvm"
  configure ours CC="$BUILD/bin/contprof-clang -fprofile-continuous" \
    CXX="$BUILD/bin/contprof-clang++ -fprofile-continuous" CFLAGS="-O1 $ENTRY" CXXFLAGS="-O1 $ENTRY"
  expect_text ours.log 'whether the compiler supports GNU C\.\.\. yes'
  expect_text ours/config.h '#define RUNS 1'
  make -s -C ours
  mkdir run
  cd run
  expect_killed ../ours/two kill >said
  stock_counts "$llvm" "$(the_profile .)" >counts.txt
  expect_entries said counts.txt
}

check "autoreconf" write_project
for llvm in $LLVMS; do
  check "a project, clang $llvm" project "-fprofile-continuous"
done
check "a project, frontend instrumentation, clang $llvm" \
  project "-fprofile-continuous -fprofile-instr-generate"
check "the option in CC, clang $llvm" in_the_name
