#include "merge_report.h"

#include "../base/json_text.h"
#include "../base/output_file.h"

#include <inttypes.h>
#include <string.h>

static const char BETWEEN[] = ",\n    ";

static void begin_entry(struct contprof_merge_journal *journal, const struct contprof_input *input,
                        bool merged) {
  struct contprof_byte_writer *out = &journal->text;
  contprof_put_text(out, out->size ? BETWEEN : "");
  contprof_put_text(out, "{\"path\": ");
  contprof_put_json_string(out, input->path, strlen(input->path));
  contprof_put_format(out, ", \"weight\": %" PRIu64 ", \"merged\": %s", input->weight,
                      merged ? "true" : "false");
}

static void put_binary_id(struct contprof_byte_writer *out, const struct contprof_binary_id *id) {
  contprof_put_text(out, "\"");
  for (uint64_t i = 0; i < id->size; i++)
    contprof_put_format(out, "%02x", id->bytes[i]);
  contprof_put_text(out, "\"");
}

static void put_name(struct contprof_byte_writer *out, const char *name, uint64_t index) {
  contprof_put_text(out, index ? ", " : "");
  contprof_put_json_string(out, name, strlen(name));
}

// The first ones, by name: those that the file contradicts itself about, then the others.
static void put_left_out(struct contprof_byte_writer *out,
                         const struct contprof_sum_report *report) {
  const struct contprof_merge_report *merge = &report->merge;
  uint64_t own = report->functions_dropped;
  uint64_t all = own + merge->functions_dropped + merge->functions_wrapped;
  contprof_put_format(out, ", \"functions_left_out\": %" PRIu64, all);
  if (!all)
    return;
  contprof_put_text(out, ", \"left_out\": [");
  for (uint64_t i = 0; i < all && i < CONTPROF_LEFT_OUT_NAMED; i++)
    put_name(out, i < own ? report->dropped_names[i] : merge->left_out[i - own]->name, i);
  contprof_put_text(out, "]");
}

static void put_merged(struct contprof_merge_journal *journal, const struct contprof_input *input,
                       const struct contprof_sum_report *report) {
  struct contprof_byte_writer *out = &journal->text;
  begin_entry(journal, input, true);
  contprof_put_text(out, ", \"build_ids\": [");
  for (size_t i = 0; i < report->binary_id_count; i++) {
    contprof_put_text(out, i ? ", " : "");
    put_binary_id(out, &report->binary_ids[i]);
  }
  contprof_put_format(out, "], \"functions\": %" PRIu64, report->functions);
  put_left_out(out, report);
  contprof_put_text(out, "}");
}

void contprof_journal_merged(struct contprof_merge_journal *journal,
                             const struct contprof_input *input,
                             const struct contprof_sum_report *report) {
  if (journal->kept)
    put_merged(journal, input, report);
  journal->merged++;
  journal->saturated += report->merge.functions_saturated;
}

void contprof_journal_merged_samples(struct contprof_merge_journal *journal,
                                     const struct contprof_input *input, uint64_t functions,
                                     uint64_t left_out) {
  if (journal->kept) {
    begin_entry(journal, input, true);
    contprof_put_format(&journal->text,
                        ", \"functions\": %" PRIu64 ", \"functions_left_out\": %" PRIu64 "}",
                        functions, left_out);
  }
  journal->merged++;
}

static void put_skipped(struct contprof_merge_journal *journal, const struct contprof_input *input,
                        const struct contprof_error *error) {
  struct contprof_byte_writer *out = &journal->text;
  begin_entry(journal, input, false);
  if (error->section) {
    contprof_put_text(out, ", \"section\": ");
    contprof_put_json_string(out, error->section, strlen(error->section));
  }
  if (error->offset != CONTPROF_NO_OFFSET)
    contprof_put_format(out, ", \"offset\": %" PRIu64, error->offset);
  contprof_put_text(out, ", \"reason\": ");
  contprof_put_json_string(out, error->message, strlen(error->message));
  contprof_put_text(out, "}");
}

void contprof_journal_skipped(struct contprof_merge_journal *journal,
                              const struct contprof_input *input,
                              const struct contprof_error *error) {
  if (journal->kept)
    put_skipped(journal, input, error);
  journal->skipped++;
}

void contprof_journal_append(struct contprof_merge_journal *journal,
                             const struct contprof_merge_journal *more) {
  if (journal->text.size && more->text.size)
    contprof_put_text(&journal->text, BETWEEN);
  contprof_put_bytes(&journal->text, more->text.bytes, more->text.size);
  journal->merged += more->merged;
  journal->skipped += more->skipped;
  journal->functions += more->functions;
  journal->saturated += more->saturated;
}

bool contprof_journal_write(struct contprof_merge_journal *journal, const char *path,
                            struct contprof_error *error) {
  struct contprof_byte_writer whole = {0};
  contprof_put_text(&whole, "{\"inputs\": [");
  if (journal->text.size)
    contprof_put_bytes(&whole, journal->text.bytes, journal->text.size);
  contprof_put_format(&whole, "],\n \"merged\": %" PRIu64 ", \"skipped\": %" PRIu64,
                      journal->merged, journal->skipped);
  contprof_put_format(&whole,
                      ", \"functions\": %" PRIu64 ", \"functions_saturated\": %" PRIu64 "}\n",
                      journal->functions, journal->saturated);
  bool ok = contprof_output_write(path, whole.bytes, whole.size, error);
  contprof_byte_writer_free(&whole);
  return ok;
}

void contprof_journal_free(struct contprof_merge_journal *journal) {
  contprof_byte_writer_free(&journal->text);
  *journal = (struct contprof_merge_journal){0};
}
