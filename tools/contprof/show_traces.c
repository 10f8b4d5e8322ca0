#include "show_traces.h"

#include "../instr/ref_index.h"

#include <inttypes.h>

// A function that is not in the profile is an empty line, as there.
static void print_trace(FILE *to, const struct contprof_trace *trace,
                        const struct contprof_ref_index *functions) {
  for (size_t i = 0; i < trace->count; i++) {
    const struct contprof_function *one = contprof_ref_index_find(functions, trace->refs[i]);
    fputs("    ", to);
    if (one)
      fwrite(one->name, 1, one->name_length, to);
    fputc('\n', to);
  }
}

void contprof_show_traces(FILE *to, const struct contprof_profile *profile) {
  struct contprof_ref_index functions = contprof_ref_index_of(profile);
  fprintf(to, "Temporal Profile Traces (samples=%zu seen=%" PRIu64 "):\n", profile->trace_count,
          profile->trace_stream);
  for (size_t i = 0; i < profile->trace_count; i++) {
    const struct contprof_trace *trace = &profile->traces[i];
    fprintf(to, "  Temporal Profile Trace %zu (weight=%" PRIu64 " count=%zu):\n", i, trace->weight,
            trace->count);
    print_trace(to, trace, &functions);
  }
  contprof_ref_index_free(&functions);
}
