// A program without start-up of the profile runtime: it defines __llvm_profile_runtime itself and
// asks for its profile. `asks write|atexit|buffer FILE`: calls leaf 20 times, and leaves a profile
// in FILE: of the first 10 calls, by __llvm_profile_write_file; of all that came before the end; or
// of the last 10, after a reset, from a buffer. Leaves by exit().
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __llvm_profile_runtime;

void __llvm_profile_initialize_file(void);
int __llvm_profile_write_file(void);
int __llvm_profile_register_write_file_atexit(void);
void __llvm_profile_set_filename(const char *pattern);
void __llvm_profile_reset_counters(void);
uint64_t __llvm_profile_get_size_for_buffer(void);
int __llvm_profile_write_buffer(char *buffer);

static volatile unsigned long sink;

__attribute__((noinline)) void leaf(unsigned n) {
  sink += n;
}

__attribute__((noinline)) void ten_leaves(void) {
  for (unsigned n = 0; n < 10; n++)
    leaf(n);
}

static int write_buffer(const char *path) {
  uint64_t size = __llvm_profile_get_size_for_buffer();
  char *buffer = malloc(size);
  FILE *file = fopen(path, "w");
  if (!size || !buffer || !file || __llvm_profile_write_buffer(buffer) != 0)
    return 3;
  return fwrite(buffer, 1, size, file) == size && fclose(file) == 0 ? 0 : 4;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  int status = 0;
  if (strcmp(argv[1], "atexit") == 0)
    status = __llvm_profile_register_write_file_atexit();
  else
    __llvm_profile_initialize_file();
  if (strcmp(argv[1], "buffer") != 0)
    __llvm_profile_set_filename(argv[2]);
  ten_leaves();
  if (strcmp(argv[1], "write") == 0)
    status = __llvm_profile_write_file();
  if (strcmp(argv[1], "buffer") == 0)
    __llvm_profile_reset_counters();
  ten_leaves();
  return strcmp(argv[1], "buffer") == 0 ? write_buffer(argv[2]) : status;
}
