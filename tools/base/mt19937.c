#include "mt19937.h"

enum { WORDS = CONTPROF_MT19937_WORDS, MIDDLE = 397, SEED = 5489 };

static void begin(struct contprof_mt19937 *random) {
  random->words[0] = SEED;
  for (uint32_t i = 1; i < WORDS; i++) {
    uint32_t before = random->words[i - 1];
    random->words[i] = UINT32_C(1812433253) * (before ^ before >> 30) + i;
  }
  random->next = WORDS;
  random->begun = true;
}

static void make_words(struct contprof_mt19937 *random) {
  uint32_t *words = random->words;
  for (uint32_t i = 0; i < WORDS; i++) {
    uint32_t mixed = (words[i] & UINT32_C(0x80000000)) | (words[(i + 1) % WORDS] & 0x7fffffff);
    words[i] = words[(i + MIDDLE) % WORDS] ^ mixed >> 1 ^ (mixed & 1 ? UINT32_C(0x9908b0df) : 0);
  }
  random->next = 0;
}

uint32_t contprof_mt19937_next(struct contprof_mt19937 *random) {
  if (!random->begun)
    begin(random);
  if (random->next == WORDS)
    make_words(random);
  uint32_t word = random->words[random->next++];
  word ^= word >> 11;
  word ^= word << 7 & UINT32_C(0x9d2c5680);
  word ^= word << 15 & UINT32_C(0xefc60000);
  return word ^ word >> 18;
}

// Lemire, "Fast random integer generation in an interval" (2019): the upper half of a product, with
// the few products left out that would make some numbers likelier.
uint32_t contprof_mt19937_below(struct contprof_mt19937 *random, uint32_t most) {
  uint32_t least = -most % most;
  for (;;) {
    uint64_t product = (uint64_t)contprof_mt19937_next(random) * most;
    if ((uint32_t)product >= least)
      return (uint32_t)(product >> 32);
  }
}
