#include "perf_record.h"

#include <inttypes.h>
#include <string.h>

enum { PROT_EXEC_BIT = 4 };

bool contprof_perf_record_matters(const struct contprof_perf_raw *record) {
  switch (record->type) {
  case PERF_RECORD_SAMPLE:
  case PERF_RECORD_MMAP2:
  case PERF_RECORD_COMM:
  case PERF_RECORD_FORK:
  case PERF_RECORD_EXIT:
  case PERF_RECORD_LOST:
  case PERF_RECORD_LOST_SAMPLES:
    return true;
  case PERF_RECORD_MMAP:
    return !(record->misc & PERF_MISC_MMAP_DATA);
  default:
    return false;
  }
}

// --- whose record, and when ---------------------------------------------------------------------

static bool too_short(const struct contprof_perf_raw *record, struct contprof_error *error) {
  return contprof_fail(
      error, CONTPROF_CORRUPT, record->stream->file, record->stream->section, record->offset,
      "a record of type %u and %u bytes has no room for its fields", record->type, record->size);
}

// The 64-bit field `at` bytes from the record's start.
static bool field(const struct contprof_perf_raw *record, uint32_t at, uint64_t *value,
                  struct contprof_error *error) {
  if (at > record->size || record->size - at < sizeof *value)
    return too_short(record, error);
  memcpy(value, record->bytes + at, sizeof *value);
  if (record->stream->swap)
    *value = __builtin_bswap64(*value);
  return true;
}

static bool has_trailer(const struct contprof_perf_raw *record,
                        const struct contprof_perf_attr *attr, struct contprof_error *error) {
  return record->size - PERF_RECORD_HEADER_SIZE >= (int64_t)attr->trailer_size ||
         too_short(record, error);
}

static bool event_of(const struct contprof_perf_catalog *catalog,
                     const struct contprof_perf_raw *record, uint32_t *attr,
                     struct contprof_error *error) {
  const struct contprof_perf_attr *first = &catalog->attrs[0];
  uint64_t id = 0;
  *attr = 0;
  if (catalog->attr_count == 1 || (!catalog->id_decides && catalog->same_layout))
    return true;
  if (!catalog->id_decides)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, record->stream->file, record->stream->section,
                         record->offset,
                         "several events with different fields, and no ids to tell their records");
  if (record->type == PERF_RECORD_SAMPLE) {
    if (!field(record, first->sample_id, &id, error))
      return false;
  } else if (first->trailer_id && (!has_trailer(record, first, error) ||
                                   !field(record, record->size - first->trailer_id, &id, error))) {
    return false;
  }
  if (id) // perf's own records have none
    *attr = (uint32_t)contprof_perf_catalog_find_id(catalog, id);
  return true;
}

bool contprof_perf_record_identify(const struct contprof_perf_catalog *catalog,
                                   struct contprof_perf_waiting *waiting,
                                   struct contprof_error *error) {
  const struct contprof_perf_raw *record = &waiting->record;
  waiting->time = 0;
  if (!catalog->attr_count)
    return contprof_fail(error, CONTPROF_CORRUPT, record->stream->file, record->stream->section,
                         record->offset, "a record comes before any event's description");
  if (!event_of(catalog, record, &waiting->attr, error))
    return false;
  if (waiting->attr == catalog->attr_count)
    return true;
  const struct contprof_perf_attr *attr = &catalog->attrs[waiting->attr];
  if (record->type == PERF_RECORD_SAMPLE)
    return attr->sample_time == CONTPROF_PERF_NOWHERE ||
           field(record, attr->sample_time, &waiting->time, error);
  return has_trailer(record, attr, error) &&
         (!attr->trailer_time ||
          field(record, record->size - attr->trailer_time, &waiting->time, error));
}

// --- samples ------------------------------------------------------------------------------------

static void skip_words(struct contprof_cursor *body, uint64_t count, const char *what) {
  if (contprof_cursor_ok(body) && count > contprof_cursor_left(body) / sizeof(uint64_t))
    contprof_cursor_corrupt(body, "%s of %" PRIu64 " words, more than the record has", what, count);
  else
    contprof_skip(body, count * sizeof(uint64_t));
}

