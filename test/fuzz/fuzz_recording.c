#include "fuzz_recording.h"

#include "tools/sample/perf_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct seen {
  uint64_t sum;       // of all that events point at, so that it is read
  uint64_t last_time; // of what comes in order
};

static void die(const char *what) {
  fprintf(stderr, "%s\n", what);
  abort();
}

static void look_at_map(struct seen *seen, const struct contprof_perf_mmap *map) {
  if (map->build_id_size > sizeof map->build_id)
    die("a build-id that has no room");
  seen->sum += strlen(map->path);
  for (size_t i = 0; i < map->build_id_size; i++)
    seen->sum += map->build_id[i];
}

static void look_at_sample(struct seen *seen, const struct contprof_perf_sample *sample) {
  for (size_t i = 0; i < sample->branch_count; i++)
    seen->sum += sample->branches[i].from + sample->branches[i].to;
  if (sample->event)
    seen->sum += strlen(sample->event);
}

static bool look_at(void *context, const struct contprof_perf_event *event,
                    struct contprof_error *error) {
  struct seen *seen = context;
  if (error->code != CONTPROF_OK)
    die("an event after a failure");
  if (event->kind == CONTPROF_PERF_MMAP)
    look_at_map(seen, &event->mmap);
  else if (event->kind == CONTPROF_PERF_SAMPLE)
    look_at_sample(seen, &event->sample);
  if (!event->count)
    die("an event that stands for none");
  if (event->kind == CONTPROF_PERF_FORK && event->pid == event->parent)
    die("a thread's start");
  return true;
}

// One file in memory for all inputs.
static int file_of(const uint8_t *bytes, size_t size) {
  static int fd = -1;
  if (fd < 0)
    fd = memfd_create("input", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
    die("no file for the input");
  return fd;
}

bool contprof_fuzz_recording(const uint8_t *bytes, size_t size) {
  char path[64];
  struct seen seen = {0};
  struct contprof_perf_notes notes;
  struct contprof_error error;
  contprof_error_clear(&error);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file_of(bytes, size));
  bool ok = contprof_perf_data_read(path, look_at, &seen, &notes, &error);
  if (!ok && (error.code == CONTPROF_OK || !error.message[0] || error.offset == CONTPROF_NO_OFFSET))
    die("failed without a message, or without saying where");
  if (ok && error.code != CONTPROF_OK)
    die("good, with an error");
  return ok;
}
