// A program that links without a profile runtime as well: it declares the runtime's functions weak,
// and calls them where they are. `weakly HOW`: how it ends.
//
//   -DOWN_RUNTIME   it defines __llvm_profile_runtime itself, which keeps start-up out of its link
#include "ending.h"
#include "known.h"

__attribute__((weak)) void __llvm_profile_reset_counters(void);

#ifdef OWN_RUNTIME
int __llvm_profile_runtime;
#endif

static volatile unsigned long sink;

KEEP void leaf(unsigned n) {
  sink += n;
}

int main(int argc, char **argv) {
  for (unsigned n = 0; n < 1000; n++)
    leaf(n);
  puts(__llvm_profile_reset_counters ? "resets" : "nothing to reset");
  if (__llvm_profile_reset_counters)
    __llvm_profile_reset_counters();
  for (unsigned n = 0; n < 10; n++)
    leaf(n);
  puts("calls leaf 10");
  the_end(argc > 1 ? argv[1] : "exit");
}
