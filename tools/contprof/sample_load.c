#include "sample_load.h"

#include "../sample/sample_format.h"
#include "../sample/sample_rewrite.h"
#include "option_values.h"

#include <string.h>

// The base discriminator's bits, and with each pass more
// (llvm/include/llvm/Support/Discriminator.h).
bool contprof_sample_load_pass(const char *argument, struct contprof_sample_load *how,
                               struct contprof_error *error) {
  static const struct {
    const char *name;
    uint32_t bits;
  } PASSES[] = {{"Base", 0xff},
                {"Pass1", 0x3fff},
                {"Pass2", 0xfffff},
                {"Pass3", 0x3ffffff},
                {"PassLast", UINT32_MAX}};
  for (size_t i = 0; i < sizeof PASSES / sizeof *PASSES; i++)
    if (strcmp(argument, PASSES[i].name) == 0) {
      how->dropped_bits = ~PASSES[i].bits;
      return true;
    }
  return contprof_bad_argument(error, "fs-discriminator-pass", argument,
                               "Base, Pass1, Pass2, Pass3 or PassLast");
}

static void drop_bits(uint32_t dropped, struct contprof_sample_profile *profile) {
  const struct contprof_sample_rewrite how = {.discriminator_mask = ~dropped};
  struct contprof_sample_profile rewritten = {0};
  contprof_samples_rewrite(&rewritten, profile, &how);
  contprof_sample_profile_free(profile);
  *profile = rewritten;
}

bool contprof_samples_load(const char *path, const struct contprof_sample_load *how,
                           struct contprof_sample_profile *profile, struct contprof_error *error) {
  if (!contprof_sample_read(path, profile, error))
    return false;
  profile->fs_discriminators |= how->flow_sensitive;
  if (profile->fs_discriminators && how->dropped_bits)
    drop_bits(how->dropped_bits, profile);
  return true;
}
