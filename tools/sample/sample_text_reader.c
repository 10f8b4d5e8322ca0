#include "../base/line_reader.h"
#include "../base/memory.h"
#include "sample_builder.h"
#include "sample_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct text_reader {
  struct contprof_line_reader lines;
  struct contprof_sample_profile *profile;
  struct contprof_sample_builder builder;
  size_t metadata_depth;                 // of the last line, if it was one of metadata; 0 otherwise
  bool any_without;                      // a function without context has been read
  struct contprof_context_frame *frames; // of one context; owned
  size_t frame_room;
};

// A piece of the current line.
struct piece {
  const char *text;
  size_t length;
};

static struct piece up_to(const char *text, const char *end) {
  return (struct piece){text, (size_t)(end - text)};
}

static bool number_in(struct piece piece, uint64_t most, uint64_t *number) {
  return contprof_parse_number(piece.text, piece.length, 10, number) && *number <= most;
}

static bool wrong(struct text_reader *reader, const char *expected) {
  return contprof_line_is_not(&reader->lines, expected);
}

// --- a function's first line --------------------------------------------------------------------

// NAME:TOTAL:HEAD, split at the last two colons.
static bool split_head(struct piece line, struct piece *name, uint64_t *total, uint64_t *head) {
  const char *end = line.text + line.length;
  const char *second = memrchr(line.text, ':', line.length);
  if (!second || line.text[0] == ' ')
    return false;
  const char *first = memrchr(line.text, ':', (size_t)(second - line.text));
  if (!first)
    return false;
  *name = up_to(line.text, first);
  return number_in(up_to(first + 1, second), UINT64_MAX, total) &&
         number_in(up_to(second + 1, end), UINT64_MAX, head);
}

bool contprof_is_sample_text(const uint8_t *bytes, uint64_t size) {
  struct contprof_error error;
  struct piece name;
  uint64_t total, head;
  contprof_error_clear(&error);
  struct contprof_line_reader lines = contprof_lines_over(bytes, size, NULL, &error);
  return lines.line && split_head((struct piece){lines.line, lines.length}, &name, &total, &head);
}

// SampleContext::decodeContextString reads the line as an int and passes over what is none.
static uint32_t frame_number(struct piece piece, uint64_t most) {
  uint64_t number;
  bool minus = most == INT32_MAX && piece.length && piece.text[0] == '-';
  if (minus)
    piece = (struct piece){piece.text + 1, piece.length - 1};
  if (!number_in(piece, most, &number))
    return 0;
  return minus ? -(uint32_t)number : (uint32_t)number;
}

// NAME[:LINE[.DISCRIMINATOR]]
static struct contprof_context_frame frame_of(struct text_reader *reader, struct piece piece) {
  const char *end = piece.text + piece.length;
  const char *colon = memchr(piece.text, ':', piece.length);
  struct contprof_context_frame frame = {
      .name = contprof_sample_name_of(reader->profile, piece.text,
                                      colon ? (size_t)(colon - piece.text) : piece.length)};
  if (!colon)
    return frame;
  struct piece place = up_to(colon + 1, end);
  const char *stop = memchr(place.text, '.', place.length);
  frame.line.offset = frame_number(stop ? up_to(place.text, stop) : place, INT32_MAX);
  if (stop)
    frame.line.discriminator = frame_number(up_to(stop + 1, end), UINT32_MAX);
  return frame;
}

static void add_frame(struct text_reader *reader, size_t count, struct piece piece) {
  if (count == reader->frame_room) {
    reader->frame_room = count ? count * 2 : 16;
    reader->frames =
        contprof_need_array(reader->frames, reader->frame_room, sizeof *reader->frames);
  }
  reader->frames[count] = frame_of(reader, piece);
}

// Frames stand apart by " @ ". Returns how many there are, 0 if one has no name.
static size_t take_frames(struct text_reader *reader, struct piece context) {
  size_t count = 0;
  while (context.length) {
    const char *end = context.text + context.length;
    const char *at = memmem(context.text, context.length, " @ ", 3);
    add_frame(reader, count++, up_to(context.text, at ? at : end));
    if (!reader->frames[count - 1].name->length)
      return 0;
    context = at ? up_to(at + 3, end) : (struct piece){end, 0};
  }
  return count;
}

