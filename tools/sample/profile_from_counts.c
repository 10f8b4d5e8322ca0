#include "profile_from_counts.h"

#include "../base/handoff.h"
#include "../base/memory.h"
#include "discriminator.h"
#include "disjoint_ranges.h"
#include "function_name.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_AT_ONCE = 2048 }; // that are handed over together

// Names of the debug information by their address, which is one for each: making a profile's name
// of one hashes it.
struct name_slot {
  const char *key;                         // NULL: free
  const struct contprof_sample_name *name; // in the profile
};

struct symbolizer {
  struct contprof_binary *binary;
  const struct contprof_symbolize_options *options;
  struct contprof_sample_profile *profile;
  bool flow_sensitive; // discriminators are taken as they are
  struct name_slot *slots;
  size_t slot_count; // a power of two, or 0
  size_t name_count;
};

// --- names --------------------------------------------------------------------------------------

static struct name_slot *name_slot_of(const struct symbolizer *symbolizer, const char *key) {
  size_t mask = symbolizer->slot_count - 1;
  size_t slot = (uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
  while (symbolizer->slots[slot].key && symbolizer->slots[slot].key != key)
    slot = (slot + 1) & mask;
  return &symbolizer->slots[slot];
}

static void grow_names(struct symbolizer *symbolizer) {
  struct symbolizer larger = *symbolizer;
  larger.slot_count = symbolizer->slot_count ? 2 * symbolizer->slot_count : 1 << 10;
  larger.slots = contprof_need(calloc(larger.slot_count, sizeof *larger.slots));
  for (size_t i = 0; i < symbolizer->slot_count; i++)
    if (symbolizer->slots[i].key)
      *name_slot_of(&larger, symbolizer->slots[i].key) = symbolizer->slots[i];
  free(symbolizer->slots);
  *symbolizer = larger;
}

static const struct contprof_sample_name *name_of(struct symbolizer *symbolizer, const char *key) {
  if (symbolizer->name_count * 2 >= symbolizer->slot_count)
    grow_names(symbolizer);
  struct name_slot *slot = name_slot_of(symbolizer, key);
  if (!slot->key) {
    slot->key = key;
    slot->name = contprof_sample_name_of(symbolizer->profile, key, strlen(key));
    symbolizer->name_count++;
  }
  return slot->name;
}

// --- lines --------------------------------------------------------------------------------------

static struct contprof_sample_line line_of(const struct symbolizer *symbolizer,
                                           const struct contprof_frame *frame) {
  uint32_t discriminator = symbolizer->flow_sensitive
                               ? frame->discriminator
                               : contprof_base_discriminator(frame->discriminator);
  return (struct contprof_sample_line){frame->line_offset, discriminator};
}

static void add_total(struct symbolizer *symbolizer, struct contprof_function_samples *function,
                      uint64_t count) {
  function->total =
      contprof_samples_add(function->total, count, 1, &symbolizer->profile->saturated);
}

// The function at the end of the inline stack of `count` frames; adds `total` to the totals of all
// in it.
static struct contprof_function_samples *leaf_of(struct symbolizer *symbolizer,
                                                 const struct contprof_frame *frames, size_t count,
                                                 uint64_t total) {
  struct contprof_sample_profile *profile = symbolizer->profile;
  struct contprof_function_samples *function =
      contprof_samples_of(profile, name_of(symbolizer, frames[0].name));
  add_total(symbolizer, function, total);
  for (size_t i = 1; i < count; i++) {
    function = contprof_samples_inlined(profile, function, line_of(symbolizer, &frames[i - 1]),
                                        name_of(symbolizer, frames[i].name));
    add_total(symbolizer, function, total);
  }
  return function;
}

// Code that the optimiser has copied ran as often as all copies together; each of them is taken to
// have run as often as this one.
static uint64_t with_copies(const struct symbolizer *symbolizer, const struct contprof_frame *frame,
                            uint64_t count) {
  if (symbolizer->flow_sensitive)
    return count;
  return count * contprof_duplication_factor(frame->discriminator);
}

// Instructions in a row that have one inline stack and ran equally often.
struct run {
  const struct contprof_frame *frames; // of the binary
  size_t frame_count;                  // not 0
  uint64_t count;                      // how often they ran
  uint64_t bytes;                      // of all of them
  uint64_t instructions;
};

static void add_run(struct symbolizer *symbolizer, const struct run *run) {
  const struct contprof_frame *frame = &run->frames[run->frame_count - 1];
  struct contprof_function_samples *function =
      leaf_of(symbolizer, run->frames, run->frame_count, run->count * run->bytes);
  struct contprof_body_sample *body =
      contprof_body_at(symbolizer->profile, function, line_of(symbolizer, frame));
  if (symbolizer->options->ip_only) {
    body->count = contprof_samples_add(body->count, run->count, run->instructions,
                                       &symbolizer->profile->saturated);
    return;
  }
  uint64_t most = with_copies(symbolizer, frame, run->count);
  if (body->count < most)
    body->count = most;
}

static void add_runs(void *context, const void *items, size_t count) {
  const struct run *runs = items;
  for (size_t i = 0; i < count; i++)
    add_run(context, &runs[i]);
}

// --- ranges -------------------------------------------------------------------------------------

// Counts the instructions that start in [*at, end); *at goes to the first one behind them.
static void measure(struct contprof_binary *binary, uint64_t *at, uint64_t end, struct run *run) {
  while (*at < end) {
    unsigned size = contprof_instruction_size(binary, *at);
    run->bytes += size;
    run->instructions++;
    *at = contprof_instruction_next(binary, *at + (size ? size : 1));
  }
}

// A piece may begin and end within an instruction, and hold none.
static void add_piece(struct contprof_binary *binary, const struct contprof_pair_count *piece,
                      struct contprof_handoff *adding) {
  uint64_t end = piece->to + 1;
  uint64_t at = contprof_instruction_next(binary, piece->from);
  while (at < end) {
    const struct contprof_location *location = contprof_binary_locate(binary, at);
    uint64_t limit = location->end > at && location->end < end ? location->end : end;
    struct run run = {location->frames, location->frame_count, piece->count, 0, 0};
    measure(binary, &at, limit, &run);
    if (run.frame_count)
      *(struct run *)contprof_handoff_next(adding) = run;
  }
}

// The binary is looked at in this thread alone; the profile, and *symbolizer, in the other one.
static void add_pieces(struct symbolizer *symbolizer, const struct contprof_pair_count *pieces,
                       size_t count) {
  struct contprof_binary *binary = symbolizer->binary;
  struct contprof_handoff *adding = contprof_handoff_new(
      sizeof(struct run), RUNS_AT_ONCE, symbolizer->options->threads > 1, add_runs, symbolizer);
  for (size_t i = 0; i < count; i++)
    add_piece(binary, &pieces[i], adding);
  contprof_handoff_end(adding);
}

// A growing list of ranges.
struct range_list {
  struct contprof_pair_count *ranges; // owned
  size_t count;
  size_t room;
};

static void append(struct range_list *list, uint64_t from, uint64_t to, uint64_t count) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 256;
    list->ranges = contprof_need_array(list->ranges, list->room, sizeof *list->ranges);
  }
  list->ranges[list->count++] = (struct contprof_pair_count){from, to, count};
}

