// Lines to events. A sample is one line, or a head, a callchain and a branch stack on lines of
// their own; a count may stand before it. llvm-profgen's reading of the same (PerfReader.cpp:
// parseSample, extractCallstack, extractLBRStack) is what this comes to wherever it takes a text.
#include "perf_script.h"

#include "../base/line_stream.h"
#include "../base/memory.h"
#include "perf_tasks.h"
#include "repeated_samples.h"
#include "script_line.h"
#include "script_record.h"
#include "script_stack.h"
#include "thread_owners.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  LOOSE_MAX =
      512, // addresses that may be a callchain; perf records up to 127 unless told otherwise
  EVENTS_MAX = 256, // names of events
  HOPELESS = 1000,  // bad lines without a good one before them after which a text is given up
};

// What lines of an address alone, without perf's tab, are in this text.
enum loose_lines { LOOSE_UNKNOWN, LOOSE_SAMPLES, LOOSE_CALLCHAINS };

struct reader {
  struct contprof_line_stream stream;
  struct contprof_perf_notes *notes; // not owned
  contprof_perf_take *take;
  void *context; // of `take`; not owned
  struct contprof_repeated_samples *repeated;
  struct contprof_thread_owners owners;
  struct contprof_perf_tasks tasks;
  struct contprof_script_stack stack; // of the sample at hand
  struct contprof_script_record record;
  char *events[EVENTS_MAX]; // names, event_count of them; owned
  size_t event_count;

  // The sample that the next lines belong to.
  uint64_t count; // in front of it
  bool has_count;
  struct contprof_script_line head; // HEAD if there was one, else BLANK
  bool has_leaf;                    // of a callchain
  uint64_t leaf;
  char leaf_file[4096];      // that is named beside it, or ""
  uint64_t loose[LOOSE_MAX]; // loose_count addresses on lines of their own
  size_t loose_count;

  enum loose_lines loose_lines;
  bool any_stack; // a branch stack has been seen
  bool is_hybrid; // the first one had a callchain, so all have
  bool any_good;  // a line of perf script has been seen
};

static bool is_bad(struct reader *reader) {
  struct contprof_perf_notes *notes = reader->notes;
  const struct contprof_line_stream *stream = &reader->stream;
  if (!notes->bad_lines++) {
    size_t length =
        stream->length < sizeof notes->bad_text - 1 ? stream->length : sizeof notes->bad_text - 1;
    notes->bad_line = stream->number;
    for (size_t i = 0; i < length; i++)
      notes->bad_text[i] = isprint((unsigned char)stream->line[i]) ? stream->line[i] : '?';
    notes->bad_text[length] = 0;
  }
  return true;
}

// The name of an event, once for each; NULL past EVENTS_MAX of them.
static const char *event_name(struct reader *reader, struct contprof_scan name) {
  if (name.at == name.end)
    return NULL;
  size_t length = strnlen(name.at, (size_t)(name.end - name.at));
  for (size_t i = 0; i < reader->event_count; i++)
    if (strncmp(reader->events[i], name.at, length) == 0 && !reader->events[i][length])
      return reader->events[i];
  if (reader->event_count == EVENTS_MAX)
    return NULL;
  char *copy = contprof_need(strndup(name.at, length));
  reader->events[reader->event_count++] = copy;
  return copy;
}

static int32_t pid_of(const struct reader *reader, const struct contprof_script_line *columns) {
  if (!columns->has_id || columns->id < 0)
    return CONTPROF_NO_PID;
  return columns->id_is_pid ? columns->id : contprof_thread_owner(&reader->owners, columns->id);
}

// The count in front of the sample at hand, which it uses up.
static uint64_t take_count(struct reader *reader) {
  uint64_t count = reader->has_count ? reader->count : 1;
  reader->has_count = false;
  return count;
}

// A sample with these columns, without address and stack.
static struct contprof_perf_event sample_of(struct reader *reader,
                                            const struct contprof_script_line *columns) {
  bool aggregated = reader->has_count;
  reader->notes->records++;
  reader->any_good = true;
  return (struct contprof_perf_event){.kind = CONTPROF_PERF_SAMPLE,
                                      .pid = pid_of(reader, columns),
                                      .time = columns->time,
                                      .aggregated = aggregated,
                                      .count = take_count(reader),
                                      .sample = {.period = columns->period ? columns->period : 1,
                                                 .event = event_name(reader, columns->event)}};
}

static void set_ip(struct contprof_perf_event *event, uint64_t ip) {
  event->sample.ip = ip;
  event->sample.has_ip = true;
  event->kernel = ip >> 63;
}

static bool hand_on(struct reader *reader, const struct contprof_perf_event *event) {
  return reader->take(reader->context, event, reader->stream.error);
}

