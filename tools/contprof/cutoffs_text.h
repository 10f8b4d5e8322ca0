// Prints the entries of a detailed summary, "3 blocks with count >= 20 account for...".
#ifndef CONTPROF_CUTOFFS_TEXT_H
#define CONTPROF_CUTOFFS_TEXT_H

#include "../base/count_summary.h"

#include <stdio.h>

void contprof_print_cutoffs(FILE *to, const struct contprof_summary_entry *entries, size_t count);

#endif
