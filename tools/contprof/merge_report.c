#include "merge_report.h"

#include "../base/output_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(struct contprof_byte_writer *out, const char *text) {
  contprof_put_bytes(out, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void put_format(struct contprof_byte_writer *out,
                                                             const char *format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  put(out, text);
}

// --- strings (RFC 8259, 7) ----------------------------------------------------------------------

// Bytes of the UTF-8 character at `text`, which ends with NUL; 0 if it is none (RFC 3629, 4).
static size_t character_size(const unsigned char *text) {
  size_t size = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
  if (*text > 0xf4)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (*text == 0xe0 && text[1] < 0xa0) || (*text == 0xf0 && text[1] < 0x90);
  bool outside = (*text == 0xed && text[1] > 0x9f) || (*text == 0xf4 && text[1] > 0x8f);
  return overlong || outside ? 0 : size;
}

static void put_string(struct contprof_byte_writer *out, const char *string) {
  const unsigned char *at = (const unsigned char *)string;
  put(out, "\"");
  while (*at) {
    size_t size = character_size(at);
    if (!size)
      put(out, "\\ufffd");
    else if (*at == '"' || *at == '\\')
      put_format(out, "\\%c", *at);
    else if (*at < 0x20)
      put_format(out, "\\u%04x", *at);
    else
      contprof_put_bytes(out, at, size);
    at += size ? size : 1;
  }
  put(out, "\"");
}

// --- entries ------------------------------------------------------------------------------------

static const char BETWEEN[] = ",\n    ";

static void begin_entry(struct contprof_merge_journal *journal, const struct contprof_input *input,
                        bool merged) {
  struct contprof_byte_writer *out = &journal->text;
  put(out, out->size ? BETWEEN : "");
  put(out, "{\"path\": ");
  put_string(out, input->path);
  put_format(out, ", \"weight\": %" PRIu64 ", \"merged\": %s", input->weight,
             merged ? "true" : "false");
}

static void put_binary_id(struct contprof_byte_writer *out, const struct contprof_binary_id *id) {
  put(out, "\"");
  for (uint64_t i = 0; i < id->size; i++)
    put_format(out, "%02x", id->bytes[i]);
  put(out, "\"");
}

void contprof_journal_merged(struct contprof_merge_journal *journal,
                             const struct contprof_input *input,
                             const struct contprof_sum_report *report) {
  struct contprof_byte_writer *out = &journal->text;
  begin_entry(journal, input, true);
  put(out, ", \"build_ids\": [");
  for (size_t i = 0; i < report->binary_id_count; i++) {
    put(out, i ? ", " : "");
    put_binary_id(out, &report->binary_ids[i]);
  }
  put_format(out, "], \"functions\": %" PRIu64 ", \"functions_left_out\": %" PRIu64 "}",
             report->functions,
             report->functions_dropped + report->merge.functions_dropped +
                 report->merge.functions_wrapped);
  journal->merged++;
  journal->saturated += report->merge.functions_saturated;
}

void contprof_journal_skipped(struct contprof_merge_journal *journal,
                              const struct contprof_input *input,
                              const struct contprof_error *error) {
  struct contprof_byte_writer *out = &journal->text;
  begin_entry(journal, input, false);
  if (error->section) {
    put(out, ", \"section\": ");
    put_string(out, error->section);
  }
  if (error->offset != CONTPROF_NO_OFFSET)
    put_format(out, ", \"offset\": %" PRIu64, error->offset);
  put(out, ", \"reason\": ");
  put_string(out, error->message);
  put(out, "}");
  journal->skipped++;
}

void contprof_journal_append(struct contprof_merge_journal *journal,
                             const struct contprof_merge_journal *more) {
  if (journal->text.size && more->text.size)
    put(&journal->text, BETWEEN);
  contprof_put_bytes(&journal->text, more->text.bytes, more->text.size);
  journal->merged += more->merged;
  journal->skipped += more->skipped;
  journal->functions += more->functions;
  journal->saturated += more->saturated;
}

bool contprof_journal_write(struct contprof_merge_journal *journal, const char *path,
                            struct contprof_error *error) {
  struct contprof_byte_writer whole = {0};
  put(&whole, "{\"inputs\": [");
  if (journal->text.size)
    contprof_put_bytes(&whole, journal->text.bytes, journal->text.size);
  put_format(&whole, "],\n \"merged\": %" PRIu64 ", \"skipped\": %" PRIu64, journal->merged,
             journal->skipped);
  put_format(&whole, ", \"functions\": %" PRIu64 ", \"functions_saturated\": %" PRIu64 "}\n",
             journal->functions, journal->saturated);
  bool ok = contprof_output_write(path, whole.bytes, whole.size, error);
  contprof_byte_writer_free(&whole);
  return ok;
}

void contprof_journal_free(struct contprof_merge_journal *journal) {
  contprof_byte_writer_free(&journal->text);
  *journal = (struct contprof_merge_journal){0};
}
