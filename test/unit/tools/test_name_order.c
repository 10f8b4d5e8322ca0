// Functions sorted by name, against comparing whole names.
#include "tools/instr/name_order.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 3000, LONGEST = 64 };

static struct contprof_function functions[MANY], *sorted[MANY];
static char names[MANY][LONGEST];

static int compare(const struct contprof_function *left, const struct contprof_function *right) {
  size_t shorter = left->name_length < right->name_length ? left->name_length : right->name_length;
  int order = memcmp(left->name, right->name, shorter);
  if (order)
    return order;
  if (left->name_length != right->name_length)
    return left->name_length < right->name_length ? -1 : 1;
  return (left->hash > right->hash) - (left->hash < right->hash);
}

// Names of few different bytes, zeros and large ones among them, so that many begin alike, end
// within others or are the same; `common` bytes are those of all.
static void check_random(unsigned seed, size_t common, size_t most) {
  static const char bytes[] = {0, 'a', 'b', (char)0xff};
  srand(seed);
  for (int i = 0; i < MANY; i++) {
    size_t length = common + (size_t)rand() % (most + 1);
    for (size_t j = 0; j < length; j++)
      names[i][j] = j < common ? 'x' : bytes[rand() % 4];
    functions[i] = (struct contprof_function){
        .name = names[i], .name_length = length, .hash = (uint64_t)rand() % 3 << 62};
    sorted[i] = &functions[i];
  }
  contprof_name_order(sorted, MANY);
  for (int i = 1; i < MANY; i++)
    cr_assert_leq(compare(sorted[i - 1], sorted[i]), 0, "seed %u, place %d", seed, i);
}

Test(name_order, is_that_of_whole_names) {
  for (unsigned seed = 0; seed < 20; seed++) {
    check_random(seed, 0, 6);
    check_random(seed, 7, 3);
    check_random(seed, 8, 20);
    check_random(seed, 40, 23);
  }
}

Test(name_order, keeps_every_function) {
  check_random(1, 20, 1);
  uint8_t met[MANY] = {0};
  for (int i = 0; i < MANY; i++)
    met[sorted[i] - functions]++;
  for (int i = 0; i < MANY; i++)
    cr_assert_eq(met[i], 1);
}

Test(name_order, takes_none_and_one) {
  contprof_name_order(NULL, 0);
  check_random(1, 0, 6);
  struct contprof_function *one = sorted[0];
  contprof_name_order(sorted, 1);
  cr_assert_eq(sorted[0], one);
}
