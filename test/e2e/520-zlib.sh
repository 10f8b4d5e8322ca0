#!/bin/sh
# zlib, configured and built by its own scripts with contprof-clang: minigzip with the library inside
# and with the shared library, which has a file of its own; the same counts as stock clang's.
. "$(dirname "$0")/lib.sh"
. "$E2E/debian.sh"

# build_zlib DIRECTORY COMPILER FLAG...
build_zlib() {
  zlib_dir=$1
  zlib_cc=$2
  shift 2
  cp -R "$TEST_DIR/zlib" "$zlib_dir"
  (
    cd "$zlib_dir"
    CC=$zlib_cc CFLAGS="-O2 $*" ./configure
    make -s minigzip minigzipsh
  ) >"$zlib_dir.log" 2>&1 || die "$(cat "$zlib_dir.log")"
}

# use_minigzip PROGRAM DIRECTORY COMMAND...: in the directory, by COMMAND.
use_minigzip() {
  minigzip=../build/$1
  mkdir "$2"
  cd "$2"
  shift 2
  "$@" "$minigzip" -9 <"$TEST_DIR/text" >../text.gz
  "$@" "$minigzip" -d <../text.gz >../text
  cd ..
  cmp "$TEST_DIR/text" text
}

build_stock_zlib() {
  cd "$STOCK"
  # shellcheck disable=SC2046 # a list of flags
  build_zlib build "clang-$llvm" $(instrumentation "$kind")
  LLVM_PROFILE_FILE=%p-%m.profraw use_minigzip minigzip inside env
  LLVM_PROFILE_FILE=%p-%m.profraw LD_LIBRARY_PATH=$STOCK/build use_minigzip minigzipsh shared env
}

build_our_zlib() {
  cd "$OURS"
  export CONTPROF_CLANG="clang-$llvm"
  # shellcheck disable=SC2046
  build_zlib build "$BUILD/bin/contprof-clang" $(instrumentation "$kind") \
    "-fprofile-continuous=$mode"
}

with_library_inside() {
  cd "$OURS"
  use_minigzip minigzip inside killed_at_exit 2>complaints
  expect_empty complaints
  expect "files" 2 "$(find inside -name '*.profraw' | wc -l)"
  expect_same_run "$llvm" "$STOCK/inside" inside
}

with_shared_library() {
  cd "$OURS"
  export LD_LIBRARY_PATH="$OURS/build"
  use_minigzip minigzipsh shared killed_at_exit 2>complaints
  expect_empty complaints
  expect "files" 4 "$(find shared -name '*.profraw' | wc -l)"
  expect "files of the library" 2 "$(find shared -name '*libz.so*.profraw' | wc -l)"
  expect_same_run "$llvm" "$STOCK/shared" shared
}

killed_at_exit() {
  expect_killed env LD_PRELOAD="$TEST_DIR/kill_at_exit.so" "$@"
}

check_zlib() {
  STOCK=$TEST_DIR/$llvm-$kind
  mkdir "$STOCK"
  check "zlib, clang $llvm $kind: stock build" build_stock_zlib
  for mode in auto pointer; do
    OURS=$STOCK/$mode
    mkdir "$OURS"
    check "zlib, clang $llvm $kind $mode: builds" build_our_zlib
    check "zlib, clang $llvm $kind $mode: library inside" with_library_inside
    check "zlib, clang $llvm $kind $mode: shared library" with_shared_library
  done
}

debian_source zlib "$TEST_DIR/zlib" >fetch.log 2>&1 || fail "source of zlib" "$(cat fetch.log)"
build_kill_at_exit
seq 1 60000 >text
each_variant check_zlib