// An address and, perhaps, a branch stack behind it: most lines of most texts.
static bool take_sample(struct reader *reader, const struct contprof_script_line *line) {
  struct contprof_perf_event event = sample_of(reader, line);
  const struct contprof_sample_text text = {
      .pid = event.pid,
      .period = event.sample.period,
      .event = event.sample.event,
      .ip = line->ip,
      .bytes = line->rest.at,
      .length = (size_t)(line->rest.end - line->rest.at),
  };
  if (!event.aggregated && contprof_repeated_add(reader->repeated, &text, event.count))
    return true;
  set_ip(&event, line->ip);
  bool ok = contprof_script_stack_read(&reader->stack, contprof_script_branches(line->rest));
  event.sample.branches = reader->stack.branches;
  event.sample.branch_count = reader->stack.count;
  reader->any_stack = reader->any_stack || reader->stack.count;
  if (!ok)
    return is_bad(reader) && hand_on(reader, &event);
  return event.aggregated ? hand_on(reader, &event)
                          : contprof_repeated_take(reader->repeated, &text, &event);
}

static bool take_address(struct reader *reader, uint64_t ip) {
  const struct contprof_script_line line = {
      .kind = CONTPROF_SCRIPT_SAMPLE, .ip = ip, .rest = contprof_scan_over("", 0)};
  return take_sample(reader, &line);
}

// Addresses on lines of their own that have turned out to be samples.
static bool take_loose_samples(struct reader *reader) {
  size_t count = reader->loose_count;
  bool ok = true;
  reader->loose_lines = LOOSE_SAMPLES;
  reader->loose_count = 0;
  for (size_t i = 0; ok && i < count; i++)
    ok = take_address(reader, reader->loose[i]);
  return ok;
}

static void forget_sample(struct reader *reader) {
  reader->head.kind = CONTPROF_SCRIPT_BLANK;
  reader->has_leaf = false;
  reader->leaf_file[0] = 0;
  reader->loose_count = 0;
  reader->has_count = false;
}

// The sample of a head and a callchain, with a branch stack or without one.
static bool take_chain(struct reader *reader, bool has_stack) {
  struct contprof_perf_event event = sample_of(reader, &reader->head);
  if (reader->has_leaf || reader->loose_count)
    set_ip(&event, reader->has_leaf ? reader->leaf : reader->loose[0]);
  event.sample.file = reader->leaf_file[0] ? reader->leaf_file : NULL;
  event.sample.has_callchain = event.sample.has_ip || reader->is_hybrid;
  if (has_stack) {
    event.sample.branches = reader->stack.branches;
    event.sample.branch_count = reader->stack.count;
  }
  bool ok = hand_on(reader, &event);
  forget_sample(reader);
  return ok;
}

static bool has_chain(const struct reader *reader) {
  return reader->has_leaf || reader->loose_count || reader->head.kind == CONTPROF_SCRIPT_HEAD;
}

// The sample at hand ends, with no branch stack: at a blank line, or without one.
static bool end_sample(struct reader *reader, bool is_blank) {
  bool is_loose = reader->loose_count && reader->loose_lines == LOOSE_UNKNOWN && !is_blank;
  bool ok = true;
  if (is_loose && !reader->has_leaf)
    ok = take_loose_samples(reader);
  else if (has_chain(reader))
    ok = take_chain(reader, false);
  forget_sample(reader);
  return ok;
}

static bool take_stack(struct reader *reader, const struct contprof_script_line *line) {
  bool ok = contprof_script_stack_read(&reader->stack, line->rest);
  bool is_chain = reader->has_leaf || reader->loose_count;
  if (!reader->any_stack)
    reader->is_hybrid = is_chain;
  reader->any_stack = true;
  if (reader->loose_count)
    reader->loose_lines = LOOSE_CALLCHAINS;
  if (!ok)
    is_bad(reader);
  return take_chain(reader, true);
}

// The leaf of a callchain comes first, perhaps as several lines of inlined functions that name no
// file; the other frames are passed over.
static bool take_frame(struct reader *reader, const struct contprof_script_line *line) {
  if (!reader->has_leaf)
    reader->leaf = line->ip;
  if (line->ip == reader->leaf && !reader->leaf_file[0])
    contprof_script_file(line->rest, reader->leaf_file, sizeof reader->leaf_file);
  reader->has_leaf = true;
  return true;
}

static bool take_loose(struct reader *reader, const struct contprof_script_line *line) {
  if (reader->has_leaf || reader->head.kind == CONTPROF_SCRIPT_HEAD ||
      reader->loose_lines == LOOSE_CALLCHAINS)
    return take_frame(reader, line);
  if (reader->loose_lines == LOOSE_SAMPLES)
    return take_sample(reader, line);
  if (reader->loose_count == LOOSE_MAX && !take_loose_samples(reader))
    return false;
  if (reader->loose_lines == LOOSE_SAMPLES)
    return take_sample(reader, line);
  reader->loose[reader->loose_count++] = line->ip;
  return true;
}

static bool take_count_line(struct reader *reader, const struct contprof_script_line *line) {
  bool ok = end_sample(reader, false);
  reader->count = line->count;
  reader->has_count = true;
  return ok;
}

static bool take_head(struct reader *reader, const struct contprof_script_line *line) {
  bool has_count = reader->has_count && !has_chain(reader);
  bool ok = end_sample(reader, false);
  reader->has_count = has_count;
  reader->head = *line;
  // The text goes with the line; an event's name stays.
  const char *event = event_name(reader, line->event);
  reader->head.event = contprof_scan_over(event ? event : "", event ? strlen(event) : 0);
  return ok;
}

