#!/bin/sh
# Counters of their own for threads, in the rest of a file's life: other files, resets, snapshots, no
# room, closed descriptors; other links (static, other linkers, LTO, C++, objects in pointer mode,
# sanitizers), and programs that die while threads come and go.
. "$(dirname "$0")/lib.sh"

SHARDED="-fprofile-continuous -fprofile-update=sharded -pthread"

# shellcheck disable=SC2086 # lists of flags
build_life() {
  cc "$llvm" -O2 -fprofile-instr-generate $SHARDED "$PROGRAMS/sharded_life.c" "$TEST_DIR/ending.o" -o life
}

life() {
  LLVM_PROFILE_FILE=${pattern:-live.profraw} expect_killed ./life kill "$@" >said 2>complaints
}

# work_in FILE...: of all together.
work_in() {
  stock_merged_counts "$llvm" counts.txt "$@"
  function_count counts.txt work
}

said_work() {
  awk -v word="$1" '$1 == word || $2 == word { print $NF; exit }' said
}

rotated() {
  life rotate second.profraw more rotate third.profraw rotate fourth.profraw
  expect_empty complaints
  expect "work" "$(said_work work)" "$(work_in ./*.profraw)"
  expect "files" 4 "$(find . -name '*.profraw' | wc -l)"
}

moved() {
  life rename second.profraw more rename /dev/shm/contprof-test-$$.profraw rename third.profraw
  mv /dev/shm/contprof-test-$$.profraw . 2>/dev/null || true
  expect_empty complaints
  expect "work" "$(said_work work)" "$(work_in "$(the_profile .)")"
}

asked() {
  life snapshot snapshot.raw more buffer buffer.raw
  expect_empty complaints
  expect "snapshot" "$(said_work snapshot)" "$(work_in snapshot.raw)"
  expect "buffer" "$(said_work buffer)" "$(work_in buffer.raw)"
  expect "work" "$(said_work work)" "$(work_in "$(the_profile .)")"
}

was_reset() {
  life more reset more
  expect_empty complaints
  expect "work" "$(said_work work)" "$(work_in "$(the_profile .)")"
}

closed() {
  life close_all more more
  expect_empty complaints
  expect "work" "$(said_work work)" "$(work_in "$(the_profile .)")"
}

# Each process adds its own to the file of the pool, which has room for its threads already.
pooled() {
  sum=0
  for n in 1 2 3; do
    pattern=%m.profraw life more
    expect_empty complaints
    sum=$((sum + $(said_work work)))
    expect "work, process $n" "$sum" "$(work_in "$(the_profile .)")"
    size=$(stat -c %s "$(the_profile .)")
    [ "$n" = 1 ] || [ "$size" -le $((first + first / 4)) ] || die "grown from $first to $size"
    [ "$n" != 1 ] || first=$size
  done
}

# Threads share then, as without the option, and say so once.
without_room() {
  (
    ulimit -f 8 # blocks of 512 or 1024 bytes: some shards
    life more more
  )
  expect "lines on stderr" 1 "$(wc -l <complaints)"
  expect_text complaints "^contprof: a thread has no counters of its own in .*live.profraw"
  got=$(work_in "$(the_profile .)")
  [ "$got" -gt 0 ] && [ "$got" -le "$(said_work work)" ] || die "counted $got of $(said_work work)"
}

# The rest of the way of a count; what the program says is what is counted.
counts_all() {
  expect_killed "$@" >said 2>complaints
  expect_empty complaints
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_calls said counts.txt
}

# linked_with FLAG...
# shellcheck disable=SC2086
linked_with() {
  cp "$TEST_DIR/libmaker.so" .
  cc "$llvm" -O2 -fprofile-generate -mllvm -pgo-instrument-entry $SHARDED "$@" \
    "$PROGRAMS/sharded.c" "$TEST_DIR/ending.o" -o sharded
  # shellcheck disable=SC2086
  counts_all ./sharded kill $kinds
}

# One of the objects is for shared objects, too: its updates are atomic.
# shellcheck disable=SC2086
mixed() {
  cc "$llvm" -O2 -fprofile-instr-generate $SHARDED -fPIC -c "$PROGRAMS/sharded.c" -o sharded.o
  cc "$llvm" -O2 -fprofile-instr-generate $SHARDED sharded.o "$TEST_DIR/ending.o" -o sharded
  counts_all ./sharded kill plain detached signals
}

