// Whether an input is what its option says: a recording given as text, or the reverse, is told with
// the option that is right, before a reader complains of its first bytes.
#ifndef CONTPROF_INPUT_KIND_H
#define CONTPROF_INPUT_KIND_H

#include "sample_options.h"

// What the file at `path` is, by its beginning; NONE if that does not tell, as with standard input
// and pipes. Returns false with `error` set if it can't be opened.
bool contprof_input_kind(const char *path, enum contprof_sample_input *kind,
                         struct contprof_error *error);

// Returns false, having said why, if an input can't be opened or is another kind of file than
// options->kind. Standard input and pipes are left to the reader.
bool contprof_check_inputs(const struct contprof_sample_options *options);

#endif
