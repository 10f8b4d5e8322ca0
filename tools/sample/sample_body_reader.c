#include "sample_body_reader.h"

#include "../base/memory.h"
#include "sample_index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct contprof_body_reader contprof_body_reader_for(struct contprof_sample_profile *profile) {
  return (struct contprof_body_reader){.profile = profile,
                                       .builder = contprof_builder_for(profile)};
}

void contprof_body_reader_free(struct contprof_body_reader *reader) {
  contprof_builder_finish(&reader->builder);
  free(reader->names);
  free(reader->places);
  free(reader->contexts);
  free(reader->frames);
}

// A number of things, which are of at least `least` bytes each.
static uint64_t take_count(struct contprof_cursor *file, size_t least, const char *what) {
  uint64_t count = contprof_take_uleb128(file);
  if (contprof_cursor_ok(file) && count > contprof_cursor_left(file) / least) {
    contprof_cursor_corrupt(file, "%" PRIu64 " %s are more than there is room for", count, what);
    return 0;
  }
  return contprof_cursor_ok(file) ? count : 0;
}

bool contprof_take_sample_summary(struct contprof_cursor *file) {
  for (int i = 0; i < 5; i++) // total, maximum, maximum of heads, how many counts, functions
    contprof_take_uleb128(file);
  uint64_t count = take_count(file, 3, "entries");
  for (uint64_t i = 0; i < count * 3 && contprof_cursor_ok(file); i++)
    contprof_take_uleb128(file);
  return contprof_cursor_ok(file);
}

// --- names --------------------------------------------------------------------------------------

static const struct contprof_sample_name *take_text(struct contprof_body_reader *reader,
                                                    struct contprof_cursor *file) {
  uint64_t left = contprof_cursor_left(file);
  const uint8_t *text = contprof_take_bytes(file, 0);
  const uint8_t *end = text ? memchr(text, 0, left) : NULL;
  if (!end) {
    contprof_cursor_corrupt(file, "a name has no end");
    return NULL;
  }
  contprof_skip(file, (uint64_t)(end - text) + 1);
  return contprof_sample_name_of(reader->profile, (const char *)text, (size_t)(end - text));
}

// LLVM's tables of hashes keep 0 and the two largest numbers for themselves.
static const struct contprof_sample_name *take_hash(struct contprof_body_reader *reader,
                                                    struct contprof_cursor *file,
                                                    enum contprof_name_form form) {
  uint64_t hash = form == CONTPROF_NAMES_AS_FIXED_HASHES ? contprof_take_u64(file)
                                                         : contprof_take_uleb128(file);
  if (contprof_cursor_ok(file) && (hash == 0 || hash >= UINT64_MAX - 1))
    contprof_cursor_corrupt(file, "%" PRIu64 " is no hash of a name", hash);
  return contprof_cursor_ok(file) ? contprof_sample_name_of_hash(reader->profile, hash) : NULL;
}

// A name that is there twice would be no harm, but in a section that inflates there could be any
// number of them. `places` has a place in the table by a name's index in the profile.
static bool add_name(struct contprof_body_reader *reader, struct contprof_cursor *file,
                     const struct contprof_sample_name *name) {
  if (name->index >= reader->place_room) {
    size_t room = (name->index + (size_t)1) * 2;
    reader->places = contprof_need_array(reader->places, room, sizeof *reader->places);
    memset(reader->places + reader->place_room, 0xff,
           (room - reader->place_room) * sizeof *reader->places);
    reader->place_room = room;
  }
  size_t *place = &reader->places[name->index];
  if (*place < reader->name_count && reader->names[*place] == name)
    return contprof_cursor_corrupt(file, "name %zu is there again", *place);
  *place = reader->name_count;
  if ((reader->name_count & (reader->name_count - 1)) == 0)
    reader->names =
        contprof_need_array(reader->names, reader->name_count * 2 + 1, sizeof *reader->names);
  reader->names[reader->name_count++] = name;
  return true;
}

