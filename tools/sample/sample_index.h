// The hash tables of a sample profile: its names, and its top-level functions. Private to the
// model. Both are of open addressing, at most half full.
#ifndef CONTPROF_SAMPLE_INDEX_H
#define CONTPROF_SAMPLE_INDEX_H

#include "sample_profile.h"

// Keys stand beside the pointers: most that are passed over need no look at what they are of.
struct contprof_name_slot {
  uint64_t key;
  struct contprof_sample_name *name; // NULL: none
};

struct contprof_function_slot {
  uint64_t key;
  struct contprof_function_samples *function; // NULL: none
};

struct contprof_sample_index {
  struct contprof_name_slot *names; // name_slots of them; owned
  size_t name_slots;                // a power of two, or 0
  size_t name_count;
  struct contprof_function_slot *functions; // function_slots of them; owned
  size_t function_slots;                    // a power of two, or 0
};

// The profile's index, made if need be.
struct contprof_sample_index *contprof_sample_index_of(struct contprof_sample_profile *profile);

// The name of `profile` that is equal to one of another profile; made if need be.
const struct contprof_sample_name *
contprof_sample_name_copy(struct contprof_sample_profile *profile,
                          const struct contprof_sample_name *name);

// How many names the profile may have, used or not: their `index` is below that.
size_t contprof_sample_name_room(const struct contprof_sample_profile *profile);

// The name there is, or NULL.
const struct contprof_sample_name *
contprof_sample_name_find(const struct contprof_sample_profile *profile, const char *text,
                          size_t length);

// The top-level function of that name or context (whose names are the profile's), or NULL.
struct contprof_function_samples *
contprof_sample_index_find(const struct contprof_sample_profile *profile,
                           const struct contprof_sample_name *name,
                           const struct contprof_context_frame *frames, size_t count);

// Makes a function, which is not there, top-level: the last of functions[].
void contprof_sample_index_add(struct contprof_sample_profile *profile,
                               struct contprof_function_samples *function);

// Builds the table of functions anew from functions[].
void contprof_sample_index_renew(struct contprof_sample_profile *profile);

#endif
