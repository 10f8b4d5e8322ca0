#!/bin/sh
# Programs that are started with standard descriptors closed: their output must not land in the live
# file, which would get the number of one of them.
. "$(dirname "$0")/lib.sh"

# closed N MODE REDIRECTION
closed() {
  cat >writes.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) void work(int fd) { sink += write(fd, "log line\n", 9); }
int main(void) {
  int first = open("first", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < 900; i++)
    work(i % 3);
  return first == EXPECTED ? raise(SIGKILL) : first;
}
END
  cc "$1" -O2 -fprofile-instr-generate -fprofile-continuous="$2" -DEXPECTED="$4" writes.c -o writes
  in_shell="exec $RUN ./writes $3"
  RUN= # the shell itself is of this machine
  LLVM_PROFILE_FILE=writes.profraw expect_killed sh -c "$in_shell"
  stock_counts "$1" writes.profraw >counts.txt
  expect "work" 900 "$(function_count counts.txt work)"
}

for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: none closed" closed "$llvm" $mode "</dev/null >said 2>&1" 3
    check "clang $llvm $mode: no input" closed "$llvm" $mode "<&- >said 2>&1" 0
    check "clang $llvm $mode: no output" closed "$llvm" $mode "</dev/null >&- 2>said" 1
    check "clang $llvm $mode: no errors" closed "$llvm" $mode "</dev/null >said 2>&-" 2
    check "clang $llvm $mode: none of them" closed "$llvm" $mode "<&- >&- 2>&-" 0
  done
done
