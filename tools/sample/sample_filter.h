// Which samples the user wants: of these processes, of these events.
#ifndef CONTPROF_SAMPLE_SAMPLE_FILTER_H
#define CONTPROF_SAMPLE_SAMPLE_FILTER_H

#include "converter.h"

// What has been learned of events' names. A zeroed struct is the beginning.
struct contprof_name_notes {
  struct contprof_event_names told;
  char first[64]; // private: the first event's name, or its beginning
};

// Takes note of a sample's event; `name` is NULL if it has none.
void contprof_note_event(struct contprof_name_notes *notes, const char *name);

// A sample that does not tell its event or its process is wanted, as llvm-profgen takes it.
bool contprof_is_wanted_event(const struct contprof_convert_options *options, const char *name);
bool contprof_is_wanted_pid(const struct contprof_convert_options *options, int32_t pid);

#endif
