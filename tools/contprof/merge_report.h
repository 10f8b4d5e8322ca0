// The report of contprof merge: what became of each input, as JSON.
//
//   {"inputs": [{"path": "a.profraw", "weight": 1, "merged": true, "build_ids": ["0123..."],
//                "functions": 12, "functions_left_out": 1, "left_out": ["main"]},
//               {"path": "b.profraw", "weight": 1, "merged": false, "section": "names",
//                "offset": 4096, "reason": "..."}],
//    "merged": 1, "skipped": 1, "functions": 12, "functions_saturated": 0}
//
// "left_out" names the first CONTPROF_LEFT_OUT_NAMED of them. Bytes of a path or name that are not
// UTF-8 come as U+FFFD.
#ifndef CONTPROF_MERGE_REPORT_H
#define CONTPROF_MERGE_REPORT_H

#include "../base/byte_writer.h"
#include "../instr/profile_sum.h"
#include "inputs.h"

// A zeroed struct is a report of no input, of which only the numbers are kept.
struct contprof_merge_journal {
  bool kept;                        // whether there are to be entries: they grow with the inputs
  struct contprof_byte_writer text; // the entries so far; owned
  uint64_t merged, skipped;         // inputs
  uint64_t functions;               // of the result
  uint64_t saturated;               // functions in which a sum was cut
};

void contprof_journal_merged(struct contprof_merge_journal *journal,
                             const struct contprof_input *input,
                             const struct contprof_sum_report *report);

// Of a sample profile: without build-ids, which it has not.
void contprof_journal_merged_samples(struct contprof_merge_journal *journal,
                                     const struct contprof_input *input, uint64_t functions,
                                     uint64_t left_out);

void contprof_journal_skipped(struct contprof_merge_journal *journal,
                              const struct contprof_input *input,
                              const struct contprof_error *error);

// Adds what `more` has, of inputs that come after those of `journal`.
void contprof_journal_append(struct contprof_merge_journal *journal,
                             const struct contprof_merge_journal *more);

// Writes the whole report to `path` as contprof_output_write does.
bool contprof_journal_write(struct contprof_merge_journal *journal, const char *path,
                            struct contprof_error *error);

void contprof_journal_free(struct contprof_merge_journal *journal);

#endif
