#!/bin/sh
# Processes that are not as others: without rights, with more rights than their caller, that exec
# themselves, that want no profile, with objects of stock clang.
. "$(dirname "$0")/lib.sh"

as_nobody() {
  setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

no_right_to_write() {
  mkdir closed
  LLVM_PROFILE_FILE=closed/x.profraw as_nobody "$calls" exit >said 2>complaints
  grep -q '^calls main 1' said
  [ "$(wc -l <complaints)" -le 1 ] || die "complaints: $(cat complaints)"
  expect_text complaints '^contprof: .*permission denied'
  expect "files" 0 "$(find closed -type f | wc -l)"
}

# The kernel marks it AT_SECURE: who runs it does not choose what it writes.
more_rights_than_its_caller() {
  cp "$calls" raised
  chmod 4755 raised
  LLVM_PROFILE_FILE=chosen.profraw as_nobody ./raised exit >said 2>complaints
  grep -q '^calls main 1' said
  [ ! -e chosen.profraw ] || die "the environment was believed"
  the_profile >/dev/null
}

execs_itself() {
  cat >execs.c <<'END'
#include <signal.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) void before(void) { sink++; }
__attribute__((noinline)) void after(void) { sink++; }
int main(int argc, char **argv) {
  if (argc > 1) {
    after();
    return raise(SIGKILL);
  }
  before();
  return execl("/proc/self/exe", argv[0], "again", (char *)0);
}
END
  cc "$llvm" -fprofile-instr-generate -fprofile-continuous execs.c -o execs
  LLVM_PROFILE_FILE=x-%p.profraw expect_killed ./execs
  expect "files" 2 "$(find . -name '*.profraw' | wc -l)"
  expect "second" 1 "$(find . -name 'x-*.2.profraw' | wc -l)"
  "$CONTPROF" merge -o sum.profdata ./*.profraw
  stock_counts "$llvm" sum.profdata >counts.txt
  expect "before" 1 "$(function_count counts.txt before)"
  expect "after" 1 "$(function_count counts.txt after)"
}

wants_no_profile() {
  echo 'int __llvm_profile_runtime;' >none.c
  cc "$llvm" -fprofile-instr-generate -fprofile-continuous "$PROGRAMS/calls.c" none.c \
    "$TEST_DIR/ending.o" -o without
  ./without exit >said 2>complaints
  expect_empty complaints
  expect "files" 0 "$(find . -name '*.profraw' | wc -l)"
}

objects_of_stock_clang() {
  stock "$llvm" -O2 -fprofile-instr-generate -mllvm -runtime-counter-relocation -c \
    "$PROGRAMS/calls.c" -o stock.o
  cc "$llvm" -fprofile-instr-generate -fprofile-continuous stock.o "$TEST_DIR/ending.o" -o mixed
  expect_killed ./mixed kill >said
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
chmod 755 "$TEST_DIR"
calls=$TEST_DIR/calls
for llvm in $LLVMS; do
  cc "$llvm" -O2 -fprofile-instr-generate -fprofile-continuous "$PROGRAMS/calls.c" ending.o -o calls
  if [ "$(id -u)" = 0 ]; then
    check "clang $llvm: no right to write" no_right_to_write
    check "clang $llvm: setuid" more_rights_than_its_caller
  fi
  check "clang $llvm: execs itself" execs_itself
  check "clang $llvm: __llvm_profile_runtime of its own" wants_no_profile
  check "clang $llvm: objects with -runtime-counter-relocation" objects_of_stock_clang
done
