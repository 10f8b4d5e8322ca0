// contprof sync: live files to stable storage, once or again and again. The kernel keeps what a
// killed process has counted; what a power cut takes is what has not reached the disk.
#include "messages.h"
#include "option_loop.h"
#include "option_values.h"
#include "verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char HELP[] =
    "Usage: contprof sync [OPTION] DIR...\n"
    "\n"
    "Brings raw profiles to stable storage, those of running processes too: when it ends,\n"
    "what they had counted when it began survives a power cut. Of a directory, the .profraw\n"
    "files in it and below, and the directories themselves, so that the names are there too;\n"
    "a file may be named as well. The processes notice nothing.\n"
    "\n"
    "      --every=SECONDS         go on until a signal (INT, TERM or HUP) ends it, a round\n"
    "                              every SECONDS (decimals allowed); each looks for new files\n"
    "  -h, --help                  this text\n"
    "\n"
    "A file or directory that fails is named, with the reason; the others are done. One that\n"
    "is gone by the time it is its turn is none. Exit status: 0 all is stored (with --every:\n"
    "it always was), 1 something failed, 2 wrong command line.\n";

struct options {
  double every; // seconds between the starts of rounds; 0: one round
};

// nftw(3) passes nothing on to its callback.
static int failures;

static void report(const char *path, const char *what, int error) {
  contprof_say_error("%s: %s: %s", path, what, strerror(error));
  failures++;
}

// A name may go at any time, and is then nobody's concern. A directory that can't be synchronised
// at all (some file systems) has nothing to be.
static void sync_path(const char *path, bool directory) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (directory ? O_DIRECTORY : 0));
  if (fd < 0) {
    if (errno != ENOENT)
      report(path, "can't open it", errno);
    return;
  }
  if (fsync(fd) != 0 && !(directory && errno == EINVAL))
    report(path, "can't bring it to stable storage", errno);
  close(fd);
}

static bool is_raw_profile(const char *path) {
  const char *extension = strrchr(path, '.');
  struct stat status;
  return extension && strcmp(extension, ".profraw") == 0 && stat(path, &status) == 0 &&
         S_ISREG(status.st_mode);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)place;
  if (type == FTW_DP)
    sync_path(path, true); // after the files in it: a name comes with what it promises
  else if (type == FTW_DNR)
    report(path, "can't read the directory", errno);
  else if (type != FTW_NS && is_raw_profile(path))
    sync_path(path, false);
  return 0;
}

// The directory that has `path`, whose entry for it is to be stored as well.
static void sync_parent(const char *path) {
  char *copy = strdup(path), *slash = copy ? strrchr(copy, '/') : NULL;
  if (slash)
    slash[slash == copy] = '\0';
  sync_path(slash ? copy : ".", true);
  free(copy);
}

// What the user has named must be there. A link stands for what it leads to.
static void sync_named(const char *path) {
  char *real = realpath(path, NULL);
  struct stat status;
  if (!real || stat(real, &status) != 0) {
    report(path, "can't find it", errno);
  } else if (!S_ISDIR(status.st_mode)) {
    sync_path(real, false);
    sync_parent(real);
  } else if (nftw(real, visit, 16, FTW_PHYS | FTW_DEPTH) != 0) {
    report(path, "can't read the directory", errno);
  }
  free(real);
}

static void sync_all(int count, char **paths) {
  for (int i = 0; i < count; i++)
    sync_named(paths[i]);
}

static void hold_signals(sigset_t *signals) {
  sigemptyset(signals);
  sigaddset(signals, SIGINT);
  sigaddset(signals, SIGTERM);
  sigaddset(signals, SIGHUP);
  sigprocmask(SIG_BLOCK, signals, NULL);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Whether a signal came before `seconds` were over; none are negative.
static bool signal_within(const sigset_t *signals, double seconds) {
  double end = now() + seconds;
  for (;;) {
    double left = fmax(end - now(), 0);
    struct timespec time = {.tv_sec = (time_t)left};
    time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
    int got = sigtimedwait(signals, NULL, &time);
    if (got > 0)
      return true;
    if (errno != EINTR) // stopped and continued, for instance
      return false;
  }
}

// The signal that ends it lets a round that has begun come to its end.
static void sync_every(double seconds, int count, char **paths) {
  sigset_t signals;
  double start;
  hold_signals(&signals);
  do {
    start = now();
    sync_all(count, paths);
  } while (!signal_within(&signals, fmax(start + seconds - now(), 0)));
}

static bool take(int option, const char *argument, void *all, struct contprof_error *error) {
  struct options *options = all;
  char *end;
  (void)option; // there is but one
  options->every = strtod(argument, &end);
  return (end != argument && !*end && options->every >= 0.001 && options->every <= 1e9) ||
         contprof_bad_argument(error, "every", argument, "a number of seconds, 0.001 or more");
}

static const struct option LONG_OPTIONS[] = {
    {"every", required_argument, NULL, 'e'}, {"help", no_argument, NULL, 'h'}, {0}};

static const struct contprof_option_set SET = {.verb = "sync",
                                               .short_options = ":h",
                                               .long_options = LONG_OPTIONS,
                                               .help = HELP,
                                               .take = take};

int contprof_cmd_sync(int argc, char **argv) {
  struct options options = {0};
  int status;
  if (!contprof_take_options(&SET, argc, argv, &options, &status))
    return status;
  if (optind == argc)
    return contprof_say_usage("sync", "no directory to bring to stable storage");
  failures = 0;
  if (options.every > 0)
    sync_every(options.every, argc - optind, argv + optind);
  else
    sync_all(argc - optind, argv + optind);
  return failures ? CONTPROF_EXIT_FAILED : CONTPROF_EXIT_OK;
}
