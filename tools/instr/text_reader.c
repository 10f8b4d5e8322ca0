#include "text_reader.h"
#include "../base/memory.h"

#include "../base/line_reader.h"
#include "../base/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A growing array of numbers, emptied and used again for each function.
struct numbers {
  uint64_t *items; // owned
  size_t count;
  size_t room; // allocated entries of `items`
};

// What the current function has, before it is known how much of it there is.
struct text_reader {
  struct contprof_line_reader lines;
  struct contprof_profile *profile;               // where functions go; not owned
  struct contprof_profile repeated;               // functions whose name and hash came before
  struct contprof_function function;              // name, hash and the numbers of all parts
  struct numbers counters;                        // in order
  struct numbers bitmap;                          // bytes
  struct numbers values[CONTPROF_VALUE_KINDS];    // value, count, value, count... of all sites
  struct numbers site_ends[CONTPROF_VALUE_KINDS]; // numbers of `values` up to the site's end
};

static void reserve(struct numbers *numbers, size_t more) {
  if (numbers->room - numbers->count >= more)
    return;
  numbers->room = numbers->room * 2 + more;
  numbers->items = contprof_need_array(numbers->items, numbers->room, sizeof *numbers->items);
}

static void append(struct numbers *numbers, uint64_t number) {
  reserve(numbers, 1);
  numbers->items[numbers->count++] = number;
}

// perf's recordings begin with eight letters. To LLVM they are text, and bad.
static bool is_recording(const struct contprof_file_view *file) {
  return file->size >= 8 && memcmp(file->bytes, "PERFILE2", 8) == 0;
}

bool contprof_is_text(const struct contprof_file_view *file) {
  for (uint64_t i = 0; i < file->size && i < 8; i++)
    if (!isprint(file->bytes[i]) && !isspace(file->bytes[i]))
      return false;
  return !is_recording(file);
}

// --- header -------------------------------------------------------------------------------------

static bool apply_flag(const char *flag, size_t length, uint64_t *variant) {
  static const struct {
    const char *name;
    uint64_t set, clear;
  } FLAGS[] = {
      {"ir", CONTPROF_VARIANT_IR, 0},
      {"fe", 0, 0},
      {"csir", CONTPROF_VARIANT_IR | CONTPROF_VARIANT_CS, 0},
      {"entry_first", CONTPROF_VARIANT_ENTRY_FIRST, 0},
      {"not_entry_first", 0, CONTPROF_VARIANT_ENTRY_FIRST},
      {"single_byte_coverage", CONTPROF_VARIANT_BYTE_COVERAGE, 0},
  };
  for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++)
    if (strlen(FLAGS[i].name) == length && strncasecmp(FLAGS[i].name, flag, length) == 0) {
      *variant = (*variant | FLAGS[i].set) & ~FLAGS[i].clear;
      return true;
    }
  return false;
}

// "NAME,NAME," with blanks allowed around the names.
static void take_trace(struct text_reader *reader, uint64_t weight) {
  const char *text = reader->lines.line, *end = text + reader->lines.length;
  reader->counters.count = 0;
  while (text < end) {
    const char *comma = memchr(text, ',', (size_t)(end - text)), *stop = comma ? comma : end;
    const char *start = text, *last = stop;
    text = comma ? comma + 1 : end;
    if (start == last)
      continue;
    while (start < last && isspace((unsigned char)*start))
      start++;
    while (start < last && isspace((unsigned char)last[-1]))
      last--;
    append(&reader->counters, contprof_name_ref(start, (size_t)(last - start)));
  }
  contprof_profile_add_trace(reader->profile, weight, reader->counters.items,
                             reader->counters.count);
}