// struct read_format: each counter's value, with or without its id and what it has lost, and times
// for all.
static void skip_read(struct contprof_cursor *body, uint64_t format) {
  const uint64_t each = PERF_FORMAT_ID | 1U << 4; // 16: PERF_FORMAT_LOST, Linux 6.0
  const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  uint64_t words = 1 + (uint64_t)__builtin_popcountll(format & each);
  uint64_t counters = 1;
  if (format & PERF_FORMAT_GROUP)
    counters = contprof_take_u64(body);
  skip_words(body, (uint64_t)__builtin_popcountll(format & times), "counters' times");
  if (counters > UINT16_MAX)
    contprof_cursor_corrupt(body, "%" PRIu64 " counters, more than a record can have", counters);
  else
    skip_words(body, counters * words, "counters");
}

static void skip_callchain(struct contprof_cursor *body) {
  skip_words(body, contprof_take_u64(body), "a callchain");
}

static void skip_raw(struct contprof_cursor *body) {
  contprof_skip(body, contprof_take_u32(body));
}

static uint64_t word_at(const uint8_t *bytes, bool swap) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return swap ? __builtin_bswap64(word) : word;
}

// Each entry is from, to and flags; the flags, whatever bits they have, do not matter. Counters
// (PERF_SAMPLE_BRANCH_COUNTERS) stand behind all of them.
static void take_branches(struct contprof_cursor *body, const struct contprof_perf_attr *attr,
                          struct contprof_branch *branches, struct contprof_perf_sample *sample) {
  enum { ENTRY = 24 }; // bytes
  uint64_t count = contprof_take_u64(body);
  if (attr->branch_sample_type & PERF_BRANCH_HW_INDEX)
    contprof_skip(body, sizeof(uint64_t));
  if (!contprof_cursor_ok(body))
    return;
  if (count > contprof_cursor_left(body) / ENTRY) {
    contprof_cursor_corrupt(body, "a stack of %" PRIu64 " branches, more than the record has",
                            count);
    return;
  }
  const uint8_t *entry = contprof_take_bytes(body, count * ENTRY);
  const bool swap = body->swap;
  for (uint64_t i = 0; i < count; i++, entry += ENTRY) {
    branches[i].from = word_at(entry, swap);
    branches[i].to = word_at(entry + sizeof(uint64_t), swap);
  }
  sample->branches = branches;
  sample->branch_count = count;
}

// Fields that are set, in the order of the kernel. Those after the branches are not looked at.
static void take_sample(struct contprof_cursor *body, const struct contprof_perf_attr *attr,
                        struct contprof_branch *branches, struct contprof_perf_event *event) {
  const uint64_t has = attr->sample_type;
  struct contprof_perf_sample *sample = &event->sample;
  sample->event = attr->name;
  sample->period = attr->period ? attr->period : 1;
  sample->has_ip = has & PERF_SAMPLE_IP;
  if (has & PERF_SAMPLE_IDENTIFIER)
    contprof_skip(body, sizeof(uint64_t));
  if (has & PERF_SAMPLE_IP)
    sample->ip = contprof_take_u64(body);
  if (has & PERF_SAMPLE_TID) {
    event->pid = (int32_t)contprof_take_u32(body);
    contprof_skip(body, sizeof(uint32_t));
  }
  const uint64_t passed = PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
                          PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
  contprof_skip(body, sizeof(uint64_t) * (uint64_t)__builtin_popcountll(has & passed));
  if (has & PERF_SAMPLE_PERIOD)
    sample->period = contprof_take_u64(body);
  if (has & PERF_SAMPLE_READ)
    skip_read(body, attr->read_format);
  if (has & PERF_SAMPLE_CALLCHAIN)
    skip_callchain(body);
  if (has & PERF_SAMPLE_RAW)
    skip_raw(body);
  // A stack of calls that have not returned (perf record --call-graph lbr) is no path through the
  // code.
  if (has & PERF_SAMPLE_BRANCH_STACK && !(attr->branch_sample_type & PERF_BRANCH_CALL_STACK))
    take_branches(body, attr, branches, sample);
}

