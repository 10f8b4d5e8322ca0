// Adding one profile to another.
#include "../base/new_names.h"
#include "profile.h"

#include <string.h>

// What two profiles must agree on. Context-sensitive and plain IR profiles mix, as do those with
// and without counter 0 at the entry: both are IR profiles, and their functions tell themselves
// apart by their hashes.
static const uint64_t KIND =
    CONTPROF_VARIANT_IR | CONTPROF_VARIANT_BYTE_COVERAGE | CONTPROF_VARIANT_ENTRY_ONLY;

static bool same_shape(const struct contprof_function *left,
                       const struct contprof_function *right) {
  return left->counter_count == right->counter_count && left->bitmap_size == right->bitmap_size &&
         memcmp(left->site_count, right->site_count, sizeof left->site_count) == 0;
}

// Returns false if a sum was cut.
static bool add_counters(struct contprof_function *into, const struct contprof_function *from,
                         uint64_t weight) {
  bool fits = true;
  for (uint32_t i = 0; i < into->counter_count; i++) {
    uint64_t sum;
    if (__builtin_mul_overflow(from->counters[i], weight, &sum) ||
        __builtin_add_overflow(into->counters[i], sum, &sum) || sum > CONTPROF_COUNT_MAX) {
      sum = CONTPROF_COUNT_MAX;
      fits = false;
    }
    into->counters[i] = sum;
  }
  return fits;
}

static void add_bitmap(struct contprof_function *into, const struct contprof_function *from) {
  for (uint32_t i = 0; i < into->bitmap_size; i++)
    into->bitmap[i] |= from->bitmap[i];
}

static bool add_function(struct contprof_profile *profile, struct contprof_function *into,
                         const struct contprof_function *from, uint64_t weight) {
  bool fits = add_counters(into, from, weight);
  add_bitmap(into, from);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < into->site_count[kind]; i++)
      fits &= contprof_profile_unite_site(profile, &into->sites[kind][i], &from->sites[kind][i],
                                          weight);
  return fits;
}

// `into` has nothing yet.
static bool copy_function(struct contprof_profile *profile, struct contprof_function *into,
                          const struct contprof_function *from, uint64_t weight) {
  bool fits = add_counters(into, from, weight);
  add_bitmap(into, from);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < into->site_count[kind]; i++)
      fits &=
          contprof_profile_copy_site(profile, &into->sites[kind][i], &from->sites[kind][i], weight);
  return fits;
}

// To be called before it is counted.
static void name_left_out(const struct contprof_function *function,
                          struct contprof_merge_report *report) {
  uint64_t index = report->functions_dropped + report->functions_wrapped;
  if (index < CONTPROF_LEFT_OUT_NAMED)
    report->left_out[index] = function;
}

static bool drop(const struct contprof_function *function, struct contprof_merge_report *report) {
  name_left_out(function, report);
  if (!report->functions_dropped++)
    report->first_dropped = function;
  return false;
}

// Hot prevails over warm, and neither has counts to add.
static bool merge_pseudo(struct contprof_function *into, const struct contprof_function *from,
                         struct contprof_merge_report *report) {
  if (!contprof_profile_is_pseudo(into) || !contprof_profile_is_pseudo(from))
    return drop(from, report);
  if (from->counters[0] == CONTPROF_COUNT_HOT)
    into->counters[0] = CONTPROF_COUNT_HOT;
  report->functions_merged++;
  return true;
}

static void add_new(struct contprof_profile *profile, const struct contprof_function *from,
                    uint64_t weight, struct contprof_merge_report *report);

bool contprof_profile_merge_function(struct contprof_profile *profile,
                                     const struct contprof_function *from, uint64_t weight,
                                     struct contprof_merge_report *report) {
  struct contprof_function *into = contprof_profile_find_like(profile, from);
  if (!into) {
    add_new(profile, from, weight, report);
    return true;
  }
  if (!same_shape(into, from))
    return drop(from, report);
  if (contprof_profile_is_pseudo(into) || contprof_profile_is_pseudo(from))
    return merge_pseudo(into, from, report);
  report->functions_merged++;
  if (!add_function(profile, into, from, weight) && !report->functions_saturated++)
    report->first_saturated = into;
  return true;
}

static void add_new(struct contprof_profile *profile, const struct contprof_function *from,
                    uint64_t weight, struct contprof_merge_report *report) {
  struct contprof_function *into = contprof_profile_add_like(profile, from);
  report->functions_merged++;
  if (contprof_profile_is_pseudo(from))
    memcpy(into->counters, from->counters, from->counter_count * sizeof *from->counters);
  else if (!copy_function(profile, into, from, weight) && !report->functions_saturated++)
    report->first_saturated = into;
}

static bool is_credible(const struct contprof_function *function) {
  for (uint32_t i = 0; i < function->counter_count; i++)
    if (function->counters[i] > CONTPROF_COUNT_CREDIBLE)
      return false;
  return true;
}

// Whether adding it to nothing leaves all counts as they are.
static bool adds_unchanged(const struct contprof_profile *from) {
  uint64_t most =
      from->format == CONTPROF_FORMAT_RAW ? CONTPROF_COUNT_CREDIBLE : CONTPROF_COUNT_MAX;
  for (size_t i = 0; i < from->function_count; i++) {
    const struct contprof_function *function = from->functions[i];
    uint64_t highest = 0;
    for (uint32_t j = 0; j < function->counter_count; j++)
      highest = function->counters[j] > highest ? function->counters[j] : highest;
    if (highest > most &&
        !(contprof_profile_is_pseudo(function) && from->format != CONTPROF_FORMAT_RAW))
      return false;
  }
  return true;
}

