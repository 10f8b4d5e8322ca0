// A profile as bytes on the way from one rank to another: all of it, where an indexed profile or
// text leave things out (values beyond a site's 255, whether their order is the input's, names of
// vtables). No format for files: it changes with the program.
#ifndef CONTPROF_MPI_PROFILE_WIRE_H
#define CONTPROF_MPI_PROFILE_WIRE_H

#include "../base/byte_writer.h"
#include "../instr/profile.h"

// A text: its size and its bytes.
void contprof_wire_put_text(struct contprof_byte_writer *out, const void *text, size_t length);

// The next text, in the cursor's memory and without a NUL; *length is 0 on error.
const char *contprof_wire_take_text(struct contprof_cursor *in, size_t *length);

void contprof_wire_put(const struct contprof_profile *profile, struct contprof_byte_writer *out);

// Merges the profile in `wire` into `into`, whose own inputs come before, as if its inputs had come
// one by one; its renaming has been done already. `into` must have limits of traces. Returns false,
// with `into` of no further use, if what comes out would depend on the order of all inputs: they
// contradict each other, a sum was cut, the traces in `wire` are a sample.
bool contprof_wire_merge(struct contprof_profile *into, const struct contprof_byte_writer *wire);

// The values of all sites, between profiles that have the same functions in the same order.
void contprof_wire_put_values(const struct contprof_profile *profile,
                              struct contprof_byte_writer *out);

// Adds values. Returns false if a sum was cut.
bool contprof_wire_add_values(struct contprof_profile *into,
                              const struct contprof_byte_writer *wire);

#endif
