#include "sample_filter.h"

#include <string.h>

void contprof_note_event(struct contprof_name_notes *notes, const char *name) {
  struct contprof_event_names *told = &notes->told;
  if (!name) {
    told->unnamed = true;
    return;
  }
  size_t kept = sizeof notes->first - 1;
  if (!told->named)
    strncpy(notes->first, name, kept);
  else if (!told->several)
    told->several = strncmp(notes->first, name, kept) != 0;
  told->named = true;
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
