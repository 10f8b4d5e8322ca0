#include "converter.h"

#include "../base/handoff.h"
#include "../base/memory.h"
#include "image_match.h"
#include "placing.h"
#include "range_checks.h"
#include "sample_filter.h"

#include <stdlib.h>
#include <string.h>

enum {
  COUNTS_AT_ONCE = 4096, // that are handed over together
  AHEAD = 32,            // so far ahead a count's place in its table is fetched from memory
};

struct placed_branch {
  struct contprof_branch_end from;
  struct contprof_branch_end to;
};

// A count on its way to its table.
struct count {
  struct contprof_pair_counts *into; // not owned
  struct contprof_pair_count pair;
};

// What is counted of one binary.
struct counted {
  struct contprof_binary *binary;       // not owned
  struct contprof_pair_counts ranges;   // as they were seen, ends outside of the binary with them
  struct contprof_pair_counts branches; // that end in the binary
  struct contprof_pair_counts ips;      // samples
  struct contprof_pair_counts weighed;  // the same IPs, by their periods
  struct contprof_sample_counts counts; // what comes of it
  struct contprof_range_checks checks;  // of the ranges in `counts` and those that are not
  uint64_t stamp;                       // the sample that the next two belong to
  size_t entries;                       // branches that begin or end in the binary
  uint64_t newer;                       // source of the next newer of them; 0: there is none yet
};

struct contprof_converter {
  const struct contprof_convert_options *options; // not owned
  struct counted *binaries;                       // count of them; owned
  size_t count;
  struct contprof_placing placing;
  struct contprof_handoff *counting; // of all counts until the end; NULL then
  struct placed_branch *stack;       // the branches of the sample at hand; owned
  size_t stack_room;
  uint64_t stamp; // of the sample at hand
  bool saw_branches;
  bool saw_pids;
  bool saw_ips;
  bool ip_only; // what was decided at the end
  struct contprof_recordings became;
  struct contprof_event_notes events;
};

// The tables are large, so that the time of this is memory's.
static void add_counts(void *context, const void *items, size_t count) {
  (void)context;
  const struct count *counts = items;
  for (size_t i = 0; i < count + AHEAD; i++) {
    if (i < count)
      contprof_pair_expect(counts[i].into, counts[i].pair.from, counts[i].pair.to);
    if (i >= AHEAD) {
      const struct count *due = &counts[i - AHEAD];
      contprof_pair_add(due->into, due->pair.from, due->pair.to, due->pair.count);
    }
  }
}

struct contprof_converter *contprof_converter_new(struct contprof_binary *const *binaries,
                                                  size_t count,
                                                  const struct contprof_convert_options *options) {
  struct contprof_converter *converter = contprof_need(calloc(1, sizeof *converter));
  converter->options = options;
  converter->count = count;
  converter->binaries = contprof_need(calloc(count ? count : 1, sizeof *converter->binaries));
  for (size_t i = 0; i < count; i++)
    converter->binaries[i].binary = binaries[i];
  contprof_placing_begin(&converter->placing, binaries, count, options);
  converter->counting = contprof_handoff_new(sizeof(struct count), COUNTS_AT_ONCE,
                                             options->threads > 1, add_counts, NULL);
  return converter;
}

static void free_pairs(struct contprof_pair_counts *ranges, struct contprof_pair_counts *branches) {
  struct contprof_sample_counts counts = {*ranges, *branches};
  contprof_sample_counts_free(&counts);
}

void contprof_converter_free(struct contprof_converter *converter) {
  if (!converter)
    return;
  contprof_handoff_end(converter->counting);
  for (size_t i = 0; i < converter->count; i++) {
    struct counted *counted = &converter->binaries[i];
    free_pairs(&counted->ranges, &counted->branches);
    free_pairs(&counted->ips, &counted->weighed);
    contprof_sample_counts_free(&counted->counts);
  }
  contprof_placing_free(&converter->placing);
  free(converter->binaries);
  contprof_recordings_free(&converter->became);
  free(converter->stack);
  free(converter);
}

static void count_pair(struct contprof_converter *converter, struct contprof_pair_counts *into,
                       uint64_t from, uint64_t to, uint64_t count) {
  struct count *next = contprof_handoff_next(converter->counting);
  *next = (struct count){into, {from, to, count}};
}

