#include "tools/instr/profile.h"

#include "tools/base/names.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const uint32_t NO_SITES[CONTPROF_VALUE_KINDS];

static struct contprof_function *add(struct contprof_profile *profile, const char *name,
                                     uint64_t hash, uint32_t counters) {
  return contprof_profile_add(profile, name, strlen(name), hash, counters, 0, NO_SITES);
}

Test(profile, finds_functions_by_name_and_hash) {
  struct contprof_profile profile = {0};
  cr_assert_null(contprof_profile_find(&profile, "f", 1, 1));
  struct contprof_function *one = add(&profile, "f", 1, 2);
  struct contprof_function *two = add(&profile, "f", 2, 3);
  cr_assert_eq(contprof_profile_find(&profile, "f", 1, 1), one);
  cr_assert_eq(contprof_profile_find(&profile, "f", 1, 2), two);
  cr_assert_null(contprof_profile_find(&profile, "f", 1, 3));
  cr_assert_null(contprof_profile_find(&profile, "fx", 2, 1));
  cr_assert_eq(contprof_profile_find_like(&profile, two), two);
  contprof_profile_free(&profile);
}

Test(profile, new_functions_are_zero) {
  struct contprof_profile profile = {0};
  const uint32_t sites[] = {2, 0, 1};
  struct contprof_function *function = contprof_profile_add(&profile, "name+", 4, 7, 3, 5, sites);
  cr_assert_str_eq(function->name, "name");
  cr_assert_eq(function->name_ref, contprof_name_ref("name", 4));
  cr_assert_arr_eq(function->counters, ((uint64_t[3]){0}), 24);
  cr_assert_arr_eq(function->bitmap, "\0\0\0\0\0", 5);
  cr_assert_eq(function->sites[0][1].count, 0);
  cr_assert_null(function->sites[1]);
  cr_assert_eq(function->sites[2][0].count, 0);
  contprof_profile_free(&profile);
}

Test(profile, holds_many_functions) {
  struct contprof_profile profile = {0};
  char name[32];
  for (unsigned i = 0; i < 20000; i++) {
    sprintf(name, "f%u", i / 2);
    add(&profile, name, i % 2, 1)->counters[0] = i;
  }
  cr_assert_eq(profile.function_count, 20000);
  for (unsigned i = 0; i < 20000; i++) {
    sprintf(name, "f%u", i / 2);
    cr_assert_eq(contprof_profile_find(&profile, name, strlen(name), i % 2)->counters[0], i);
  }
  contprof_profile_free(&profile);
}

Test(profile, sorts_by_name_then_hash) {
  struct contprof_profile profile = {0};
  contprof_profile_sort(&profile);
  add(&profile, "b", 1, 1);
  add(&profile, "ab", 9, 1);
  add(&profile, "a", UINT64_MAX, 1);
  add(&profile, "a", 2, 1);
  add(&profile, "\xc3\xa4", 0, 1);
  contprof_profile_sort(&profile);
  static const char *const names[] = {"a", "a", "ab", "b", "\xc3\xa4"};
  for (unsigned i = 0; i < 5; i++)
    cr_assert_str_eq(profile.functions[i]->name, names[i]);
  cr_assert_eq(profile.functions[0]->hash, 2);
  contprof_profile_free(&profile);
}

Test(profile, keeps_the_order_of_a_site_and_sums_equal_values) {
  struct contprof_profile profile = {0};
  struct contprof_value_site site = {0};
  const struct contprof_value distinct[] = {{9, 1}, {3, 0}, {5, 2}};
  contprof_profile_set_site(&profile, &site, distinct, 3);
  cr_assert(site.count == 3 && site.values[0].value == 9 && site.values[2].value == 5);
  const struct contprof_value equal[] = {{9, 1}, {5, 2}, {9, 4}, {5, UINT64_MAX}};
  contprof_profile_set_site(&profile, &site, equal, 4);
  cr_assert_eq(site.count, 2);
  cr_assert(site.values[0].value == 5 && site.values[0].count == UINT64_MAX);
  cr_assert(site.values[1].value == 9 && site.values[1].count == 5);
  contprof_profile_set_site(&profile, &site, equal, 0);
  cr_assert_eq(site.count, 0);
  contprof_profile_free(&profile);
}