// --- what happens to processes ------------------------------------------------------------------

static void take_path(struct contprof_cursor *body, struct contprof_perf_mmap *map) {
  uint64_t room = contprof_cursor_left(body);
  const char *path = (const char *)contprof_take_bytes(body, room);
  if (path && strnlen(path, room) == room)
    contprof_cursor_corrupt(body, "a mapped file's name has no end");
  map->path = path;
}

static void take_build_id(struct contprof_cursor *body, struct contprof_perf_mmap *map) {
  uint8_t size = contprof_take_u8(body);
  contprof_skip(body, 3); // reserved
  const uint8_t *bytes = contprof_take_bytes(body, PERF_BUILD_ID_BYTES);
  if (bytes && size > PERF_BUILD_ID_BYTES)
    contprof_cursor_corrupt(body, "a build-id of %u bytes; there are up to %d", size,
                            PERF_BUILD_ID_BYTES);
  else if (bytes)
    memcpy(map->build_id, bytes, map->build_id_size = size);
}

static bool is_of_guest(const struct contprof_perf_raw *record) {
  unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
  return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
}

// Maps of what is not executable are not wanted, nor are those of a virtual machine's guest (perf
// kvm), whose addresses are none of the host's. Of protection 0, which tells nothing, the kernel
// says so by a bit.
static bool take_map(struct contprof_cursor *body, const struct contprof_perf_raw *record,
                     struct contprof_perf_event *event) {
  struct contprof_perf_mmap *map = &event->mmap;
  uint32_t protection = PROT_EXEC_BIT;
  event->kind = CONTPROF_PERF_MMAP;
  event->pid = (int32_t)contprof_take_u32(body);
  contprof_skip(body, sizeof(uint32_t)); // thread
  map->start = contprof_take_u64(body);
  map->size = contprof_take_u64(body);
  map->file_offset = contprof_take_u64(body);
  if (record->type == PERF_RECORD_MMAP2) {
    if (record->misc & PERF_MISC_MMAP_BUILD_ID)
      take_build_id(body, map);
    else
      contprof_skip(body, PERF_MMAP2_FILE_SIZE);
    protection = contprof_take_u32(body);
    contprof_skip(body, sizeof(uint32_t)); // flags
  }
  take_path(body, map);
  bool executable = protection ? protection & PROT_EXEC_BIT : !(record->misc & PERF_MISC_MMAP_DATA);
  return executable && !is_of_guest(record);
}

// FORK and EXIT have a time besides that of the trailer.
static void take_own_time(struct contprof_cursor *body, struct contprof_perf_event *event) {
  uint64_t time = contprof_take_u64(body);
  if (!event->time)
    event->time = time;
}

static bool take_fork(struct contprof_cursor *body, const struct contprof_perf_raw *record,
                      struct contprof_perf_tasks *tasks, struct contprof_perf_event *event) {
  event->kind = CONTPROF_PERF_FORK;
  event->pid = (int32_t)contprof_take_u32(body);
  event->parent = (int32_t)contprof_take_u32(body);
  event->synthesised = record->misc & PERF_MISC_FORK_SYNTHESISED;
  contprof_skip(body, 2 * sizeof(uint32_t)); // threads
  take_own_time(body, event);
  if (!contprof_cursor_ok(body))
    return false;
  if (event->pid == event->parent)
    contprof_perf_tasks_thread(tasks, event->pid);
  else
    contprof_perf_tasks_single(tasks, event->pid);
  return event->pid != event->parent;
}

