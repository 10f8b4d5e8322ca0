// Forks in a signal's handler that has a stack of its own, with little room beside what the kernel
// puts there: `small_signal_stack BYTES`. Says how often the child counted; ends by SIGKILL.
#include "ending.h"
#include "known.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum { CALLS = 3, GUARD = 1 << 16 };

static int status;
static volatile int sink;

KEEP void in_child(void) {
  sink++;
}

static void on_signal(int number) {
  (void)number;
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < CALLS; i++)
      in_child();
    _exit(0);
  }
  waitpid(child, &status, 0);
}

// Below the stack is nothing.
static void use_small_stack(size_t room) {
  size_t frame = getauxval(AT_MINSIGSTKSZ);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t size = (frame ? frame : 2048) + room;
  size_t above = (size + page - 1) / page * page;
  char *base = mmap(NULL, GUARD + above, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base + GUARD, above, PROT_READ | PROT_WRITE) != 0)
    abort();
  stack_t stack = {.ss_sp = base + GUARD, .ss_size = size};
  if (sigaltstack(&stack, NULL) != 0)
    abort();
}

int main(int argc, char **argv) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  use_small_stack(argc == 2 ? (size_t)atoi(argv[1]) : 0);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  if (status != 0)
    return 3;
  SAY_CALLS(in_child, CALLS);
  fflush(stdout);
  the_end("kill");
}