static bool take_traces(struct text_reader *reader) {
  struct contprof_line_reader *lines = &reader->lines;
  contprof_next_line(lines);
  uint64_t count = contprof_take_number(lines, 0, UINT32_MAX, "the number of traces");
  uint64_t stream =
      contprof_take_number(lines, 0, UINT64_MAX, "how many traces those are a sample of");
  reader->profile->trace_stream =
      stream < CONTPROF_TRACE_STREAM_MAX ? stream : CONTPROF_TRACE_STREAM_MAX;
  for (; count && lines->error->code == CONTPROF_OK; count--) {
    uint64_t weight = contprof_take_number(lines, 0, UINT64_MAX, "a trace's weight");
    if (lines->error->code == CONTPROF_OK && !lines->line)
      return contprof_line_is_not(lines, "a trace's functions");
    if (lines->error->code != CONTPROF_OK)
      return false;
    take_trace(reader, weight);
    contprof_next_line(lines);
  }
  reader->profile->variant |= CONTPROF_VARIANT_TEMPORAL;
  return lines->error->code == CONTPROF_OK;
}

static bool is_traces(const struct contprof_line_reader *lines) {
  static const char traces[] = ":temporal_prof_traces";
  return lines->length == strlen(traces) && strncasecmp(lines->line, traces, lines->length) == 0;
}

static bool take_flags(struct text_reader *reader) {
  struct contprof_line_reader *lines = &reader->lines;
  while (contprof_has_line(lines) && lines->line[0] == ':') {
    if (is_traces(lines)) {
      if (!take_traces(reader))
        return false;
      continue;
    }
    if (!apply_flag(lines->line + 1, lines->length - 1, &reader->profile->variant))
      return contprof_line_is_not(lines, "a profile's kind (:ir, :fe, :csir, :entry_first, "
                                         ":not_entry_first, :single_byte_coverage or "
                                         ":temporal_prof_traces)");
    contprof_next_line(lines);
  }
  return lines->error->code == CONTPROF_OK;
}

// --- a function's parts -------------------------------------------------------------------------

static bool take_head(struct text_reader *reader) {
  struct contprof_line_reader *lines = &reader->lines;
  if (memchr(lines->line, 0, lines->length))
    return contprof_line_is_not(lines, "a function's name");
  reader->function = (struct contprof_function){
      .name = lines->line,
      .name_length = lines->length,
      .name_ref = contprof_name_ref(lines->line, lines->length),
  };
  contprof_next_line(lines);
  reader->function.hash = contprof_take_number(lines, 0, UINT64_MAX, "the function's hash");
  return lines->error->code == CONTPROF_OK;
}

enum { STEP = 1024 }; // counts; a false number of them asks for little more memory than they take

static bool take_counts(struct text_reader *reader, uint64_t count) {
  struct contprof_line_reader *lines = &reader->lines;
  reader->counters.count = 0;
  while (count) {
    uint64_t wanted = count < STEP ? count : STEP;
    reserve(&reader->counters, wanted);
    uint64_t *end = reader->counters.items + reader->counters.count;
    uint64_t taken = contprof_take_numbers(lines, end, wanted);
    reader->counters.count += taken;
    if (taken < wanted)
      return contprof_line_is_not(lines, "a count");
    count -= taken;
  }
  return true;
}

static bool take_counters(struct text_reader *reader) {
  struct contprof_line_reader *lines = &reader->lines;
  struct contprof_line_reader before = *lines;
  uint64_t count = contprof_take_number(lines, 10, UINT32_MAX, "the number of counters");
  if (lines->error->code == CONTPROF_OK && !count)
    return contprof_line_is_not(&before, "at least one counter");
  reader->function.counter_count = (uint32_t)count;
  return lines->error->code == CONTPROF_OK && take_counts(reader, count);
}

// "$SIZE", with blanks allowed around the number.
static bool take_bitmap_size(struct contprof_line_reader *lines, uint64_t *size) {
  const char *text = lines->line + 1;
  size_t length = lines->length - 1;
  for (; length && isspace((unsigned char)*text); length--)
    text++;
  while (length && isspace((unsigned char)text[length - 1]))
    length--;
  if (!contprof_parse_number(text, length, 0, size) || *size > UINT32_MAX)
    return contprof_line_is_not(lines, "the number of bitmap bytes");
  contprof_next_line(lines);
  return true;
}

