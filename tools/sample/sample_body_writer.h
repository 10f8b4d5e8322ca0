// What both binary formats of sample profiles have in common when they are written: the summary,
// tables of names and contexts, and functions. Private to their writers.
#ifndef CONTPROF_SAMPLE_SAMPLE_BODY_WRITER_H
#define CONTPROF_SAMPLE_SAMPLE_BODY_WRITER_H

#include "../base/byte_writer.h"
#include "sample_profile.h"

struct contprof_body_writer {
  const struct contprof_sample_profile *profile; // not owned
  const struct contprof_sample_name **names;     // name_count of them, in the table's order; owned
  size_t name_count;
  uint32_t *name_places; // in the table, by the name's index in the profile; owned
  struct contprof_function_samples *
      *contexts; // functions with context, in the table's order; owned
  size_t context_count;
  struct contprof_context_place *context_places; // context_count of them; owned
  struct contprof_call_target *targets;          // of one body; owned
  size_t target_room;
};

// Makes the tables. Free with contprof_body_writer_free.
struct contprof_body_writer contprof_body_writer_for(const struct contprof_sample_profile *profile);
void contprof_body_writer_free(struct contprof_body_writer *writer);

void contprof_put_sample_summary(const struct contprof_sample_profile *profile,
                                 struct contprof_byte_writer *out);

// The table with each name's text (a hash in decimal where there is none) and a NUL, or with each
// name's hash in eight bytes.
void contprof_put_name_table(const struct contprof_body_writer *writer,
                             struct contprof_byte_writer *out);
void contprof_put_hash_table(const struct contprof_body_writer *writer,
                             struct contprof_byte_writer *out);

void contprof_put_context_table(const struct contprof_body_writer *writer,
                                struct contprof_byte_writer *out);

// The place of a name in its table.
void contprof_put_name(const struct contprof_body_writer *writer,
                       const struct contprof_sample_name *name, struct contprof_byte_writer *out);

// The place of a function's context, or of its name if it has none.
void contprof_put_function_key(const struct contprof_body_writer *writer,
                               const struct contprof_function_samples *function,
                               struct contprof_byte_writer *out);

// A top-level function.
void contprof_put_function(struct contprof_body_writer *writer,
                           const struct contprof_function_samples *function,
                           struct contprof_byte_writer *out);

#endif
