// An instrumentation profile in memory: the waist between readers, merging and writers.
//
// Every reader (raw, indexed, text) fills one of these, every writer and printer takes one. A new
// input format is one reader and one line in profile_load.c. All strings, arrays and functions
// belong to the profile's arena and live until contprof_profile_free. Not thread-safe; separate
// profiles may be used from separate threads. Counts are unsigned 64-bit; a sum that would not fit
// saturates.
#ifndef CONTPROF_INSTR_PROFILE_H
#define CONTPROF_INSTR_PROFILE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What a value site records. Numbers as in InstrProfData.inc (VALUE_PROF_KIND).
enum contprof_value_kind {
  CONTPROF_CALL_TARGETS = 0, // values: name_ref of the called function, 0 if unknown
  CONTPROF_MEMOP_SIZES = 1,  // values: bytes
  CONTPROF_VTABLES = 2,      // values: MD5 of the vtable's name; since LLVM 19
  CONTPROF_VALUE_KINDS = 3,
};

struct contprof_value {
  uint64_t value; // see contprof_value_kind
  uint64_t count; // how often it was seen
};

// A site may hold more values than a file has room for (a count is one byte there): whoever writes
// it takes the CONTPROF_SITE_VALUES hottest. Cutting sooner would make a merge depend on the order
// of its inputs. As in llvm-profdata, values seen equally often stay in the order of the input if
// there is one alone that has the function, and are sorted by value otherwise.
#define CONTPROF_SITE_VALUES 255

struct contprof_value_site {
  struct contprof_value *values; // each value once but 0, which is that of all functions without a
                                 // name; in the input's order, or sorted by value
  bool sorted;                   // private: `values` is sorted by value
  uint32_t count;                // of values
  uint32_t room;                 // private: allocated entries of `values`
};

// The largest count a counter holds. In the first counter of a function, the two numbers above mean
// "hot" and "warm" with the counts unknown, as llvm-profdata writes for functions whose profile is
// supplemented by a sample profile (InstrProfRecord::CountPseudoKind).
#define CONTPROF_COUNT_MAX (UINT64_MAX - 2)
#define CONTPROF_COUNT_WARM (UINT64_MAX - 1)
#define CONTPROF_COUNT_HOT UINT64_MAX

// What a program may have counted at most: as llvm-profdata has it (InstrProfReader's
// MaxCounterValue), a count beyond it in a raw profile is one that went below zero, or garbage.
#define CONTPROF_COUNT_CREDIBLE (UINT64_C(1) << 56)

struct contprof_function {
  const char *name;   // as in the profile ("main", "file.c:helper"), NUL after it
  size_t name_length; // bytes
  uint64_t name_ref;  // low 64 bits of the name's MD5, as in the data record
  uint64_t hash;      // of the control flow; bit 60 marks a context-sensitive record
  uint64_t *counters; // counter_count of them; of single-byte coverage: 0 or 1 in a raw profile
  uint8_t *bitmap;    // bitmap_size bytes of MC/DC test vectors, NULL if none
  struct contprof_value_site *sites[CONTPROF_VALUE_KINDS]; // site_count[kind] each, or NULL
  uint32_t site_count[CONTPROF_VALUE_KINDS];
  uint32_t counter_count;
  uint32_t bitmap_size;           // bytes
  struct contprof_function *next; // in the hash bucket; private to profile.c
};

// The variant bits of a profile, as in the version field of raw and indexed headers
// (VARIANT_MASK_* in InstrProfData.inc).
#define CONTPROF_VARIANT_IR (UINT64_C(1) << 56)            // IR instrumentation
#define CONTPROF_VARIANT_CS (UINT64_C(1) << 57)            // context-sensitive IR
#define CONTPROF_VARIANT_ENTRY_FIRST (UINT64_C(1) << 58)   // counter 0 is the entry's
#define CONTPROF_VARIANT_CORRELATE (UINT64_C(1) << 59)     // names are in the debug info
#define CONTPROF_VARIANT_BYTE_COVERAGE (UINT64_C(1) << 60) // single-byte counters
#define CONTPROF_VARIANT_ENTRY_ONLY (UINT64_C(1) << 61)    // function entries only
#define CONTPROF_VARIANT_MEMPROF (UINT64_C(1) << 62)
#define CONTPROF_VARIANT_TEMPORAL (UINT64_C(1) << 63)