static bool take_bitmap(struct text_reader *reader) {
  struct contprof_line_reader *lines = &reader->lines;
  uint64_t size;
  reader->bitmap.count = 0;
  if (!contprof_has_line(lines) || lines->line[0] != '$')
    return true;
  if (!take_bitmap_size(lines, &size))
    return false;
  for (uint64_t i = 0; i < size && lines->error->code == CONTPROF_OK; i++)
    append(&reader->bitmap, contprof_take_number(lines, 0, UINT8_MAX, "a byte of the bitmap"));
  reader->function.bitmap_size = (uint32_t)size;
  return lines->error->code == CONTPROF_OK;
}

// --- values -------------------------------------------------------------------------------------

// The number by which a profile means the text before a value's last colon.
static bool value_of(unsigned kind, const char *text, size_t length, uint64_t *value) {
  if (kind == CONTPROF_MEMOP_SIZES)
    return contprof_parse_number(text, length, 10, value);
  bool external =
      length == strlen(CONTPROF_TEXT_EXTERNAL) && memcmp(text, CONTPROF_TEXT_EXTERNAL, length) == 0;
  *value = external ? 0 : contprof_name_ref(text, length);
  return length > 0;
}

static void note_name(struct contprof_name_table *names, uint64_t ref, const char *text,
                      size_t length) {
  struct contprof_name name = {.ref = ref, .text = text, .length = length};
  if (ref && length)
    contprof_name_table_add(names, &name);
}

static bool take_value(struct text_reader *reader, unsigned kind) {
  struct contprof_line_reader *lines = &reader->lines;
  struct numbers *values = &reader->values[kind];
  const char *colon = lines->line ? memrchr(lines->line, ':', lines->length) : NULL;
  uint64_t value, count;
  if (!colon || !value_of(kind, lines->line, (size_t)(colon - lines->line), &value) ||
      !contprof_parse_number(colon + 1, lines->length - (size_t)(colon + 1 - lines->line), 10,
                             &count))
    return contprof_line_is_not(lines, kind == CONTPROF_MEMOP_SIZES ? "SIZE:COUNT" : "NAME:COUNT");
  append(values, value);
  append(values, count);
  if (kind != CONTPROF_MEMOP_SIZES)
    note_name(kind == CONTPROF_VTABLES ? &reader->profile->vtables : &reader->profile->targets,
              value, lines->line, (size_t)(colon - lines->line));
  contprof_next_line(lines);
  return true;
}

static bool take_site(struct text_reader *reader, unsigned kind) {
  struct contprof_line_reader *lines = &reader->lines;
  uint64_t count = contprof_take_number(lines, 10, UINT32_MAX, "a value site's number of values");
  for (uint64_t i = 0; i < count; i++)
    if (!take_value(reader, kind))
      return false;
  append(&reader->site_ends[kind], reader->values[kind].count);
  return lines->error->code == CONTPROF_OK;
}

static bool take_kind(struct text_reader *reader) {
  struct contprof_line_reader *lines = &reader->lines;
  struct contprof_line_reader before = *lines;
  uint64_t kind = contprof_take_number(lines, 10, CONTPROF_VALUE_KINDS - 1, "a value kind");
  if (lines->error->code != CONTPROF_OK)
    return false;
  if (reader->function.site_count[kind])
    return contprof_line_is_not(&before, "a value kind that the function does not have yet");
  uint64_t sites = contprof_take_number(lines, 10, UINT32_MAX, "the number of value sites");
  for (uint64_t i = 0; i < sites && lines->error->code == CONTPROF_OK; i++)
    if (!take_site(reader, (unsigned)kind))
      return false;
  reader->function.site_count[kind] = (uint32_t)sites;
  return lines->error->code == CONTPROF_OK;
}

