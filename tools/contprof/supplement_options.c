#include "supplement_options.h"

#include "messages.h"
#include "option_values.h"
#include "verbs.h"

#include <inttypes.h>
#include <stdlib.h>

bool contprof_share_argument(const char *option, const char *argument, float *share,
                             struct contprof_error *error) {
  char *end;
  *share = strtof(argument, &end);
  return (end != argument && !*end && *share >= 0 && *share <= 1) ||
         contprof_bad_argument(error, option, argument, "a number from 0 to 1");
}

bool contprof_supplement_is_wrong(const struct contprof_supplement_request *request) {
  const struct contprof_sampled *sampled = &request->sampled;
  if (request->wanted && !sampled->inputs.count)
    contprof_say_usage("merge",
                       "no samples; give --supplement-instr-with-sample=FILE (of directories, what "
                       "is named *.afdo, *.prof, *.profdata, *.proftext, *.data or perf.data.* is "
                       "read)");
  else if (request->wanted && !*sampled->inputs.inputs[0].path)
    contprof_say_usage("merge", "--supplement-instr-with-sample needs a file's name");
  else if (!request->wanted && (sampled->binaries.count || sampled->debug_binary))
    contprof_say_usage("merge", "--binary=FILE and --debug-binary=FILE go with "
                                "--supplement-instr-with-sample");
  else
    return false;
  return true;
}

static void say_ambiguous(const char *name) {
  contprof_say_warning("%s: local functions of several files have that name, so that its samples "
                       "supplement none of them",
                       name);
}

// Front-end instrumentation's counts clang takes as they are, marks as well.
static void say_marks(const struct contprof_profile *profile, uint64_t marks) {
  if (marks && !(profile->variant & CONTPROF_VARIANT_IR))
    contprof_say_warning("%" PRIu64 " functions are marked as hot or warm, which clang "
                         "understands in profiles of IR instrumentation alone",
                         marks);
}

static bool without_names(const struct contprof_sample_profile *sample) {
  for (size_t i = 0; i < sample->function_count; i++)
    if (sample->functions[i]->name->text)
      return false;
  return sample->function_count > 0;
}

void contprof_supplement_with(const struct contprof_supplement_request *request,
                              const struct contprof_sample_profile *sample, unsigned llvm,
                              struct contprof_profile *profile) {
  struct contprof_supplement_options options = request->options;
  struct contprof_supplement_report report = {.ambiguous = say_ambiguous};
  options.llvm = llvm;
  if (without_names(sample))
    contprof_say_warning("%s: has hashes in place of names, by which no function is found here, as "
                         "in llvm-profdata; contprof combine finds them",
                         request->sampled.inputs.inputs[0].path);
  contprof_supplement(profile, sample, &options, &report);
  say_marks(profile, report.marked_hot + report.marked_warm);
  if (report.saturated)
    contprof_say_warning("%" PRIu64 " counts reached the largest number there is",
                         report.saturated);
}