// The bit of contprof_function.hash that marks a context-sensitive record
// (NamedInstrProfRecord::CS_FLAG_IN_FUNC_HASH in llvm/ProfileData/InstrProf.h).
#define CONTPROF_HASH_CS (UINT64_C(1) << 60)

struct contprof_binary_id {
  const uint8_t *bytes; // the GNU build-id
  uint64_t size;        // bytes
};

// The order in which functions first ran in one process (temporal profiles, since LLVM 17).
struct contprof_trace {
  uint64_t weight;      // as how many such processes it counts
  const uint64_t *refs; // `count` names of functions, each by its name_ref; in the arena
  size_t count;
};

// What a profile keeps when traces are added to it.
struct contprof_trace_limits {
  uint64_t reservoir; // traces; of more, a random sample of that many
  uint64_t length;    // functions of a trace; what ran later is cut off
};

// llvm-profdata's limits, which hold without others.
#define CONTPROF_TRACE_RESERVOIR 100
#define CONTPROF_TRACE_LENGTH 10000

// The most traces that a sample is said to have been taken from; a file that says more counts as
// this. When two samples are united, chance decides for each of these (profile_traces.c).
#define CONTPROF_TRACE_STREAM_MAX (1 << 20)

struct contprof_mt19937;
struct contprof_renames;

// Where a profile came from, for `show`.
enum contprof_format {
  CONTPROF_FORMAT_NONE,
  CONTPROF_FORMAT_RAW,
  CONTPROF_FORMAT_INDEXED,
  CONTPROF_FORMAT_TEXT,
};

#define CONTPROF_LEFT_OUT_NAMED 16 // how many of the functions that are left out keep their names

struct contprof_profile {
  struct contprof_arena arena;          // owns all below
  struct contprof_function **functions; // function_count of them, in the order they were added
  size_t function_count;
  size_t function_room;               // private: allocated entries of `functions`
  struct contprof_function **buckets; // private: hash table over (name, hash)
  size_t bucket_count;                // private: a power of two, or 0
  size_t linked_count; // private: how many of `functions`, from the first, the table holds
  const char *path;    // of the input that gave a merged profile its kind, for messages; not owned
  uint64_t variant;    // CONTPROF_VARIANT_*; meaningful once `format` is set
  // 12 if the functions' bitmaps are laid out as LLVM 19 does (raw version 10, indexed 12), 11 if
  // as LLVM 18 (raw 9, indexed 11), 0 if there are none: llvm-cov goes by the indexed version.
  unsigned bitmap_version;
  enum contprof_format format; // of the (first) input
  uint64_t version;            // of the first input's format, without variant bits; text: 0
  struct contprof_binary_id *binary_ids; // distinct, in the order they were seen
  size_t binary_id_count;
  size_t binary_id_room; // private: allocated entries of `binary_ids`
  // Some are of raw or indexed version 9 or later: their own LLVM reads indexed version 9. Raw
  // version 8 is that of LLVM 14 and 15, too, which do not.
  bool keeps_binary_ids;
  struct contprof_name_table vtables; // names of vtables that values may mean; owned
  struct contprof_name_table targets; // names of call targets, for show; of text alone; owned
  struct contprof_trace *traces; // trace_count of them; meaningful with CONTPROF_VARIANT_TEMPORAL
  size_t trace_count;
  size_t trace_room;                                // private: allocated entries of `traces`
  uint64_t trace_stream;                            // how many traces those are a sample of
  const struct contprof_trace_limits *trace_limits; // for merging into it; not owned; may be NULL
  const struct contprof_renames *renames;           // for merging into it; not owned; may be NULL
  struct contprof_mt19937 *random;                  // private: chooses the sample
  uint64_t functions_dropped; // by the reader: the file held their name and hash in another shape
  const char *dropped_names[CONTPROF_LEFT_OUT_NAMED]; // of the first of them; in the arena
};

