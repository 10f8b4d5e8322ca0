#!/bin/sh
# ThreadSanitizer turns atomic updates into calls that know no segments: the counts must be right
# whatever mode is asked for.
. "$(dirname "$0")/lib.sh"

counts_of_a_clean_end() {
  cat >few.c <<'END'
__attribute__((noinline)) int chosen(int x) { return x > 3 ? x : 1; }
int main(int argc, char **argv) { return chosen(argc) - 1; }
END
  # shellcheck disable=SC2046 # a list of flags
  cc "$1" -O1 -fsanitize=thread $(instrumentation "$2") -fprofile-continuous="$3" few.c -o few
  LLVM_PROFILE_FILE=few.profraw ./few
  stock_counts "$1" few.profraw >counts.txt
  expect "chosen" 1 "$(function_count counts.txt chosen)"
  expect "main" 1 "$(function_count counts.txt main)"
}

# Threads that count in the same functions: nothing is reported, and no count is lost.
no_race_is_reported() {
  cat >race.c <<'END'
#include <pthread.h>
__attribute__((noinline)) int shared(int x) { return x % 3 ? x : x + 1; }
static void *work(void *result) {
  for (int i = 0; i < 20000; i++)
    *(int *)result += shared(i);
  return NULL;
}
int main(void) {
  pthread_t threads[4];
  int results[4] = {0};
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, work, &results[i]);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
END
  # shellcheck disable=SC2046,SC2086 # lists of flags
  cc "$1" $3 -g -fsanitize=thread $(instrumentation "$2") -fprofile-continuous race.c -o race
  LLVM_PROFILE_FILE=race.profraw ./race 2>said || { cat said && die "a race is reported"; }
  expect_empty said
  stock_counts "$1" race.profraw >counts.txt
  expect "shared" 80000 "$(function_count counts.txt shared)"
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    for level in -O0 -O1 -O2; do
      check "clang $llvm $kind $level: threads" no_race_is_reported "$llvm" $kind $level
    done
  done
  for kind in frontend ir; do
    for mode in auto segment pointer; do
      check "clang $llvm $kind $mode" counts_of_a_clean_end "$llvm" $kind $mode
    done
  done
done
