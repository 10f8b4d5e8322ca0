// What both binary formats of sample profiles have in common when they are read: the summary,
// tables of names and contexts, and functions. Private to their readers.
#ifndef CONTPROF_SAMPLE_SAMPLE_BODY_READER_H
#define CONTPROF_SAMPLE_SAMPLE_BODY_READER_H

#include "../base/cursor.h"
#include "sample_builder.h"

struct contprof_body_reader {
  struct contprof_sample_profile *profile; // not owned
  struct contprof_sample_builder builder;
  const struct contprof_sample_name **names; // name_count of them; owned
  size_t name_count;
  size_t *places;                        // private; owned
  size_t place_room;                     // private
  struct contprof_context_row *contexts; // context_count of them; owned
  size_t context_count;
  struct contprof_context_frame *frames; // of all contexts; owned
};

// Frames of one context, in the reader's frames.
struct contprof_context_row {
  size_t first;
  size_t count;
};

struct contprof_body_reader contprof_body_reader_for(struct contprof_sample_profile *profile);
void contprof_body_reader_free(struct contprof_body_reader *reader);

// Each reads from the cursor's place on and returns false, with its error set, if something is
// wrong. Tables take the place of those read before.

// It is not kept: it follows from the counts.
bool contprof_take_sample_summary(struct contprof_cursor *file);

enum contprof_name_form {
  CONTPROF_NAMES_AS_TEXT,        // each with a NUL behind it
  CONTPROF_NAMES_AS_HASHES,      // as numbers
  CONTPROF_NAMES_AS_FIXED_HASHES // as eight bytes each
};

bool contprof_take_name_table(struct contprof_body_reader *reader, struct contprof_cursor *file,
                              enum contprof_name_form form);

bool contprof_take_context_table(struct contprof_body_reader *reader, struct contprof_cursor *file);

// A name by its place in the table; NULL on error.
const struct contprof_sample_name *contprof_take_name(const struct contprof_body_reader *reader,
                                                      struct contprof_cursor *file);

// What a function of the top level is known by: a name, or, in context-sensitive profiles, a
// context, both by their place in the table. The function is made if there is none and `make` says
// so, and otherwise NULL then. Returns false on error.
bool contprof_take_function_key(const struct contprof_body_reader *reader,
                                struct contprof_cursor *file, bool make,
                                struct contprof_function_samples **function);

// Line offset and discriminator.
struct contprof_sample_line contprof_take_line(struct contprof_cursor *file);

// Functions up to the cursor's end.
bool contprof_take_functions(struct contprof_body_reader *reader, struct contprof_cursor *file);

#endif
