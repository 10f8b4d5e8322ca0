#!/bin/sh
# Starting a program asks no more of the system than stock continuous mode does: system calls of whole
# runs, counted by strace, against stock's in the same run. The times and memory are `run bench
# startup`'s.
. "$(dirname "$0")/lib.sh"

calls_of() {
  strace -f -qq -c -o calls.txt "$@" >/dev/null
  awk '$1 ~ /^[0-9.]+$/ && $NF != "total" { calls += $4 } END { print calls }' calls.txt
}

# expect_no_more WHAT PATTERN: ours and stock's, each with a directory of its own.
expect_no_more() {
  stock_calls=$(LLVM_PROFILE_FILE=$PWD/of-stock/$2 calls_of ./stock)
  our_calls=$(LLVM_PROFILE_FILE=$PWD/of-ours/$2 calls_of ./ours)
  echo "$1: stock $stock_calls, ours $our_calls"
  [ "$our_calls" -le "$stock_calls" ] || die "$1: more system calls than stock"
}

# build N MODE SOURCE...
build() {
  build_llvm=$1
  build_mode=$2
  shift 2
  # shellcheck disable=SC2046 # a list of flags
  stock "$build_llvm" -O1 $(instrumentation "$kind") -mllvm -runtime-counter-relocation "$@" -o stock
  # shellcheck disable=SC2046
  cc "$build_llvm" -O1 $(instrumentation "$kind") -fprofile-continuous="$build_mode" "$@" -o ours
}

compare() {
  build "$@"
  mkdir of-stock of-ours
  expect_no_more "a new file" "new-%p%c.profraw"
  LLVM_PROFILE_FILE=$PWD/of-stock/%m%c.profraw ./stock >/dev/null
  LLVM_PROFILE_FILE=$PWD/of-ours/%m%c.profraw ./ours >/dev/null
  expect_no_more "a pool's file" "%m%c.profraw"
  LLVM_PROFILE_FILE=$PWD/of-stock/x%c.profraw ./stock >/dev/null
  LLVM_PROFILE_FILE=$PWD/of-ours/x%c.profraw ./ours >/dev/null
  expect_no_more "a file that is replaced" "x%c.profraw"
  expect "files of ours" 3 "$(find of-ours -name '*.profraw' | wc -l)"
  for raw in of-ours/*.profraw; do
    profdata "$1" show "$raw" >/dev/null
  done
}

small() {
  compare "$1" "$2" "$PROGRAMS/started.c"
}

# Three pages of names and more, in a file too large to be written through its mapping.
large() {
  awk 'BEGIN { for (i = 0; i < 500; i++) printf "int a_function_of_a_large_program_%d(int x) { return x + %d; }\n", i, i }' >many.c
  compare "$1" "$2" "$PROGRAMS/started.c" many.c
}

if ! strace -o /dev/null true 2>strace.log; then
  ok "a start's system calls (skipped: strace can't trace here)"
  exit
fi
for kind in frontend ir; do
  for mode in segment pointer; do
    check "$kind $mode: a small program" small $NEWEST $mode
    check "$kind $mode: a large program" large $NEWEST $mode
  done
done
