// A sample profile in memory: the waist of all that reads, writes, merges and makes such profiles.
// Counts are samples (or what they were scaled to), saturating at 2^64-1. Names are interned: two
// equal names of one profile are one pointer. Everything a profile points to lives as long as it
// does. Not thread-safe; two profiles may be used by two threads. Model:
// llvm/include/llvm/ProfileData/SampleProf.h (FunctionSamples).
#ifndef CONTPROF_SAMPLE_PROFILE_H
#define CONTPROF_SAMPLE_PROFILE_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stddef.h>

// A function's name, or, in profiles with MD5 names, its hash alone.
struct contprof_sample_name {
  const char *text; // NUL-terminated; NULL if only the hash is known; in the profile
  size_t length;    // bytes
  uint64_t md5;     // private: 0 until contprof_sample_name_hash has been asked
  uint64_t key;     // private: of the profile's table of names
  uint32_t index;   // private: how many names the profile had before
};

// Where in a function: lines from its declaration, and the discriminator.
struct contprof_sample_line {
  uint32_t offset;
  uint32_t discriminator;
};

struct contprof_call_target {
  const struct contprof_sample_name *name;
  uint64_t count;
};

// A body sample: how often a line ran, and whom it called.
struct contprof_body_sample {
  struct contprof_sample_line line;
  uint64_t count;
  struct contprof_call_target *targets; // sorted by name; in the profile
  uint32_t target_count;
  uint32_t target_room; // private
};

// The functions that are inlined at one line.
struct contprof_callsite {
  struct contprof_sample_line line;
  struct contprof_function_samples **inlinees; // sorted by name; in the profile
  uint32_t inlinee_count;
  uint32_t inlinee_room; // private
};

// One frame of a calling context (context-sensitive profiles).
struct contprof_context_frame {
  const struct contprof_sample_name *name;
  struct contprof_sample_line line; // 0 for the last frame
};

// llvm::sampleprof::ContextAttributeMask
enum contprof_context_attribute {
  CONTPROF_CONTEXT_INLINED = 1, // was inlined in the build that was recorded
  CONTPROF_CONTEXT_SHOULD_BE_INLINED = 2,
  CONTPROF_CONTEXT_DUPLICATED = 4, // is in the function's own top-level profile, too
};

struct contprof_function_samples {
  const struct contprof_sample_name *name;
  const struct contprof_context_frame *context; // outermost first, this function last; NULL: none
  uint32_t context_count;
  uint32_t attributes;                 // of the context: contprof_context_attribute, or'ed
  uint64_t cfg_hash;                   // of probe-based profiles: !CFGChecksum; 0 if none
  uint64_t total;                      // total samples
  uint64_t head;                       // head samples: entries seen
  struct contprof_body_sample *bodies; // sorted by line; in the profile
  size_t body_count;
  size_t body_room;                    // private
  struct contprof_callsite *callsites; // sorted by line; in the profile
  size_t callsite_count;
  size_t callsite_room; // private
};

enum { CONTPROF_SPARE_ORDERS = 32 };
struct contprof_spare_array;

struct contprof_sample_profile {
  struct contprof_function_samples **functions; // top level, in the order they came; owned
  size_t function_count;
  bool probe_based;       // lines are probe indices
  bool context_sensitive; // full contexts
  bool preinlined;        // contexts that should be inlined are marked
  bool fs_discriminators; // flow-sensitive discriminators
  bool md5_names;         // read with hashes in place of names, if only some that were merged
  bool text_names;        // private: one with names as text has been merged into this one
  bool unique_suffixes;   // read from a file that says of itself that names have ".__uniq."
  bool partial;           // of common code: --gen-partial-profile
  bool saturated;         // a sum came to 2^64-1
  bool filled;            // private: a profile has been merged into this one
  const char **symbols;   // the symbol list of the extended binary format, sorted, or NULL; owned
  size_t symbol_count;
  size_t symbol_room; // private
  // NULL, or another profile in which this one's names are to be: so those of many that are read to
  // be merged into one are looked up once each. Set it while this one is empty. The other one must
  // outlive it and, as names are added there, be used by no other thread meanwhile.
  struct contprof_sample_profile *names_of;
  struct contprof_arena arena; // private
  // private: outgrown arrays of 2^index bytes, in the arena
  struct contprof_spare_array *spares[CONTPROF_SPARE_ORDERS];
  struct contprof_sample_index *index; // private: names and top-level functions by hash; owned
};

// A zeroed profile is empty and usable. Frees all it owns; it is empty afterwards.
void contprof_sample_profile_free(struct contprof_sample_profile *profile);

// --- names --------------------------------------------------------------------------------------

// The interned name.
const struct contprof_sample_name *contprof_sample_name_of(struct contprof_sample_profile *profile,
                                                           const char *text, size_t length);

// The interned name of which only the hash is known; one apart from any text with that hash.
const struct contprof_sample_name *
contprof_sample_name_of_hash(struct contprof_sample_profile *profile, uint64_t hash);

// contprof_name_ref of the name's text; LLVM calls it the GUID.
uint64_t contprof_sample_name_hash(const struct contprof_sample_name *name);

// FunctionId::compare: below 0, 0 or above. Names without text come first, by their hash; others by
// their bytes.
int contprof_sample_name_compare(const struct contprof_sample_name *a,
                                 const struct contprof_sample_name *b);

// --- making and finding -------------------------------------------------------------------------

// The top-level function of that name (without context), made if need be; or NULL if it is not
// there.
struct contprof_function_samples *contprof_samples_of(struct contprof_sample_profile *profile,
                                                      const struct contprof_sample_name *name);
