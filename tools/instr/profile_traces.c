// The order in which functions first ran, and the sample of such traces that a merge keeps.
// Source: InstrProfWriter::addTemporalProfileTraces in llvm/lib/ProfileData/InstrProfWriter.cpp,
// LLVM 19: reservoir sampling with a generator that is seeded alike each time, so that the same
// inputs give the same sample.
#include "../base/mt19937.h"
#include "profile.h"

#include <string.h>

static const struct contprof_trace_limits DEFAULTS = {CONTPROF_TRACE_RESERVOIR,
                                                      CONTPROF_TRACE_LENGTH};

static const struct contprof_trace_limits *limits_of(const struct contprof_profile *profile) {
  return profile->trace_limits ? profile->trace_limits : &DEFAULTS;
}

// A row of traces, and how many it is a sample of.
struct row {
  struct contprof_trace *traces;
  size_t count;
  uint64_t stream;
};

static void copy_refs(struct contprof_profile *profile, struct contprof_trace *trace) {
  uint64_t *refs = contprof_arena_zeros(&profile->arena, trace->count, sizeof *refs);
  if (trace->count)
    memcpy(refs, trace->refs, trace->count * sizeof *refs);
  trace->refs = refs;
}

static void append(struct contprof_profile *profile, const struct contprof_trace *trace) {
  if (profile->trace_count == profile->trace_room) {
    size_t room = profile->trace_room ? profile->trace_room * 2 : 8;
    struct contprof_trace *traces = contprof_arena_zeros(&profile->arena, room, sizeof *traces);
    if (profile->trace_count)
      memcpy(traces, profile->traces, profile->trace_count * sizeof *traces);
    profile->traces = traces;
    profile->trace_room = room;
  }
  profile->traces[profile->trace_count++] = *trace;
}

void contprof_profile_add_trace(struct contprof_profile *profile, uint64_t weight,
                                const uint64_t *refs, size_t count) {
  struct contprof_trace trace = {.weight = weight, .refs = refs, .count = count};
  copy_refs(profile, &trace);
  append(profile, &trace);
}

// One of 0 to the number of traces seen so far; a place behind the sample is none.
static uint64_t random_place(struct contprof_profile *profile) {
  if (!profile->random)
    profile->random = contprof_arena_zeros(&profile->arena, 1, sizeof *profile->random);
  return contprof_mt19937_below(profile->random, (uint32_t)profile->trace_stream + 1);
}

static void count_one(struct contprof_profile *profile) {
  if (profile->trace_stream < CONTPROF_TRACE_STREAM_MAX)
    profile->trace_stream++;
}

static void add_one(struct contprof_profile *profile, const struct contprof_trace *trace) {
  if (profile->trace_stream < limits_of(profile)->reservoir) {
    append(profile, trace);
  } else {
    uint64_t place = random_place(profile);
    if (place < profile->trace_count)
      profile->traces[place] = *trace;
  }
  count_one(profile);
}

// LLVM's own shuffle (llvm/ADT/STLExtras.h).
static void shuffle(struct contprof_mt19937 *random, struct contprof_trace *traces, size_t count) {
  for (; count > 1; traces++, count--) {
    size_t other = contprof_mt19937_next(random) % count;
    struct contprof_trace trace = traces[other];
    traces[other] = traces[0];
    traces[0] = trace;
  }
}

// Both are samples: which of ours would have been replaced, had the whole other stream come?
static void mix_samples(struct contprof_profile *profile, struct row *other) {
  struct contprof_arena arena = {0};
  size_t found = 0;
  uint64_t *places = contprof_arena_zeros(&arena, profile->trace_count, sizeof *places);
  bool *seen = contprof_arena_zeros(&arena, profile->trace_count, sizeof *seen);
  for (uint64_t i = 0; i < other->stream; i++) {
    uint64_t place = random_place(profile);
    if (place < profile->trace_count && !seen[place]) {
      seen[place] = true;
      places[found++] = place;
    }
    count_one(profile);
  }
  shuffle(profile->random, other->traces, other->count);
  for (size_t i = 0; i < found && i < other->count; i++)
    profile->traces[places[i]] = other->traces[i];
  contprof_arena_free(&arena);
}

// A sample becomes the one that is added to: ours and theirs change places.
static void change_places(struct contprof_profile *profile, struct row *other) {
  struct row ours = {profile->traces, profile->trace_count, profile->trace_stream};
  profile->traces = other->traces;
  profile->trace_count = profile->trace_room = other->count;
  profile->trace_stream = other->stream;
  *other = ours;
}

// What is added of `from`, cut to length, with its own references; of a raw profile as often as the
// weight says, which llvm-profdata does not apply to other profiles' traces.
static struct row row_of(struct contprof_profile *into, const struct contprof_profile *from,
                         uint64_t weight) {
  uint64_t longest = limits_of(into)->length;
  struct row row = {.stream = from->trace_stream};
  row.traces = contprof_arena_zeros(&into->arena, from->trace_count, sizeof *row.traces);
  for (size_t i = 0; i < from->trace_count; i++) {
    struct contprof_trace trace = from->traces[i];
    if (trace.count > longest)
      trace.count = (size_t)longest;
    if (from->format == CONTPROF_FORMAT_RAW)
      trace.weight = weight;
    if (!trace.count)
      continue;
    copy_refs(into, &trace);
    row.traces[row.count++] = trace;
  }
  return row;
}

void contprof_profile_merge_traces(struct contprof_profile *into,
                                   const struct contprof_profile *from, uint64_t weight) {
  uint64_t reservoir = limits_of(into)->reservoir;
  if (!from->trace_count)
    return;
  struct row row = row_of(into, from, weight);
  if (into->trace_stream <= reservoir && row.stream > reservoir)
    change_places(into, &row);
  if (row.stream > reservoir)
    mix_samples(into, &row);
  else
    for (size_t i = 0; i < row.count; i++)
      add_one(into, &row.traces[i]);
}