bool contprof_take_name_table(struct contprof_body_reader *reader, struct contprof_cursor *file,
                              enum contprof_name_form form) {
  file->section = "name table";
  uint64_t count =
      take_count(file, form == CONTPROF_NAMES_AS_FIXED_HASHES ? sizeof(uint64_t) : 1, "names");
  free(reader->names);
  reader->names = NULL;
  reader->name_count = 0;
  while (contprof_cursor_ok(file) && reader->name_count < count) {
    const struct contprof_sample_name *name =
        form == CONTPROF_NAMES_AS_TEXT ? take_text(reader, file) : take_hash(reader, file, form);
    if (!name || !add_name(reader, file, name))
      return false;
  }
  return contprof_cursor_ok(file);
}

const struct contprof_sample_name *contprof_take_name(const struct contprof_body_reader *reader,
                                                      struct contprof_cursor *file) {
  uint64_t index = contprof_take_uleb128(file);
  if (!contprof_cursor_ok(file))
    return NULL;
  if (index < reader->name_count)
    return reader->names[index];
  contprof_cursor_corrupt(file, "there is no name %" PRIu64 ", only %zu", index,
                          reader->name_count);
  return NULL;
}

// --- contexts -----------------------------------------------------------------------------------

struct contprof_sample_line contprof_take_line(struct contprof_cursor *file) {
  uint64_t offset = contprof_take_uleb128(file), discriminator = contprof_take_uleb128(file);
  if (contprof_cursor_ok(file) && (offset > UINT32_MAX || discriminator > UINT32_MAX))
    contprof_cursor_corrupt(file, "%" PRIu64 ".%" PRIu64 " is no line", offset, discriminator);
  return (struct contprof_sample_line){(uint32_t)offset, (uint32_t)discriminator};
}

static void take_frames(struct contprof_body_reader *reader, struct contprof_cursor *file,
                        struct contprof_context_row *row, size_t *room) {
  row->count = take_count(file, 3, "frames");
  if (contprof_cursor_ok(file) && !row->count)
    contprof_cursor_corrupt(file, "a context without frames");
  while (*room < row->first + row->count) {
    *room = *room ? *room * 2 : 64;
    reader->frames = contprof_need_array(reader->frames, *room, sizeof *reader->frames);
  }
  for (size_t i = 0; i < row->count && contprof_cursor_ok(file); i++) {
    struct contprof_context_frame *frame = &reader->frames[row->first + i];
    frame->name = contprof_take_name(reader, file);
    frame->line = contprof_take_line(file);
  }
}

bool contprof_take_context_table(struct contprof_body_reader *reader,
                                 struct contprof_cursor *file) {
  size_t room = 0, used = 0;
  uint64_t count = take_count(file, 4, "contexts");
  free(reader->frames);
  reader->frames = NULL;
  reader->contexts = contprof_need_array(reader->contexts, count + 1, sizeof *reader->contexts);
  reader->context_count = 0;
  while (contprof_cursor_ok(file) && reader->context_count < count) {
    struct contprof_context_row *row = &reader->contexts[reader->context_count++];
    *row = (struct contprof_context_row){.first = used};
    take_frames(reader, file, row, &room);
    used += row->count;
  }
  return contprof_cursor_ok(file);
}

// --- functions ----------------------------------------------------------------------------------

static bool take_context(const struct contprof_body_reader *reader, struct contprof_cursor *file,
                         bool make, struct contprof_function_samples **function) {
  uint64_t index = contprof_take_uleb128(file);
  if (!contprof_cursor_ok(file))
    return false;
  if (index >= reader->context_count)
    return contprof_cursor_corrupt(file, "there is no context %" PRIu64 ", only %zu", index,
                                   reader->context_count);
  const struct contprof_context_row *row = &reader->contexts[index];
  const struct contprof_context_frame *frames = &reader->frames[row->first];
  *function = make ? contprof_samples_of_context(reader->profile, frames, row->count)
                   : contprof_sample_index_find(reader->profile, frames[row->count - 1].name,
                                                frames, row->count);
  return true;
}

