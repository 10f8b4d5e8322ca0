#include "made_profile.h"
#include "tools/contprof/show_text.h"

#include <criterion/criterion.h>

// What is printed of `profile`. Free it.
static char *shown(const struct contprof_profile *profile,
                   const struct contprof_show_options *options) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  contprof_show_profile(to, profile, options);
  fclose(to);
  return text;
}

static void check_shown(const struct contprof_profile *profile,
                        const struct contprof_show_options *options, const char *part) {
  char *text = shown(profile, options);
  cr_assert(strstr(text, part), "no '%s' in:\n%s", part, text);
  free(text);
}

Test(show_text, prints_every_option_on_every_shape) {
  struct contprof_show_options all = {.function = "tion1",
                                      .top_count = 7,
                                      .value_cutoff = 3,
                                      .all_functions = true,
                                      .counts = true,
                                      .ic_targets = true,
                                      .vtables = true,
                                      .memop_sizes = true,
                                      .detailed_summary = true,
                                      .binary_ids = true,
                                      .profile_version = true};
  for (unsigned count = 0; count < 40; count += 3) {
    struct contprof_profile profile;
    made_profile(&profile, &(struct made_shape){.functions = count,
                                                .values = true,
                                                .vtables = true,
                                                .bitmaps = true,
                                                .variant = CONTPROF_VARIANT_IR});
    check_shown(&profile, &all, "Profile version: ");
    contprof_profile_free(&profile);
  }
}

Test(show_text, says_hot_and_warm_of_functions_without_counts) {
  struct contprof_profile profile = {.format = CONTPROF_FORMAT_INDEXED};
  struct contprof_show_options all = {.all_functions = true, .counts = true};
  uint32_t sites[CONTPROF_VALUE_KINDS] = {0};
  contprof_profile_add(&profile, "h", 1, 1, 1, 0, sites)->counters[0] = CONTPROF_COUNT_HOT;
  contprof_profile_add(&profile, "w", 1, 1, 1, 0, sites)->counters[0] = CONTPROF_COUNT_WARM;
  check_shown(&profile, &all, "Counters: 1    <PseudoHot>\n");
  check_shown(&profile, &all, "Counters: 1    <PseudoWarm>\n");
  check_shown(&profile, &all, "Total functions: 0\n");
  contprof_profile_free(&profile);
}

Test(show_text, tells_context_sensitive_functions_apart) {
  struct contprof_profile profile;
  made_profile(
      &profile,
      &(struct made_shape){.functions = 10, .variant = CONTPROF_VARIANT_IR | CONTPROF_VARIANT_CS});
  check_shown(&profile, &(struct contprof_show_options){.context_sensitive = true},
              "Total functions: 4\n"); // 0, 3, 6, 9
  check_shown(&profile, &(struct contprof_show_options){0}, "Total functions: 6\n");
  contprof_profile_free(&profile);
}