// What contprof_profile_merge could not add, and what it had to bend.
struct contprof_merge_report {
  uint64_t functions_merged;    // added or summed
  uint64_t functions_dropped;   // same name and hash, but other numbers of counters or sites
  uint64_t functions_wrapped;   // of raw profiles, with a count beyond CONTPROF_COUNT_CREDIBLE
  uint64_t functions_saturated; // functions in which a sum was cut to CONTPROF_COUNT_MAX
  // The first function of the kinds above, for a message; owned by the destination or source.
  const struct contprof_function *first_dropped, *first_wrapped, *first_saturated;
  // The first of those dropped and wrapped together, in the order in which they came.
  const struct contprof_function *left_out[CONTPROF_LEFT_OUT_NAMED];
};

// A zeroed struct is an empty profile; no other initialisation is needed.

// Sends for a function, to be there when it is looked at: where they lie all over memory, waiting
// for each takes longer than all else.
static inline void contprof_profile_send_for(const struct contprof_function *function) {
  enum { LINE = 64, LINES = 4 };
  for (int i = 0; i < LINES; i++) // its name, and mostly its counters, are behind it
    __builtin_prefetch((const char *)function + i * LINE);
}

// The same for who goes through `functions` one by one and has come to `index`.
static inline void contprof_profile_send_ahead(const struct contprof_profile *profile,
                                               size_t index) {
  enum { AHEAD = 12 };
  if (index + AHEAD < profile->function_count)
    contprof_profile_send_for(profile->functions[index + AHEAD]);
}

// Functions from which on it is worth a thread to do two things to a profile at once.
enum { CONTPROF_PROFILE_LARGE = 1 << 14 };

static inline bool contprof_function_same_name(const struct contprof_function *left,
                                               const struct contprof_function *right) {
  return left->name_length == right->name_length &&
         memcmp(left->name, right->name, left->name_length) == 0;
}

// The function of this name and hash, or NULL.
struct contprof_function *contprof_profile_find(const struct contprof_profile *profile,
                                                const char *name, size_t name_length,
                                                uint64_t hash);

// Makes room for so many functions, which are to be added: a bounded number, not one that a file
// says.
void contprof_profile_expect(struct contprof_profile *profile, uint64_t functions);

// Adds a function with zeroed counters, bitmap and sites; the name is copied. The caller has made
// sure that (name, hash) is not there yet.
struct contprof_function *contprof_profile_add(struct contprof_profile *profile, const char *name,
                                               size_t name_length, uint64_t hash,
                                               uint32_t counter_count, uint32_t bitmap_size,
                                               const uint32_t site_count[CONTPROF_VALUE_KINDS]);

// The function with the same name and hash as `like`, or NULL.
struct contprof_function *contprof_profile_find_like(const struct contprof_profile *profile,
                                                     const struct contprof_function *like);

// The function of this name_ref and hash, under the name that the profile gives it when it is
// merged into it; NULL if there is none.
struct contprof_function *contprof_profile_find_ref(const struct contprof_profile *profile,
                                                    uint64_t name_ref, uint64_t hash);

// Whether a sample profile stands in for the function's counts; see CONTPROF_COUNT_HOT.
static inline bool contprof_profile_is_pseudo(const struct contprof_function *function) {
  return function->counter_count && function->counters[0] > CONTPROF_COUNT_MAX;
}

// As contprof_profile_add, with the name, name_ref, hash and shape (numbers of counters, bitmap
// bytes and sites) of `like`, nothing else of which is read.
struct contprof_function *contprof_profile_add_like(struct contprof_profile *profile,
                                                    const struct contprof_function *like);

