// Cold and ambiguous functions leave a profile; how dense it is follows from its lines.
#include "tools/sample/profile_trim.h"

#include <criterion/criterion.h>
#include <string.h>

static struct contprof_function_samples *add(struct contprof_sample_profile *profile,
                                             const char *name, uint64_t total) {
  struct contprof_function_samples *function =
      contprof_samples_of(profile, contprof_sample_name_of(profile, name, strlen(name)));
  function->total = total;
  return function;
}

static void add_line(struct contprof_sample_profile *profile,
                     struct contprof_function_samples *function, uint32_t line, uint64_t count) {
  contprof_body_at(profile, function, (struct contprof_sample_line){line, 0})->count = count;
}

static struct contprof_function_samples *inlined(struct contprof_sample_profile *profile,
                                                 struct contprof_function_samples *function,
                                                 const char *name) {
  return contprof_samples_inlined(profile, function, (struct contprof_sample_line){7, 0},
                                  contprof_sample_name_of(profile, name, strlen(name)));
}

static bool has(const struct contprof_sample_profile *profile, const char *name) {
  return contprof_samples_find(profile, name, strlen(name)) != NULL;
}

Test(profile_trim, functions_below_the_least_total_leave) {
  struct contprof_sample_profile profile = {0};
  add(&profile, "cold", 9);
  add(&profile, "warm", 10);
  add(&profile, "none", 0);
  contprof_trim_cold(&profile, 10);
  cr_expect_eq(profile.function_count, 1);
  cr_expect(has(&profile, "warm"));
  cr_expect_not(has(&profile, "cold"));
  contprof_sample_profile_free(&profile);
}

Test(profile_trim, ambiguous_functions_leave_wherever_they_are) {
  struct contprof_sample_profile profile = {0};
  add(&profile, "__cxx_global_var_init.3", 5);
  struct contprof_function_samples *start = add(&profile, "_GLOBAL__sub_I_a", 5);
  inlined(&profile, start, "__cxx_global_var_init");
  struct contprof_function_samples *make = inlined(&profile, start, "make");
  inlined(&profile, make, "__tls_init");
  contprof_trim_ambiguous(&profile);
  cr_expect_eq(profile.function_count, 1);
  cr_assert_eq(start->callsites[0].inlinee_count, 1);
  cr_expect_eq(start->callsites[0].inlinees[0], make);
  cr_expect_eq(make->callsites[0].inlinee_count, 0);
  contprof_sample_profile_free(&profile);
}

Test(profile_trim, nothing_has_no_density) {
  struct contprof_sample_profile profile = {0};
  cr_expect_eq(contprof_profile_density(&profile, 990000), 0);
  contprof_sample_profile_free(&profile);
}

Test(profile_trim, density_is_of_the_least_dense_that_is_needed) {
  struct contprof_sample_profile profile = {0};
  struct contprof_function_samples *dense = add(&profile, "dense", 0);
  add_line(&profile, dense, 1, 900);
  struct contprof_function_samples *thin = add(&profile, "thin", 0);
  add_line(&profile, thin, 1, 60);
  add_line(&profile, inlined(&profile, thin, "g"), 1, 40);
  cr_expect_float_eq(contprof_profile_density(&profile, 900000), 900, 1e-9);
  cr_expect_float_eq(contprof_profile_density(&profile, 990000), 50, 1e-9);
  contprof_sample_profile_free(&profile);
}
