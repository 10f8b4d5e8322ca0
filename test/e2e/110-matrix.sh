#!/bin/sh
# A program with known counts, for each LLVM, kind of instrumentation, level and mode: killed by
# itself and from outside, its file says exactly what the program did and what a stock build says
# that ran to its end; and the merged profile serves clang and llvm-cov.
. "$(dirname "$0")/lib.sh"

SOURCE=$PROGRAMS/calls.c

# In $STOCK: what stock clang's static counters say of the same program.
build_stock() {
  cd "$STOCK"
  stock "$llvm" -c "$PROGRAMS/ending.c" -o ending.o
  # shellcheck disable=SC2046 # a list of flags
  stock "$llvm" "$opt" $(instrumentation "$kind") "$SOURCE" ending.o -o calls
  run_stock calls.profraw ./calls exit
  stock_counts "$llvm" calls.profraw >counts.txt
  stock_merged_counts "$llvm" merged.txt calls.profraw
  stock "$llvm" "$opt" -fprofile-use=stock_merged.profdata -c "$SOURCE" -o used.o
}

build_ours() {
  cd "$OURS"
  # shellcheck disable=SC2046
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" \
    "$SOURCE" "$STOCK/ending.o" -o calls 2>said
  expect_empty said
}

# expect_exact RAW SAID
expect_exact() {
  stock_counts "$llvm" "$1" >counts.txt
  expect_same "counts" "$STOCK/counts.txt" counts.txt
  expect_calls "$2" counts.txt
  [ "$kind" = ir ] || expect_blocks "$2" counts.txt
}

killed_by_itself() {
  expect_killed "$OURS/calls" kill >said
  raw=$(the_profile .)
  expect_exact "$raw" said
  cp "$raw" "$OURS/killed.raw"
}

killed_from_outside() {
  start "$OURS/calls" wait >said 2>complaints
  wait_for 20 grep -q ready said
  expect_exact "calls-$PID.profraw" said
  kill_hard "$PID"
  expect_exact "calls-$PID.profraw" said
  expect_empty complaints
}

shown_by_contprof() {
  our_counts "$OURS/killed.raw" >counts.txt
  expect_same "contprof show, raw" "$STOCK/counts.txt" counts.txt
}

merged() {
  "$CONTPROF" merge -o "$OURS/merged.profdata" "$OURS/killed.raw"
  stock_counts "$llvm" "$OURS/merged.profdata" >counts.txt
  expect_same_functions "llvm-profdata show, merged" "$STOCK/merged.txt" counts.txt
  our_counts "$OURS/merged.profdata" >ours.txt
  expect_same "contprof show, merged" counts.txt ours.txt
}

used() {
  for flag in -fprofile-use -fprofile-instr-use; do
    stock "$llvm" "$opt" -Wall -Wextra -Werror "$flag=$OURS/merged.profdata" -c "$SOURCE" \
      -o used.o 2>warnings
    expect_empty warnings
    cmp "$STOCK/used.o" used.o
  done
}

covered() {
  cov "$llvm" show "$OURS/calls" -instr-profile="$OURS/merged.profdata" >lines.txt
  expect_lines "$SOURCE" lines.txt
  cov "$llvm" report "$OURS/calls" -instr-profile="$OURS/merged.profdata" >report.txt
  cov "$llvm" report "$STOCK/calls" -instr-profile="$STOCK/stock_merged.profdata" >stock.txt
  expect_same "llvm-cov report" stock.txt report.txt
}

check_mode() {
  mode=$1
  OURS=$STOCK/$mode
  name="clang $llvm $kind $opt $mode"
  mkdir "$OURS"
  check "$name: builds without a word" build_ours
  check "$name: killed by itself" killed_by_itself
  check "$name: killed from outside" killed_from_outside
  check "$name: contprof show" shown_by_contprof
  check "$name: contprof merge" merged
  check "$name: clang -fprofile-use" used
  [ "$kind" = ir ] || check "$name: llvm-cov" covered
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    for opt in -O0 -O2; do
      STOCK=$TEST_DIR/$llvm$kind$opt
      mkdir "$STOCK"
      check "clang $llvm $kind $opt: stock build" build_stock
      for mode in $MODES; do
        check_mode "$mode"
      done
    done
  done
done
