// Which samples the user wants, of these processes, of these events; and which events there are.
#ifndef CONTPROF_SAMPLE_SAMPLE_FILTER_H
#define CONTPROF_SAMPLE_SAMPLE_FILTER_H

#include "converter.h"

// What has been learned of events. A zeroed struct is the beginning. Of events past the last place
// nothing is known but that there are several.
struct contprof_event_notes {
  struct contprof_event_note notes[CONTPROF_EVENTS_NOTED]; // count of them, as they came
  size_t count;
  uint64_t unnamed;   // samples that do not tell their event
  const char *latest; // private: the name as it came last; NULL: none
  size_t latest_at;   // private: its note
};

// Takes note of a sample's event; `name` is NULL if it has none.
void contprof_note_event(struct contprof_event_notes *notes, const char *name, uint64_t samples);

// To be called before names that were handed in go away.
void contprof_notes_detach(struct contprof_event_notes *notes);

// A sample that does not tell its event or its process is wanted, as llvm-profgen takes it.
bool contprof_is_wanted_event(const struct contprof_convert_options *options, const char *name);
bool contprof_is_wanted_pid(const struct contprof_convert_options *options, int32_t pid);

#endif
