#include "converter.h"

#include "../base/memory.h"
#include "branch_table.h"
#include "image_match.h"
#include "range_checks.h"
#include "sample_filter.h"
#include "space_numbers.h"

#include <stdlib.h>
#include <string.h>

// A table of branches larger than this holds many of spaces that are no more, and is begun anew.
enum { MOST_BRANCHES = 1 << 20 };

// So many ranges wait, while their places in a table come from memory.
enum { EXPECTED = 32 };

// IPs stand in the table as branches to themselves, in spaces of their own.
#define IP_SPACE (UINT64_C(1) << 63)

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
  struct contprof_pair_count expected[EXPECTED]; // that are still to go to `ranges`
  size_t expected_count;
};

struct contprof_converter {
  const struct contprof_convert_options *options; // not owned
  struct counted *binaries;                       // count of them; owned
  size_t count;
  struct contprof_image *images; // count of them; owned
  struct contprof_spaces *spaces;
  struct contprof_space_numbers numbers;
  struct contprof_branch_table table;
  uint32_t *stack; // the branches of the sample at hand, in `table`; owned
  size_t stack_room;
  uint64_t stamp; // of the sample at hand
  bool saw_branches;
  bool saw_ips;
  bool ip_only;                       // what was decided at the end
  struct contprof_attribution common; // what holds for stacks and IPs
  struct contprof_attribution stacks;
  struct contprof_attribution ips;
  struct contprof_name_notes names;
};

struct contprof_converter *contprof_converter_new(struct contprof_binary *const *binaries,
                                                  size_t count,
                                                  const struct contprof_convert_options *options) {
  struct contprof_converter *converter = contprof_need(calloc(1, sizeof *converter));
  converter->options = options;
  converter->count = count;
  converter->binaries = contprof_need(calloc(count ? count : 1, sizeof *converter->binaries));
  converter->images = contprof_need(calloc(count ? count : 1, sizeof *converter->images));
  for (size_t i = 0; i < count; i++) {
    converter->binaries[i].binary = binaries[i];
    converter->images[i] = *contprof_binary_image(binaries[i]);
  }
  converter->spaces = contprof_spaces_new(converter->images, count);
  return converter;
}

static void free_pairs(struct contprof_pair_counts *ranges, struct contprof_pair_counts *branches) {
  struct contprof_sample_counts counts = {*ranges, *branches};
  contprof_sample_counts_free(&counts);
}

void contprof_converter_free(struct contprof_converter *converter) {
  if (!converter)
    return;
  for (size_t i = 0; i < converter->count; i++) {
    struct counted *counted = &converter->binaries[i];
    free_pairs(&counted->ranges, &counted->branches);
    free_pairs(&counted->ips, &counted->weighed);
    contprof_sample_counts_free(&counted->counts);
  }
  contprof_spaces_free(converter->spaces);
  contprof_space_numbers_free(&converter->numbers);
  contprof_branch_table_clear(&converter->table);
  free(converter->binaries);
  free(converter->images);
  free(converter->stack);
  free(converter);
}

// --- places -------------------------------------------------------------------------------------

// Of two processes' answers about an address the one that holds for both: a process that has
// nothing there says nothing; if one has a binary there, the other must have the same place of it.
static struct contprof_place agreed(struct contprof_place a, struct contprof_place b) {
  if (a.where == CONTPROF_WHERE_UNMAPPED || b.where == CONTPROF_WHERE_UNMAPPED)
    return a.where == CONTPROF_WHERE_UNMAPPED ? b : a;
  bool is_here = a.where == CONTPROF_WHERE_HERE || b.where == CONTPROF_WHERE_HERE;
  if (is_here && (a.where != b.where || a.image != b.image || a.address != b.address))
    return (struct contprof_place){.where = CONTPROF_WHERE_AMBIGUOUS};
  return a;
}

// A sample without a PID belongs to one of the wanted processes, if there are such.
static struct contprof_place resolve(struct contprof_converter *converter, int32_t pid,
                                     uint64_t address) {
  const struct contprof_convert_options *options = converter->options;
  if (pid != CONTPROF_NO_PID || !options->pid_count)
    return contprof_spaces_resolve(converter->spaces, pid, address);
  struct contprof_place found = {.where = CONTPROF_WHERE_UNMAPPED};
  for (size_t i = 0; i < options->pid_count && found.where != CONTPROF_WHERE_AMBIGUOUS; i++)
    found = agreed(found, contprof_spaces_resolve(converter->spaces, options->pids[i], address));
  return found;
}

