// libFuzzer target: the readers of perf script's text and of unsymbolised profiles. Ends the
// process if a reader fails without a message, hands out what an event can't be, or if counts that
// have been written can't be read again.
#include "fuzz_profile.h"
#include "tools/base/memory.h"
#include "tools/sample/perf_script.h"
#include "tools/sample/sample_counts.h"
#include "tools/sample/script_line.h"
#include "tools/sample/script_stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void need(bool condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

// Touches all that an event says, for a sanitizer to see.
static bool take(void *context, const struct contprof_perf_event *event,
                 struct contprof_error *error) {
  uint64_t *sum = context;
  (void)error;
  need(event->kind <= CONTPROF_PERF_LOST, "events have a kind");
  need(event->pid >= -1 || event->kind == CONTPROF_PERF_MMAP, "PIDs are not negative");
  for (size_t i = 0; i < event->sample.branch_count; i++)
    *sum += event->sample.branches[i].from ^ event->sample.branches[i].to;
  if (event->sample.event)
    *sum += strlen(event->sample.event);
  if (event->kind == CONTPROF_PERF_MMAP)
    *sum += strlen(event->mmap.path) + event->mmap.build_id_size;
  return true;
}

static void read_script(const char *path) {
  struct contprof_perf_notes notes;
  struct contprof_error error;
  uint64_t sum = 0;
  contprof_error_clear(&error);
  bool ok = contprof_perf_script_read(path, take, &sum, &notes, &error);
  need(ok || error.message[0], "a failure has a message");
  need(!notes.bad_lines == !notes.bad_line, "the first bad line has its number");
}

// A path of the bytes, and its descriptor.
static int file_of(const void *bytes, size_t size, char path[32]) {
  int fd = memfd_create("fuzz", MFD_CLOEXEC);
  need(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, "memory for the input");
  snprintf(path, 32, "/proc/self/fd/%d", fd);
  return fd;
}

static bool read_counts(const void *bytes, size_t size, struct contprof_sample_counts *counts) {
  struct contprof_error error;
  char path[32];
  int fd = file_of(bytes, size, path);
  contprof_error_clear(&error);
  bool ok = contprof_unsymbolized_read(path, 0x1000, counts, &error);
  need(ok || error.message[0], "a failure has a message");
  close(fd);
  return ok;
}

static char *text_of(const struct contprof_sample_counts *counts, size_t *size) {
  char *text;
  FILE *file = contprof_need(open_memstream(&text, size));
  contprof_unsymbolized_write(counts, 0x1000, file);
  fclose(file);
  return text;
}

static void read_unsymbolized(const uint8_t *bytes, size_t size) {
  struct contprof_sample_counts counts = {0}, again = {0};
  if (read_counts(bytes, size, &counts)) {
    size_t first_size, second_size;
    char *first = text_of(&counts, &first_size);
    need(read_counts(first, first_size, &again), "what is written is read");
    char *second = text_of(&again, &second_size);
    need(first_size == second_size && memcmp(first, second, first_size) == 0,
         "what is read is written the same");
    free(first);
    free(second);
  }
  contprof_sample_counts_free(&counts);
  contprof_sample_counts_free(&again);
}

// The reader's lines lie in a buffer; here each has memory of just its size.
static void read_line(const char *text, size_t length) {
  struct contprof_script_stack stack = {0};
  char *exact = contprof_need(malloc(length ? length : 1));
  memcpy(exact, text, length);
  struct contprof_script_line line = contprof_script_line_read(exact, length);
  if (line.kind == CONTPROF_SCRIPT_SAMPLE)
    contprof_script_stack_read(&stack, contprof_script_branches(line.rest));
  contprof_script_stack_read(&stack, contprof_scan_over(exact, length));
  contprof_script_stack_free(&stack);
  free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const char *text = (const char *)bytes, *end = text + size;
  char path[32];
  int fd = file_of(bytes, size, path);
  read_script(path);
  close(fd);
  read_unsymbolized(bytes, size);
  while (text < end) {
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    line_end = line_end ? line_end : end;
    read_line(text, (size_t)(line_end - text));
    text = line_end + (line_end < end);
  }
  return 0;
}
