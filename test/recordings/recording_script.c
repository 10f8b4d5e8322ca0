#include "recording_script.h"

#include "recording.h"
#include "script_words.h"
#include "tools/base/memory.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { EVENTS = 16, BYTES = 65536, MICROSECOND = 1000 };

struct script {
  const char *out;
  struct recording_form form;
  struct recording_event events[EVENTS];
  char *names[EVENTS]; // of these; owned
  size_t event_count;
  struct recording *recording; // open as soon as something happens
  uint64_t time;               // of the last record that had one
  uint8_t bytes[BYTES];        // of the word at hand
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

// --- how it is written --------------------------------------------------------------------------

static const char *const field_names[] = {"ip",
                                          "tid",
                                          "time",
                                          "addr",
                                          "read",
                                          "callchain",
                                          "id",
                                          "cpu",
                                          "period",
                                          "stream",
                                          "raw",
                                          "branch",
                                          "regs_user",
                                          "stack_user",
                                          "weight",
                                          "data_src",
                                          "identifier",
                                          "transaction",
                                          "regs_intr",
                                          "phys_addr",
                                          "aux",
                                          "cgroup",
                                          "data_page_size",
                                          "code_page_size",
                                          "weight_struct"};
static const uint8_t field_bits[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                     13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
static const char *const read_names[] = {"enabled", "running", "id", "group", "lost"};
static const char *const branch_names[] = {"call_stack", "type", "hw_index", "priv", "counters"};
static const uint8_t branch_bits[] = {11, 16, 17, 18, 19};
static const char *const exclude_names[] = {"user", "kernel", "hv", "host", "guest"};
static const uint8_t exclude_bits[] = {4, 5, 6, 19, 20};

enum { FREQ = 10, PRECISE_IP = 15, SAMPLE_ID_ALL = 18 }; // bits of an event's flags

static uint32_t type_of(const struct script_words *words, const char *text) {
  static const char *const names[] = {"hardware", "software", "tracepoint", "cache", "raw"};
  static const uint32_t types[] = {PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT,
                                   PERF_TYPE_HW_CACHE, PERF_TYPE_RAW};
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(text, names[i]) == 0)
      return types[i];
  return (uint32_t)number_of(words, text);
}

static uint64_t flags_of(struct script_words *words) {
  const char *exclude = take_value(words, "exclude");
  uint64_t flags = take_flag(words, "no-sample-id-all") ? 0 : UINT64_C(1) << SAMPLE_ID_ALL;
  flags |= take_number_value(words, "precise", 0) << PRECISE_IP;
  flags |= UINT64_C(1) << 8 | UINT64_C(1) << 23 | UINT64_C(1) << 24; // mmap, mmap2, comm_exec
  return flags |
         (exclude ? bits_of(words, exclude, exclude_names, exclude_bits, COUNT(exclude_bits)) : 0);
}

static void add_event(struct script *script, struct script_words *words) {
  if (script->event_count == EVENTS)
    script_fail(words, "too many events", NULL);
  char *name = strdup(take_word(words, "an event's name"));
  script->names[script->event_count] = name;
  struct recording_event *event = &script->events[script->event_count++];
  const char *type = take_value(words, "type"), *sample = take_value(words, "sample"),
             *read = take_value(words, "read"), *branch = take_value(words, "branch"),
             *ids = take_value(words, "id"), *freq = take_value(words, "freq");
  *event = (struct recording_event){.name = take_flag(words, "unnamed") ? NULL : name,
                                    .type = type ? type_of(words, type) : PERF_TYPE_HARDWARE,
                                    .config = take_number_value(words, "config", 0),
                                    .period = take_number_value(words, "period", 1),
                                    .regs_user = take_number_value(words, "regs_user", 0),
                                    .regs_intr = take_number_value(words, "regs_intr", 0),
                                    .flags = flags_of(words)};
  event->stack_user = (uint32_t)take_number_value(words, "stack", 0);
  event->sample_type = bits_of(words, sample ? sample : "ip,tid,time,period,branch", field_names,
                               field_bits, COUNT(field_bits));
  if (read)
    event->read_format = bits_of(words, read, read_names, field_bits, COUNT(read_names));
  event->branch_sample_type = 1 | 1 << 3; // of user space, any
  if (branch)
    event->branch_sample_type |=
        bits_of(words, branch, branch_names, branch_bits, COUNT(branch_bits));
  if (freq) {
    event->period = number_of(words, freq);
    event->flags |= UINT64_C(1) << FREQ;
  }
  if (ids)
    event->id_count = list_of(words, ids, event->ids, RECORDING_IDS);
}

static void set_compression(struct script *script, struct script_words *words) {
  script->form.compress = take_flag(words, "2") ? 2 : 1;
  script->form.level = (int)take_number_value(words, "level", 0);
  script->form.chunk = take_number_value(words, "chunk", 0);
  script->form.piece = take_number_value(words, "piece", 0);
}

static bool set_form(struct script *script, const char *command, struct script_words *words) {
  if (strcmp(command, "order") == 0)
    script->form.big_endian = strcmp(take_word(words, "a byte order"), "big") == 0;
  else if (strcmp(command, "stream") == 0)
    script->form.stream = true;
  else if (strcmp(command, "compress") == 0)
    set_compression(script, words);
  else if (strcmp(command, "attr-size") == 0)
    script->form.attr_size = (uint32_t)take_number(words, "a size");
  else if (strcmp(command, "header-size") == 0)
    script->form.header_size = (uint32_t)take_number(words, "a size");
  else if (strcmp(command, "no-features") == 0)
    script->form.no_features = true;
  else if (strcmp(command, "unfinished") == 0)
    script->form.unfinished = true;
  else if (strcmp(command, "event") == 0)
    add_event(script, words);
  else
    return false;
  if (script->recording)
    script_fail(words, "too late: something has happened", command);
  return true;
}

static void open_recording(struct script *script) {
  if (script->recording)
    return;
  if (!script->event_count)
    script->events[script->event_count++] = (struct recording_event){
        .name = "cycles:u",
        .period = 1,
        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
                       PERF_SAMPLE_BRANCH_STACK,
        .branch_sample_type = 1 | 1 << 3,
        .flags = UINT64_C(1) << SAMPLE_ID_ALL | 1 << 5 | 1 << 6 | 1 << 8 | 1 << 23 | 1 << 24};
  script->recording =
      recording_open(script->out, &script->form, script->events, script->event_count);
}

// --- what is told about files and machine -------------------------------------------------------

static bool tell(struct script *script, const char *command, struct script_words *words) {
  if (strcmp(command, "build-id") == 0) {
    const char *path = take_word(words, "a path");
    size_t size = hex_of(words, take_word(words, "a build-id"), script->bytes, 20);
    recording_build_id(script->recording, path, script->bytes, size, !take_flag(words, "unsized"));
  } else if (strcmp(command, "feature") == 0) {
    unsigned number = (unsigned)take_number(words, "a number");
    size_t size = hex_of(words, take_word(words, "bytes"), script->bytes, BYTES);
    recording_feature(script->recording, number, script->bytes, size);
  } else {
    return false;
  }
  return true;
}

// --- what happened ------------------------------------------------------------------------------

static struct recording_place take_place(struct script *script, struct script_words *words) {
  struct recording_place place = {.time = script->time + MICROSECOND};
  for (size_t i = words->next; i < words->count; i++)
    if (words->words[i] && words->words[i][0] == '@') {
      place.time = number_of(words, words->words[i] + 1);
      words->words[i] = NULL;
    }
  if (place.time)
    script->time = place.time;
  place.event = take_number_value(words, "event", 0);
  place.cpu = (uint32_t)take_number_value(words, "cpu", 0);
  place.tid = (int32_t)take_number_value(words, "tid", 0);
  place.no_id = take_flag(words, "no-id");
  if (place.event >= script->event_count)
    script_fail(words, "there is no such event", NULL);
  return place;
}

static void take_pid(struct script_words *words, struct recording_place *place) {
  place->pid = (int32_t)take_number(words, "a PID");
  if (!place->tid)
    place->tid = place->pid;
}

static uint32_t protection_of(const char *text) {
  uint32_t protection = 0;
  for (; text && *text; text++)
    protection |= *text == 'r' ? PROT_READ : *text == 'w' ? PROT_WRITE : PROT_EXEC;
  return text ? protection : PROT_READ | PROT_EXEC;
}

static void add_map(struct script *script, struct recording_place place,
                    struct script_words *words) {
  struct recording_map map = {.kernel = take_flag(words, "kernel"),
                              .plain = take_flag(words, "plain"),
                              .protection = protection_of(take_value(words, "prot"))};
  const char *build_id = take_value(words, "build-id");
  bool deleted = take_flag(words, "deleted");
  char path[4096];
  if (build_id) {
    map.build_id_size = hex_of(words, build_id, script->bytes, 20);
    map.build_id = script->bytes;
  }
  take_pid(words, &place);
  map.place = place;
  map.start = take_number(words, "an address");
  map.size = take_number(words, "a size");
  map.offset = take_number(words, "an offset");
  snprintf(path, sizeof path, "%s%s", take_word(words, "a path"), deleted ? " (deleted)" : "");
  map.path = path;
  recording_map(script->recording, &map);
}

static struct recording_branch *take_branches(struct script_words *words, size_t *count) {
  struct recording_branch *branches = contprof_need_array(NULL, words->count, sizeof *branches);
  *count = 0;
  for (size_t i = words->next; i < words->count; i++) {
    char *to = words->words[i] ? strchr(words->words[i], '>') : NULL;
    if (!to)
      continue;
    *to = '\0';
    branches[*count].from = number_of(words, words->words[i]);
    branches[(*count)++].to = number_of(words, to + 1);
    words->words[i] = NULL;
  }
  return branches;
}

static void add_samples(struct script *script, struct recording_place place,
                        struct script_words *words) {
  uint64_t chain[256];
  struct recording_sample sample = {.kernel = take_flag(words, "kernel")};
  const char *chain_text = take_value(words, "chain");
  uint64_t times = take_number_value(words, "times", 1);
  sample.period = take_number_value(words, "period", script->events[place.event].period);
  sample.raw = (uint32_t)take_number_value(words, "raw", 4);
  sample.counters = take_number_value(words, "counters", 1);
  sample.chain = chain;
  sample.chain_count = chain_text ? list_of(words, chain_text, chain, COUNT(chain)) : 0;
  struct recording_branch *branches = take_branches(words, &sample.branch_count);
  sample.branches = branches;
  take_pid(words, &place);
  sample.ip = take_number(words, "an address");
  sample.place = place;
  for (; times; times--, sample.place.time += place.time ? MICROSECOND : 0) {
    recording_sample(script->recording, &sample);
    if (sample.place.time)
      script->time = sample.place.time;
  }
  free(branches);
}

static void add_any(struct script *script, const struct recording_place *place,
                    struct script_words *words) {
  bool bare = take_flag(words, "bare");
  uint16_t misc = (uint16_t)take_number_value(words, "misc", 0);
  uint32_t type = (uint32_t)take_number(words, "a type");
  size_t size = 0;
  for (size_t i = words->next; i < words->count; i++)
    if (words->words[i])
      size = hex_of(words, take_word(words, "bytes"), script->bytes, BYTES);
  recording_any(script->recording, bare ? NULL : place, type, misc, script->bytes, size);
}

static bool happen_to_process(struct script *script, const char *command,
                              struct recording_place place, struct script_words *words) {
  struct recording *recording = script->recording;
  if (strcmp(command, "exec") == 0 || strcmp(command, "comm") == 0) {
    take_pid(words, &place);
    recording_comm(recording, &place, take_word(words, "a name"), command[0] == 'e');
  } else if (strcmp(command, "mmap") == 0) {
    add_map(script, place, words);
  } else if (strcmp(command, "fork") == 0) {
    bool synthesised = take_flag(words, "synthesised");
    int32_t parent = (int32_t)take_number(words, "a parent's PID");
    take_pid(words, &place);
    recording_fork(recording, &place, parent, synthesised);
  } else if (strcmp(command, "thread") == 0) {
    take_pid(words, &place);
    place.tid = (int32_t)take_number(words, "a thread's id");
    recording_fork(recording, &place, place.pid, false);
  } else if (strcmp(command, "exit") == 0) {
    take_pid(words, &place);
    recording_exit(recording, &place);
  } else {
    return false;
  }
  return true;
}

static bool happen(struct script *script, const char *command, struct script_words *words) {
  struct recording_place place = take_place(script, words);
  struct recording *recording = script->recording;
  if (happen_to_process(script, command, place, words))
    return true;
  if (strcmp(command, "sample") == 0)
    add_samples(script, place, words);
  else if (strcmp(command, "lost") == 0)
    recording_lost(recording, &place, take_number(words, "a count"));
  else if (strcmp(command, "lost-samples") == 0)
    recording_lost_samples(recording, &place, take_number(words, "a count"));
  else if (strcmp(command, "auxtrace") == 0)
    recording_auxtrace(recording, take_number(words, "a size"));
  else if (strcmp(command, "record") == 0)
    add_any(script, &place, words);
  else
    return false;
  return true;
}

// --- lines --------------------------------------------------------------------------------------

static void run_line(struct script *script, struct script_words *words) {
  const char *command = take_word(words, "a command");
  if (!set_form(script, command, words)) {
    open_recording(script);
    if (strcmp(command, "round") == 0)
      recording_round(script->recording);
    else if (!tell(script, command, words) && !happen(script, command, words))
      script_fail(words, "no such command", command);
  }
  expect_no_more(words);
}

static void split(char *line, struct script_words *words, size_t *room) {
  char *comment = strchr(line, '#');
  if (comment)
    *comment = '\0';
  words->count = words->next = 0;
  for (char *word; (word = strsep(&line, " \t\n"));) {
    if (!*word)
      continue;
    if (words->count == *room) {
      *room = 2 * *room + 16;
      words->words = contprof_need_array(words->words, *room, sizeof *words->words);
    }
    words->words[words->count++] = word;
  }
}

bool recording_script_run(const char *path, const char *out) {
  struct script *script = contprof_need(calloc(1, sizeof *script));
  struct script_words words = {.file = path};
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  char *line = NULL;
  size_t line_room = 0, word_room = 0;
  if (!file) {
    perror(path);
    free(script);
    return false;
  }
  script->out = out;
  while (getline(&line, &line_room, file) > 0) {
    words.line++;
    split(line, &words, &word_room);
    if (words.count)
      run_line(script, &words);
  }
  open_recording(script);
  recording_close(script->recording);
  fclose(file);
  for (size_t i = 0; i < script->event_count; i++)
    free(script->names[i]);
  free(words.words);
  free(line);
  free(script);
  return true;
}
