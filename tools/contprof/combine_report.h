// What contprof combine --explain says: the scale, each function that is changed, with what was
// known of it on each side and what was decided, and what could not be used.
#ifndef CONTPROF_COMBINE_REPORT_H
#define CONTPROF_COMBINE_REPORT_H

#include "../combine/combination.h"

#include <stdio.h>

void contprof_print_combination(FILE *to, const struct contprof_combination *all);

#endif
