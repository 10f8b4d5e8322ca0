#include "census.h"

#include "../base/memory.h"
#include "image_match.h"

#include <stdlib.h>
#include <string.h>

void contprof_census_begin(struct contprof_census *census,
                           const struct contprof_convert_options *options) {
  *census = (struct contprof_census){.options = options, .spaces = contprof_spaces_new(NULL, 0)};
  contprof_spaces_note_files(census->spaces, &census->files);
}

void contprof_census_free(struct contprof_census *census) {
  contprof_spaces_free(census->spaces);
  contprof_seen_files_free(&census->files);
  contprof_pid_map_free(&census->current);
  free(census->processes);
}

// --- processes ----------------------------------------------------------------------------------

static struct contprof_census_process *add_process(struct contprof_census *census, int32_t pid,
                                                   const char *name) {
  if (census->process_count == census->process_room) {
    census->process_room = census->process_room ? 2 * census->process_room : 64;
    census->processes =
        contprof_need_array(census->processes, census->process_room, sizeof *census->processes);
  }
  struct contprof_census_process *process = &census->processes[census->process_count++];
  *process = (struct contprof_census_process){.pid = pid};
  strncpy(process->name, name, sizeof process->name - 1);
  contprof_pid_map_need(&census->current, pid)->number = census->process_count;
  return process;
}

// What a PID is now; NULL if nothing is known of it.
static struct contprof_census_process *process_of(const struct contprof_census *census,
                                                  int32_t pid) {
  const union contprof_pid_value *place = contprof_pid_map_find(&census->current, pid);
  return place ? &census->processes[place->number - 1] : NULL;
}

// Samples before a new name stay with the old one.
static void name_process(struct contprof_census *census, int32_t pid, const char *name) {
  struct contprof_census_process *process = process_of(census, pid);
  if (!process || (process->samples && strncmp(process->name, name, sizeof process->name - 1) != 0))
    add_process(census, pid, name);
  else
    strncpy(process->name, name, sizeof process->name - 1);
}

static void fork_process(struct contprof_census *census, const struct contprof_perf_event *event) {
  const struct contprof_census_process *parent = process_of(census, event->parent);
  char name[sizeof parent->name] = "";
  if (parent)
    memcpy(name, parent->name, sizeof name);
  name_process(census, event->pid, name);
}

// --- samples ------------------------------------------------------------------------------------

static bool address_of(const struct contprof_perf_sample *sample, uint64_t *address) {
  *address = sample->has_ip ? sample->ip : sample->branch_count ? sample->branches[0].to : 0;
  return sample->has_ip || sample->branch_count;
}

static void place_sample(struct contprof_census *census, const struct contprof_perf_event *event) {
  uint64_t address;
  if (!address_of(&event->sample, &address)) {
    census->nowhere += event->count;
    return;
  }
  struct contprof_place place = {.where = CONTPROF_WHERE_KERNEL};
  if (!event->kernel)
    place = contprof_spaces_resolve(census->spaces, event->pid, address);
  if (place.where == CONTPROF_WHERE_UNMAPPED && event->sample.file)
    place = contprof_spaces_in_file(census->spaces, event->sample.file, address);
  if (place.where == CONTPROF_WHERE_KERNEL)
    census->in_kernel += event->count;
  else if (place.where == CONTPROF_WHERE_OTHER)
    contprof_seen_files_count(&census->files, place.image, event->count);
  else
    census->nowhere += event->count;
}

static void take_sample(struct contprof_census *census, const struct contprof_perf_event *event) {
  contprof_note_event(&census->events, event->sample.event, event->count);
  if (!contprof_is_wanted_event(census->options, event->sample.event) ||
      !contprof_is_wanted_pid(census->options, event->pid))
    return;
  struct contprof_census_process *process = process_of(census, event->pid);
  if (!process)
    process = add_process(census, event->pid, "");
  process->samples += event->count;
  census->samples += event->count;
  if (event->sample.branch_count)
    census->branch_stacks += event->count;
  place_sample(census, event);
}

bool contprof_census_take(void *context, const struct contprof_perf_event *event,
                          struct contprof_error *error) {
  struct contprof_census *census = context;
  (void)error;
  if (event->kind == CONTPROF_PERF_SAMPLE)
    take_sample(census, event);
  else if (event->kind == CONTPROF_PERF_LOST)
    census->lost += event->count;
  else if (event->comm)
    name_process(census, event->pid, event->comm);
  else if (event->kind == CONTPROF_PERF_FORK)
    fork_process(census, event);
  contprof_spaces_event(census->spaces, event);
  return true;
}

static int by_samples(const void *left, const void *right) {
  const struct contprof_census_process *a = left, *b = right;
  if (a->samples != b->samples)
    return a->samples > b->samples ? -1 : 1;
  return (a->pid > b->pid) - (a->pid < b->pid);
}

size_t contprof_census_sort(struct contprof_census *census) {
  size_t count = 0;
  qsort(census->processes, census->process_count, sizeof *census->processes, by_samples);
  contprof_pid_map_free(&census->current);
  while (count < census->process_count && census->processes[count].samples)
    count++;
  return count;
}
