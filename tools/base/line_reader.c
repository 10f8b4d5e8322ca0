#include "line_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Cuts the line at reader->next out.
static void take_line(struct contprof_line_reader *reader) {
  uint64_t left = reader->size - reader->next;
  reader->line = reader->text + reader->next;
  const char *end = memchr(reader->line, '\n', left);
  reader->length = end ? (size_t)(end - reader->line) : left;
  reader->next += reader->length + (end != NULL);
  reader->number++;
  if (reader->length && reader->line[reader->length - 1] == '\r')
    reader->length--;
}

void contprof_next_line(struct contprof_line_reader *reader) {
  while (reader->next < reader->size) {
    take_line(reader);
    if (reader->length && reader->line[0] != '#')
      return;
  }
  reader->line = NULL;
  reader->length = 0;
}

struct contprof_line_reader contprof_lines_over(const void *text, uint64_t size, const char *file,
                                                struct contprof_error *error) {
  struct contprof_line_reader reader = {.text = text, .size = size, .file = file, .error = error};
  contprof_next_line(&reader);
  return reader;
}

enum { SHOWN_BYTES = 80 }; // of a line, in a message

// The line's beginning as text of ASCII alone, in `to`: other bytes as \xNN, so that a file of
// another kind can do nothing to a terminal.
static const char *shown_line(const struct contprof_line_reader *reader,
                              char to[4 * SHOWN_BYTES + 1]) {
  char *end = to;
  *end = '\0';
  for (size_t i = 0; i < reader->length && i < SHOWN_BYTES; i++) {
    unsigned char byte = (unsigned char)reader->line[i];
    end += snprintf(end, 5, byte >= ' ' && byte <= '~' ? "%c" : "\\x%02x", byte);
  }
  return to;
}

bool contprof_line_is_not(struct contprof_line_reader *reader, const char *expected) {
  char line[4 * SHOWN_BYTES + 1];
  if (!reader->line)
    return contprof_fail(reader->error, CONTPROF_TRUNCATED, reader->file, NULL, reader->size,
                         "the text ends where %s should be", expected);
  return contprof_fail(reader->error, CONTPROF_CORRUPT, reader->file, NULL,
                       (uint64_t)(reader->line - reader->text),
                       "line %" PRIu64 ": expected %s, found '%s'", reader->number, expected,
                       shown_line(reader, line));
}

static unsigned digit_of(char character) {
  if (character >= '0' && character <= '9')
    return (unsigned)(character - '0');
  character |= 0x20;
  return character >= 'a' && character <= 'z' ? (unsigned)(character - 'a') + 10 : 255;
}

// The base that a prefix tells, and how long the prefix is.
static unsigned base_of(const char *text, size_t length, size_t *prefix) {
  char second = (char)(length > 1 ? text[1] | 0x20 : 0);
  *prefix = 2;
  if (length > 1 && text[0] == '0' && (second == 'x' || second == 'b' || second == 'o'))
    return second == 'x' ? 16 : second == 'b' ? 2 : 8;
  *prefix = 0;
  if (length < 2 || text[0] != '0' || digit_of(text[1]) > 9)
    return 10;
  *prefix = 1;
  return 8;
}

bool contprof_parse_number(const char *text, size_t length, unsigned base, uint64_t *number) {
  size_t at = 0;
  if (!base)
    base = base_of(text, length, &at);
  *number = 0;
  if (at == length)
    return false;
  for (; at < length; at++) {
    unsigned digit = digit_of(text[at]);
    if (digit >= base || __builtin_mul_overflow(*number, base, number) ||
        __builtin_add_overflow(*number, digit, number))
      return false;
  }
  return true;
}

// The digits at `text`, followed by a newline before `end`, at most 19 of them, which fit 64 bits.
// Returns what follows the newline, NULL if it is anything else.
static const char *take_plain_line(const char *text, const char *end, uint64_t *number) {
  const char *last = end - text > 20 ? text + 20 : end, *at = text;
  uint64_t value = 0;
  for (; at < last && (unsigned char)(*at - '0') < 10; at++)
    value = value * 10 + (unsigned char)(*at - '0');
  *number = value;
  return at > text && at < last && *at == '\n' ? at + 1 : NULL;
}

// Most lines of a large profile are plain numbers, one after another: there is no need to cut each
// line out first.
uint64_t contprof_take_numbers(struct contprof_line_reader *reader, uint64_t *into,
                               uint64_t count) {
  uint64_t taken = 0;
  while (taken < count && contprof_has_line(reader)) {
    const char *at = reader->line, *end = reader->text + reader->size, *next = at;
    uint64_t before = taken;
    while (taken < count && (next = take_plain_line(at, end, &into[taken]))) {
      taken++;
      at = next;
    }
    if (taken > before) { // the last line taken becomes the current one, to be left as always
      reader->next = (uint64_t)(at - reader->text);
      reader->number += taken - before - 1;
    } else if (!contprof_parse_number(reader->line, reader->length, 10, &into[taken++]))
      return taken - 1;
    contprof_next_line(reader);
  }
  return taken;
}

uint64_t contprof_take_number(struct contprof_line_reader *reader, unsigned base, uint64_t most,
                              const char *expected) {
  uint64_t number = 0;
  if (reader->error->code != CONTPROF_OK)
    return 0;
  if (!reader->line || !contprof_parse_number(reader->line, reader->length, base, &number) ||
      number > most) {
    contprof_line_is_not(reader, expected);
    return 0;
  }
  contprof_next_line(reader);
  return number;
}
