#!/bin/sh
# Temporal profiles of LLVM 19: which function ran first when, in the live file of a killed program,
# is what stock clang writes at a clean end.
. "$(dirname "$0")/lib.sh"

llvm=$NEWEST
ORDERED=$PROGRAMS/in_order.c
TEMPORAL="-fprofile-generate -mllvm -pgo-temporal-instrumentation"

# The traces and the counts of a raw profile, and what comes of it by llvm-profdata's merge and order.
all_of() {
  profdata "$llvm" show --temporal-profile-traces --all-functions --counts "$1"
  profdata "$llvm" merge -o all_of.profdata "$1"
  profdata "$llvm" show --temporal-profile-traces all_of.profdata
  profdata "$llvm" order all_of.profdata
}

build_both() {
  # shellcheck disable=SC2086 # a list of flags
  stock "$llvm" "$opt" $TEMPORAL $more "$ORDERED" "$TEST_DIR/ending.o" -o stock
  # shellcheck disable=SC2086
  cc "$llvm" "$opt" $TEMPORAL $more -fprofile-continuous="$mode" "$ORDERED" \
    "$TEST_DIR/ending.o" -o ours
}

traces_of_a_clean_end() {
  build_both
  run_stock stock.profraw ./stock exit
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./ours kill 2>complaints
  expect_empty complaints
  all_of stock.profraw >wanted.txt
  all_of ours.profraw >got.txt
  grep -A9 'Temporal Profile Trace 0' wanted.txt | grep -q second || die "stock shows no trace"
  expect_same "traces" wanted.txt got.txt
}

# Two traces, merged by llvm-profdata.
traces_of_a_pool() {
  build_both
  for run in 1 2; do
    LLVM_PROFILE_FILE=pool/%m.profraw expect_killed ./ours kill
    run_stock "stock-$run.profraw" ./stock exit
  done
  expect "files" 2 "$(find pool -name '*.profraw' | grep -c .)"
  profdata "$llvm" merge -o ours.profdata pool/*.profraw
  profdata "$llvm" merge -o stock.profdata stock-*.profraw
  for who in ours stock; do
    profdata "$llvm" show --temporal-profile-traces $who.profdata >$who.txt
  done
  expect_same "traces" stock.txt ours.txt
}

# After a reset and in a forked child the order begins anew; a change of name carries it on.
begins_anew() {
  cat >anew.c <<'END'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
void __llvm_profile_reset_counters(void);
void __llvm_profile_set_filename(const char *);
static volatile int sink;
__attribute__((noinline)) void one(void) { sink++; }
__attribute__((noinline)) void two(void) { sink++; }
__attribute__((noinline)) void three(void) { sink++; }
int main(void) {
  one();
  two();
  __llvm_profile_reset_counters();
  three();
  one();
  if (fork() == 0) {
    two();
    one();
    raise(SIGKILL);
  }
  wait(0);
  __llvm_profile_set_filename("moved.profraw");
  two();
  raise(SIGKILL);
}
END
  # shellcheck disable=SC2086
  cc "$llvm" -O1 $TEMPORAL -fprofile-continuous="$mode" anew.c -o anew
  LLVM_PROFILE_FILE=anew-%p.profraw expect_killed ./anew
  profdata "$llvm" show --temporal-profile-traces moved.profraw >parent.txt
  expect "parent" "three one two " "$(sed -n 's/^    //p' parent.txt | tr '\n' ' ')"
  profdata "$llvm" show --temporal-profile-traces anew-*.profraw >child.txt
  expect "child" "two one " "$(sed -n 's/^    //p' child.txt | tr '\n' ' ')"
}

# While counting in memory, what has been written already keeps its place: a function that runs again
# has a later number, too, which is none to be added.
keeps_order_in_memory() {
  cat >memory.c <<'END'
#include <contprof.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) void one(void) { sink++; }
__attribute__((noinline)) void two(void) { sink++; }
int main(void) {
  unlink("place");
  one();
  two();
  if (__llvm_profile_write_file())
    return 1;
  one();
  return contprof_snapshot("snapshot.profraw") != 0;
}
END
  : >place
  # shellcheck disable=SC2086
  cc "$llvm" -O1 $TEMPORAL -fprofile-continuous="$mode" memory.c -o memory
  LLVM_PROFILE_FILE=place/x.profraw ./memory 2>complaints
  expect_text complaints 'not a directory; counting in memory'
  profdata "$llvm" show --temporal-profile-traces snapshot.profraw >snapshot.txt
  expect "order" "main one two " "$(sed -n 's/^    //p' snapshot.txt | tr '\n' ' ')"
}

# contprof reads its own live files' traces as llvm-profdata does.
read_by_contprof() {
  more=
  build_both
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./ours kill
  "$CONTPROF" merge --llvm="$llvm" -o ours.profdata ours.profraw
  profdata "$llvm" merge -o stock.profdata ours.profraw
  cmp stock.profdata ours.profdata
  "$CONTPROF" show --temporal-profile-traces ours.profraw >shown.txt
  expect_text shown.txt '^    second$'
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for mode in $MODES; do
  for opt in -O0 -O2; do
    more=
    check "$opt $mode: traces of a clean end" traces_of_a_clean_end
    more="-mllvm -pgo-block-coverage"
    check "$opt $mode: traces with single bytes" traces_of_a_clean_end
  done
  more=
  check "$mode: a pool keeps each trace" traces_of_a_pool
  check "$mode: reset, fork, another name" begins_anew
  check "$mode: a snapshot while counting in memory" keeps_order_in_memory
done
opt=-O2 mode=auto
check "contprof reads them" read_by_contprof