# A program that has such functions itself: they are called, and the linker has no objection. One thread
# at a time, so that none loses another's counts.
# shellcheck disable=SC2086
own_functions() {
  cat >own.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>
_Noreturn void the_end(const char *how);
static int asked;
static _Thread_local volatile unsigned long sink;
__attribute__((noinline)) void work(void) { sink++; }
int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
  asked++;
  return real(id, attributes, start, argument);
}
static void *life(void *argument) {
  work();
  return argument;
}
int thrd_create(thrd_t *id, thrd_start_t start, void *argument) {
  (void)start;
  return pthread_create(id, NULL, life, argument) ? thrd_error : thrd_success;
}
static int c11_life(void *argument) {
  return argument != NULL;
}
int main(int count, char **argv) {
  pthread_t one;
  thrd_t other;
  (void)count;
  for (int i = 0; i < 100; i++) {
    pthread_create(&one, NULL, life, NULL);
    pthread_join(one, NULL);
    thrd_create(&other, c11_life, NULL);
    pthread_join(other, NULL);
  }
  if (asked == 200)
    printf("calls work 200\n");
  the_end(argv[1]);
}
END
  cc "$llvm" -O2 -fprofile-instr-generate $SHARDED "$@" own.c "$TEST_DIR/ending.o" -o own -ldl
  counts_all ./own kill
  expect "lines" 1 "$(wc -l <said)"
}

# The link has to know of it.
# shellcheck disable=SC2086
unlinked() {
  cc "$llvm" -O2 -fprofile-instr-generate $SHARDED -c "$PROGRAMS/sharded.c" -o sharded.o
  expect_status 1 cc "$llvm" -fprofile-instr-generate -fprofile-continuous -pthread sharded.o \
    "$TEST_DIR/ending.o" -o sharded >said 2>&1
  expect_text said "contprof_link_with_fprofile_update_sharded"
}

# Then it is clang's own atomic updates.
not_continuous() {
  cc "$llvm" -O1 -fprofile-instr-generate -fprofile-update=sharded -pthread "$PROGRAMS/threads.c" \
    "$TEST_DIR/ending.o" -o threads
  LLVM_PROFILE_FILE=stock.profraw ./threads exit >said
  stock_counts "$llvm" stock.profraw >counts.txt
  expect_calls said counts.txt
}

# ThreadSanitizer's objects are in pointer mode, and atomic.
# shellcheck disable=SC2086
sanitized_threads() {
  cc "$llvm" -O1 -fprofile-instr-generate $SHARDED -fsanitize=thread "$PROGRAMS/threads.c" \
    "$TEST_DIR/ending.o" -o threads
  expect_killed ./threads kill >said 2>complaints
  expect_no_text complaints "WARNING: ThreadSanitizer|contprof"
  stock_counts "$llvm" "$(the_profile .)" >counts.txt
  expect_calls said counts.txt
}

# shellcheck disable=SC2086
cplusplus() {
  cat >threads.cpp <<'END'
#include <cstdio>
#include <thread>
#include <vector>
extern "C" [[noreturn]] void the_end(const char *how);
static thread_local volatile unsigned long sink;
extern "C" __attribute__((noinline)) void work() { sink = sink + 1; }
struct Last { ~Last() { work(); } };
int main(int, char **argv) {
  for (int round = 0; round < 10; round++) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; i++)
      threads.emplace_back([] {
        static thread_local Last last;
        (void)&last;
        for (int i = 0; i < 999; i++)
          work();
      });
    for (auto &thread : threads)
      thread.join();
  }
  std::printf("calls work %d\n", 10 * 16 * 1000);
  the_end(argv[1]);
}
END
  cxx "$llvm" -O2 -fprofile-instr-generate $SHARDED "$@" threads.cpp "$TEST_DIR/ending.o" -o program
  counts_all ./program kill
}

