#!/bin/sh
# A reader at work all the while threads count values: it never meets anything but a valid profile.
# And the counts of the end are exact.
. "$(dirname "$0")/lib.sh"

# Four threads at one call site and one copy: each call reaches one of ten functions in ten slots,
# at a second site of ninety in the same ten.
write_program() {
  sed 's/int main(/static int one(/' "$PROGRAMS/many_targets.c" >busy.c
  cat >>busy.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static char from[1024], to[1024];
static volatile int go_on = 1;
static int rounds;
__attribute__((noinline)) static void copy(size_t size) { memcpy(to, from, size); sink = to[0]; }
__attribute__((noinline)) static void churn(void (*target)(void)) { target(); }
static void *work(void *argument) {
  for (int i = 0; i < rounds; i++) {
    apply(targets[i % 10]);
    copy((size_t)(i % 700));
    churn(targets[i * 7 % 90]);
  }
  return argument;
}
int main(int argc, char **argv) {
  pthread_t threads[4];
  rounds = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  puts("counted");
  fflush(stdout);
  for (;;)
    pause();
}
END
  sed -i '1i #include <unistd.h>' busy.c
}

# Everything that stock LLVM may be asked, and contprof; no complaint, no failure.
read_once() {
  profdata "$llvm" show --all-functions --counts --ic-targets --memop-sizes busy.profraw >shown.txt
  profdata "$llvm" merge -o read.profdata busy.profraw
  "$CONTPROF" merge -o ours.profdata busy.profraw
  profdata "$llvm" show --all-functions --ic-targets --memop-sizes ours.profdata >shown.txt
}

readable_all_the_while() {
  write_program
  # 70,000 rounds: each of the ten functions 7,000 times a thread, each length 100 times.
  cc "$llvm" -O2 -pthread -fprofile-continuous="$mode" -fprofile-continuous-value-slots=10 busy.c \
    -o busy
  LLVM_PROFILE_FILE=busy.profraw start ./busy 2000000000 >said
  wait_for 20 test -s busy.profraw
  for time in 1 2 3 4; do
    read_once 2>>complaints || die "reading failed, time $time: $(cat complaints)"
  done
  expect_empty complaints
  expect_empty said # it counted all the while
  kill_hard "$PID"
}

exact_at_the_end() {
  write_program
  cc "$llvm" -O2 -pthread -fprofile-continuous="$mode" -fprofile-continuous-value-slots=10 busy.c \
    -o busy
  LLVM_PROFILE_FILE=busy.profraw start ./busy 70000 >said
  wait_for 60 grep -q counted said
  kill_hard "$PID"
  profdata "$llvm" show --function=apply --ic-targets busy.profraw >apply.txt
  expect "exact targets" 10 "$(grep -c ', *28000 ] ' apply.txt)"
  # By LLVM's ranges: 0 to 8 and powers of two one by one, and what lies between.
  profdata "$llvm" show --function=copy --memop-sizes busy.profraw |
    sed -n 's/^	\[ *[0-9]*, *\([0-9]*\), *\([1-9][0-9]*\) \].*/\1 \2/p' | sort -n >copy.txt
  awk 'BEGIN { for (n = 0; n <= 512; n++) if (n <= 8 || and_none(n)) print n, 400;
      for (p = 8; p <= 256; p *= 2) print p + 1, (p - 1) * 400; print 513, (700 - 513) * 400 }
    function and_none(n) { while (n % 2 == 0) n /= 2; return n == 1 }' | sort -n >wanted.txt
  expect_same "lengths" wanted.txt copy.txt
}

# One thread counts without a lock, and the handler of a signal at the same sites: nothing is lost.
exact_with_signals() {
  cat >signals.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
static volatile int sink;
static char from[64], to[64];
static volatile unsigned handled;
__attribute__((noinline)) void one(void) { sink++; }
__attribute__((noinline)) void two(void) { sink--; }
static void (*volatile targets[])(void) = {one, two};
__attribute__((noinline)) static void apply(void (*target)(void)) { target(); }
__attribute__((noinline)) static void copy(size_t size) { memcpy(to, from, size); sink = to[0]; }
static void handle(int number) {
  apply(targets[0]);
  copy(number - SIGALRM + 7);
  handled++;
}
int main(void) {
  const struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &often, NULL);
  for (unsigned i = 0; i < 4000000 || handled < 1000; i++) {
    if (i >= 4000000)
      continue;
    apply(targets[i % 2]);
    copy(i % 2 ? 7 : 3);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  signal(SIGALRM, SIG_IGN);
  printf("%u %u\n", 2000000 + handled, 2000000 + handled);
  fflush(stdout);
  return raise(SIGKILL);
}
END
  cc "$llvm" -O2 -fprofile-generate -fprofile-continuous="$mode" signals.c -o signals
  LLVM_PROFILE_FILE=signals.profraw expect_killed ./signals >wanted.txt
  count_of() {
    profdata "$llvm" show --function="$1" --ic-targets --memop-sizes signals.profraw |
      sed -n "s/^	\[ *[0-9]*, *$2, *\([0-9]*\) \].*/\1/p"
  }
  expect "the other's" "2000000 2000000" "$(count_of apply two) $(count_of copy 3)"
  expect "counts of one and 7" "$(cat wanted.txt)" "$(count_of apply one) $(count_of copy 7)"
}

for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: exact with signals" exact_with_signals
    check "clang $llvm $mode: read while threads count" readable_all_the_while
    check "clang $llvm $mode: exact when they have counted" exact_at_the_end
  done
done
