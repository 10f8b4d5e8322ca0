// The program that the torture test kills. `victim SCENARIO SEED DIRECTORY [GENERATION]` works for
// ever in one of several ways (see the scenarios below), each thread at a task of its own, and
// tells what it will have counted before each run of it, and what it has counted after (told.h).
// The guests are in DIRECTORY. What is random comes from SEED.
#include "told.h"

#include "../../runtime/contprof.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))
#ifndef LONGEST_RUN
#define LONGEST_RUN 20000 // steps; a millisecond's, with atomic updates
#endif

// ---- What is counted

static volatile struct {
  unsigned long sink;
  char apart[56]; // one cache line each
} of_task[TASKS];

static _Thread_local volatile unsigned long shared_sink;

// Of all tasks together: exact where counters are updated atomically.
KEEP void shared_step(void) {
  shared_sink++;
}

#define TASK(n)                                                                                    \
  KEEP void step_##n(void) {                                                                       \
    of_task[n].sink++;                                                                             \
  }                                                                                                \
  KEEP void run_##n(unsigned times) {                                                              \
    for (unsigned i = 0; i < times; i++) {                                                         \
      step_##n();                                                                                  \
      shared_step();                                                                               \
    }                                                                                              \
  }

TASK(0)
TASK(1)
TASK(2)
TASK(3)
TASK(4)
TASK(5)

static void (*const task_run[TASKS])(unsigned) = {run_0, run_1, run_2, run_3, run_4, run_5};

// ---- Telling

static unsigned generation = 1;
static uint64_t seed;

// One thread's work.
struct job {
  void (*run)(unsigned);
  struct told told;
  uint64_t random; // state of xorshift64, never 0
};

static uint64_t next_random(struct job *job) {
  job->random ^= job->random << 13;
  job->random ^= job->random >> 7;
  job->random ^= job->random << 17;
  return job->random;
}

static void fail(const char *what) {
  dprintf(2, "victim: %s: %s\n", what, strerror(errno));
  _exit(99);
}

static void tell(const struct told *told) {
  while (write(TOLD_FD, told, sizeof *told) != (ssize_t)sizeof *told)
    if (errno != EINTR)
      fail("write");
}

static void begin_job(struct job *job, unsigned task) {
  memset(job, 0, sizeof *job);
  job->run = task < TASKS ? task_run[task] : NULL;
  job->told.magic = TOLD_MAGIC;
  job->told.pid = (uint32_t)getpid();
  job->told.generation = generation;
  job->told.task = task;
  job->random = (seed + task * 977 + job->told.pid * 31) | 1;
}

// Mostly short, some long: so that death meets telling and counting alike.
static unsigned steps_of_a_run(struct job *job) {
  uint64_t random = next_random(job);
  unsigned limit = random % 16 < 8 ? 4 : random % 16 < 13 ? LONGEST_RUN / 50 : LONGEST_RUN;
  return 1 + (unsigned)(random >> 8) % limit;
}

static void run_once(struct job *job) {
  unsigned steps = steps_of_a_run(job);
  job->told.begun++;
  job->told.planned += steps;
  tell(&job->told);
  job->run(steps);
  job->told.ended++;
  job->told.done = job->told.planned;
  tell(&job->told);
}

static void run_times(struct job *job, unsigned times) {
  for (unsigned i = 0; i < times; i++)
    run_once(job);
}

static void run_a_few(struct job *job) {
  run_times(job, 1 + (unsigned)(next_random(job) >> 8) % 3);
}

static void *run_for_ever(void *job) {
  for (;;)
    run_once(job);
  return NULL;
}

static void start_thread(struct job *job, unsigned task, void *(*function)(void *)) {
  pthread_t thread;
  begin_job(job, task);
  errno = pthread_create(&thread, NULL, function, job);
  if (errno)
    fail("pthread_create");
}

// ---- Scenarios

static const char *directory, *self;

static void threads(void) {
  static struct job jobs[4];
  for (unsigned task = 1; task < 4; task++)
    start_thread(&jobs[task], task, run_for_ever);
  begin_job(&jobs[0], 0);
  run_for_ever(&jobs[0]);
}

// Three workers of three threads each, and a master that counts on as well.
static void workers(void) {
  static struct job jobs[3];
  begin_job(&jobs[0], 0);
  run_a_few(&jobs[0]);
  for (unsigned i = 0; i < 3; i++) {
    pid_t pid = fork();
    if (pid < 0)
      fail("fork");
    if (pid == 0) {
      start_thread(&jobs[1], 1, run_for_ever);
      start_thread(&jobs[2], 2, run_for_ever);
      begin_job(&jobs[0], 0);
      run_for_ever(&jobs[0]);
    }
    run_a_few(&jobs[0]);
  }
  run_for_ever(&jobs[0]);
}

static void wait_for_one(void) {
  int status;
  if (wait(&status) < 0)
    fail("wait");
  if (status != 0)
    fail("a child died by itself");
}

