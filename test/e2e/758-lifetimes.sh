#!/bin/sh
# C++ in two modules: exceptions that cross them, destructors of static and of thread-local objects,
# exit handlers registered before main; all counted, however the two are put together.
. "$(dirname "$0")/lib.sh"

# compile FLAG...
compile() {
  # shellcheck disable=SC2046 # a list of flags
  cxx "$llvm" -std=c++17 -O2 $(instrumentation "$kind") "-fprofile-continuous=$mode" \
    "$PROGRAMS/lifetimes.cpp" "$@"
}

build_library() {
  mode=auto
  compile -DLIBRARY -fPIC -shared "$@" -o liblifetimes.so
}

run() {
  LLVM_PROFILE_FILE=p.profraw ./lifetimes "$@" >said 2>complaints
  expect_empty complaints
  stock_merged_counts "$llvm" counts.txt p*.profraw
  expect_calls said counts.txt
}

linked() {
  build_library
  mode=$1
  compile -DLINKED liblifetimes.so "-Wl,-rpath,$PWD" -pthread -o lifetimes
  run
}

opened() {
  build_library
  mode=$1
  compile -ldl -pthread -o lifetimes
  run ./liblifetimes.so
}

one_executable() {
  mode=$1
  compile -DLIBRARY -c -o library.o
  compile -DLINKED -c -o program.o
  cxx "$llvm" -fprofile-continuous "$2" program.o library.o -pthread -o lifetimes
  run
}

# The C++ library named by hand, as those do who bring their own.
own_library() {
  build_library -nostdlib++ -Wl,--as-needed -lstdc++ -Wl,-Bsymbolic
  mode=auto
  compile -DLINKED -nostdlib++ liblifetimes.so "-Wl,-rpath,$PWD" -lstdc++ -lm -pthread -o lifetimes
  run
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    check "clang++ $llvm $kind: library linked" linked segment
    check "clang++ $llvm $kind: library opened" opened pointer
  done
  check "clang++ $llvm: one executable" one_executable segment -pie
  check "clang++ $llvm: one static executable" one_executable segment -static
  check "clang++ $llvm: -nostdlib++" own_library
done
