// Builds the functions of a profile that is being read: lines and inlined functions come one at a
// time, in any order, more than once where a file has it so, and each function's arrays are made
// once, sorted and of their exact size, when it is complete. Takes time n log n for n lines,
// whatever their order. Not thread-safe.
#ifndef CONTPROF_SAMPLE_BUILDER_H
#define CONTPROF_SAMPLE_BUILDER_H

#include "sample_profile.h"

// Functions inlined into one another deeper than this are refused: no compiler does that, and each
// depth costs stack wherever a profile is walked.
enum { CONTPROF_INLINE_DEPTH = 1000 };

struct contprof_built_target {
  struct contprof_call_target target;
  size_t order; // which of the line's it is
};

struct contprof_builder_level;
struct contprof_builder_part;

struct contprof_sample_builder {
  struct contprof_sample_profile *profile; // not owned
  bool last_target_counts; // of equal targets in one contprof_builder_body the last one holds, as
                           // in text; otherwise they are summed
  size_t open;             // functions open: the top-level one and those inlined into one another
  struct contprof_builder_level *levels; // private; owned
  struct contprof_builder_part *parts;   // private: top-level functions that came again; owned
  size_t part_count;                     // private
  struct contprof_built_target *targets; // private: of the body to come; owned
  size_t target_count;                   // private
  size_t target_room;                    // private
};

struct contprof_sample_builder contprof_builder_for(struct contprof_sample_profile *profile);

// Closes what is open and opens a top-level function of the profile, whose samples are added to.
void contprof_builder_top(struct contprof_sample_builder *builder,
                          struct contprof_function_samples *function);

// A call target of the next body.
void contprof_builder_target(struct contprof_sample_builder *builder,
                             const struct contprof_sample_name *name, uint64_t count);

// Adds a body sample, with the targets told, to the innermost open function.
void contprof_builder_body(struct contprof_sample_builder *builder,
                           struct contprof_sample_line line, uint64_t count);

// Opens a function that is inlined into the innermost open one. Returns it, for totals and the
// like; NULL if CONTPROF_INLINE_DEPTH of them are open.
struct contprof_function_samples *contprof_builder_inlined(struct contprof_sample_builder *builder,
                                                           struct contprof_sample_line line,
                                                           const struct contprof_sample_name *name);

// The innermost open function.
struct contprof_function_samples *
contprof_builder_innermost(const struct contprof_sample_builder *builder);

// Closes the innermost functions until `open` of them are left.
void contprof_builder_close(struct contprof_sample_builder *builder, size_t open);

// Closes all and frees what the builder owns. The profile is complete then.
void contprof_builder_finish(struct contprof_sample_builder *builder);

#endif
