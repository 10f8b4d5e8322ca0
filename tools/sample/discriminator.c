#include "discriminator.h"

#include <stdbool.h>

// A component of 0 is one bit, 1. Others begin with a 0 bit; five more bits hold the low ones, and
// a set bit behind those says that seven further ones follow.
static uint32_t first_component(uint32_t bits) {
  if (bits & 1)
    return 0;
  bits >>= 1;
  uint32_t low = bits & 0x1f;
  return bits & 0x20 ? ((bits >> 1) & 0xfe0) | low : low;
}

static uint32_t without_first(uint32_t bits) {
  if (bits & 1)
    return bits >> 1;
  return bits >> (bits & 0x40 ? 14 : 7);
}

// Components never begin with three 1 bits unless all of the number is that.
static bool is_probe(uint32_t discriminator) {
  return (discriminator & 7) == 7 && (discriminator & ~(uint32_t)7);
}

enum { PROBE_HAS_BASE = 1 << 28 };

// Of a pseudo probe without a base discriminator in it, the probe's number stands in.
static uint32_t probe_base(uint32_t discriminator) {
  if (discriminator & PROBE_HAS_BASE)
    return (discriminator >> 16) & 7;
  return (discriminator >> 3) & 0xffff;
}

uint32_t contprof_base_discriminator(uint32_t discriminator) {
  return is_probe(discriminator) ? probe_base(discriminator) : first_component(discriminator);
}

uint32_t contprof_duplication_factor(uint32_t discriminator) {
  uint32_t factor = first_component(without_first(discriminator));
  return factor ? factor : 1;
}