static struct contprof_function_samples *function_of(struct text_reader *reader,
                                                     struct piece name) {
  bool has_context = name.length && name.text[0] == '[';
  reader->profile->context_sensitive |= has_context;
  reader->any_without |= !has_context;
  if (!has_context)
    return contprof_samples_of(reader->profile,
                               contprof_sample_name_of(reader->profile, name.text, name.length));
  size_t count =
      name.length < 2 ? 0 : take_frames(reader, (struct piece){name.text + 1, name.length - 2});
  return count ? contprof_samples_of_context(reader->profile, reader->frames, count) : NULL;
}

static void add(struct text_reader *reader, uint64_t *into, uint64_t count) {
  *into = contprof_samples_add(*into, count, 1, &reader->profile->saturated);
}

static bool take_function(struct text_reader *reader, struct piece line) {
  struct piece name;
  uint64_t total, head;
  if (!split_head(line, &name, &total, &head))
    return wrong(reader, "NAME:TOTAL:HEAD");
  struct contprof_function_samples *function = function_of(reader, name);
  if (!function)
    return wrong(reader, "a context of functions with names");
  if (reader->profile->context_sensitive && reader->any_without)
    return wrong(reader, "contexts of all functions or of none");
  add(reader, &function->total, total);
  add(reader, &function->head, head);
  contprof_builder_top(&reader->builder, function);
  reader->metadata_depth = 0;
  return true;
}

// --- lines below it -----------------------------------------------------------------------------

// "LINE[.DISCRIMINATOR]", and what follows the colon and one character after that. Of line offsets
// above 65535 LLVM reads those with a discriminator here, but not when it has written them in
// binary.
static bool split_place(struct piece line, struct contprof_sample_line *place, struct piece *rest) {
  uint64_t offset, discriminator = 0;
  const char *end = line.text + line.length;
  const char *colon = memchr(line.text, ':', line.length);
  if (!colon || end - colon < 3)
    return false;
  const char *stop = memchr(line.text, '.', (size_t)(colon - line.text));
  if (!number_in(up_to(line.text, stop ? stop : colon), UINT16_MAX, &offset))
    return false;
  if (stop && !number_in(up_to(stop + 1, colon), UINT32_MAX, &discriminator))
    return false;
  *place = (struct contprof_sample_line){(uint32_t)offset, (uint32_t)discriminator};
  *rest = up_to(colon + 2, end);
  return true;
}

// The first target of `rest`, NAME:COUNT up to a space or the end: as names may have colons and
// spaces, the first colon that a count follows ends the name.
static bool take_target(struct text_reader *reader, struct piece *rest) {
  const char *end = rest->text + rest->length, *from = rest->text, *colon;
  while ((colon = memchr(from, ':', (size_t)(end - from))) && colon > rest->text) {
    const char *space = memchr(colon, ' ', (size_t)(end - colon));
    uint64_t count;
    if (!number_in(up_to(colon + 1, space ? space : end), UINT64_MAX, &count)) {
      from = colon + 1;
      continue;
    }
    contprof_builder_target(
        &reader->builder,
        contprof_sample_name_of(reader->profile, rest->text, (size_t)(colon - rest->text)), count);
    *rest = up_to(space ? space : end, end);
    return true;
  }
  return false;
}

static bool take_body(struct text_reader *reader, struct contprof_sample_line place,
                      struct piece rest) {
  uint64_t count;
  const char *end = rest.text + rest.length, *space = memchr(rest.text, ' ', rest.length);
  if (!number_in(up_to(rest.text, space ? space : end), UINT64_MAX, &count))
    return false;
  rest = up_to(space ? space : end, end);
  while (rest.length) {
    while (rest.length && rest.text[0] == ' ')
      rest = (struct piece){rest.text + 1, rest.length - 1};
    if (!take_target(reader, &rest))
      return false;
  }
  contprof_builder_body(&reader->builder, place, count);
  return true;
}

