#!/bin/sh
# What value sites record, in place, in a live file: indirect-call targets and sizes of memory
# operations. And profiles handed over in memory.
. "$(dirname "$0")/lib.sh"

# The values shown for each site with their counts, without those never seen: the
# unused slots of a live file. Rounded shares depend on how many are listed, so they are left out.
values() {
  profdata "$1" show --all-functions --ic-targets --memop-sizes "$2" |
    awk '/^  [^ ]/ { name = $1 } /^\t\[/ && $0 !~ / 0 \] / { sub(/ \(.*/, ""); print name, $0 }' |
    sort
}

killed_with_the_values_of_a_clean_end() {
  stock "$1" -O2 -fprofile-generate "$PROGRAMS/targets.c" -o stock
  run_stock stock.profraw ./stock 1000
  cc "$1" -O2 -fprofile-generate -fprofile-continuous="$2" "$PROGRAMS/targets.c" \
    "$TEST_DIR/last.o" -o ours
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./ours 1000
  values "$1" stock.profraw >wanted.txt
  values "$1" ours.profraw >got.txt
  grep -q twice wanted.txt || die "stock shows no targets"
  expect_same "values" wanted.txt got.txt
}

# A site that meets more values than it has slots keeps the hot ones.
hot_among_many() {
  cat >many.c <<'END'
#include <signal.h>
static volatile int sink;
#define COLD(n) __attribute__((noinline)) static void cold##n(void) { sink += n; }
COLD(0) COLD(1) COLD(2) COLD(3) COLD(4) COLD(5) COLD(6) COLD(7) COLD(8) COLD(9) COLD(10) COLD(11)
__attribute__((noinline)) static void hot(void) { sink++; }
__attribute__((noinline)) static void warm(void) { sink--; }
static void (*volatile all[])(void) = {cold0, cold1, cold2, cold3, cold4,  cold5, cold6,
                                       cold7, cold8, cold9, cold10, cold11, hot,  warm};
int main(void) {
  for (int i = 0; i < 100000; i++) {
    int which = i % 10 < 6 ? 12 : i % 10 < 9 ? 13 : i / 10 % 12;
    all[which]();
  }
  return raise(SIGKILL);
}
END
  cc "$1" -O2 -fprofile-generate -fprofile-continuous="$2" -fprofile-continuous-value-slots=8 many.c \
    -o many
  LLVM_PROFILE_FILE=many.profraw expect_killed ./many
  values "$1" many.profraw >got.txt
  expect_text got.txt '\bhot, +60000 '
  expect_text got.txt '\bwarm, +30000 '
}

# The profile as bytes in memory, added to itself: every count is double.
doubled_through_a_buffer() {
  cat >double.c <<'END'
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
uint64_t __llvm_profile_get_size_for_buffer(void);
int __llvm_profile_write_buffer(char *);
int __llvm_profile_merge_from_buffer(const char *, uint64_t);
int __llvm_profile_check_compatibility(const char *, uint64_t);
static volatile int sink;
__attribute__((noinline)) void work(void) { sink++; }
int main(void) {
  uint64_t size = __llvm_profile_get_size_for_buffer();
  char *buffer = malloc(size);
  for (int i = 0; i < 1000; i++)
    work();
  if (__llvm_profile_write_buffer(buffer) || __llvm_profile_check_compatibility(buffer, size))
    return 1;
  if (__llvm_profile_merge_from_buffer(buffer, size))
    return 2;
  buffer[8]++;
  if (!__llvm_profile_merge_from_buffer(buffer, size))
    return 3;
  return raise(SIGKILL);
}
END
  cc "$1" -O1 -fprofile-instr-generate -fprofile-continuous="$2" double.c -o double
  LLVM_PROFILE_FILE=double.profraw expect_killed ./double
  stock_counts "$1" double.profraw >counts.txt
  expect "work" 2000 "$(function_count counts.txt work)"
  expect "main" 2 "$(function_count counts.txt main)"
}

# The program's end, without counters of its own.
cat >last.c <<'EOF2'
#include <signal.h>
__attribute__((destructor)) static void last(void) { raise(SIGKILL); }
EOF2
stock "$NEWEST" -c last.c -o "$TEST_DIR/last.o"

for llvm in 14 16 19; do
  for mode in $MODES; do
    check "clang $llvm $mode: the values of a clean end" \
      killed_with_the_values_of_a_clean_end "$llvm" $mode
    check "clang $llvm $mode: more values than slots" hot_among_many "$llvm" $mode
    check "clang $llvm $mode: doubled through a buffer" doubled_through_a_buffer "$llvm" $mode
  done
done
