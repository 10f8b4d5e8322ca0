#include "combine_report.h"

#include <inttypes.h>
#include <math.h>

static const char *const DECISIONS[] = {[CONTPROF_LEFT_ALONE] = "left alone",
                                        [CONTPROF_LEFT_UNSEEN] = "not in the samples",
                                        [CONTPROF_LEFT_COLD] = "cold",
                                        [CONTPROF_LEFT_SMALL] = "too small",
                                        [CONTPROF_LEFT_MARKED] = "marked before",
                                        [CONTPROF_RAISED] = "raised",
                                        [CONTPROF_LOWERED] = "lowered",
                                        [CONTPROF_MARKED_HOT] = "marked hot",
                                        [CONTPROF_MARKED_WARM] = "marked warm",
                                        [CONTPROF_DROPPED] = "dropped"};

enum { DECISION_COUNT = sizeof DECISIONS / sizeof *DECISIONS };

// What is told function by function; of the others, their number.
static bool is_told(enum contprof_decision decision) {
  return decision == CONTPROF_LEFT_SMALL || decision >= CONTPROF_RAISED;
}

static void print_scale(FILE *to, const struct contprof_combination *all) {
  if (!all->common)
    fputs("no function is known to both sides: there is no scale, and no count is multiplied\n",
          to);
  else
    fprintf(to, "scale: %.6g samples to a count, of %zu functions known to both sides\n",
            all->scale, all->common);
  if (all->common)
    fprintf(to, "spread: a factor of %.2f on average\n", exp2(all->spread));
  fprintf(to, "a factor of %.3g is no difference\n", all->tolerance);
  if (all->multiplier > 1)
    fprintf(to, "all counts are multiplied by %" PRIu64 ", but for those told of here\n",
            all->multiplier);
}

static void print_function(FILE *to, const struct contprof_combination *all, size_t group) {
  const struct contprof_combined *function = &all->functions[group];
  const struct contprof_flat_heat *heat = &all->flat.heats[group];
  fprintf(to, "%s: %s\n", DECISIONS[function->decision],
          (*all->match.groups[group].functions)->name);
  fprintf(to, "  counted: %" PRIu64 " at most, %" PRIu32 " of %" PRIu32 " counters 0",
          function->counted, function->zeros, function->counters);
  if (all->match.groups[group].count > 1)
    fprintf(to, " in the first of %zu shapes", all->match.groups[group].count);
  fprintf(to,
          "\n  sampled: %" PRIu64 " at its hottest line, %" PRIu64 " entries, %" PRIu64
          " in all; expected: %.3g\n",
          heat->hottest, heat->entries, heat->total, function->expected);
  if (function->decision == CONTPROF_RAISED || function->decision == CONTPROF_LOWERED)
    fprintf(to, "  multiplied by %" PRIu64 "\n", function->factor);
}

static void print_unknown(FILE *to, const struct contprof_unknown_samples *unknown) {
  fputs(unknown->ambiguous ? "ambiguous: " : "not in the counts: ", to);
  if (unknown->name)
    fputs(unknown->name, to);
  else
    fprintf(to, "%" PRIu64, unknown->hash);
  fprintf(to,
          "\n  sampled: %" PRIu64 " at its hottest line, %" PRIu64 " entries, %" PRIu64 " in all\n",
          unknown->heat.hottest, unknown->heat.entries, unknown->heat.total);
}

static void print_numbers(FILE *to, const struct contprof_combination *all) {
  uint64_t numbers[DECISION_COUNT] = {0};
  for (size_t i = 0; i < all->match.group_count; i++)
    numbers[all->functions[i].decision]++;
  fputs("functions:", to);
  for (int i = 0; i < DECISION_COUNT; i++)
    if (numbers[i])
      fprintf(to, " %" PRIu64 " %s,", numbers[i], DECISIONS[i]);
  fprintf(to, " %zu not in the counts\n", all->flat.unknown_count);
}

void contprof_print_combination(FILE *to, const struct contprof_combination *all) {
  print_scale(to, all);
  for (size_t i = 0; i < all->match.group_count; i++)
    if (is_told(all->functions[i].decision))
      print_function(to, all, i);
  for (size_t i = 0; i < all->flat.unknown_count; i++)
    if (contprof_flat_peak(&all->flat.unknowns[i].heat))
      print_unknown(to, &all->flat.unknowns[i]);
  print_numbers(to, all);
}
