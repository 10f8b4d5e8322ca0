#include "range_checks.h"

// llvm-profgen's words, which its users' scripts may know.
static const char NOT_BOUNDARY[] =
    "Range is not on instruction boundary, likely due to profile and binary mismatch.";
static const char NO_FUNCTION[] =
    "Range does not belong to any functions, likely from PLT, .init or .fini section.";
static const char CROSSES_FUNCTION[] = "Fall through range should not cross function boundaries, "
                                       "likely due to profile and binary mismatch.";
static const char BOGUS[] = "Range start is after or too far from range end.";

static void tell(const struct contprof_convert_options *options,
                 const struct contprof_pair_count *range, uint64_t *sum, const char *why) {
  *sum += range->count;
  if (options->bad_range)
    options->bad_range(options->context, range->from, range->to, why);
}

static bool is_valid(struct contprof_binary *binary, const struct contprof_pair_count *range) {
  return range->from <= range->to && !contprof_crosses_barrier(binary, range->from, range->to);
}

static unsigned flags_at(struct contprof_binary *binary, uint64_t address) {
  return address == CONTPROF_EXTERNAL ? 0 : contprof_instruction_at(binary, address);
}

bool contprof_check_range(struct contprof_binary *binary, const struct contprof_pair_count *range,
                          bool ip_only, const struct contprof_convert_options *options,
                          struct contprof_range_checks *checks) {
  bool starts = flags_at(binary, range->from) & CONTPROF_INSTRUCTION_STARTS;
  unsigned end = flags_at(binary, range->to);
  bool inside = starts && (end & CONTPROF_INSTRUCTION_STARTS);
  bool valid = inside && is_valid(binary, range);
  checks->total += range->count;
  if (!starts && !(end & CONTPROF_INSTRUCTION_STARTS))
    return false;
  if (!ip_only && (!starts || !(end & CONTPROF_INSTRUCTION_TRANSFER)))
    tell(options, range, &checks->not_boundary, NOT_BOUNDARY);
  const struct contprof_function_range *function = contprof_binary_range_at(binary, range->from);
  if (!function) {
    tell(options, range, &checks->no_function, NO_FUNCTION);
    return valid;
  }
  if (range->to >= function->end)
    tell(options, range, &checks->crosses_function, CROSSES_FUNCTION);
  if (inside && !valid)
    tell(options, range, &checks->bogus, BOGUS);
  return valid;
}
