// LLVM's profile functions on the live file. `renames closed|open reset|move [PATTERN]`: calls leaf
// 10, 20 and 30 times, asks for the profile each time, then resets it, or at the end moves it to
// PATTERN and calls leaf once more. Says the names; ends by SIGKILL. `closed`: without a
// descriptor.
#define _GNU_SOURCE
#include "ending.h"
#include "known.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int __llvm_profile_write_file(void);
void __llvm_profile_reset_counters(void);
void __llvm_profile_set_filename(const char *pattern);
const char *__llvm_profile_get_filename(void);

static volatile unsigned long sink;

KEEP void leaf(unsigned n) {
  sink += n;
}

int main(int argc, char **argv) {
  if (errno != 0 || argc < 3)
    return 2;
  if (strcmp(argv[1], "closed") == 0)
    closefrom(3);
  for (unsigned round = 1; round <= 3; round++) {
    for (unsigned i = 0; i < 10 * round; i++)
      leaf(i);
    if (strcmp(argv[2], "move") == 0)
      continue;
    printf("file %u %s\n", 10 * round, __llvm_profile_get_filename());
    if (__llvm_profile_write_file() != 0)
      return 3;
    __llvm_profile_reset_counters();
  }
  if (argc > 3) {
    __llvm_profile_set_filename(argv[3]);
    leaf(1);
    printf("file 61 %s\n", __llvm_profile_get_filename());
  }
  the_end("kill");
}
