#include "json_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void contprof_put_text(struct contprof_byte_writer *writer, const char *text) {
  contprof_put_bytes(writer, text, strlen(text));
}

void contprof_put_format(struct contprof_byte_writer *writer, const char *format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  contprof_put_text(writer, text);
}

// Bytes of the UTF-8 character at `text`, of which `left` are there; 0 if it is none (RFC 3629, 4).
static size_t character_size(const unsigned char *text, size_t left) {
  size_t size = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
  if (*text > 0xf4 || size > left)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (*text == 0xe0 && text[1] < 0xa0) || (*text == 0xf0 && text[1] < 0x90);
  bool outside = (*text == 0xed && text[1] > 0x9f) || (*text == 0xf4 && text[1] > 0x8f);
  return overlong || outside ? 0 : size;
}

// The control characters that LLVM's writer has short escapes for are those that have a letter
// here.
static void put_control(struct contprof_byte_writer *writer, unsigned char character) {
  static const char LETTERS[0x20] = {['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r'};
  if (LETTERS[character])
    contprof_put_format(writer, "\\%c", LETTERS[character]);
  else
    contprof_put_format(writer, "\\u%04x", character);
}

void contprof_put_json_string(struct contprof_byte_writer *writer, const char *text,
                              size_t length) {
  const unsigned char *at = (const unsigned char *)text, *end = at + length;
  contprof_put_u8(writer, '"');
  while (at < end) {
    size_t size = character_size(at, (size_t)(end - at));
    if (!size)
      contprof_put_text(writer, "\\ufffd");
    else if (*at == '"' || *at == '\\')
      contprof_put_format(writer, "\\%c", *at);
    else if (*at < 0x20)
      put_control(writer, *at);
    else
      contprof_put_bytes(writer, at, size);
    at += size ? size : 1;
  }
  contprof_put_u8(writer, '"');
}
