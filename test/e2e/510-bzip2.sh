#!/bin/sh
# bzip2, built by its own makefile with contprof-clang: the same counts as stock clang's.
. "$(dirname "$0")/lib.sh"
. "$E2E/debian.sh"

# build_bzip2 DIRECTORY COMPILER FLAG...
build_bzip2() {
  bzip2_dir=$1
  bzip2_cc=$2
  shift 2
  cp -R "$TEST_DIR/bzip2" "$bzip2_dir"
  make -s -C "$bzip2_dir" bzip2 CC="$bzip2_cc" CFLAGS="-O2 $*" >"$bzip2_dir.log" 2>&1 ||
    die "$(cat "$bzip2_dir.log")"
}

# use_bzip2 COMMAND...: in run/, compresses and restores, each by COMMAND and the program, which always
# goes by the same name: bzip2 counts the letters of it.
use_bzip2() {
  mkdir run
  cd run
  "$@" ../build/bzip2 -9 -c "$TEST_DIR/text" >../text.bz2
  "$@" ../build/bzip2 -dc ../text.bz2 >../text
  cd ..
  cmp "$TEST_DIR/text" text
}

build_stock_bzip2() {
  cd "$STOCK"
  # shellcheck disable=SC2046 # a list of flags
  build_bzip2 build "clang-$llvm" $(instrumentation "$kind")
  LLVM_PROFILE_FILE=%p.profraw use_bzip2 env
}

same_counts() {
  export CONTPROF_CLANG="clang-$llvm"
  # shellcheck disable=SC2046
  build_bzip2 build "$BUILD/bin/contprof-clang" $(instrumentation "$kind") \
    "-fprofile-continuous=$mode"
  use_bzip2 killed_at_exit 2>complaints
  expect_empty complaints
  expect "files" 2 "$(find run -name '*.profraw' | wc -l)"
  expect_same_run "$llvm" "$STOCK/run" run
}

killed_at_exit() {
  expect_killed env LD_PRELOAD="$TEST_DIR/kill_at_exit.so" "$@"
}

check_bzip2() {
  STOCK=$TEST_DIR/$llvm-$kind
  mkdir "$STOCK"
  check "bzip2, clang $llvm $kind: stock build" build_stock_bzip2
  for mode in segment pointer; do
    check "bzip2, clang $llvm $kind $mode: same counts" same_counts
  done
}

debian_source bzip2 "$TEST_DIR/bzip2" >fetch.log 2>&1 || fail "source of bzip2" "$(cat fetch.log)"
build_kill_at_exit
seq 1 60000 >text
each_variant check_bzip2
