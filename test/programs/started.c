// For measurements of start-up: says when main began, by CLOCK_MONOTONIC in nanoseconds, and what
// memory the process had by then, in KiB: resident, its proportional share, private and changed.
// No stdio and no allocation, which would count as the start-up's.
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char text[4096]; // not on a stack that a large frame would grow

static void say(unsigned long long number, char end) {
  char digits[24];
  unsigned at = sizeof digits;
  digits[--at] = end;
  do {
    digits[--at] = (char)('0' + number % 10);
  } while (number /= 10);
  if (write(1, digits + at, sizeof digits - at) < 0)
    _exit(1);
}

static unsigned long long field(const char *name) {
  unsigned long long number = 0;
  const char *at = strstr(text, name);
  if (!at)
    return 0;
  for (at += strlen(name); *at == ' '; at++) {
  }
  for (; *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (unsigned)(*at - '0');
  return number;
}

int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int fd = open("/proc/self/smaps_rollup", O_RDONLY);
  if (fd < 0 || read(fd, text, sizeof text - 1) < 0)
    return 1;
  say((unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec, ' ');
  say(field("\nRss:"), ' ');
  say(field("\nPss:"), ' ');
  say(field("\nPrivate_Dirty:"), '\n');
  return 0;
}
