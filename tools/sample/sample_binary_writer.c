#include "sample_binary.h"
#include "sample_body_writer.h"
#include "sample_sections.h"

#include <stdlib.h>

void contprof_sample_binary_put(const struct contprof_sample_profile *profile,
                                struct contprof_byte_writer *out) {
  struct contprof_body_writer writer = contprof_body_writer_for(profile);
  struct contprof_function_samples **sorted = contprof_samples_sorted(profile);
  contprof_put_uleb128(out, CONTPROF_SAMPLE_MAGIC | CONTPROF_MAGIC_BINARY);
  contprof_put_uleb128(out, CONTPROF_SAMPLE_VERSION);
  contprof_put_sample_summary(profile, out);
  contprof_put_name_table(&writer, out);
  for (size_t i = 0; i < profile->function_count; i++)
    contprof_put_function(&writer, sorted[i], out);
  free(sorted);
  contprof_body_writer_free(&writer);
}