bool contprof_take_function_key(const struct contprof_body_reader *reader,
                                struct contprof_cursor *file, bool make,
                                struct contprof_function_samples **function) {
  *function = NULL;
  if (reader->profile->context_sensitive)
    return take_context(reader, file, make, function);
  const struct contprof_sample_name *name = contprof_take_name(reader, file);
  if (!name)
    return false;
  *function = make ? contprof_samples_of(reader->profile, name)
                   : contprof_sample_index_find(reader->profile, name, NULL, 0);
  return true;
}

static void take_body(struct contprof_body_reader *reader, struct contprof_cursor *file) {
  struct contprof_sample_line line = contprof_take_line(file);
  if (contprof_cursor_ok(file) && line.offset > UINT16_MAX)
    contprof_cursor_corrupt(file, "line offset %" PRIu32 " is above 65535", line.offset);
  uint64_t count = contprof_take_uleb128(file), targets = take_count(file, 2, "call targets");
  for (uint64_t i = 0; i < targets && contprof_cursor_ok(file); i++) {
    const struct contprof_sample_name *name = contprof_take_name(reader, file);
    uint64_t calls = contprof_take_uleb128(file);
    if (contprof_cursor_ok(file))
      contprof_builder_target(&reader->builder, name, calls);
  }
  if (contprof_cursor_ok(file))
    contprof_builder_body(&reader->builder, line, count);
}

// How many inlined functions each open function still has to come: no recursion, which a file could
// make deep.
struct pending {
  uint64_t left[CONTPROF_INLINE_DEPTH];
};

// Total, bodies and the number of inlined functions of the innermost open function.
static void take_samples(struct contprof_body_reader *reader, struct contprof_cursor *file,
                         struct contprof_function_samples *function, struct pending *pending) {
  function->total = contprof_samples_add(function->total, contprof_take_uleb128(file), 1,
                                         &reader->profile->saturated);
  uint64_t bodies = take_count(file, 4, "body samples");
  for (uint64_t i = 0; i < bodies && contprof_cursor_ok(file); i++)
    take_body(reader, file);
  pending->left[reader->builder.open - 1] = take_count(file, 6, "inlined functions");
}

static void take_inlined(struct contprof_body_reader *reader, struct contprof_cursor *file,
                         struct pending *pending) {
  struct contprof_sample_line line = contprof_take_line(file);
  const struct contprof_sample_name *name = contprof_take_name(reader, file);
  if (!contprof_cursor_ok(file))
    return;
  struct contprof_function_samples *inlined =
      contprof_builder_inlined(&reader->builder, line, name);
  if (inlined)
    take_samples(reader, file, inlined, pending);
  else
    contprof_cursor_corrupt(file, "more than %d functions inlined into one another",
                            CONTPROF_INLINE_DEPTH);
}

static void take_function(struct contprof_body_reader *reader, struct contprof_cursor *file,
                          struct pending *pending) {
  struct contprof_function_samples *function;
  uint64_t head = contprof_take_uleb128(file);
  if (!contprof_cursor_ok(file) || !contprof_take_function_key(reader, file, true, &function))
    return;
  function->head = contprof_samples_add(function->head, head, 1, &reader->profile->saturated);
  contprof_builder_top(&reader->builder, function);
  take_samples(reader, file, function, pending);
  while (reader->builder.open && contprof_cursor_ok(file)) {
    uint64_t *left = &pending->left[reader->builder.open - 1];
    if (!*left) {
      contprof_builder_close(&reader->builder, reader->builder.open - 1);
      continue;
    }
    --*left;
    take_inlined(reader, file, pending);
  }
}

bool contprof_take_functions(struct contprof_body_reader *reader, struct contprof_cursor *file) {
  struct pending pending;
  while (contprof_cursor_ok(file) && contprof_cursor_left(file))
    take_function(reader, file, &pending);
  contprof_builder_close(&reader->builder, 0);
  return contprof_cursor_ok(file);
}