static bool take_inlined(struct text_reader *reader, struct contprof_sample_line place,
                         struct piece rest) {
  uint64_t total;
  const char *end = rest.text + rest.length, *colon = memrchr(rest.text, ':', rest.length);
  if (!colon || !number_in(up_to(colon + 1, end), UINT64_MAX, &total))
    return wrong(reader, "LINE: COUNT TARGET:COUNT... or LINE: FUNCTION:TOTAL");
  struct contprof_function_samples *inlined = contprof_builder_inlined(
      &reader->builder, place,
      contprof_sample_name_of(reader->profile, rest.text, (size_t)(colon - rest.text)));
  if (!inlined)
    return wrong(reader, "fewer functions inlined into one another");
  inlined->total = total;
  reader->metadata_depth = 0;
  return true;
}

static bool take_value(struct piece line, const char *key, uint64_t most, uint64_t *value) {
  size_t length = strlen(key);
  if (line.length < length || memcmp(line.text, key, length) != 0)
    return false;
  const char *from = line.text + length, *end = line.text + line.length;
  while (from < end && (*from == ' ' || *from == '\t'))
    from++;
  while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  return number_in(up_to(from, end), most, value);
}

// Each of the two lines sets the attributes, one of them to none.
static bool take_metadata(struct text_reader *reader, struct piece line, size_t depth) {
  uint64_t hash = 0, attributes = 0;
  if (!take_value(line, "!CFGChecksum:", UINT64_MAX, &hash) &&
      !take_value(line, "!Attributes:", UINT32_MAX, &attributes))
    return wrong(reader, "!CFGChecksum: NUMBER or !Attributes: NUMBER");
  struct contprof_function_samples *function = contprof_builder_innermost(&reader->builder);
  if (hash) {
    function->cfg_hash = hash;
    reader->profile->probe_based |= depth == 1;
  }
  function->attributes = (uint32_t)attributes;
  reader->profile->preinlined |= attributes & CONTPROF_CONTEXT_SHOULD_BE_INLINED;
  reader->metadata_depth = depth;
  return true;
}

static bool take_line(struct text_reader *reader, struct piece line, size_t depth) {
  struct contprof_sample_line place;
  struct piece rest;
  bool is_metadata = line.text[0] == '!';
  if (!reader->builder.open)
    return wrong(reader, "a function's first line");
  if (!is_metadata && depth == reader->metadata_depth)
    return wrong(reader, "no samples behind metadata");
  if (depth < reader->builder.open)
    contprof_builder_close(&reader->builder, depth);
  if (is_metadata)
    return take_metadata(reader, line, depth);
  if (!split_place(line, &place, &rest))
    return wrong(reader, "LINE: COUNT TARGET:COUNT... or LINE: FUNCTION:TOTAL");
  if (rest.text[0] < '0' || rest.text[0] > '9')
    return take_inlined(reader, place, rest);
  return take_body(reader, place, rest) || wrong(reader, "LINE: COUNT TARGET:COUNT...");
}

static void read_lines(struct text_reader *reader) {
  while (contprof_has_line(&reader->lines)) {
    struct piece line = {reader->lines.line, reader->lines.length};
    size_t depth = 0;
    while (depth < line.length && line.text[depth] == ' ')
      depth++;
    struct piece told = {line.text + depth, line.length - depth};
    bool tells = told.length && told.text[0] != '#';
    if (tells && !(depth ? take_line(reader, told, depth) : take_function(reader, line)))
      return;
    contprof_next_line(&reader->lines);
  }
}

bool contprof_sample_text_read(const uint8_t *bytes, uint64_t size, const char *file,
                               struct contprof_sample_profile *profile,
                               struct contprof_error *error) {
  struct text_reader reader = {.lines = contprof_lines_over(bytes, size, file, error),
                               .profile = profile,
                               .builder = contprof_builder_for(profile)};
  reader.builder.last_target_counts = true;
  read_lines(&reader);
  contprof_builder_finish(&reader.builder);
  free(reader.frames);
  return error->code == CONTPROF_OK;
}
