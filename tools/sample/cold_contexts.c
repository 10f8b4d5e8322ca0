#include "cold_contexts.h"

#include "sample_index.h"

static bool is_warm(void *context, const struct contprof_function_samples *function) {
  const struct contprof_cold_contexts *how = context;
  return function->total >= how->threshold;
}

// The last `count` frames of a context, with names of `into`; in its arena.
static struct contprof_context_frame *last_frames(struct contprof_sample_profile *into,
                                                  const struct contprof_function_samples *function,
                                                  uint32_t count) {
  struct contprof_context_frame *frames = contprof_arena_zeros(&into->arena, count, sizeof *frames);
  for (uint32_t i = 0; i < count; i++) {
    frames[i] = function->context[function->context_count - count + i];
    frames[i].name = contprof_sample_name_copy(into, frames[i].name);
  }
  return frames;
}

static void merge_one(struct contprof_sample_profile *merged,
                      const struct contprof_function_samples *function, uint32_t most) {
  uint32_t count = function->context_count < most ? function->context_count : most;
  struct contprof_function_samples *into =
      count ? contprof_samples_of_context(merged, last_frames(merged, function, count), count)
            : contprof_samples_of(merged, contprof_sample_name_copy(merged, function->name));
  contprof_samples_merge(merged, into, function, 1);
}

// Puts a merged context back, unless it is still too cold to stand alone.
static void put_back(struct contprof_sample_profile *profile,
                     const struct contprof_function_samples *merged,
                     const struct contprof_cold_contexts *how) {
  uint32_t count = merged->context_count;
  const struct contprof_sample_name *name = contprof_sample_name_copy(profile, merged->name);
  struct contprof_context_frame *frames = count ? last_frames(profile, merged, count) : NULL;
  struct contprof_function_samples *into = contprof_sample_index_find(profile, name, frames, count);
  if (!into && how->trim && merged->total < how->threshold)
    return;
  if (!into)
    into = count ? contprof_samples_of_context(profile, frames, count)
                 : contprof_samples_of(profile, name);
  contprof_samples_merge(profile, into, merged, 1);
}

void contprof_samples_merge_cold(struct contprof_sample_profile *profile,
                                 const struct contprof_cold_contexts *how) {
  struct contprof_sample_profile merged = {0};
  for (size_t i = 0; how->merge && i < profile->function_count; i++)
    if (!is_warm((void *)how, profile->functions[i]))
      merge_one(&merged, profile->functions[i], how->frames);
  contprof_samples_keep(profile, is_warm, (void *)how);
  for (size_t i = 0; i < merged.function_count; i++)
    put_back(profile, merged.functions[i], how);
  profile->saturated |= merged.saturated;
  contprof_sample_profile_free(&merged);
}