// A number where the next function's name could be is the number of kinds.
static bool take_values(struct text_reader *reader) {
  struct contprof_line_reader *lines = &reader->lines;
  uint64_t kinds;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    reader->values[kind].count = reader->site_ends[kind].count = 0;
  if (!contprof_has_line(lines) || !contprof_parse_number(lines->line, lines->length, 10, &kinds) ||
      kinds > UINT32_MAX)
    return lines->error->code == CONTPROF_OK;
  if (!kinds || kinds > CONTPROF_VALUE_KINDS)
    return contprof_line_is_not(lines, "the number of value kinds, 1 to 3");
  contprof_next_line(lines);
  while (kinds--)
    if (!take_kind(reader))
      return false;
  return true;
}

// --- functions ----------------------------------------------------------------------------------

static void fill_sites(const struct text_reader *reader, unsigned kind,
                       struct contprof_profile *owner, struct contprof_function *function) {
  const struct numbers *ends = &reader->site_ends[kind];
  struct contprof_value *values = (struct contprof_value *)reader->values[kind].items;
  uint64_t start = 0;
  for (uint32_t i = 0; i < function->site_count[kind]; i++) {
    contprof_profile_set_site(owner, &function->sites[kind][i], values ? values + start / 2 : NULL,
                              (uint32_t)((ends->items[i] - start) / 2));
    start = ends->items[i];
  }
}
_Static_assert(sizeof(struct contprof_value) == 2 * sizeof(uint64_t), "pairs of numbers");

static void fill(const struct text_reader *reader, struct contprof_profile *owner,
                 struct contprof_function *function) {
  memcpy(function->counters, reader->counters.items,
         function->counter_count * sizeof *function->counters);
  for (uint32_t i = 0; i < function->bitmap_size; i++)
    function->bitmap[i] = (uint8_t)reader->bitmap.items[i];
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    fill_sites(reader, kind, owner, function);
}

static void add_function(struct text_reader *reader) {
  struct contprof_merge_report report = {0};
  bool again = contprof_profile_find_like(reader->profile, &reader->function) != NULL;
  struct contprof_profile *owner = again ? &reader->repeated : reader->profile;
  struct contprof_function *function = contprof_profile_add_like(owner, &reader->function);
  fill(reader, owner, function);
  if (function->bitmap_size)
    reader->profile->bitmap_version =
        12; // the text does not tell; LLVM 19 is the first to write it
  if (!again)
    return;
  if (!contprof_profile_merge_function(reader->profile, function, 1, &report))
    contprof_profile_note_dropped(reader->profile, function->name, function->name_length);
}

// No function looks back at the lines of those before it.
static bool take_all(struct text_reader *reader, const struct contprof_file_view *file) {
  uint64_t forgotten = 0;
  if (!take_flags(reader))
    return false;
  while (contprof_has_line(&reader->lines)) {
    if (!take_head(reader) || !take_counters(reader) || !take_bitmap(reader) ||
        !take_values(reader))
      return false;
    add_function(reader);
    if (reader->lines.line)
      contprof_file_forget(file, (uint64_t)((const uint8_t *)reader->lines.line - file->bytes),
                           &forgotten);
  }
  return true;
}

bool contprof_text_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                        struct contprof_error *error) {
  struct text_reader reader = {.profile = profile};
  profile->format = CONTPROF_FORMAT_TEXT;
  profile->version = 0;
  reader.lines = contprof_lines_over(file->bytes, file->size, file->path, error);
  bool ok = take_all(&reader, file);
  free(reader.counters.items);
  free(reader.bitmap.items);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
    free(reader.values[kind].items);
    free(reader.site_ends[kind].items);
  }
  contprof_profile_free(&reader.repeated);
  if (!ok)
    contprof_profile_free(profile);
  return ok;
}