static void short_life(void) {
  static struct job job;
  begin_job(&job, 2);
  run_a_few(&job);
  if (next_random(&job) >> 8 & 1)
    _exit(0);
  pid_t pid = fork();
  if (pid < 0)
    fail("fork");
  if (pid == 0) {
    begin_job(&job, 3);
    run_once(&job);
    _exit(0);
  }
  run_once(&job);
  wait_for_one();
  _exit(0);
}

// Forks without end while another thread counts, with a few children alive at a time.
static void storm(void) {
  static struct job own, beside;
  start_thread(&beside, 1, run_for_ever);
  begin_job(&own, 0);
  for (unsigned alive = 0;;) {
    run_once(&own);
    pid_t pid = fork();
    if (pid < 0)
      fail("fork");
    if (pid == 0)
      short_life();
    if (++alive > 4) {
      wait_for_one();
      alive--;
    }
  }
}

static void load_and_run(struct job *job, char guest) {
  char path[4096], name[32];
  snprintf(path, sizeof path, "%s/guest_%c.so", directory, guest);
  snprintf(name, sizeof name, "guest_%c_run", guest);
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object)
    fail(dlerror());
  *(void **)&job->run = dlsym(object, name);
  if (!job->run)
    fail(dlerror());
  run_a_few(job);
  dlclose(object);
}

static void *load_for_ever(void *data) {
  struct job *job = data;
  for (;;)
    load_and_run(job, (char)('a' + (job->told.task - TASKS)));
  return NULL;
}

// One guest loaded and unloaded without end, every other time a second one from another thread.
static void guests(void) {
  static struct job jobs[GUESTS];
  if (seed & 1)
    start_thread(&jobs[1], TASKS + 1, load_for_ever);
  begin_job(&jobs[0], TASKS);
  load_for_ever(&jobs[0]);
}

// A program that takes its own place again and again, while another thread counts.
static void execs(void) {
  static struct job own, beside;
  char number[24], next[24];
  start_thread(&beside, 1, run_for_ever);
  begin_job(&own, 0);
  run_a_few(&own);
  snprintf(number, sizeof number, "%llu", (unsigned long long)(next_random(&own) >> 1));
  snprintf(next, sizeof next, "%u", generation + 1);
  execl(self, self, "execs", number, directory, next, (char *)NULL);
  fail("exec");
}

// The path or pattern `name` in the directory of the profiles.
static const char *beside_profile(const char *name, unsigned number) {
  static char path[4096];
  const char *first = getenv("LLVM_PROFILE_FILE"), *end = strrchr(first, '/');
  int length = snprintf(path, sizeof path, "%.*s/", (int)(end - first), first);
  snprintf(path + length, sizeof path - (size_t)length, name, number);
  return path;
}

// To a new file under a new name, to one with a number inserted into its name, or with the same
// file to a new name.
static void change_file(unsigned number) {
  if (number % 3 == 2)
    __llvm_profile_set_filename(beside_profile("%%p-n%u.profraw", number));
  else
    errno = -contprof_rotate(number % 3 ? beside_profile("%%p-r%u.profraw", number) : NULL);
  if (number % 3 != 2 && errno)
    fail("contprof_rotate");
}

// Changes the file again and again, while two threads count, and forks now and then.
static void rotations(void) {
  static struct job own, others[2];
  start_thread(&others[0], 0, run_for_ever);
  start_thread(&others[1], 1, run_for_ever);
  begin_job(&own, 4);
  for (unsigned number = 1;; number++) {
    run_once(&own);
    change_file(number);
    if (number % 4)
      continue;
    pid_t pid = fork();
    if (pid < 0)
      fail("fork");
    if (pid == 0)
      short_life();
    wait_for_one();
  }
}

// Copies its profile again and again, while two threads count.
static void snapshots(void) {
  static struct job own, others[2];
  start_thread(&others[0], 0, run_for_ever);
  start_thread(&others[1], 1, run_for_ever);
  begin_job(&own, 2);
  for (unsigned number = 0;; number++) {
    run_once(&own);
    errno = -contprof_snapshot(beside_profile("%u-snapshot.profraw", number % 3 + 1));
    if (errno)
      fail("contprof_snapshot");
  }
}

static const struct {
  const char *name;
  void (*begin)(void);
} scenarios[] = {
    {"threads", threads}, {"workers", workers},     {"storm", storm},         {"guests", guests},
    {"execs", execs},     {"rotations", rotations}, {"snapshots", snapshots},
};

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  alarm(60); // in case that nobody kills it
  self = argv[0];
  seed = strtoull(argv[2], NULL, 10);
  directory = argv[3];
  if (argc > 4)
    generation = (unsigned)atoi(argv[4]);
  for (unsigned i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
    if (strcmp(argv[1], scenarios[i].name) == 0)
      scenarios[i].begin();
  return 2;
}
