// Calls one of the runtime's functions again and again, under a timer whose signal's handler forks:
// `interrupted_calls rotate|snapshot|reset|rename|sync`. Says how often the handler ran, which is
// how many children there were; ends by SIGKILL.
#include "ending.h"
#include "known.h"

#include <contprof.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 30 };

static volatile sig_atomic_t forks;

KEEP void on_signal(int number) {
  (void)number;
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  if (child < 0)
    abort();
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  forks++;
}

static int call(const char *what, unsigned round) {
  if (strcmp(what, "rotate") == 0)
    return contprof_rotate(NULL);
  if (strcmp(what, "snapshot") == 0)
    return contprof_snapshot("copy/snapshot.profraw");
  if (strcmp(what, "sync") == 0)
    return contprof_sync();
  if (strcmp(what, "rename") == 0)
    __llvm_profile_set_filename(round % 2 ? "odd-%p.profraw" : "even-%p.profraw");
  else
    __llvm_profile_reset_counters();
  return 0;
}

// Every other signal or so comes in the middle of a call, which is all there is to interrupt.
int main(int argc, char **argv) {
  struct sigaction action = {.sa_handler = on_signal};
  struct itimerval every = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  if (argc != 2)
    return 2;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
  for (unsigned round = 0; forks < FORKS; round++) {
    int error = call(argv[1], round);
    if (error) {
      fprintf(stderr, "%s: error %d\n", argv[1], error);
      return 3;
    }
  }
  setitimer(ITIMER_REAL, &never, NULL);
  SAY_CALLS(on_signal, forks);
  fflush(stdout);
  the_end("kill");
}