Test(profile, unites_sites_in_any_order_of_their_values) {
  struct contprof_profile profile = {0};
  struct contprof_value_site site = {0}, more = {0}, copy;
  const struct contprof_value first[] = {{9, 1}, {3, 7}}, second[] = {{8, 2}, {9, 4}, {1, 1}};
  contprof_profile_set_site(&profile, &site, first, 2);
  contprof_profile_set_site(&profile, &more, second, 3);
  cr_assert(contprof_profile_copy_site(&profile, &copy, &more, 10));
  cr_assert(copy.values[0].value == 8 && copy.values[0].count == 20);
  cr_assert(contprof_profile_unite_site(&profile, &site, &more, 3));
  static const struct contprof_value wanted[] = {{1, 3}, {3, 7}, {8, 6}, {9, 13}};
  cr_assert_eq(site.count, 4);
  cr_assert_eq(memcmp(site.values, wanted, sizeof wanted), 0);
  cr_assert_eq(more.values[0].value, 8, "what is added stays as it is");
  cr_assert_not(contprof_profile_unite_site(&profile, &site, &more, UINT64_MAX));
  cr_assert_eq(site.values[3].count, UINT64_MAX);
  contprof_profile_free(&profile);
}

// Value 0 is that of each function that has no name: as many as came of one input stay apart.
Test(profile, unites_values_without_a_name_one_by_one) {
  struct contprof_profile profile = {0};
  struct contprof_value_site site = {0}, more = {0};
  const struct contprof_value first[] = {{9, 1}, {0, 7}, {3, 4}, {0, 2}};
  const struct contprof_value second[] = {{0, 10}, {3, 1}, {0, 30}, {0, 20}, {5, 6}};
  contprof_profile_set_site(&profile, &site, first, 4);
  contprof_profile_set_site(&profile, &more, second, 5);
  cr_assert_eq(site.count, 4);
  cr_assert_eq(memcmp(site.values, first, sizeof first), 0);
  cr_assert(contprof_profile_unite_site(&profile, &site, &more, 1));
  static const struct contprof_value wanted[] = {{0, 17}, {0, 32}, {0, 20}, {3, 5}, {5, 6}, {9, 1}};
  cr_assert_eq(site.count, 6);
  cr_assert_eq(memcmp(site.values, wanted, sizeof wanted), 0);
  contprof_profile_set_site(&profile, &more, first, 2);
  cr_assert(contprof_profile_unite_site(&profile, &site, &more, 1));
  cr_assert(site.count == 6 && site.values[0].count == 24 && site.values[5].count == 2);
  contprof_profile_free(&profile);
}

Test(profile, remembers_each_binary_id_once) {
  struct contprof_profile profile = {0};
  for (int round = 0; round < 2; round++)
    for (uint8_t i = 0; i < 100; i++)
      contprof_profile_add_binary_id(&profile, (const uint8_t[]){i, 0, i}, 3);
  contprof_profile_add_binary_id(&profile, (const uint8_t[]){5, 0}, 2);
  cr_assert_eq(profile.binary_id_count, 101);
  cr_assert_eq(profile.binary_ids[7].bytes[2], 7);
  contprof_profile_free(&profile);
}

Test(profile, drops_names_that_never_ran) {
  struct contprof_profile profile = {0};
  add(&profile, "cold", 1, 2);
  add(&profile, "cold", 2, 2);
  add(&profile, "half", 1, 2);
  add(&profile, "half", 2, 2)->counters[1] = 1;
  contprof_profile_add(&profile, "mask", 4, 1, 1, 2, NO_SITES)->bitmap[1] = 4;
  contprof_profile_add(&profile, "none", 4, 1, 1, 2, NO_SITES);
  contprof_profile_sort(&profile);
  contprof_profile_drop_zeros(&profile);
  cr_assert_eq(profile.function_count, 3);
  cr_assert_str_eq(profile.functions[1]->name, "half");
  cr_assert_str_eq(profile.functions[2]->name, "mask");
  cr_assert_null(contprof_profile_find(&profile, "cold", 4, 1));
  cr_assert_not_null(contprof_profile_find(&profile, "half", 4, 1));
  contprof_profile_free(&profile);
}