static bool take_exit(struct contprof_cursor *body, struct contprof_perf_tasks *tasks,
                      struct contprof_perf_event *event) {
  event->kind = CONTPROF_PERF_EXIT;
  event->pid = (int32_t)contprof_take_u32(body);
  contprof_skip(body, sizeof(uint32_t)); // parent
  int32_t thread = (int32_t)contprof_take_u32(body);
  contprof_skip(body, sizeof(uint32_t)); // parent's thread
  take_own_time(body, event);
  return contprof_cursor_ok(body) &&
         contprof_perf_tasks_exit(tasks, event->pid, thread == event->pid);
}

// Names of threads are not wanted.
static bool take_comm(struct contprof_cursor *body, const struct contprof_perf_raw *record,
                      struct contprof_perf_tasks *tasks, struct contprof_perf_event *event) {
  bool exec = record->misc & PERF_MISC_COMM_EXEC;
  event->kind = exec ? CONTPROF_PERF_EXEC : CONTPROF_PERF_COMM;
  event->pid = (int32_t)contprof_take_u32(body);
  int32_t thread = (int32_t)contprof_take_u32(body);
  uint64_t room = contprof_cursor_left(body);
  const char *name = (const char *)contprof_take_bytes(body, room);
  if (name && strnlen(name, room) < room)
    event->comm = name;
  if (exec && contprof_cursor_ok(body))
    contprof_perf_tasks_single(tasks, event->pid);
  return exec || (event->comm && thread == event->pid);
}

static bool take_lost(struct contprof_cursor *body, const struct contprof_perf_raw *record,
                      struct contprof_perf_event *event) {
  event->kind = CONTPROF_PERF_LOST;
  if (record->type == PERF_RECORD_LOST)
    contprof_skip(body, sizeof(uint64_t)); // of which event
  event->count = contprof_take_u64(body);
  return true;
}

// --- all of them --------------------------------------------------------------------------------

// What was recorded in a virtual machine's guest is as little of our processes as the kernel is.
static bool in_kernel(const struct contprof_perf_raw *record) {
  unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
  return mode != PERF_RECORD_MISC_USER && mode != PERF_RECORD_MISC_CPUMODE_UNKNOWN;
}

static bool take_any(struct contprof_perf_parser *parser,
                     const struct contprof_perf_waiting *waiting, struct contprof_cursor *body,
                     struct contprof_perf_event *event) {
  const struct contprof_perf_raw *record = &waiting->record;
  switch (record->type) {
  case PERF_RECORD_MMAP:
  case PERF_RECORD_MMAP2:
    return take_map(body, record, event);
  case PERF_RECORD_FORK:
    return take_fork(body, record, &parser->tasks, event);
  case PERF_RECORD_EXIT:
    return take_exit(body, &parser->tasks, event);
  case PERF_RECORD_COMM:
    return take_comm(body, record, &parser->tasks, event);
  case PERF_RECORD_LOST:
  case PERF_RECORD_LOST_SAMPLES:
    return take_lost(body, record, event);
  default:
    take_sample(body, &parser->catalog->attrs[waiting->attr], parser->branches, event);
    return true;
  }
}

bool contprof_perf_record_event(struct contprof_perf_parser *parser,
                                const struct contprof_perf_waiting *waiting,
                                struct contprof_perf_event *event, bool *wanted,
                                struct contprof_error *error) {
  const struct contprof_perf_raw *record = &waiting->record;
  struct contprof_cursor body = contprof_perf_body(record, error);
  *event = (struct contprof_perf_event){.kind = CONTPROF_PERF_SAMPLE,
                                        .pid = CONTPROF_NO_PID,
                                        .kernel = in_kernel(record),
                                        .time = waiting->time,
                                        .count = 1};
  if (record->type != PERF_RECORD_SAMPLE && waiting->attr < parser->catalog->attr_count)
    body.size -= parser->catalog->attrs[waiting->attr].trailer_size;
  *wanted = take_any(parser, waiting, &body, event);
  if (*wanted && event->kind == CONTPROF_PERF_MMAP && contprof_cursor_ok(&body))
    contprof_perf_catalog_complete(parser->catalog, &event->mmap);
  return contprof_cursor_ok(&body);
}
