// Forks while another process sends signals to it and its children without a pause. The handler
// counts, and notes in shared memory for which process it did. Each process says in a file
// said-<pid> how often its handler ran.
#include "ending.h"
#include "known.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 25, SIGNALS = 5, SLOTS = 1 << 16 };

static unsigned *ran; // by process id, modulo SLOTS

KEEP void on_signal(int number) {
  (void)number;
  ran[getpid() % SLOTS]++;
}

static void say(void) {
  char name[64];
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  snprintf(name, sizeof name, "said-%d", (int)getpid());
  int fd = open(name, O_CREAT | O_WRONLY, 0600);
  if (fd < 0)
    abort();
  dprintf(fd, "calls on_signal %u\n", ran[getpid() % SLOTS]);
  close(fd);
}

static pid_t send_signals(void) {
  pid_t group = getpgrp(), sender = fork();
  if (sender == 0) {
    signal(SIGUSR1, SIG_IGN);
    while (kill(-group, SIGUSR1) == 0) {
    }
    abort();
  }
  return sender;
}

// Long enough to be met by signals.
static void child(void) {
  while (*(volatile unsigned *)&ran[getpid() % SLOTS] < SIGNALS) {
  }
  say();
  the_end("kill");
}

int main(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  ran = mmap(0, SLOTS * sizeof *ran, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (ran == MAP_FAILED || setpgid(0, 0) != 0)
    return 1;
  sigaction(SIGUSR1, &action, 0);
  pid_t sender = send_signals();
  for (int i = 0; i < FORKS; i++) {
    pid_t pid = fork();
    if (pid == 0)
      child();
    while (waitpid(pid, 0, 0) < 0 && errno == EINTR) {
    }
  }
  kill(sender, SIGKILL);
  say();
  the_end("kill");
}
