#include "line_reader.h"

#include <inttypes.h>
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

bool contprof_line_is_not(struct contprof_line_reader *reader, const char *expected) {
  if (!reader->line)
    return contprof_fail(reader->error, CONTPROF_TRUNCATED, reader->file, NULL, reader->size,
                         "the text ends where %s should be", expected);
  return contprof_fail(reader->error, CONTPROF_CORRUPT, reader->file, NULL,
                       (uint64_t)(reader->line - reader->text),
                       "line %" PRIu64 ": expected %s, found '%.*s'", reader->number, expected,
                       (int)(reader->length < 80 ? reader->length : 80), reader->line);
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
