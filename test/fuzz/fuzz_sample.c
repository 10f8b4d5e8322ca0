#include "fuzz_sample.h"

#include "tools/sample/sample_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(bool condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

static bool read_profile(const uint8_t *bytes, size_t size,
                         struct contprof_sample_profile *profile) {
  struct contprof_error error;
  contprof_error_clear(&error);
  bool ok = contprof_sample_read_bytes(bytes, size, "input", profile, &error);
  need(ok || (error.message[0] && error.file[0]), "a failure names file and reason");
  need(ok || !profile->function_count, "after a failure there is nothing");
  return ok;
}

static void check_function(const struct contprof_function_samples *function) {
  for (size_t i = 1; i < function->body_count; i++)
    need(contprof_sample_line_compare(function->bodies[i - 1].line, function->bodies[i].line) < 0,
         "bodies stand in order");
  for (size_t i = 0; i < function->callsite_count; i++) {
    const struct contprof_callsite *site = &function->callsites[i];
    need(i == 0 || contprof_sample_line_compare(site[-1].line, site->line) < 0,
         "callsites stand in order");
    for (uint32_t j = 0; j < site->inlinee_count; j++) {
      need(j == 0 || contprof_sample_name_compare(site->inlinees[j - 1]->name,
                                                  site->inlinees[j]->name) < 0,
           "inlined functions stand in order");
      check_function(site->inlinees[j]);
    }
  }
}

static void merge_twice(const struct contprof_sample_profile *profile) {
  struct contprof_sample_profile sum = {0};
  struct contprof_sample_summary summary;
  struct contprof_error error;
  contprof_error_clear(&error);
  contprof_sample_profile_merge(&sum, profile, 1, &error);
  contprof_sample_profile_merge(&sum, profile, 3, &error);
  need(error.code == CONTPROF_OK || error.code == CONTPROF_MISMATCH, "a profile fits itself");
  for (size_t i = 0; i < sum.function_count; i++)
    check_function(sum.functions[i]);
  contprof_sample_summarise(&sum, &summary);
  contprof_sample_summary_free(&summary);
  contprof_sample_profile_free(&sum);
}

static bool put(const struct contprof_sample_profile *profile,
                const struct contprof_sample_write_options *options,
                struct contprof_byte_writer *out) {
  struct contprof_error error;
  struct contprof_sample_write_options all = *options;
  contprof_error_clear(&error);
  all.md5_names |= profile->md5_names; // or hashes would come back as names of digits
  return contprof_sample_put(profile, &all, out, &error);
}

// Writes, reads and writes: the second time the bytes are those that a third time gives. The first
// profile may have a function by its name and by its hash.
static void go_round(const struct contprof_sample_profile *profile,
                     const struct contprof_sample_write_options *options) {
  struct contprof_byte_writer first = {0}, second = {0}, third = {0};
  struct contprof_sample_profile again = {0}, last = {0};
  if (put(profile, options, &first) && first.size) {
    need(read_profile(first.bytes, first.size, &again), "what is written is read");
    need(put(&again, options, &second), "what was written is written again");
    need(read_profile(second.bytes, second.size, &last), "what is written again is read");
    need(put(&last, options, &third), "what was written twice is written again");
    need(second.size == third.size && memcmp(second.bytes, third.bytes, second.size) == 0,
         "what is read is written the same");
  }
  contprof_byte_writer_free(&first);
  contprof_byte_writer_free(&second);
  contprof_byte_writer_free(&third);
  contprof_sample_profile_free(&again);
  contprof_sample_profile_free(&last);
}

void contprof_fuzz_sample(const uint8_t *bytes, size_t size,
                          bool (*wanted)(const uint8_t *bytes, size_t size),
                          const struct contprof_sample_write_options *options) {
  struct contprof_sample_profile profile = {0};
  if (wanted(bytes, size) && read_profile(bytes, size, &profile)) {
    for (size_t i = 0; i < profile.function_count; i++)
      check_function(profile.functions[i]);
    merge_twice(&profile);
    go_round(&profile, options);
  }
  contprof_sample_profile_free(&profile);
}