// Notes that the reader leaves a function out, of this name.
void contprof_profile_note_dropped(struct contprof_profile *profile, const char *name,
                                   size_t name_length);

// Adds the function `from`, each count times `weight` (at least 1), to the one of the same name and
// hash, or as a new one. Returns false, and reports it as dropped, if the two conflict.
bool contprof_profile_merge_function(struct contprof_profile *into,
                                     const struct contprof_function *from, uint64_t weight,
                                     struct contprof_merge_report *report);

// Gives `site` `count` values, taken from `values` (copied into the profile's arena). Their order
// stays; if some but 0 are equal, they are summed and the rest is sorted by value.
void contprof_profile_set_site(struct contprof_profile *profile, struct contprof_value_site *site,
                               const struct contprof_value *values, uint32_t count);

// Makes `site`, which belongs to `profile` and has no values, a copy of `from`, each count times
// `weight`. Returns false if a product was cut (to UINT64_MAX).
bool contprof_profile_copy_site(struct contprof_profile *profile, struct contprof_value_site *site,
                                const struct contprof_value_site *from, uint64_t weight);

// Adds the values of `from`, each count times `weight`, to those of `site`, which belongs to
// `profile`; both are sorted by value for it. Returns false if a sum saturated (at UINT64_MAX).
bool contprof_profile_unite_site(struct contprof_profile *profile, struct contprof_value_site *site,
                                 const struct contprof_value_site *from, uint64_t weight);

// Remembers a binary id once; copied.
void contprof_profile_add_binary_id(struct contprof_profile *profile, const uint8_t *bytes,
                                    uint64_t size);

// Adds a trace, copying `refs`; trace_stream stays.
void contprof_profile_add_trace(struct contprof_profile *profile, uint64_t weight,
                                const uint64_t *refs, size_t count);

// Adds the traces of `from` to those of `into`, within its limits; part of contprof_profile_merge.
// The traces stay in the order in which they come.
void contprof_profile_merge_traces(struct contprof_profile *into,
                                   const struct contprof_profile *from, uint64_t weight);

// Adds `from`, each count times `weight` (at least 1), to `into`. Functions that conflict (same
// name and hash, other shape), and those of raw profiles with counts that are none, are left out
// alone and reported; counters sum and saturate, those of
// single-byte coverage too, as in llvm-profdata; bitmaps are OR-ed; value sites are united. Fails
// with CONTPROF_MISMATCH, and changes nothing, when the two are of different kinds (front-end and
// IR, counts and coverage, whole functions and entries only); a profile without functions is of any
// kind. Merging is associative and commutative but for conflicts, traces, the report and the order
// of `functions`. `report` is added to, not cleared; `from_path` must outlive `into`.
bool contprof_profile_merge(struct contprof_profile *into, const struct contprof_profile *from,
                            uint64_t weight, struct contprof_merge_report *report,
                            const char *from_path, struct contprof_error *error);

// As contprof_profile_merge with weight 1 into a profile of nothing, but moves all instead of
// copying it: `from` is empty then. Returns false, and does nothing, where a merge would do more.
bool contprof_profile_move(struct contprof_profile *into, struct contprof_profile *from,
                           const char *from_path);

// Sorts `functions` by name, then hash: output that does not depend on the order of inputs.
void contprof_profile_sort(struct contprof_profile *profile);

// Leaves out the functions for which `keep` says no; the rest stay in their order.
void contprof_profile_keep(struct contprof_profile *profile,
                           bool (*keep)(const struct contprof_function *function, void *context),
                           void *context);

// Leaves out the names none of whose functions has a count or a bitmap bit, as llvm-profdata merge
// --sparse does. The profile must be sorted.
void contprof_profile_drop_zeros(struct contprof_profile *profile);

// Frees all; the profile is empty and usable afterwards.
void contprof_profile_free(struct contprof_profile *profile);

#endif
