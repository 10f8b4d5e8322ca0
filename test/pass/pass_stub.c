// Stands in for the runtime, so that the pass is tested apart from it: moves the counters (and the
// bitmap) of this executable into memory of their own and points both biases there, to different
// distances. At exit it checks that nothing was counted at the static addresses, copies the counts
// back, and has LLVM's own runtime write the profile, which is then to equal that of a build
// without the pass.
#include <asm/prctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char __start___llvm_prf_cnts[] __attribute__((weak, visibility("hidden")));
extern char __stop___llvm_prf_cnts[] __attribute__((weak, visibility("hidden")));
extern char __start___llvm_prf_bits[] __attribute__((weak, visibility("hidden")));
extern char __stop___llvm_prf_bits[] __attribute__((weak, visibility("hidden")));

__attribute__((visibility("hidden"))) int64_t __llvm_profile_counter_bias;
__attribute__((visibility("hidden"))) int64_t __llvm_profile_bitmap_bias;
// What objects of either raw version, in either mode, ask of a link.
#define LINKED __attribute__((visibility("hidden"))) char
LINKED contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_8;
LINKED contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_10;
LINKED
contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_8_and_compile_shared_objects_with_fPIC;
LINKED
contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_10_and_compile_shared_objects_with_fPIC;

int __llvm_profile_write_file(void);

struct moved {
  char *section; // where the linker put it
  size_t size;   // bytes
  char *initial; // its contents at start
  char *mapped;  // where it is counted
  int64_t bias;  // mapped - section
};

static struct moved counters, bitmap;

static struct moved move(char *start, char *stop, size_t distance) {
  struct moved moved = {start, (size_t)(stop - start), NULL, NULL, 0};
  if (moved.size == 0)
    return moved;
  moved.mapped = (char *)mmap(NULL, moved.size + distance, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  moved.mapped += distance;
  moved.initial = malloc(moved.size);
  memcpy(moved.initial, start, moved.size);
  memcpy(moved.mapped, start, moved.size);
  moved.bias = (int64_t)((uintptr_t)moved.mapped - (uintptr_t)start);
  return moved;
}

static void move_back(const char *what, const struct moved *moved) {
  if (moved->size == 0)
    return;
  if (memcmp(moved->section, moved->initial, moved->size) != 0) {
    fprintf(stderr, "pass_stub: %s counted at the static address\n", what);
    _exit(99);
  }
  if (memcmp(moved->mapped, moved->initial, moved->size) == 0) {
    fprintf(stderr, "pass_stub: nothing counted in the moved %s\n", what);
    _exit(98);
  }
  memcpy(moved->section, moved->mapped, moved->size);
}

static void move_all_back(void) {
  move_back("counters", &counters);
  move_back("bitmap", &bitmap);
  // The runtime has written once, and would append.
  unlink(getenv("LLVM_PROFILE_FILE"));
  if (__llvm_profile_write_file() != 0)
    _exit(97);
}

__attribute__((constructor(101))) static void move_all(void) {
  counters = move(__start___llvm_prf_cnts, __stop___llvm_prf_cnts, 0);
  bitmap = move(__start___llvm_prf_bits, __stop___llvm_prf_bits, 1 << 16);
  __llvm_profile_counter_bias = counters.bias;
  __llvm_profile_bitmap_bias = bitmap.bias;
  if (syscall(SYS_arch_prctl, ARCH_SET_GS, counters.bias) != 0)
    abort();
  atexit(move_all_back);
}

// For programs that look at their counters while they count.
uint64_t contprof_test_sum(void);
uint64_t contprof_test_sum(void) {
  uint64_t sum = 0;
  for (size_t i = 0; i + 8 <= counters.size; i += 8)
    sum += *(volatile uint64_t *)(counters.mapped + i);
  return sum;
}