static void place_end(struct contprof_converter *converter, int32_t pid,
                      struct contprof_branch_end *end) {
  struct contprof_place place = resolve(converter, pid, end->address);
  end->where = (uint8_t)place.where;
  end->binary = CONTPROF_OUTSIDE;
  if (place.where != CONTPROF_WHERE_HERE)
    return;
  struct contprof_binary *binary = converter->binaries[place.image].binary;
  if (!(contprof_instruction_at(binary, place.address) & CONTPROF_INSTRUCTION_STARTS))
    return;
  end->binary = (uint32_t)place.image;
  end->place = place.address;
}

// As llvm-profgen infers where a frame is not whole: at the first two instructions of a function,
// at a return and the instruction before it (PrologEpilogTracker in ProfiledBinary.h).
static bool is_in_frame_code(struct contprof_binary *binary, uint64_t address) {
  const struct contprof_function_range *range = contprof_binary_range_at(binary, address);
  if (range &&
      (range->start == address || contprof_instruction_next(binary, range->start + 1) == address))
    return true;
  uint64_t next = contprof_instruction_next(binary, address + 1);
  return (contprof_instruction_at(binary, address) & CONTPROF_INSTRUCTION_RETURN) ||
         (next != UINT64_MAX &&
          (contprof_instruction_at(binary, next) & CONTPROF_INSTRUCTION_RETURN));
}

// The index of the branch in the table.
static uint32_t placed(struct contprof_converter *converter, int32_t pid, uint64_t space,
                       uint64_t from, uint64_t to) {
  bool is_new;
  uint32_t index = contprof_branch_find(&converter->table, space, from, to, &is_new);
  if (is_new) {
    struct contprof_placed_branch *branch = &converter->table.branches[index];
    place_end(converter, pid, &branch->from);
    if (from == to) {
      branch->to = branch->from;
    } else {
      place_end(converter, pid, &branch->to);
    }
  }
  return index;
}

