#include "cutoffs_text.h"

#include <inttypes.h>

void contprof_print_cutoffs(FILE *to, const struct contprof_summary_entry *entries, size_t count) {
  fputs("Detailed summary:\n", to);
  for (size_t i = 0; i < count; i++)
    fprintf(to,
            "%" PRIu64 " blocks with count >= %" PRIu64
            " account for %.6g percentage of the total counts.\n",
            entries[i].counter_count, entries[i].min_count, entries[i].cutoff / 10000.0);
}
