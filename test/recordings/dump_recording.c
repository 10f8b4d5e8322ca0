// dump_recording [--quiet] FILE: a line for each event that contprof reads in a perf.data, or in
// perf script's text, in order, to be compared with what perf script prints; then what the reader
// had to note. A sample that stands for several has as many lines. Addresses
// are hexadecimal, times are in nanoseconds.
//
//   sample PID TIME EVENT PERIOD IP FROM/TO...    with "k" before the PID of a sample in the kernel
//   mmap PID TIME START(SIZE) @ OFFSET BUILD-ID|- PATH
//   fork PID TIME PARENT [synthesised]
//   exec|exit PID TIME
//   lost TIME COUNT
#include "tools/sample/perf_data.h"
#include "tools/sample/perf_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void dump_sample(const struct contprof_perf_event *event) {
  const struct contprof_perf_sample *sample = &event->sample;
  printf("sample %s%d %" PRIu64 " %s %" PRIu64, event->kernel ? "k" : "", event->pid, event->time,
         sample->event ? sample->event : "?", sample->period);
  if (sample->has_ip)
    printf(" %" PRIx64, sample->ip);
  for (size_t i = 0; i < sample->branch_count; i++)
    printf(" 0x%" PRIx64 "/0x%" PRIx64, sample->branches[i].from, sample->branches[i].to);
  putchar('\n');
}

static void dump_mmap(const struct contprof_perf_event *event) {
  const struct contprof_perf_mmap *map = &event->mmap;
  printf("mmap %d %" PRIu64 " %#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 " ", event->pid, event->time,
         map->start, map->size, map->file_offset);
  for (unsigned i = 0; i < map->build_id_size; i++)
    printf("%02x", map->build_id[i]);
  printf("%s %s\n", map->build_id_size ? "" : "-", map->path);
}

static bool dump(void *quiet, const struct contprof_perf_event *event,
                 struct contprof_error *error) {
  (void)error;
  if (*(bool *)quiet)
    return true;
  switch (event->kind) {
  case CONTPROF_PERF_SAMPLE:
    for (uint64_t i = 0; i < event->count; i++)
      dump_sample(event);
    break;
  case CONTPROF_PERF_MMAP:
    dump_mmap(event);
    break;
  case CONTPROF_PERF_FORK:
    printf("fork %d %" PRIu64 " %d%s\n", event->pid, event->time, event->parent,
           event->synthesised ? " synthesised" : "");
    break;
  case CONTPROF_PERF_COMM:
    break;
  case CONTPROF_PERF_EXEC:
    printf("exec %d %" PRIu64 "\n", event->pid, event->time);
    break;
  case CONTPROF_PERF_EXIT:
    printf("exit %d %" PRIu64 "\n", event->pid, event->time);
    break;
  case CONTPROF_PERF_LOST:
    printf("lost %" PRIu64 " %" PRIu64 "\n", event->time, event->count);
    break;
  }
  return true;
}

static bool is_perf_data(const char *path) {
  uint8_t bytes[16];
  FILE *file = fopen(path, "r");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file)
    fclose(file);
  return strcmp(path, "-") == 0 || contprof_is_perf_data(bytes, size);
}

int main(int argc, char **argv) {
  bool quiet = argc > 2 && strcmp(argv[1], "--quiet") == 0;
  struct contprof_perf_notes notes;
  struct contprof_error error;
  char text[sizeof error + 64];
  if (argc != 2 + quiet)
    return 2;
  contprof_error_clear(&error);
  bool ok = is_perf_data(argv[1 + quiet])
                ? contprof_perf_data_read(argv[1 + quiet], dump, &quiet, &notes, &error)
                : contprof_perf_script_read(argv[1 + quiet], dump, &quiet, &notes, &error);
  printf("notes: records %" PRIu64 ", skipped %" PRIu64 ", lost %" PRIu64 ", out of order %" PRIu64
         ", of unknown events %" PRIu64 ", bad lines %" PRIu64 "%s\n",
         notes.records, notes.skipped_records, notes.lost, notes.out_of_order, notes.unknown_events,
         notes.bad_lines, notes.unfinished ? ", unfinished" : "");
  if (!ok)
    fprintf(stderr, "%s\n", contprof_error_text(&error, text, sizeof text));
  return !ok;
}