// --- branch stacks ------------------------------------------------------------------------------

static void touch(struct contprof_converter *converter, uint32_t binary) {
  struct counted *counted = &converter->binaries[binary];
  if (counted->stamp != converter->stamp) {
    counted->stamp = converter->stamp;
    counted->entries = 0;
    counted->newer = 0;
  }
  counted->entries++;
}

static bool is_ambiguous(const struct placed_branch *branch) {
  return branch->from.where == CONTPROF_WHERE_AMBIGUOUS ||
         branch->to.where == CONTPROF_WHERE_AMBIGUOUS;
}

static void make_room(struct contprof_converter *converter, size_t count) {
  if (count <= converter->stack_room)
    return;
  converter->stack_room = count;
  converter->stack = contprof_need_array(converter->stack, count, sizeof *converter->stack);
}

// Looks all branches of a sample up, newest first, and counts those of each binary. Says where the
// sample is: HERE if a branch begins or ends in a binary, AMBIGUOUS if that can't be told of one,
// else OTHER.
static enum contprof_where look_up(struct contprof_converter *converter,
                                   const struct contprof_perf_event *event) {
  const struct contprof_perf_sample *sample = &event->sample;
  enum contprof_where where = CONTPROF_WHERE_OTHER;
  make_room(converter, sample->branch_count);
  converter->stamp++;
  for (size_t i = 0; i < sample->branch_count; i++) {
    struct placed_branch *branch = &converter->stack[i];
    branch->from = contprof_place_end(&converter->placing, event->pid, sample->branches[i].from);
    branch->to = contprof_place_end(&converter->placing, event->pid, sample->branches[i].to);
    uint32_t from = branch->from.binary;
    uint32_t to = branch->to.binary;
    if (is_ambiguous(branch))
      return CONTPROF_WHERE_AMBIGUOUS;
    if (from != CONTPROF_OUTSIDE)
      touch(converter, from);
    if (to != CONTPROF_OUTSIDE && to != from)
      touch(converter, to);
    if (from != CONTPROF_OUTSIDE || to != CONTPROF_OUTSIDE)
      where = CONTPROF_WHERE_HERE;
  }
  return where;
}

// Periods and counts are the input's, and may be any numbers.
static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// With --sample-period, what a sample of that many branches stands for: the events, less the
// blow-up by counting each branch of a stack. As in llvm-profgen, each sample's is rounded, and
// each aggregated one's as a whole (PerfScriptReader::parseSample).
static uint64_t weight(const struct contprof_converter *converter,
                       const struct contprof_perf_event *event, size_t entries) {
  uint64_t period = converter->options->sample_period;
  uint64_t branches = entries > 1 ? entries - 1 : 1;
  if (!period)
    return event->count;
  return event->aggregated ? times(period, event->count) / branches
                           : times(period / branches, event->count);
}

static uint64_t end_in(const struct contprof_branch_end *end, uint32_t binary) {
  return end->binary == binary ? end->place : CONTPROF_EXTERNAL;
}

// The branch, and the range from it to the next newer one in the binary.
static void count_in(struct contprof_converter *converter, const struct placed_branch *branch,
                     uint32_t binary, const struct contprof_perf_event *event) {
  struct counted *counted = &converter->binaries[binary];
  uint64_t count = weight(converter, event, counted->entries);
  uint64_t source = end_in(&branch->from, binary);
  uint64_t target = end_in(&branch->to, binary);
  if (branch->to.binary == binary && count)
    count_pair(converter, &counted->branches, source, target, count);
  if (counted->newer)
    count_pair(converter, &counted->ranges, target, counted->newer, count);
  counted->newer = source;
}

// What a sample did that touches no wanted binary. Of a stack the newest branch tells, whose target
// is where the sample was, or nearly.
static void attribute_outside(struct contprof_converter *converter,
                              const struct contprof_perf_event *event,
                              struct contprof_attribution *to,
                              const struct contprof_branch_end *end) {
  if (end->where == CONTPROF_WHERE_HERE)
    to->no_code += event->count;
  else
    to->by_where[end->where] += event->count;
  if (end->where == CONTPROF_WHERE_OTHER)
    contprof_seen_files_count(&converter->placing.seen, end->file, event->count);
}