static bool is_empty(const struct contprof_profile *profile) {
  return profile->format == CONTPROF_FORMAT_NONE && !profile->function_count &&
         !profile->binary_id_count && !profile->vtables.count && !profile->trace_count;
}

bool contprof_profile_move(struct contprof_profile *into, struct contprof_profile *from,
                           const char *from_path) {
  if (!is_empty(into) || into->renames || (from->variant & CONTPROF_VARIANT_TEMPORAL) ||
      !adds_unchanged(from))
    return false;
  const struct contprof_trace_limits *limits = into->trace_limits;
  contprof_profile_free(into);
  *into = *from;
  into->trace_limits = limits;
  into->path = from_path;
  into->functions_dropped = 0;
  *from = (struct contprof_profile){0};
  return true;
}

static const char *kind_name(uint64_t variant) {
  if (variant & CONTPROF_VARIANT_ENTRY_ONLY)
    return "of function entries alone";
  if (variant & CONTPROF_VARIANT_BYTE_COVERAGE)
    return "of single-byte coverage";
  return variant & CONTPROF_VARIANT_IR
             ? "from IR instrumentation (-fprofile-generate)"
             : "from front-end instrumentation (-fprofile-instr-generate)";
}

static bool check_kind(const struct contprof_profile *into, const struct contprof_profile *from,
                       const char *from_path, struct contprof_error *error) {
  if (!into->function_count || !from->function_count ||
      (into->variant & KIND) == (from->variant & KIND))
    return true;
  return contprof_fail(error, CONTPROF_MISMATCH, from_path, NULL, CONTPROF_NO_OFFSET,
                       "a profile %s can't be merged with %s, %s", kind_name(from->variant),
                       into->path ? into->path : "one", kind_name(into->variant));
}

// Bits of the two layouts stand for different test vectors (CoverageMapping.cpp, IsVersion11).
static bool check_bitmaps(const struct contprof_profile *into, const struct contprof_profile *from,
                          const char *from_path, struct contprof_error *error) {
  if (!into->bitmap_version || !from->bitmap_version ||
      into->bitmap_version == from->bitmap_version)
    return true;
  return contprof_fail(error, CONTPROF_MISMATCH, from_path, NULL, CONTPROF_NO_OFFSET,
                       "MC/DC bitmaps as of indexed version %u can't be merged with those of %u",
                       from->bitmap_version, into->bitmap_version);
}

// A profile without functions says nothing about the kind of the whole, but that it has traces.
static void merge_header(struct contprof_profile *into, const struct contprof_profile *from,
                         const char *from_path) {
  if (into->format == CONTPROF_FORMAT_NONE) {
    into->format = from->format;
    into->version = from->version;
  }
  uint64_t temporal = (into->variant | from->variant) & CONTPROF_VARIANT_TEMPORAL;
  if (!into->function_count) {
    into->variant = from->variant;
    into->path = from_path;
  } else if (from->function_count)
    into->variant |= from->variant;
  into->variant |= temporal;
  if (from->bitmap_version)
    into->bitmap_version = from->bitmap_version;
  for (size_t i = 0; i < from->binary_id_count; i++)
    contprof_profile_add_binary_id(into, from->binary_ids[i].bytes, from->binary_ids[i].size);
  into->keeps_binary_ids |= from->keeps_binary_ids;
  for (size_t i = 0; i < from->vtables.count; i++)
    contprof_name_table_add(&into->vtables, &from->vtables.names[i]);
}

static void leave_out_wrapped(const struct contprof_function *function,
                              struct contprof_merge_report *report) {
  name_left_out(function, report);
  if (!report->functions_wrapped++)
    report->first_wrapped = function;
}

// Under the name that `into` gives it.
static void merge_renamed(struct contprof_profile *into, const struct contprof_function *function,
                          uint64_t weight, struct contprof_merge_report *report) {
  const struct contprof_name *name =
      into->renames ? contprof_renames_find(into->renames, function->name_ref) : NULL;
  struct contprof_function renamed = *function;
  if (!name) {
    contprof_profile_merge_function(into, function, weight, report);
    return;
  }
  renamed.name = name->text;
  renamed.name_length = name->length;
  renamed.name_ref = name->ref;
  if (contprof_profile_merge_function(into, &renamed, weight, report))
    return;
  report->functions_dropped--;
  drop(function, report); // what is reported must stay
}

bool contprof_profile_merge(struct contprof_profile *into, const struct contprof_profile *from,
                            uint64_t weight, struct contprof_merge_report *report,
                            const char *from_path, struct contprof_error *error) {
  if (!check_kind(into, from, from_path, error) || !check_bitmaps(into, from, from_path, error))
    return false;
  merge_header(into, from, from_path);
  for (size_t i = 0; i < from->function_count; i++) {
    const struct contprof_function *function = from->functions[i];
    if (from->format != CONTPROF_FORMAT_RAW || is_credible(function))
      merge_renamed(into, function, weight, report);
    else
      leave_out_wrapped(function, report);
  }
  contprof_profile_merge_traces(into, from, weight);
  return true;
}
