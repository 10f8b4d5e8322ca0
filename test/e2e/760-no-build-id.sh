#!/bin/sh
# Without a build-id: profiles are whole, pools keep builds apart by what the linker laid out, and a
# file of another build is not counted into even where it has the very name.
. "$(dirname "$0")/lib.sh"

# build OUTPUT FLAG...
build() {
  build_output=$1
  shift
  # shellcheck disable=SC2046,SC2086 # lists of flags
  cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$mode" $ids "$@" -o "$build_output"
}

executables() {
  build one -DBUILD=1 "$PROGRAMS/two_builds.c" "$TEST_DIR/ending.o"
  build two -DBUILD=2 "$1" "$PROGRAMS/two_builds.c" "$TEST_DIR/ending.o"
}

# run PROGRAM TIMES
run() {
  for time in $(seq "$2"); do
    LLVM_PROFILE_FILE=pool/%m.profraw expect_killed "./$1" kill 2>complaints
    expect_empty complaints
  done
}

# expect_pool WORK...: that many calls of `work` in as many files, in any order.
expect_pool() {
  for raw in pool/*.profraw; do
    stock_counts "$llvm" "$raw" >counts.txt
    function_count counts.txt work
  done | sort -n | tr '\n' ' ' >got
  expect "calls of work in the pool's files" "$* " "$(cat got)"
}

pools_keep_builds_apart() {
  executables -DMORE
  run one 3
  run two 2
  run one 1
  run two 1
  expect_pool 30 40
}

# The other's file under the name that is ours.
name_of_another_build() {
  executables -DSHAPE
  run one 1
  theirs=$(the_profile pool)
  run two 1
  for raw in pool/*.profraw; do
    [ "$raw" = "$theirs" ] || ours=$raw
  done
  cp "$theirs" "$ours"
  run two 2
  cmp "$theirs" "$ours"
  rm "$theirs"
  expect_pool 10 20
}

# Functions, hashes and addresses alike: then their profiles are one another's, and add up right.
alike_but_for_a_constant() {
  build one -DBUILD=1 "$PROGRAMS/two_builds.c" "$TEST_DIR/ending.o"
  build two -DBUILD=2 "$PROGRAMS/two_builds.c" "$TEST_DIR/ending.o"
  run one 2
  run two 2
  profdata "$llvm" merge -o merged.profdata pool/*.profraw
  stock_counts "$llvm" merged.profdata >counts.txt
  expect "calls of work" 40 "$(function_count counts.txt work)"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for mode in segment pointer; do
    kind=frontend
    [ $mode = segment ] || kind=ir
    for ids in -Wl,--build-id=none -Wl,--build-id=0x1234; do
      check "clang $llvm $kind $mode $ids: pools keep builds apart" pools_keep_builds_apart
      check "clang $llvm $kind $mode $ids: a name of another build" name_of_another_build
    done
    ids=-Wl,--build-id=none
    check "clang $llvm $kind $mode $ids: alike but for a constant" alike_but_for_a_constant
  done
done