# Killed at any moment while threads come and go, and the file grows: it is a profile always, and has
# no less than was said before.
# shellcheck disable=SC2086
killed_growing() {
  cat >comes.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static _Thread_local volatile unsigned long sink;
__attribute__((noinline)) void work(void) { sink++; }
static void *life(void *depth) {
  pthread_t next;
  for (int i = 0; i < 100; i++)
    work();
  if (!pthread_create(&next, 0, life, depth))
    pthread_detach(next);
  for (;;)
    pause();
}
int main(void) {
  life(0);
}
END
  cc "$llvm" -O1 $1 $SHARDED comes.c -o comes
  for n in $(seq 40); do
    LLVM_PROFILE_FILE=killed-$n.profraw timeout -s KILL "0.0$((n % 9 + 1))" ./comes || true
  done
  [ "$(find . -name '*.profraw' | wc -l)" -ge 20 ] || die "few profiles"
  work_in ./*.profraw >got
  [ "$(cat got)" -gt 2000 ] || die "counted $(cat got)"
}

# A child that nobody is told of counts into its parent's file and has its parent's table of threads
# as it was; it must leave the parent's counts alone.
# shellcheck disable=SC2086
untold_child() {
  cat >untold.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static _Thread_local volatile unsigned long sink;
__attribute__((noinline)) void by_parent(void) { sink++; }
__attribute__((noinline)) void by_child(void) { sink++; }
static pthread_barrier_t all;
static void *life(void *work) {
  pthread_barrier_wait(&all);
  for (int i = 0; i < 100000; i++)
    ((void (*)(void))work)();
  pthread_barrier_wait(&all);
  return 0;
}
static void crowd(void (*work)(void)) {
  pthread_t threads[8];
  pthread_barrier_init(&all, 0, 8);
  for (int i = 0; i < 8; i++)
    pthread_create(&threads[i], 0, life, work);
  for (int i = 0; i < 8; i++)
    pthread_join(threads[i], 0);
}
int main(void) {
  pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  for (int i = 0; i < 5; i++)
    crowd(child ? by_parent : by_child);
  if (child)
    waitpid(child, 0, 0);
  raise(SIGKILL);
}
END
  cc "$llvm" -O1 -fprofile-instr-generate $SHARDED untold.c -o untold
  LLVM_PROFILE_FILE=live.profraw expect_killed ./untold 2>complaints
  expect_text complaints "no counters of its own in .*live.profraw.*not permitted"
  stock_merged_counts "$llvm" counts.txt live.profraw
  expect "the parent's" 4000000 "$(function_count counts.txt by_parent)"
  [ "$(function_count counts.txt by_child)" -gt 0 ] || die "nothing of the child's"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
stock $NEWEST -O2 -fPIC -shared -pthread "$PROGRAMS/maker.c" -o libmaker.so
for llvm in $LLVMS; do
  name="clang $llvm"
  build_life
  for what in rotated moved asked was_reset closed pooled without_room; do
    in_place() {
      cp "$TEST_DIR/life" .
      "$what"
    }
    check "$name: $what" in_place
  done
  kinds="plain detached exits cancelled c11 masked signals nested library"
  for linker in bfd gold lld mold; do
    [ $linker != lld ] || linker="ld.lld-$llvm"
    case $linker in
      ld.lld-*) flag="--ld-path=/usr/bin/$linker" ;;
      *) flag="-fuse-ld=$linker" ;;
    esac
    check "$name, $linker" linked_with "$flag"
  done
  check "$name, not PIE" linked_with -no-pie -fno-pie
  check "$name, address sanitizer" linked_with -fsanitize=address
  kinds="plain detached exits cancelled c11 signals nested"
  check "$name, static" linked_with -static
  check "$name, static-pie" linked_with -static-pie
  check "$name, beside an object in pointer mode" mixed
  check "$name, a program that makes its threads itself" own_functions
  check "$name, the same, lld" own_functions "--ld-path=/usr/bin/ld.lld-$llvm"
  check "$name, a child of a raw clone" untold_child
  check "$name, a link without it" unlinked
  check "$name, without -fprofile-continuous" not_continuous
  check "$name, thread sanitizer" sanitized_threads
  check "$name, C++" cplusplus
  check "$name, C++ static" cplusplus -static
  check "$name, C++ static libstdc++" cplusplus -static-libstdc++
  check "$name, killed while it grows, names" killed_growing -fprofile-instr-generate
  check "$name, killed while it grows, values" killed_growing "-fprofile-generate -mllvm -pgo-instrument-entry"
done
