#!/bin/sh
# cmake --install: the commands work from where they were installed, and from where that was moved to.
. "$(dirname "$0")/lib.sh"

same_files() {
  (cd "$BUILD/$1" && find . ! -type d | sort) >built.txt
  (cd "$2" && find . ! -type d | sort) >installed.txt
  expect_same "files of $1" built.txt installed.txt
}

installs() {
  cmake --install "$BUILD" --prefix "$PWD/first" >log
  same_files bin first/bin
  same_files lib/contprof first/lib/contprof
  mv first second
  for llvm in $LLVMS; do
    CONTPROF_CLANG=clang-$llvm second/bin/contprof-clang++ -O2 -fprofile-continuous -x c \
      "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
    LLVM_PROFILE_FILE=$PWD/$llvm.profraw ./program _exit >/dev/null
    second/bin/contprof merge --text -o ours.txt "$llvm.profraw"
    profdata "$llvm" merge --text -o stock.txt "$llvm.profraw"
    expect_same "the profile" stock.txt ours.txt
  done
}

check "cmake --install" installs
