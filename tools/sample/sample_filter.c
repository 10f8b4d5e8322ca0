#include "sample_filter.h"

#include <string.h>

// Names are long-lived strings, so that the same one mostly comes as the same pointer.
static size_t place_of(struct contprof_event_notes *notes, const char *name) {
  if (name == notes->latest)
    return notes->latest_at;
  size_t kept = sizeof notes->notes->name - 1, i = 0;
  while (i < notes->count && strncmp(notes->notes[i].name, name, kept) != 0)
    i++;
  if (i == notes->count && i < CONTPROF_EVENTS_NOTED)
    strncpy(notes->notes[notes->count++].name, name, kept);
  notes->latest = name;
  notes->latest_at = i;
  return i;
}

void contprof_note_event(struct contprof_event_notes *notes, const char *name, uint64_t samples) {
  if (!name) {
    notes->unnamed += samples;
    return;
  }
  size_t place = place_of(notes, name);
  if (place < CONTPROF_EVENTS_NOTED)
    notes->notes[place].samples += samples;
}

void contprof_notes_detach(struct contprof_event_notes *notes) {
  notes->latest = NULL;
}

bool contprof_is_wanted_event(const struct contprof_convert_options *options, const char *name) {
  if (!options->event_count || !name)
    return true;
  for (size_t i = 0; i < options->event_count; i++)
    if (strcmp(options->events[i], name) == 0)
      return true;
  return false;
}

bool contprof_is_wanted_pid(const struct contprof_convert_options *options, int32_t pid) {
  if (!options->pid_count || pid == CONTPROF_NO_PID)
    return true;
  for (size_t i = 0; i < options->pid_count; i++)
    if (options->pids[i] == pid)
      return true;
  return false;
}
