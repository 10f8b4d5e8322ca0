// The text of llvm-profgen --skip-symbolization: how many ranges there are and a line for each,
// FROM-TO:COUNT, then the same of branches, FROM->TO:COUNT. Numbers of pairs and counts are
// decimal, addresses hexadecimal without prefix. Source: writeUnsymbolizedProfile and
// readSampleCounters (llvm/tools/llvm-profgen/PerfReader.cpp).
#include "sample_counts.h"

#include "../base/file_view.h"
#include "../base/line_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// One of the text's two lists.
struct pair_list {
  const char *separator; // between the addresses of a pair
  uint64_t base;         // that the text's addresses count from
};

static struct pair_list ranges_from(uint64_t base) {
  return (struct pair_list){"-", base};
}

static struct pair_list branches_from(uint64_t base) {
  return (struct pair_list){"->", base};
}

static void write_pairs(const struct contprof_pair_counts *counts, struct pair_list list,
                        FILE *to) {
  struct contprof_pair_count *pairs = contprof_pairs_sorted(counts);
  fprintf(to, "%zu\n", counts->count);
  for (size_t i = 0; i < counts->count; i++)
    fprintf(to, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", pairs[i].from - list.base, list.separator,
            pairs[i].to - list.base, pairs[i].count);
  free(pairs);
}

void contprof_unsymbolized_write(const struct contprof_sample_counts *counts, uint64_t base,
                                 FILE *to) {
  write_pairs(&counts->ranges, ranges_from(base), to);
  write_pairs(&counts->branches, branches_from(base), to);
}

// Passes over white space before what the current line says.
static void trim_left(struct contprof_line_reader *lines) {
  while (lines->length && (*lines->line == ' ' || *lines->line == '\t')) {
    lines->line++;
    lines->length--;
  }
}

static bool take_pair(struct contprof_line_reader *lines, struct pair_list list,
                      struct contprof_pair_counts *into) {
  struct contprof_pair_count pair;
  size_t width = strlen(list.separator);
  trim_left(lines);
  const char *end = lines->line + lines->length, *from = lines->line;
  const char *colon = memchr(from, ':', lines->length);
  const char *middle = colon ? memmem(from, (size_t)(colon - from), list.separator, width) : NULL;
  if (!middle || !contprof_parse_number(from, (size_t)(middle - from), 16, &pair.from) ||
      !contprof_parse_number(middle + width, (size_t)(colon - middle) - width, 16, &pair.to) ||
      !contprof_parse_number(colon + 1, (size_t)(end - colon) - 1, 10, &pair.count))
    return contprof_line_is_not(lines, "a pair of addresses and its count");
  contprof_pair_add(into, pair.from + list.base, pair.to + list.base, pair.count);
  contprof_next_line(lines);
  return true;
}

static bool take_pairs(struct contprof_line_reader *lines, struct pair_list list,
                       struct contprof_pair_counts *into) {
  if (lines->line)
    trim_left(lines);
  uint64_t count = contprof_take_number(lines, 10, UINT64_MAX, "a number of pairs");
  while (lines->error->code == CONTPROF_OK && count--) {
    if (!lines->line)
      return contprof_line_is_not(lines, "a pair of addresses and its count");
    if (!take_pair(lines, list, into))
      return false;
  }
  return lines->error->code == CONTPROF_OK;
}

static bool refuse_contexts(struct contprof_line_reader *lines) {
  return contprof_fail(
      lines->error, CONTPROF_UNSUPPORTED, lines->file, NULL, (uint64_t)(lines->line - lines->text),
      "line %" PRIu64 ": a context: the profile is a context-sensitive one", lines->number);
}

static bool read_lists(struct contprof_line_reader *lines, uint64_t base,
                       struct contprof_sample_counts *counts) {
  if (!lines->line)
    return contprof_line_is_not(lines, "an unsymbolized profile");
  while (contprof_has_line(lines)) {
    if (lines->line[0] == '[')
      return refuse_contexts(lines);
    if (!take_pairs(lines, ranges_from(base), &counts->ranges) ||
        !take_pairs(lines, branches_from(base), &counts->branches))
      return false;
  }
  return lines->error->code == CONTPROF_OK;
}

bool contprof_unsymbolized_read(const char *path, uint64_t base,
                                struct contprof_sample_counts *counts,
                                struct contprof_error *error) {
  struct contprof_file_view file = {0};
  if (!contprof_file_open(path, &file, error))
    return false;
  struct contprof_line_reader lines = contprof_lines_over(file.bytes, file.size, path, error);
  bool ok = read_lists(&lines, base, counts);
  contprof_file_close(&file);
  return ok;
}
