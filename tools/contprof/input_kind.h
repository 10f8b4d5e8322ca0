// Whether an input is what its option says: a recording given as text, or the reverse, is told with
// the option that is right, before a reader complains of its first bytes.
#ifndef CONTPROF_INPUT_KIND_H
#define CONTPROF_INPUT_KIND_H

#include "sample_options.h"

// Returns false, having said why, if options->input can't be opened or is another kind of file than
// options->kind. Standard input and pipes are left to the reader.
bool contprof_check_input(const struct contprof_sample_options *options);

#endif
