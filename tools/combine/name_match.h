// Which functions of an instrumentation profile a name of a sample profile means. Both sides name a
// function by its symbol, but for local ones, which instrumentation tells apart by their files:
// "FILE:NAME", since LLVM 18 "FILE;NAME". A sample profile has the plain NAME, or, where the
// program was compiled with -funique-internal-linkage-names, NAME.__uniq.HASH, the hash made of
// FILE; and passes add ".llvm.N" or ".part.N" to it. That option mangles C's local functions as if
// they were C++'s: _ZL3fooi.__uniq.HASH is "FILE;foo" of a build without it. Source of the first
// and second rule: buildStaticFuncMap in llvm/tools/llvm-profdata/llvm-profdata.cpp. Not
// thread-safe.
#ifndef CONTPROF_COMBINE_NAME_MATCH_H
#define CONTPROF_COMBINE_NAME_MATCH_H

#include "../instr/profile.h"
#include "../sample/sample_profile.h"

// The functions of one name: one, or as many as there are shapes of it (other builds).
struct contprof_name_group {
  struct contprof_function **functions; // count of them, in the profile's list
  size_t count;
};

struct contprof_match_rules {
  bool single_only; // leave out the names of several functions
  bool locals;      // match local functions
  bool colon;       // ":" ends the file in their names
  bool semicolon;   // ";" does
  // As contprof combine matches: whatever the file is called, with or without a hash, and without
  // the suffixes that passes add. Else as llvm-profdata does: files of its list of extensions, and
  // a hash if the sample profile has such names, or else none.
  bool generous;
  bool unique_names; // the sample profile has names with ".__uniq."
};

// In place of a group's index.
#define CONTPROF_MATCH_NONE SIZE_MAX
#define CONTPROF_MATCH_SEVERAL (SIZE_MAX - 1) // local functions of several files

struct contprof_name_match {
  const struct contprof_match_rules *rules; // not owned
  struct contprof_name_group *groups;       // group_count of them, in the profile's order; owned
  size_t group_count;
  struct contprof_match_entry *entries; // private: sorted; owned
  size_t entry_count, entry_room;       // private
};

// Indexes the functions of `profile`, which is sorted (contprof_profile_sort) and, as `rules`,
// must outlive the result. Free with contprof_name_match_free.
void contprof_name_match_begin(struct contprof_name_match *match,
                               const struct contprof_profile *profile,
                               const struct contprof_match_rules *rules);

// The index of the group that `name` means, or one of the two above.
size_t contprof_name_match_find(const struct contprof_name_match *match,
                                const struct contprof_sample_name *name);

// Where the name of a local function begins behind its file, by the generous rules; 0 of others.
size_t contprof_plain_name_start(const char *name, size_t length);

void contprof_name_match_free(struct contprof_name_match *match);

// Whether a top-level function of `sample` has ".__uniq." in its name.
bool contprof_has_unique_names(const struct contprof_sample_profile *sample);

#endif
