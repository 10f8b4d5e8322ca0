// A shared object for spins.c.
#include <stdint.h>

void spin_plugin(uint64_t rounds);

void spin_plugin(uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; i++)
    __asm__ volatile("nop");
}
