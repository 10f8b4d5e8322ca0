// The Mersenne Twister of 32 bits (Matsumoto and Nishimura, 1998; std::mt19937 in C++), from its
// default seed on: for choices that must be those that another program makes with it. Not for
// secrets. A zeroed struct has not begun yet.
#ifndef CONTPROF_BASE_MT19937_H
#define CONTPROF_BASE_MT19937_H

#include <stdbool.h>
#include <stdint.h>

enum { CONTPROF_MT19937_WORDS = 624 };

struct contprof_mt19937 {
  uint32_t words[CONTPROF_MT19937_WORDS];
  uint32_t next; // word to give out; CONTPROF_MT19937_WORDS: make new ones first
  bool begun;
};

// The next of its numbers, any of 32 bits.
uint32_t contprof_mt19937_next(struct contprof_mt19937 *random);

// One of 0 to most - 1, as libstdc++'s std::uniform_int_distribution chooses among at most 2^32 - 1
// numbers; `most` is at least 1.
uint32_t contprof_mt19937_below(struct contprof_mt19937 *random, uint32_t most);

#endif
