// LLVM's profile functions in the middle of counting. `functions HOW`: calls `leaf` ten times,
// resets, calls it twenty times, moves to second.profraw, calls it five times, leaves the profile's
// bytes in buffer.profraw, and ends that way. The same with static counters and live ones.
#include "ending.h"
#include "known.h"

#include <stdint.h>
#include <stdlib.h>

void __llvm_profile_reset_counters(void);
void __llvm_profile_set_filename(const char *pattern);
uint64_t __llvm_profile_get_size_for_buffer(void);
int __llvm_profile_write_buffer(char *buffer);

static volatile unsigned long sink;

KEEP void leaf(unsigned n) {
  sink += n;
}

static void leaf_times(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    leaf(i);
}

static int keep_buffer(const char *path) {
  uint64_t size = __llvm_profile_get_size_for_buffer();
  char *buffer = malloc(size);
  FILE *file = fopen(path, "w");
  if (!buffer || !file || __llvm_profile_write_buffer(buffer) != 0)
    return 1;
  return fwrite(buffer, 1, size, file) != size || fclose(file) != 0;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  leaf_times(10);
  __llvm_profile_reset_counters();
  leaf_times(20);
  __llvm_profile_set_filename("second.profraw");
  leaf_times(5);
  if (keep_buffer("buffer.profraw"))
    return 1;
  the_end(argv[1]);
}
