#include "sample_unit.h"

enum { LEAST_UNIT = 1000, LEAST_LINES = 16 };

struct unit {
  uint64_t divisor; // of all counts so far; 0: there was none
  uint64_t lines;   // with samples
};

static void take(struct unit *unit, uint64_t count) {
  uint64_t left = unit->divisor, right = count;
  while (right) {
    uint64_t rest = left % right;
    left = right;
    right = rest;
  }
  unit->divisor = left;
}

static void find(struct unit *unit, const struct contprof_function_samples *samples) {
  take(unit, samples->total);
  take(unit, samples->head);
  for (size_t i = 0; i < samples->body_count; i++) {
    take(unit, samples->bodies[i].count);
    unit->lines += samples->bodies[i].count > 0;
    for (uint32_t j = 0; j < samples->bodies[i].target_count; j++)
      take(unit, samples->bodies[i].targets[j].count);
  }
  for (size_t i = 0; i < samples->callsite_count; i++)
    for (uint32_t j = 0; j < samples->callsites[i].inlinee_count; j++)
      find(unit, samples->callsites[i].inlinees[j]);
}

static void divide(struct contprof_function_samples *samples, uint64_t unit) {
  samples->total /= unit;
  samples->head /= unit;
  for (size_t i = 0; i < samples->body_count; i++) {
    samples->bodies[i].count /= unit;
    for (uint32_t j = 0; j < samples->bodies[i].target_count; j++)
      samples->bodies[i].targets[j].count /= unit;
  }
  for (size_t i = 0; i < samples->callsite_count; i++)
    for (uint32_t j = 0; j < samples->callsites[i].inlinee_count; j++)
      divide(samples->callsites[i].inlinees[j], unit);
}

uint64_t contprof_count_samples_once(struct contprof_sample_profile *profile) {
  struct unit unit = {0};
  for (size_t i = 0; i < profile->function_count; i++)
    find(&unit, profile->functions[i]);
  if (unit.divisor < LEAST_UNIT || unit.lines < LEAST_LINES)
    return 1;
  for (size_t i = 0; i < profile->function_count; i++)
    divide(profile->functions[i], unit.divisor);
  return unit.divisor;
}

static bool has_branches(const struct contprof_function_samples *samples) {
  bool found = samples->head > 0;
  for (size_t i = 0; !found && i < samples->body_count; i++)
    found = samples->bodies[i].target_count > 0;
  for (size_t i = 0; !found && i < samples->callsite_count; i++)
    for (uint32_t j = 0; !found && j < samples->callsites[i].inlinee_count; j++)
      found = has_branches(samples->callsites[i].inlinees[j]);
  return found;
}

bool contprof_is_by_time(const struct contprof_sample_profile *profile) {
  for (size_t i = 0; i < profile->function_count; i++)
    if (has_branches(profile->functions[i]))
      return false;
  return true;
}
