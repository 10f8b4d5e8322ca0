#!/bin/sh
# Kinds of instrumentation beside the usual two, killed: the counts are those of stock's clean end.
# (184 has counters of one byte and a first look at MC/DC; 770 temporal profiles.)
. "$(dirname "$0")/lib.sh"

# same FLAG...: counts of calls.c by SIGKILL and by stock's exit. IR instrumentation counts in loops at
# once here; stock is told to.
same() {
  cc "$llvm" -O2 "$@" -fprofile-continuous="$mode" "$PROGRAMS/calls.c" "$TEST_DIR/ending.o" -o ours
  stock "$llvm" -O2 "$@" -mllvm -do-counter-promotion=false "$PROGRAMS/calls.c" \
    "$TEST_DIR/ending.o" -o stock
  run_stock stock.profraw ./stock exit
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./ours kill >said 2>complaints
  expect_empty complaints
  stock_counts "$llvm" stock.profraw >wanted.txt
  stock_counts "$llvm" ours.profraw >got.txt
  expect_text wanted.txt 'Total functions: [1-9]'
  expect_same "counts" wanted.txt got.txt
}

all_same() {
  mkdir kind
  while read -r flags; do
    rm -f kind/*.profraw
    # shellcheck disable=SC2086 # a list of flags
    (cd kind && same $flags) || die "$flags"
  done
}

# What each of the three takes.
common_kinds() {
  printf '[llvm]\nfun:leaf\nfunction:leaf=allow\ndefault:skip\n' >list # of 14, and of later ones
  all_same <<END
-fprofile-generate -fprofile-update=atomic
-fprofile-generate -fprofile-update=prefer-atomic
-fprofile-instr-generate -fprofile-update=prefer-atomic
-fprofile-generate -gline-tables-only -fdebug-info-for-profiling
-fprofile-generate -fprofile-list=$PWD/list
-fprofile-instr-generate -fprofile-function-groups=2 -fprofile-selected-function-group=1
END
}

# One thread, so that which updates are sampled is the same in every run.
sampled() {
  all_same <<END
-fprofile-generate -mllvm -sampled-instrumentation
-fprofile-generate -mllvm -sampled-instrumentation -mllvm -sampled-instr-burst-duration=1 -mllvm -sampled-instr-period=3
-fprofile-generate -mllvm -sampled-instrumentation -mllvm -sampled-instr-burst-duration=2 -mllvm -sampled-instr-period=70000
END
}

# MC/DC: of two processes that tried different combinations, contprof and llvm-profdata make one
# profile with the combinations of both; llvm-cov shows as much as of stock's.
mcdc_merged() {
  sed 's/int main.*/int main(int argc, char **argv) { return argc; }\nint old_main(int argc, char **argv) {/' \
    "$PROGRAMS/conditions.c" >conditions.c
  sed -i "s|\"\\([a-z]*\\.h\\)\"|\"$PROGRAMS/\\1\"|" conditions.c
  sed -i 's/int main(int argc, char \*\*argv) { return argc; }/int main(int argc, char **argv) {\
  for (int i = 2; i < argc; i++)\
    decide(argv[i][0] == 49, argv[i][1] == 49, argv[i][2] == 49);\
  the_end(argv[1]);\
}/' conditions.c
  flags="-O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"
  # shellcheck disable=SC2086
  cc "$llvm" $flags -fprofile-continuous="$mode" conditions.c "$TEST_DIR/ending.o" -o ours
  # shellcheck disable=SC2086
  stock "$llvm" $flags conditions.c "$TEST_DIR/ending.o" -o stock
  LLVM_PROFILE_FILE=ours-1.profraw expect_killed ./ours kill 110 010
  LLVM_PROFILE_FILE=ours-2.profraw expect_killed ./ours kill 000 001
  run_stock stock-1.profraw ./stock exit 110 010
  run_stock stock-2.profraw ./stock exit 000 001
  profdata "$llvm" merge -o stock.profdata stock-1.profraw stock-2.profraw
  profdata "$llvm" merge -o theirs.profdata ours-1.profraw ours-2.profraw
  "$CONTPROF" merge -o merged.profdata ours-1.profraw ours-2.profraw
  cov "$llvm" show --show-mcdc ./stock -instr-profile=stock.profdata >stock.txt
  expect_text stock.txt 'MC/DC Coverage for Decision: [1-9]'
  for who in theirs merged; do
    cov "$llvm" show --show-mcdc ./ours -instr-profile=$who.profdata >$who.txt
    expect_same "MC/DC of $who" stock.txt $who.txt
  done
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for mode in segment pointer; do
  for llvm in $LLVMS; do
    check "clang $llvm $mode: updates, lists, groups" common_kinds
  done
  llvm=$NEWEST
  check "clang $llvm $mode: sampled" sampled
  check "clang $llvm $mode: MC/DC of two processes" mcdc_merged
done