// llvm-profgen counts no branches of samples whose callchain may be wrong: those that are taken
// while a frame is made or left. Their branches would do, but for one process the numbers are to be
// the same.
static bool has_doubtful_chain(struct contprof_converter *converter,
                               const struct contprof_perf_event *event) {
  const struct contprof_perf_sample *sample = &event->sample;
  if (!sample->has_callchain)
    return false;
  if (!sample->has_ip)
    return true;
  struct contprof_branch_end end = contprof_place_end(&converter->placing, event->pid, sample->ip);
  return end.binary != CONTPROF_OUTSIDE && contprof_is_in_frame_code(&converter->placing, &end);
}

static void take_stack(struct contprof_converter *converter,
                       const struct contprof_perf_event *event) {
  if (has_doubtful_chain(converter, event)) {
    converter->became.now.stacks.doubtful += event->count;
    return;
  }
  enum contprof_where where = look_up(converter, event);
  if (where == CONTPROF_WHERE_OTHER) {
    attribute_outside(converter, event, &converter->became.now.stacks, &converter->stack[0].to);
    return;
  }
  converter->became.now.stacks.by_where[where] += event->count;
  if (where != CONTPROF_WHERE_HERE)
    return;
  for (size_t i = 0; i < event->sample.branch_count; i++) {
    const struct placed_branch *branch = &converter->stack[i];
    uint32_t from = branch->from.binary;
    uint32_t to = branch->to.binary;
    if (from != CONTPROF_OUTSIDE)
      count_in(converter, branch, from, event);
    if (to != CONTPROF_OUTSIDE && to != from)
      count_in(converter, branch, to, event);
  }
}

// --- IPs ----------------------------------------------------------------------------------------

static void take_ip(struct contprof_converter *converter, const struct contprof_perf_event *event) {
  const struct contprof_perf_sample *sample = &event->sample;
  if (!sample->has_ip) {
    converter->became.now.ips.no_branches += event->count;
    return;
  }
  converter->saw_ips = true;
  // A hypervisor's or a guest's addresses may look like the process's.
  if (event->kernel && !contprof_is_kernel_address(sample->ip)) {
    converter->became.now.ips.by_where[CONTPROF_WHERE_KERNEL] += event->count;
    return;
  }
  struct contprof_branch_end end = contprof_place_end(&converter->placing, event->pid, sample->ip);
  bool as_offset = false;
  if (sample->file && !contprof_is_kernel_address(sample->ip))
    end =
        contprof_place_leaf(&converter->placing, event->pid, sample->ip, sample->file, &as_offset);
  if (end.binary == CONTPROF_OUTSIDE) {
    attribute_outside(converter, event, &converter->became.now.ips, &end);
    return;
  }
  converter->became.now.ips.by_where[CONTPROF_WHERE_HERE] += event->count;
  converter->became.now.ips.as_offsets += as_offset ? event->count : 0;
  struct counted *counted = &converter->binaries[end.binary];
  count_pair(converter, &counted->ips, end.place, end.place, event->count);
  count_pair(converter, &counted->weighed, end.place, end.place,
             times(event->count, sample->period));
}

// --- events -------------------------------------------------------------------------------------

static void see_branches(struct contprof_converter *converter) {
  converter->saw_branches = true;
  if (!converter->options->ip_only)
    contprof_seen_files_restart(&converter->placing.seen);
}

// Until there is a branch stack it is not known what the recording is, so IPs are counted; then
// only if they are asked for.
static void take_sample(struct contprof_converter *converter,
                        const struct contprof_perf_event *event) {
  const struct contprof_convert_options *options = converter->options;
  contprof_note_event(&converter->events, event->sample.event, event->count);
  converter->became.now.common.samples += event->count;
  converter->saw_pids |= event->pid != CONTPROF_NO_PID;
  if (!contprof_is_wanted_event(options, event->sample.event)) {
    converter->became.now.common.other_event += event->count;
    return;
  }
  if (!contprof_is_wanted_pid(options, event->pid)) {
    converter->became.now.common.other_pid += event->count;
    return;
  }
  if (!converter->saw_branches && event->sample.branch_count)
    see_branches(converter);
  if (options->ip_only || !converter->saw_branches)
    take_ip(converter, event);
  if (options->ip_only)
    return;
  if (event->sample.branch_count)
    take_stack(converter, event);
  else
    converter->became.now.stacks.no_branches += event->count;
}