struct contprof_function_samples *
contprof_samples_find(const struct contprof_sample_profile *profile, const char *text,
                      size_t length);

// The same by the calling context: `count` frames, at least one, which are copied.
struct contprof_function_samples *
contprof_samples_of_context(struct contprof_sample_profile *profile,
                            const struct contprof_context_frame *frames, size_t count);

// The samples of `name` inlined into `function` at `line`; made if need be.
struct contprof_function_samples *
contprof_samples_inlined(struct contprof_sample_profile *profile,
                         struct contprof_function_samples *function,
                         struct contprof_sample_line line, const struct contprof_sample_name *name);

// The body sample at `line`, made with count 0 if need be. Holds until the next one is made.
struct contprof_body_sample *contprof_body_at(struct contprof_sample_profile *profile,
                                              struct contprof_function_samples *function,
                                              struct contprof_sample_line line);

// Adds to a call target of a body sample.
void contprof_body_add_target(struct contprof_sample_profile *profile,
                              struct contprof_body_sample *body,
                              const struct contprof_sample_name *name, uint64_t count);

// Takes a top-level function out; it is gone from functions[]. Takes time by their number: for
// many at once there is contprof_samples_keep.
void contprof_samples_remove(struct contprof_sample_profile *profile,
                             struct contprof_function_samples *function);

// Takes all top-level functions out that `keep` is false for.
void contprof_samples_keep(struct contprof_sample_profile *profile,
                           bool (*keep)(void *context,
                                        const struct contprof_function_samples *function),
                           void *context);

// --- asking -------------------------------------------------------------------------------------

// Below 0, 0 or above: lines are ordered by offset, then discriminator.
static inline int contprof_sample_line_compare(struct contprof_sample_line a,
                                               struct contprof_sample_line b) {
  if (a.offset != b.offset)
    return a.offset < b.offset ? -1 : 1;
  return a.discriminator < b.discriminator ? -1 : a.discriminator > b.discriminator;
}

// SampleContext::operator<: below 0, 0 or above. Functions without context come first, by name;
// contexts from the outermost frame on.
int contprof_samples_compare(const struct contprof_function_samples *a,
                             const struct contprof_function_samples *b);

// LLVM's head samples estimate (FunctionSamples::getHeadSamplesEstimate): of an inlined function
// there are no head samples, so the count of its first body line or callsite is taken.
uint64_t contprof_samples_head_estimate(const struct contprof_function_samples *function);

// The top-level functions in the order in which LLVM writes and shows them: by total, largest
// first, then by contprof_samples_compare. function_count of them, to be freed.
struct contprof_function_samples **
contprof_samples_sorted(const struct contprof_sample_profile *profile);

// A body sample's call targets in the order in which LLVM writes and shows them: by count, largest
// first, then by name; target_count of them, in `into`.
void contprof_targets_sorted(const struct contprof_body_sample *body,
                             struct contprof_call_target *into);

// The text of a context without its brackets, "main:3 @ foo:2.1 @ bar", or of the name where there
// is none (a hash in decimal). To be freed.
char *contprof_samples_text(const struct contprof_function_samples *function);

// --- merging ------------------------------------------------------------------------------------

// Adds all of `from`, times `weight` (at least 1), to `into`, as FunctionSamples::merge does.
// Returns false with CONTPROF_MISMATCH, and nothing is merged, if one profile is probe-based or
// context-sensitive and the other is not. Probe-based functions of which the two have different
// cfg_hashes keep what `into` has; the rest is merged then, and the result is CONTPROF_MISMATCH,
// too, naming the first one. Symbol lists are united; what is said of the whole profile (FS
// discriminators and the like) holds if it does of one of the two, but for `partial`, which the
// result is only if you say so, as for llvm-profdata.
bool contprof_sample_profile_merge(struct contprof_sample_profile *into,
                                   const struct contprof_sample_profile *from, uint64_t weight,
                                   struct contprof_error *error);

enum contprof_merge_trouble {
  CONTPROF_MERGE_SATURATED,     // LLVM: "Counter overflow"
  CONTPROF_MERGE_HASH_MISMATCH, // LLVM: "Function hash mismatch"
};

// What becomes of each top-level function that gives trouble (its first one), in the order in which
// llvm-profdata tells of them. `function` is of the profile merged from.
typedef void contprof_merge_tell(void *context, const struct contprof_function_samples *function,
                                 enum contprof_merge_trouble trouble);

// The same, telling of every such function instead: those are no error then. `tell` may be NULL.
bool contprof_sample_profile_merge_telling(struct contprof_sample_profile *into,
                                           const struct contprof_sample_profile *from,
                                           uint64_t weight, contprof_merge_tell *tell,
                                           void *context, struct contprof_error *error);

// Adds one function's samples, of any profile, to another's; names and all are copied into `into`,
// which is of `profile`. Returns false and adds nothing (but to what it has inlined before the one
// that differs) if both have cfg_hashes that differ.
bool contprof_samples_merge(struct contprof_sample_profile *profile,
                            struct contprof_function_samples *into,
                            const struct contprof_function_samples *from, uint64_t weight);

// Adds a name, which is copied, to the symbol list; when all are there, contprof_symbols_sort puts
// the list in order and takes duplicates out.
void contprof_symbols_add(struct contprof_sample_profile *profile, const char *text, size_t length);
void contprof_symbols_sort(struct contprof_sample_profile *profile);

// Saturating a + b * weight; sets *saturated.
uint64_t contprof_samples_add(uint64_t a, uint64_t b, uint64_t weight, bool *saturated);

#endif