// Ranges of the counts that go forward; a damaged unsymbolised profile may have others.
static void take_counted(struct range_list *list, struct contprof_pair_counts *counts) {
  size_t count;
  list->ranges = contprof_pairs_take(counts, &count);
  list->room = count;
  for (size_t i = 0; i < count; i++)
    if (list->ranges[i].from <= list->ranges[i].to && list->ranges[i].to < UINT64_MAX)
      list->ranges[list->count++] = list->ranges[i];
}

static void append_function(struct range_list *list,
                            const struct contprof_binary_function *function) {
  for (size_t i = 0; i < function->range_count; i++)
    append(list, function->ranges[i]->start, function->ranges[i]->end - 1, 0);
}

static int by_pointer(const void *a, const void *b) {
  const char *left = *(const char *const *)a;
  const char *right = *(const char *const *)b;
  return (left > right) - (left < right);
}

// All of a function that was seen at all is known: what did not run has count 0, which to the
// compiler is another thing than not to be in the profile.
static void append_touched_functions(struct range_list *list, struct contprof_binary *binary) {
  size_t counted = list->count;
  const struct contprof_binary_function **touched =
      contprof_need_array(NULL, counted + 1, sizeof *touched);
  size_t count = 0;
  for (size_t i = 0; i < counted; i++) {
    const struct contprof_function_range *range =
        contprof_binary_range_at(binary, list->ranges[i].from);
    if (range && (count == 0 || touched[count - 1] != range->function))
      touched[count++] = range->function;
  }
  qsort(touched, count, sizeof *touched, by_pointer);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || touched[i] != touched[i - 1])
      append_function(list, touched[i]);
  free(touched);
}

static void append_all_functions(struct range_list *list, struct contprof_binary *binary) {
  const struct contprof_binary_function **functions;
  size_t count = contprof_binary_functions(binary, &functions);
  for (size_t i = 0; i < count; i++)
    append_function(list, functions[i]);
}

