#include "merge_plan.h"

#include "../base/cursor.h"
#include "../base/memory.h"
#include "profile_wire.h"

#include <string.h>

// With its NUL; NULL is no bytes.
static void put_string(struct contprof_byte_writer *out, const char *string) {
  contprof_wire_put_text(out, string, string ? strlen(string) + 1 : 0);
}

static const char *take_string(struct contprof_cursor *in) {
  size_t length;
  const char *string = contprof_wire_take_text(in, &length);
  return length ? string : NULL;
}

void contprof_plan_put(const struct contprof_merge_options *options,
                       struct contprof_byte_writer *out) {
  contprof_put_u8(out, options->by_build);
  contprof_put_u64(out, options->threads);
  contprof_put_u64(out, options->traces.reservoir);
  contprof_put_u64(out, options->traces.length);
  put_string(out, options->remapping);
  put_string(out, options->report); // rank 0 writes it, of entries that each rank keeps for it
  contprof_put_u64(out, options->inputs.count);
  for (size_t i = 0; i < options->inputs.count; i++) {
    contprof_put_u64(out, options->inputs.inputs[i].weight);
    put_string(out, options->inputs.inputs[i].path);
  }
}

void contprof_plan_take(const struct contprof_byte_writer *plan,
                        struct contprof_merge_options *options) {
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor in =
      contprof_cursor_over(plan->bytes, plan->size, 0, "rank 0", "plan", &error);
  *options = (struct contprof_merge_options){.by_build = contprof_take_u8(&in)};
  options->threads = contprof_take_u64(&in);
  options->traces.reservoir = contprof_take_u64(&in);
  options->traces.length = contprof_take_u64(&in);
  options->remapping = take_string(&in);
  options->report = take_string(&in);
  struct contprof_inputs *inputs = &options->inputs;
  size_t count = (size_t)contprof_take_u64(&in);
  inputs->inputs = contprof_need_array(NULL, count + 1, sizeof *inputs->inputs);
  for (; inputs->count < count; inputs->count++) {
    uint64_t weight = contprof_take_u64(&in);
    const char *path = take_string(&in);
    inputs->inputs[inputs->count] =
        (struct contprof_input){.path = contprof_need(strdup(path ? path : "")), .weight = weight};
  }
}
