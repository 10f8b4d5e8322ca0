#include "hunt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 30000 /* milliseconds */, MOST_PROCESSES = 64 };

uint64_t hunt_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

bool hunt_prepare(void) {
  return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// ---- The victim's start

static void become_victim(const struct hunt *hunt, int told) {
  int nothing = open("/dev/null", O_RDWR);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (dup2(nothing, 0) == 0 && dup2(nothing, 1) == 1 && dup2(hunt->complaints, 2) == 2 &&
      dup2(told, TOLD_FD) == TOLD_FD && setenv("LLVM_PROFILE_FILE", hunt->pattern, 1) == 0)
    execv(hunt->program, hunt->argv);
  _exit(98);
}

// The harness's own descriptors lie above those that a victim gets.
static int raise_descriptor(int fd) {
  int raised = fcntl(fd, F_DUPFD_CLOEXEC, TOLD_FD + 1);
  close(fd);
  return raised;
}

static int start_victim(struct hunt *hunt) {
  int ends[2];
  if (pipe(ends) != 0)
    return -1;
  ends[0] = raise_descriptor(ends[0]);
  ends[1] = raise_descriptor(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  hunt->pid = fork();
  if (hunt->pid == 0)
    become_victim(hunt, ends[1]);
  if (hunt->pid > 0)
    setpgid(hunt->pid, hunt->pid); // whoever is first
  close(ends[1]);
  return ends[0];
}

// ---- Listening

// Takes what is there. 1, or 0 at the end, or -1 for nonsense.
static int hear(struct hunt *hunt, int told) {
  struct told records[64];
  for (;;) {
    ssize_t got = read(told, records, sizeof records);
    if (got == 0)
      return 0;
    if (got < 0)
      return errno == EAGAIN ? 1 : -1;
    if (got % (ssize_t)sizeof *records != 0)
      return -1;
    for (size_t i = 0; i < (size_t)got / sizeof *records; i++)
      if (!figures_hear(hunt->figures, &records[i]))
        return -1;
  }
}

// Until so many records are heard, or the end. As hear; -2: nothing came for too long.
static int hear_records(struct hunt *hunt, int told, uint64_t start) {
  struct pollfd waiting = {.fd = told, .events = POLLIN};
  int result = 1;
  while (result == 1 && hunt->figures->records < hunt->records) {
    if (poll(&waiting, 1, PATIENCE) == 0)
      return -2;
    result = hear(hunt, told);
    if (!hunt->first_record && hunt->figures->records)
      hunt->first_record = now() - start;
  }
  return result;
}

// In a tight loop: to sleep would be to wait for the scheduler. Listens meanwhile, or the victims
// would soon stand still at a full pipe.
static int hear_until(struct hunt *hunt, int told, uint64_t end) {
  int result = 1;
  while (now() < end && result == 1)
    result = hear(hunt, told);
  return result;
}

// ---- The end

// The victims that have told anything, in random order, each still unreaped: so their numbers are
// nobody else's.
static void kill_one_by_one(struct hunt *hunt, int told) {
  uint32_t pids[MOST_PROCESSES];
  size_t count = figures_processes(hunt->figures, pids, MOST_PROCESSES);
  for (; count > 0; count--) {
    size_t pick = hunt_random(hunt->random) % count;
    kill((pid_t)pids[pick], SIGKILL);
    pids[pick] = pids[count - 1];
    hear_until(hunt, told, now() + hunt_random(hunt->random) % hunt->pause);
  }
}

static bool reap_all(struct hunt *hunt, char *why, size_t size) {
  bool ok = true;
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, 0)) > 0 || errno == EINTR;) {
    if (pid <= 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
      continue;
    if (pid != hunt->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
      continue;
    snprintf(why, size, "process %d ended by itself: %s %d", (int)pid,
             WIFSIGNALED(status) ? "signal" : "status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    ok = false;
  }
  return ok;
}

bool hunt_down(struct hunt *hunt, char *why, size_t size) {
  uint64_t start = now();
  hunt->first_record = 0;
  int told = start_victim(hunt);
  if (told < 0 || hunt->pid < 0) {
    snprintf(why, size, "can't start the victim");
    return false;
  }
  int heard = hear_records(hunt, told, start);
  if (heard == 1 && hunt->records)
    start = now();
  if (heard == 1)
    heard = hear_until(hunt, told, start + hunt->wait);
  if (heard == 1 && hunt->one_by_one)
    kill_one_by_one(hunt, told);
  kill(-hunt->pid, SIGKILL);
  bool ok = reap_all(hunt, why, size);
  if (hear(hunt, told) != 0 || heard == -1 || heard == -2) {
    snprintf(why, size, heard == -2 ? "a victim told nothing for half a minute" : "nonsense told");
    ok = false;
  }
  close(told);
  return ok;
}
