#include "profile_trim.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool has_enough(void *context, const struct contprof_function_samples *function) {
  return function->total >= *(const uint64_t *)context;
}

void contprof_trim_cold(struct contprof_sample_profile *profile, uint64_t least) {
  contprof_samples_keep(profile, has_enough, &least);
}

// --- ambiguous ones -----------------------------------------------------------------------------

static bool is_ambiguous(const struct contprof_function_samples *function) {
  static const char *const PREFIXES[] = {"__cxx_global_var_init", "__tls_init"};
  const char *text = function->name->text;
  for (size_t i = 0; text && i < sizeof PREFIXES / sizeof *PREFIXES; i++)
    if (strncmp(text, PREFIXES[i], strlen(PREFIXES[i])) == 0)
      return true;
  return false;
}

static void trim_inlinees(struct contprof_function_samples *function) {
  for (size_t i = 0; i < function->callsite_count; i++) {
    struct contprof_callsite *site = &function->callsites[i];
    uint32_t kept = 0;
    for (uint32_t j = 0; j < site->inlinee_count; j++) {
      if (is_ambiguous(site->inlinees[j]))
        continue;
      trim_inlinees(site->inlinees[j]);
      site->inlinees[kept++] = site->inlinees[j];
    }
    site->inlinee_count = kept;
  }
}

static bool is_clear(void *context, const struct contprof_function_samples *function) {
  (void)context;
  return !is_ambiguous(function);
}

void contprof_trim_ambiguous(struct contprof_sample_profile *profile) {
  contprof_samples_keep(profile, is_clear, NULL);
  for (size_t i = 0; i < profile->function_count; i++)
    trim_inlinees(profile->functions[i]);
}

// --- density ------------------------------------------------------------------------------------

struct function_density {
  double density;
  uint64_t samples;
};

static void sum_body(const struct contprof_function_samples *function, uint64_t *samples,
                     uint64_t *lines) {
  *lines += function->body_count;
  for (size_t i = 0; i < function->body_count; i++)
    *samples += function->bodies[i].count;
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++)
      sum_body(function->callsites[i].inlinees[j], samples, lines);
}

static int by_density(const void *a, const void *b) {
  const struct function_density *left = a;
  const struct function_density *right = b;
  if (left->density != right->density)
    return left->density > right->density ? -1 : 1;
  return (left->samples > right->samples) - (left->samples < right->samples);
}

// The densities of the functions that have lines, densest first. Returns how many.
static size_t densities_of(const struct contprof_sample_profile *profile,
                           struct function_density *densities, uint64_t *total) {
  size_t count = 0;
  *total = 0;
  for (size_t i = 0; i < profile->function_count; i++) {
    uint64_t samples = 0;
    uint64_t lines = 0;
    sum_body(profile->functions[i], &samples, &lines);
    if (!lines)
      continue;
    densities[count++] = (struct function_density){(double)samples / (double)lines, samples};
    *total += samples;
  }
  qsort(densities, count, sizeof *densities, by_density);
  return count;
}

// The share is taken in single precision, as llvm-profgen takes it: which function is the last one
// may hang on that.
double contprof_profile_density(const struct contprof_sample_profile *profile, uint32_t cutoff) {
  struct function_density *densities =
      contprof_need_array(NULL, profile->function_count + 1, sizeof *densities);
  uint64_t total;
  size_t count = densities_of(profile, densities, &total);
  float wanted = (float)total * (float)cutoff / 1000000;
  double density = 0;
  uint64_t seen = 0;
  for (size_t i = 0; i < count && (float)seen < wanted; i++) {
    seen += densities[i].samples;
    density = densities[i].density;
  }
  free(densities);
  return density;
}
