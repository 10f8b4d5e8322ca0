#!/bin/sh
# Children that no fork handler sees count into their parent's file until they execute a program; exec
# ends one file's time and begins another's; daemons let go of everything and keep their file; and
# whatever way a process ends, its counts are there.
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

borrowed_memory() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 137 "work 1; vfork 10; clone_vm 100; spawn true; run true
    spawn kill -9 \$\$; vfork 1000; kill"
  expect_empty complaints
  expect_work 1111 "$(the_profile)"
}

# clone and _Fork copy the memory, but the counters in it are shared.
copied_memory() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 137 "work 1; clone b; work 10; kill; _Fork c; work 100; _exit
    clone d; work 1000; fork e; work 3; kill; exit; work 10000; kill"
  expect_empty complaints
  expect_files 2
  expect_work 3 "x-$(pid_of e).profraw"
  rm "x-$(pid_of e).profraw"
  expect_work 11111 "$(the_profile)"
}

# The parent is gone, its child counts in its file: nobody else gets that, by whatever name.
orphan_keeps_the_file() {
  LLVM_PROFILE_FILE=x-%m.profraw start "$TEST_DIR/steps" "leave_pid a; work 1
    clone b; work 10; run touch ready; wait go; work 100; run touch done; kill; kill"
  wait_for 20 test -e ready
  kill_hard "$(pid_of a)"
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 5; kill"
  expect_files 2
  touch go
  wait_for 20 test -e done
  expect "all" 116 "$(counted work ./*.profraw)"
}

# The program executes itself three times, with less to do each time.
chain() {
  cat >chain.c <<'EOF'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) void pass(void) { sink++; }
int main(int argc, char **argv) {
  char left[2] = {(char)(argv[1][0] - 1), 0};
  for (int i = argv[1][0] - '0'; i >= 0; i--)
    pass();
  if (argv[1][0] == '0')
    return argc > 2 ? 0 : raise(SIGKILL);
  return execl("/proc/self/exe", argv[0], left, (char *)0);
}
EOF
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" chain.c -o chain
}

exec_chain() {
  chain
  LLVM_PROFILE_FILE=x-%p.profraw expect_killed ./chain 3 2>complaints
  expect_files 4
  expect "all" 10 "$(counted pass x-*.profraw)"
  [ -e "$(find . -name 'x-*.4.profraw')" ]
  rm ./*.profraw
  LLVM_PROFILE_FILE=x-%m.profraw expect_killed ./chain 3 2>>complaints
  expect_files 1
  expect "all, counted on" 10 "$(counted pass x-*.profraw)"
  rm ./*.profraw
  LLVM_PROFILE_FILE=x.profraw expect_killed ./chain 3 2>>complaints
  expect_files 1
  expect "the last alone" 1 "$(counted pass x.profraw)"
  expect_empty complaints
}

# From one instrumented program to another, both ways, in one name per process and in one pool.
exec_of_another() {
  chain
  for pattern in x-%p.profraw y-%m.profraw; do
    LLVM_PROFILE_FILE=$pattern expect_steps 137 "work 7; exec $PWD/chain 2"
    expect_empty complaints
  done
  expect_files 6
  for prefix in x y; do
    expect "work" 7 "$(counted work $prefix-*.profraw)"
    expect "links" 6 "$(counted pass $prefix-*.profraw)"
  done
}

daemon() {
  LLVM_PROFILE_FILE=d.profraw start "$TEST_DIR/steps" \
    "work 1; daemon; leave_pid d; work 10; close_all; run touch $PWD/away; wait $PWD/go; work 100; run touch $PWD/done; kill"
  wait_end "$PID"
  expect "status" 0 "$STATUS"
  wait_for 20 test -e away
  daemon=$(pid_of d)
  expect "descriptors" "" "$(ls "/proc/$daemon/fd")"
  expect "directory" / "$(readlink "/proc/$daemon/cwd")"
  LLVM_PROFILE_FILE=d.profraw expect_steps 137 "work 5; kill"
  LLVM_PROFILE_FILE=d.profraw expect_steps 137 "work 6; kill"
  expect_empty complaints
  touch go
  wait_for 20 test -e done
  expect_files 2 # the starter's name is free again, and used by one after the other
  expect_work 6 d.profraw
  expect_work 110 "d-$daemon.profraw"
}

# The same in a pool, and without another process.
let_go_in_a_pool() {
  LLVM_PROFILE_FILE=d-%m.profraw start "$TEST_DIR/steps" "work 1
    close_all; chdir /; run touch $PWD/away; wait $PWD/go; work 100; run touch $PWD/done; pause"
  wait_for 20 test -e away
  for i in 1 2 3; do
    LLVM_PROFILE_FILE=d-%m.profraw expect_steps 137 "work 1000; kill"
  done
  expect_empty complaints
  expect_files 2
  touch go
  wait_for 20 test -e done
  expect "all" 3101 "$(counted work ./*.profraw)"
}

# ends_by STEP STATUS
ends_by() {
  expect_steps "$2" "fork a; work 3; raise; $1; work 4; $1"
  expect_ended a "$2"
  expect_files 2
  expect_no_temporaries
  expect "work" 7 "$(counted work ./*.profraw)"
  expect_work 3 "steps-$(pid_of a).profraw"
  expect "handler" 1 "$(counted on_signal ./*.profraw)"
  expect_empty complaints
}

one_build() {
  check "$name: vfork, clone with memory, posix_spawn, system" borrowed_memory
  check "$name: clone and _Fork" copied_memory
  check "$name: a clone whose parent is gone" orphan_keeps_the_file
  check "$name: exec of itself" exec_chain
  check "$name: exec of another program" exec_of_another
  check "$name: daemon that closes all" daemon
  check "$name: descriptors closed, pool" let_go_in_a_pool
  check "$name: ends by exit" ends_by "exit 7" 7
  check "$name: ends by _exit" ends_by "_exit 8" 8
  check "$name: ends by the system call" ends_by raw_exit 0
  check "$name: ends by SIGKILL" ends_by kill 137
  check "$name: ends by abort" ends_by abort 134
  check "$name: ends by a fault" ends_by segv 139
  check "$name: ends by stack overflow" ends_by overflow 139
}

with_each_build one_build