bool contprof_converter_take(void *context, const struct contprof_perf_event *event,
                             struct contprof_error *error) {
  struct contprof_converter *converter = context;
  (void)error;
  switch (event->kind) {
  case CONTPROF_PERF_SAMPLE:
    take_sample(converter, event);
    break;
  case CONTPROF_PERF_LOST:
    converter->became.now.common.lost += event->count;
    break;
  default:
    contprof_spaces_event(converter->placing.spaces, event);
    break;
  }
  return true;
}

// --- the end ------------------------------------------------------------------------------------

static void keep_good_ranges(struct contprof_converter *converter, struct counted *counted,
                             struct contprof_pair_counts *seen, uint64_t weight_of_each) {
  size_t count, kept = 0;
  struct contprof_pair_count *ranges = contprof_pairs_take(seen, &count);
  for (size_t i = 0; i < count; i++) {
    ranges[i].count = times(ranges[i].count, weight_of_each);
    if (contprof_check_range(counted->binary, &ranges[i], converter->ip_only, converter->options,
                             &counted->checks))
      ranges[kept++] = ranges[i];
  }
  contprof_pairs_give(&counted->counts.ranges, ranges, kept);
}

// What was seen is no more needed; the profile that is made of the counts is large enough.
static void forget_seen(struct counted *counted) {
  free_pairs(&counted->ranges, &counted->branches);
  free_pairs(&counted->ips, &counted->weighed);
  counted->ranges = counted->branches = (struct contprof_pair_counts){0};
  counted->ips = counted->weighed = (struct contprof_pair_counts){0};
}

bool contprof_converter_by_period(const struct contprof_converter *converter) {
  return converter->ip_only && !converter->options->sample_period && !converter->options->alike &&
         !converter->saw_branches;
}

static void finish_binary(struct contprof_converter *converter, struct counted *counted) {
  uint64_t period = converter->options->sample_period;
  if (!converter->ip_only) {
    keep_good_ranges(converter, counted, &counted->ranges, 1);
    counted->counts.branches = counted->branches;
    counted->branches = (struct contprof_pair_counts){0};
  } else if (!contprof_converter_by_period(converter)) {
    keep_good_ranges(converter, counted, &counted->ips, period ? period : 1);
  } else {
    keep_good_ranges(converter, counted, &counted->weighed, 1);
  }
  forget_seen(counted);
}

void contprof_converter_next(struct contprof_converter *converter) {
  contprof_recording_ended(&converter->became);
  contprof_notes_detach(&converter->events);
  contprof_placing_restart(&converter->placing);
}

void contprof_converter_finish(struct contprof_converter *converter) {
  contprof_handoff_end(converter->counting);
  converter->counting = NULL;
  converter->ip_only =
      converter->options->ip_only || (!converter->saw_branches && converter->saw_ips);
  for (size_t i = 0; i < converter->count; i++)
    finish_binary(converter, &converter->binaries[i]);
  contprof_recordings_ended(&converter->became, converter->ip_only);
}

bool contprof_converter_ip_only(const struct contprof_converter *converter) {
  return converter->ip_only;
}

bool contprof_converter_saw_pids(const struct contprof_converter *converter) {
  return converter->saw_pids;
}

struct contprof_sample_counts *contprof_converter_counts(struct contprof_converter *converter,
                                                         size_t index) {
  return &converter->binaries[index].counts;
}

const struct contprof_range_checks *
contprof_converter_checks(const struct contprof_converter *converter, size_t index) {
  return &converter->binaries[index].checks;
}

const struct contprof_attribution *
contprof_converter_attribution(const struct contprof_converter *converter) {
  return &converter->became.sum;
}

const struct contprof_attribution *
contprof_converter_recordings(const struct contprof_converter *converter, size_t *count) {
  *count = converter->became.count;
  return converter->became.chosen;
}

const struct contprof_event_notes *
contprof_converter_events(const struct contprof_converter *converter) {
  return &converter->events;
}

const struct contprof_seen_files *
contprof_converter_others(const struct contprof_converter *converter) {
  return &converter->placing.seen;
}

struct contprof_spaces *contprof_converter_spaces(struct contprof_converter *converter) {
  return converter->placing.spaces;
}
