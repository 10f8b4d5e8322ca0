// Discriminators are taken apart as LLVM's DILocation puts them together.
#include "tools/sample/discriminator.h"

#include <criterion/criterion.h>

// As encodeComponent and encodingBits in llvm/Support/Discriminator.h.
static uint32_t encoded(uint32_t component) {
  if (!component)
    return 1;
  if (component <= 0x1f)
    return component << 1;
  return ((component & 0xfe0) << 1 | (component & 0x1f) | 0x20) << 1;
}

static unsigned bits_of(uint32_t component) {
  return component == 0 ? 1 : component <= 0x1f ? 7 : 14;
}

static uint32_t pack(uint32_t base, uint32_t factor, uint32_t copy) {
  unsigned at_factor = bits_of(base);
  unsigned at_copy = at_factor + bits_of(factor);
  return encoded(base) | encoded(factor) << at_factor | encoded(copy) << at_copy;
}

Test(discriminator, plain_small_ones_are_their_base) {
  cr_expect_eq(contprof_base_discriminator(0), 0);
  cr_expect_eq(contprof_base_discriminator(2), 1);
  cr_expect_eq(contprof_base_discriminator(4), 2);
  cr_expect_eq(contprof_duplication_factor(0), 1);
  cr_expect_eq(contprof_duplication_factor(2), 1);
}

Test(discriminator, components_come_apart) {
  static const uint32_t VALUES[] = {0, 1, 5, 31, 32, 100, 511, 4095};
  for (unsigned b = 0; b < 8; b++)
    for (unsigned f = 1; f < 8; f++) {
      uint32_t packed = pack(VALUES[b], VALUES[f], 1);
      cr_expect_eq(contprof_base_discriminator(packed), VALUES[b]);
      cr_expect_eq(contprof_duplication_factor(packed), VALUES[f]);
    }
}

Test(discriminator, no_factor_is_one) {
  cr_expect_eq(contprof_duplication_factor(pack(3, 0, 9)), 1);
}

Test(discriminator, probes_have_their_base_or_their_number) {
  cr_expect_eq(contprof_base_discriminator(7 | 1234 << 3), 1234);
  cr_expect_eq(contprof_base_discriminator(7 | 1234 << 3 | 5 << 16 | 1 << 28), 5);
}

// Three components of 0 are three 1 bits, and no probe.
Test(discriminator, three_empty_components_are_no_probe) {
  cr_expect_eq(contprof_base_discriminator(7), 0);
}
