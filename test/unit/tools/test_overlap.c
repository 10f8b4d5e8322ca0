// How alike two profiles are: what follows from the definition, without LLVM's tools.
#include "made_profile.h"
#include "tools/instr/overlap.h"

#include <criterion/criterion.h>

// Compares all of `test`; returns how many functions were told of.
static unsigned compare(const struct contprof_profile *base, const struct contprof_profile *test,
                        uint64_t cutoff, struct contprof_overlap *program) {
  struct contprof_overlap_pair pair;
  struct contprof_overlap function;
  unsigned told = 0;
  contprof_overlap_begin(&pair, base, test, false);
  for (size_t i = 0; i < test->function_count; i++)
    told += contprof_overlap_add(&pair, test->functions[i], cutoff, &function);
  *program = pair.program;
  contprof_overlap_free(&pair);
  return told;
}

static void add(struct contprof_profile *profile, const char *name, uint64_t hash, uint64_t first,
                uint64_t second) {
  const uint32_t sites[CONTPROF_VALUE_KINDS] = {0};
  struct contprof_function *function =
      contprof_profile_add(profile, name, strlen(name), hash, 2, 0, sites);
  function->counters[0] = first;
  function->counters[1] = second;
}

Test(overlap, a_profile_and_itself_are_the_same) {
  struct contprof_profile profile;
  struct contprof_overlap program;
  made_profile(&profile, &(struct made_shape){.functions = 60, .values = true, .vtables = true});
  compare(&profile, &profile, UINT64_MAX, &program);
  cr_assert_eq(program.overlap.entries, 60);
  for (int part = 0; part < CONTPROF_OVERLAP_PARTS; part++)
    cr_assert_float_eq(program.overlap.of[part], 1, 1e-9);
  cr_assert_eq(program.mismatch.entries + program.unique.entries, 0);
  contprof_profile_free(&profile);
}

Test(overlap, how_long_a_program_ran_does_not_matter) {
  struct contprof_profile base = {0}, test = {0};
  struct contprof_overlap program;
  add(&base, "a", 1, 30, 10);
  add(&test, "a", 1, 3000, 1000);
  cr_assert_eq(compare(&base, &test, 3000, &program), 1);
  cr_assert_float_eq(program.overlap.of[CONTPROF_OVERLAP_COUNTERS], 1, 1e-12);
  cr_assert_eq(compare(&base, &test, 3001, &program), 0);
  contprof_profile_free(&base);
  contprof_profile_free(&test);
}

Test(overlap, functions_are_told_apart) {
  struct contprof_profile base = {0}, test = {0};
  struct contprof_overlap program;
  add(&base, "both", 1, 50, 50);
  add(&base, "other_hash", 2, 1, 1);
  add(&base, "idle", 5, 1, 0);
  add(&test, "both", 1, 0, 25);
  add(&test, "other_hash", 3, 25, 0);
  add(&test, "new", 4, 25, 25);
  add(&test, "idle", 6, 0, 0);
  compare(&base, &test, UINT64_MAX, &program);
  cr_assert_eq(program.overlap.entries, 2);
  cr_assert_eq(program.mismatch.entries, 1);
  cr_assert_eq(program.unique.entries, 1);
  cr_assert_float_eq(program.overlap.of[CONTPROF_OVERLAP_COUNTERS], 0.25, 1e-12);
  cr_assert_float_eq(program.mismatch.of[CONTPROF_OVERLAP_COUNTERS], 0.25, 1e-12);
  cr_assert_float_eq(program.unique.of[CONTPROF_OVERLAP_COUNTERS], 0.5, 1e-12);
  contprof_profile_free(&base);
  contprof_profile_free(&test);
}