// Each range once, equal ones summed: one that was sampled is none with count 0.
static void join_equal(struct range_list *list) {
  list->ranges = contprof_pairs_sort(list->ranges, list->count);
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (kept && list->ranges[kept - 1].from == list->ranges[i].from &&
        list->ranges[kept - 1].to == list->ranges[i].to)
      list->ranges[kept - 1].count += list->ranges[i].count;
    else
      list->ranges[kept++] = list->ranges[i];
  list->count = kept;
}

static void add_ranges(struct symbolizer *symbolizer, struct contprof_pair_counts *counts) {
  struct range_list list = {0};
  take_counted(&list, counts);
  if (symbolizer->options->fill_zero_for_all)
    append_all_functions(&list, symbolizer->binary);
  else
    append_touched_functions(&list, symbolizer->binary);
  join_equal(&list);
  size_t piece_count;
  struct contprof_pair_count *pieces =
      contprof_disjoint_ranges(list.ranges, list.count, &piece_count);
  free(list.ranges);
  add_pieces(symbolizer, pieces, piece_count);
  free(pieces);
}

// --- branches -----------------------------------------------------------------------------------

static void add_target(struct symbolizer *symbolizer, uint64_t from,
                       const struct contprof_sample_name *callee, uint64_t count) {
  const struct contprof_location *location = contprof_binary_locate(symbolizer->binary, from);
  if (!location->frame_count)
    return;
  const struct contprof_frame *leaf = &location->frames[location->frame_count - 1];
  struct contprof_function_samples *function =
      leaf_of(symbolizer, location->frames, location->frame_count, 0);
  struct contprof_body_sample *body =
      contprof_body_at(symbolizer->profile, function, line_of(symbolizer, leaf));
  contprof_body_add_target(symbolizer->profile, body, callee, count);
}

// A branch to a function's entry is a call, wherever it comes from; so is a tail call.
static void add_branch(struct symbolizer *symbolizer, const struct contprof_pair_count *branch) {
  const struct contprof_function_range *range =
      contprof_binary_range_starting(symbolizer->binary, branch->to);
  if (!range || !range->is_entry)
    return;
  const char *name = range->function->name;
  size_t length = contprof_canonical_length(name, strlen(name), true);
  const struct contprof_sample_name *callee =
      contprof_sample_name_of(symbolizer->profile, name, length);
  if (branch->from != CONTPROF_EXTERNAL)
    add_target(symbolizer, branch->from, callee, branch->count);
  struct contprof_function_samples *function = contprof_samples_of(symbolizer->profile, callee);
  function->head =
      contprof_samples_add(function->head, branch->count, 1, &symbolizer->profile->saturated);
}

static void add_branches(struct symbolizer *symbolizer, struct contprof_pair_counts *counts) {
  size_t count;
  struct contprof_pair_count *branches = contprof_pairs_take(counts, &count);
  for (size_t i = 0; i < count; i++)
    add_branch(symbolizer, &branches[i]);
  free(branches);
}

// --- what follows from the sums -----------------------------------------------------------------

static uint64_t target_sum(const struct contprof_body_sample *body) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < body->target_count; i++)
    sum += body->targets[i].count;
  return sum;
}

// A line that calls ran at least as often as it called. Of functions that are inlined LLVM leaves
// that be.
static void raise_to_targets(struct contprof_function_samples *function) {
  for (size_t i = 0; i < function->body_count; i++) {
    uint64_t targets = target_sum(&function->bodies[i]);
    if (function->bodies[i].count < targets)
      function->bodies[i].count = targets;
  }
}

static void sum_bodies(struct symbolizer *symbolizer, struct contprof_function_samples *function) {
  function->total = 0;
  for (size_t i = 0; i < function->body_count; i++)
    add_total(symbolizer, function, function->bodies[i].count);
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++) {
      struct contprof_function_samples *inlinee = function->callsites[i].inlinees[j];
      sum_bodies(symbolizer, inlinee);
      add_total(symbolizer, function, inlinee->total);
    }
}

void contprof_profile_from_counts(struct contprof_binary *binary,
                                  struct contprof_sample_counts *counts,
                                  const struct contprof_symbolize_options *options,
                                  struct contprof_sample_profile *profile) {
  struct symbolizer symbolizer = {.binary = binary,
                                  .options = options,
                                  .profile = profile,
                                  .flow_sensitive = contprof_binary_fs_discriminators(binary)};
  profile->fs_discriminators = symbolizer.flow_sensitive;
  add_ranges(&symbolizer, &counts->ranges);
  add_branches(&symbolizer, &counts->branches);
  for (size_t i = 0; i < profile->function_count; i++) {
    raise_to_targets(profile->functions[i]);
    if (options->update_total)
      sum_bodies(&symbolizer, profile->functions[i]);
  }
  free(symbolizer.slots);
}