// Gives the branches' counts to their binaries, and forgets the branches.
static void flush_table(struct contprof_converter *converter) {
  for (size_t i = 0; i < converter->table.count; i++) {
    const struct contprof_placed_branch *branch = &converter->table.branches[i];
    uint32_t to = branch->to.binary;
    if (to == CONTPROF_OUTSIDE || !branch->count)
      continue;
    uint64_t from = branch->from.binary == to ? branch->from.place : CONTPROF_EXTERNAL;
    contprof_pair_add(&converter->binaries[to].branches, from, branch->to.place, branch->count);
  }
  contprof_branch_table_clear(&converter->table);
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

static bool is_ambiguous(const struct contprof_placed_branch *branch) {
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
  uint64_t space = contprof_space_number(&converter->numbers, event->pid);
  enum contprof_where where = CONTPROF_WHERE_OTHER;
  make_room(converter, sample->branch_count);
  converter->stamp++;
  for (size_t i = 0; i < sample->branch_count; i++) {
    uint32_t index =
        placed(converter, event->pid, space, sample->branches[i].from, sample->branches[i].to);
    const struct contprof_placed_branch *branch = &converter->table.branches[index];
    uint32_t from = branch->from.binary;
    uint32_t to = branch->to.binary;
    converter->stack[i] = index;
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
// blow-up by counting each branch of a stack.
static uint64_t weight(const struct contprof_converter *converter, uint64_t count, size_t entries) {
  uint64_t period = converter->options->sample_period;
  if (!period)
    return count;
  uint64_t one = entries > 1 ? period / (entries - 1) : period;
  return times(one, count);
}

static void add_expected(struct counted *counted) {
  for (size_t i = 0; i < counted->expected_count; i++) {
    const struct contprof_pair_count *range = &counted->expected[i];
    contprof_pair_add(&counted->ranges, range->from, range->to, range->count);
  }
  counted->expected_count = 0;
}

static void count_range(struct counted *counted, uint64_t from, uint64_t to, uint64_t count) {
  if (counted->expected_count == EXPECTED)
    add_expected(counted);
  contprof_pair_expect(&counted->ranges, from, to);
  counted->expected[counted->expected_count++] = (struct contprof_pair_count){from, to, count};
}

// The branch for `counted`, of which `source` and `target` are its ends there.
static void count_branch(struct counted *counted, uint64_t source, uint64_t target,
                         uint64_t count) {
  if (counted->newer)
    count_range(counted, target, counted->newer, count);
  counted->newer = source;
}

static uint64_t end_in(const struct contprof_branch_end *end, uint32_t binary) {
  return end->binary == binary ? end->place : CONTPROF_EXTERNAL;
}

static void count_in(struct contprof_converter *converter, struct contprof_placed_branch *branch,
                     uint32_t binary, uint64_t samples) {
  struct counted *counted = &converter->binaries[binary];
  uint64_t count = weight(converter, samples, counted->entries);
  if (branch->to.binary == binary)
    branch->count += count;
  count_branch(counted, end_in(&branch->from, binary), end_in(&branch->to, binary), count);
}

// What a stack that touches no wanted binary did instead: its newest branch tells, of which the
// target is where the sample was, or nearly.
static void attribute_outside(struct contprof_converter *converter,
                              const struct contprof_perf_event *event,
                              struct contprof_attribution *to, uint32_t index) {
  enum contprof_where where = converter->table.branches[index].to.where;
  if (where == CONTPROF_WHERE_HERE)
    to->no_code += event->count;
  else
    to->by_where[where] += event->count;
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
  uint64_t space = contprof_space_number(&converter->numbers, event->pid);
  uint32_t index = placed(converter, event->pid, space | IP_SPACE, sample->ip, sample->ip);
  const struct contprof_branch_end *end = &converter->table.branches[index].to;
  return end->binary != CONTPROF_OUTSIDE &&
         is_in_frame_code(converter->binaries[end->binary].binary, end->place);
}

static void take_stack(struct contprof_converter *converter,
                       const struct contprof_perf_event *event) {
  if (has_doubtful_chain(converter, event)) {
    converter->stacks.doubtful += event->count;
    return;
  }
  enum contprof_where where = look_up(converter, event);
  if (where == CONTPROF_WHERE_OTHER) {
    attribute_outside(converter, event, &converter->stacks, converter->stack[0]);
    return;
  }
  converter->stacks.by_where[where] += event->count;
  if (where != CONTPROF_WHERE_HERE)
    return;
  for (size_t i = 0; i < event->sample.branch_count; i++) {
    struct contprof_placed_branch *branch = &converter->table.branches[converter->stack[i]];
    uint32_t from = branch->from.binary;
    uint32_t to = branch->to.binary;
    if (from != CONTPROF_OUTSIDE)
      count_in(converter, branch, from, event->count);
    if (to != CONTPROF_OUTSIDE && to != from)
      count_in(converter, branch, to, event->count);
  }
}

// --- IPs ----------------------------------------------------------------------------------------

static void take_ip(struct contprof_converter *converter, const struct contprof_perf_event *event) {
  const struct contprof_perf_sample *sample = &event->sample;
  if (!sample->has_ip) {
    converter->ips.no_branches += event->count;
    return;
  }
  converter->saw_ips = true;
  // A hypervisor's or a guest's addresses may look like the process's.
  if (event->kernel && !contprof_is_kernel_address(sample->ip)) {
    converter->ips.by_where[CONTPROF_WHERE_KERNEL] += event->count;
    return;
  }
  uint64_t space = contprof_space_number(&converter->numbers, event->pid);
  uint32_t index = placed(converter, event->pid, space | IP_SPACE, sample->ip, sample->ip);
  const struct contprof_branch_end *end = &converter->table.branches[index].to;
  if (end->binary == CONTPROF_OUTSIDE) {
    attribute_outside(converter, event, &converter->ips, index);
    return;
  }
  converter->ips.by_where[CONTPROF_WHERE_HERE] += event->count;
  struct counted *counted = &converter->binaries[end->binary];
  contprof_pair_add(&counted->ips, end->place, end->place, event->count);
  contprof_pair_add(&counted->weighed, end->place, end->place, times(event->count, sample->period));
}

// --- events -------------------------------------------------------------------------------------

// Until there is a branch stack it is not known what the recording is, so IPs are counted; then
// only if they are asked for.
static void take_sample(struct contprof_converter *converter,
                        const struct contprof_perf_event *event) {
  const struct contprof_convert_options *options = converter->options;
  contprof_note_event(&converter->names, event->sample.event);
  converter->common.samples += event->count;
  if (!contprof_is_wanted_event(options, event->sample.event)) {
    converter->common.other_event += event->count;
    return;
  }
  if (!contprof_is_wanted_pid(options, event->pid)) {
    converter->common.other_pid += event->count;
    return;
  }
  if (converter->table.count >= MOST_BRANCHES)
    flush_table(converter);
  converter->saw_branches |= event->sample.branch_count > 0;
  if (options->ip_only || !converter->saw_branches)
    take_ip(converter, event);
  if (options->ip_only)
    return;
  if (event->sample.branch_count)
    take_stack(converter, event);
  else
    converter->stacks.no_branches += event->count;
}

// What concerns one process concerns samples that tell no process, too.
static void take_change(struct contprof_converter *converter,
                        const struct contprof_perf_event *event) {
  contprof_spaces_event(converter->spaces, event);
  contprof_space_changed(&converter->numbers, event->pid);
  contprof_space_changed(&converter->numbers, CONTPROF_NO_PID);
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
    converter->common.lost += event->count;
    break;
  default:
    take_change(converter, event);
    break;
  }
  return true;
}

// --- the end ------------------------------------------------------------------------------------

static void keep_good_ranges(struct contprof_converter *converter, struct counted *counted,
                             struct contprof_pair_counts *seen, uint64_t weight_of_each) {
  size_t count;
  struct contprof_pair_count *ranges = contprof_pairs_take(seen, &count);
  contprof_pairs_reserve(&counted->counts.ranges, count);
  for (size_t i = 0; i < count; i++) {
    ranges[i].count = times(ranges[i].count, weight_of_each);
    if (contprof_check_range(counted->binary, &ranges[i], converter->ip_only, converter->options,
                             &counted->checks))
      contprof_pair_add(&counted->counts.ranges, ranges[i].from, ranges[i].to, ranges[i].count);
  }
  free(ranges);
}

// What was seen is no more needed; the profile that is made of the counts is large enough.
static void forget_seen(struct counted *counted) {
  free_pairs(&counted->ranges, &counted->branches);
  free_pairs(&counted->ips, &counted->weighed);
  counted->ranges = counted->branches = (struct contprof_pair_counts){0};
  counted->ips = counted->weighed = (struct contprof_pair_counts){0};
}

static void finish_binary(struct contprof_converter *converter, struct counted *counted) {
  uint64_t period = converter->options->sample_period;
  add_expected(counted);
  if (!converter->ip_only) {
    keep_good_ranges(converter, counted, &counted->ranges, 1);
    counted->counts.branches = counted->branches;
    counted->branches = (struct contprof_pair_counts){0};
  } else if (period || converter->options->alike || converter->saw_branches) {
    keep_good_ranges(converter, counted, &counted->ips, period ? period : 1);
  } else {
    keep_good_ranges(converter, counted, &counted->weighed, 1);
  }
  forget_seen(counted);
}

static void finish_attribution(struct contprof_converter *converter) {
  struct contprof_attribution *chosen = converter->ip_only ? &converter->ips : &converter->stacks;
  chosen->samples = converter->common.samples;
  chosen->other_event = converter->common.other_event;
  chosen->other_pid = converter->common.other_pid;
  chosen->lost = converter->common.lost;
}

void contprof_converter_finish(struct contprof_converter *converter) {
  flush_table(converter);
  converter->ip_only =
      converter->options->ip_only || (!converter->saw_branches && converter->saw_ips);
  for (size_t i = 0; i < converter->count; i++)
    finish_binary(converter, &converter->binaries[i]);
  finish_attribution(converter);
}

bool contprof_converter_ip_only(const struct contprof_converter *converter) {
  return converter->ip_only;
}

bool contprof_converter_saw_branches(const struct contprof_converter *converter) {
  return converter->saw_branches;
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
  return converter->ip_only ? &converter->ips : &converter->stacks;
}

struct contprof_event_names contprof_converter_events(const struct contprof_converter *converter) {
  return converter->names.told;
}

struct contprof_spaces *contprof_converter_spaces(struct contprof_converter *converter) {
  return converter->spaces;
}
