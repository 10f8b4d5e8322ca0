// A server's loop, killed from outside while it runs. It tells its progress through a shared file,
// after each step: so the profile's count of `step` is the progress or one more.
#include "known.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile sig_atomic_t stop;
static volatile unsigned long work;

static volatile uint64_t *map_progress(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT, 0644);
  if (fd < 0 || ftruncate(fd, sizeof(uint64_t)) != 0)
    exit(1);
  void *map = mmap(0, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED)
    exit(1);
  return map;
}

KEEP void step(unsigned long n) {
  work += n;
}

// The loop without a call, whose counter optimisers like to keep in a register.
KEEP void spin(volatile uint64_t *progress) {
  while (!stop) {
    work++;
    ++*progress;
  }
}

KEEP void serve(volatile uint64_t *progress) {
  while (!stop) {
    step(*progress);
    ++*progress;
  }
}

static void on_signal(int number) {
  stop = number;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  signal(SIGTERM, on_signal);
  volatile uint64_t *progress = map_progress(argv[2]);
  if (argv[1][1] == 'p')
    spin(progress);
  else
    serve(progress);
  return 0;
}
