// Reads the text form of instrumentation profiles, which llvm-profdata merge --text writes and
// people write by hand. Lines:
//
//   :ir, :fe, :csir, :entry_first, :not_entry_first, :single_byte_coverage   how it was made
//   :temporal_prof_traces, number of traces, how many they are a sample of;
//   for each: weight, NAME,NAME,...                                          the order of starts
//   NAME, HASH, number of counters, the counters                             a function
//   $SIZE, the bytes                                                         its bitmap, if any
//   number of kinds; for each: kind, number of sites; for each site: number
//   of values, then VALUE:COUNT                                              its values, if any
//
// Source: TextInstrProfReader in llvm/lib/ProfileData/InstrProfReader.cpp. A function that comes
// again is added to the first one.
#ifndef CONTPROF_INSTR_TEXT_READER_H
#define CONTPROF_INSTR_TEXT_READER_H

#include "../base/file_view.h"
#include "profile.h"

// What stands for a called function, or a vtable, that is not in the profile.
#define CONTPROF_TEXT_EXTERNAL "** External Symbol **"

// Whether the file begins like text, as llvm-profdata decides: its first 8 bytes. A recording of
// perf's does not.
bool contprof_is_text(const struct contprof_file_view *file);

// Reads the whole file into the empty `profile`, which stays empty on failure.
bool contprof_text_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                        struct contprof_error *error);

#endif