// Keeps track of the record's threads. Returns whether it is an event: the end of a process is that
// of its last thread.
static bool follow_tasks(struct reader *reader, const struct contprof_script_record *record) {
  struct contprof_perf_tasks *tasks = &reader->tasks;
  contprof_thread_owners_set(&reader->owners, record->tid, record->pid);
  switch (record->event.kind) {
  case CONTPROF_PERF_FORK:
    if (record->is_event)
      contprof_perf_tasks_single(tasks, record->pid);
    else
      contprof_perf_tasks_thread(tasks, record->pid);
    break;
  case CONTPROF_PERF_EXEC:
    if (record->is_event)
      contprof_perf_tasks_single(tasks, record->pid);
    break;
  case CONTPROF_PERF_EXIT:
    return contprof_perf_tasks_exit(tasks, record->pid, record->pid == record->tid);
  default:
    break;
  }
  return record->is_event;
}

static bool take_record(struct reader *reader, const struct contprof_script_line *line) {
  struct contprof_script_record *record = &reader->record;
  if (!end_sample(reader, false))
    return false;
  if (!contprof_script_record_read(line->rest, record))
    return is_bad(reader);
  reader->any_good = true;
  reader->notes->records++;
  if (!follow_tasks(reader, record))
    return true;
  if (record->event.kind == CONTPROF_PERF_LOST)
    reader->notes->lost += record->event.count;
  return contprof_repeated_flush(reader->repeated) && hand_on(reader, &record->event);
}

// A sample's own line ends the one at hand, but keeps the count in front of it.
static bool take_sample_line(struct reader *reader, const struct contprof_script_line *line) {
  if (has_chain(reader) && !end_sample(reader, false))
    return false;
  return take_sample(reader, line);
}

static bool take_line(struct reader *reader, const struct contprof_script_line *line) {
  switch (line->kind) {
  case CONTPROF_SCRIPT_BLANK:
    return end_sample(reader, true);
  case CONTPROF_SCRIPT_COMMENT:
    return true;
  case CONTPROF_SCRIPT_COUNT:
    return take_count_line(reader, line);
  case CONTPROF_SCRIPT_RECORD:
    return take_record(reader, line);
  case CONTPROF_SCRIPT_HEAD:
    return take_head(reader, line);
  case CONTPROF_SCRIPT_FRAME:
    return take_frame(reader, line);
  case CONTPROF_SCRIPT_ADDRESS:
    return take_loose(reader, line);
  case CONTPROF_SCRIPT_SAMPLE:
    return take_sample_line(reader, line);
  case CONTPROF_SCRIPT_BRANCHES:
    return take_stack(reader, line);
  case CONTPROF_SCRIPT_OTHER:
    break;
  }
  return end_sample(reader, false) && is_bad(reader);
}

static bool is_no_script(struct reader *reader) {
  const struct contprof_perf_notes *notes = reader->notes;
  struct contprof_error *error = reader->stream.error;
  if (!notes->bad_lines)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, reader->stream.path, NULL, CONTPROF_NO_OFFSET,
                         "there is no sample of perf script's in it");
  return contprof_fail(error, CONTPROF_UNSUPPORTED, reader->stream.path, NULL, CONTPROF_NO_OFFSET,
                       "line %" PRIu64 " is not of perf script's text: '%s'", notes->bad_line,
                       notes->bad_text);
}

static bool read_lines(struct reader *reader) {
  struct contprof_line_stream *stream = &reader->stream;
  while (contprof_line_stream_next(stream)) {
    struct contprof_script_line line = contprof_script_line_read(stream->line, stream->length);
    if (!take_line(reader, &line))
      return false;
    if (!reader->any_good && reader->notes->bad_lines >= HOPELESS)
      return is_no_script(reader);
  }
  if (stream->error->code != CONTPROF_OK || !end_sample(reader, false) ||
      !contprof_repeated_flush(reader->repeated))
    return false;
  return reader->any_good || is_no_script(reader);
}

static void free_reader(struct reader *reader) {
  contprof_repeated_free(reader->repeated);
  contprof_thread_owners_free(&reader->owners);
  contprof_perf_tasks_free(&reader->tasks);
  contprof_script_stack_free(&reader->stack);
  for (size_t i = 0; i < reader->event_count; i++)
    free(reader->events[i]);
  contprof_line_stream_close(&reader->stream);
  free(reader);
}

bool contprof_perf_script_read(const char *path, contprof_perf_take *take, void *context,
                               struct contprof_perf_notes *notes, struct contprof_error *error) {
  struct reader *reader = contprof_need(calloc(1, sizeof *reader));
  *notes = (struct contprof_perf_notes){0};
  reader->notes = notes;
  reader->take = take;
  reader->context = context;
  reader->repeated = contprof_repeated_new(take, context, error);
  bool ok = contprof_line_stream_open(path, &reader->stream, error) && read_lines(reader);
  free_reader(reader);
  return ok;
}
