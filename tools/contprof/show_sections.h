// Prints the sections of an extended binary sample profile as `llvm-profdata show --sample
// --show-sec-info-only` does.
#ifndef CONTPROF_SHOW_SECTIONS_H
#define CONTPROF_SHOW_SECTIONS_H

#include "../base/file_view.h"

#include <stdio.h>

// Returns false with `error` set if the file is no such profile, or a damaged one.
bool contprof_show_sections(FILE *to, const struct contprof_file_view *file,
                            struct contprof_error *error);

#endif
