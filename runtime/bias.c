#include "bias.h"

#include "link_contract.h"
#include "shadow.h"
#include "shard_file.h"

CONTPROF_HIDDEN char CONTPROF_POINTER_SYMBOL;

// Strong, so that the weak ones in instrumented objects give way.
CONTPROF_HIDDEN intptr_t __llvm_profile_counter_bias = 0;
CONTPROF_HIDDEN intptr_t __llvm_profile_bitmap_bias = 0;

__attribute__((weak)) bool (*contprof_segment_base_set)(uint64_t base);
__attribute__((weak)) uint64_t (*contprof_segment_base_get)(void);

__attribute__((weak)) void (*contprof_threads_forked)(void);

bool contprof_bias_possible(const char **why) {
  if (contprof_shadow && !contprof_shadow->possible(why))
    return false;
  *why = "the GS segment base is in use (build with -fprofile-continuous=pointer)";
  return !contprof_segment_base_get || contprof_segment_base_get() == 0;
}

uint64_t contprof_bias_of_shard(const struct contprof_image *image,
                                const struct contprof_live *live, unsigned index) {
  if (contprof_shadow) // counters are in place, and there are no shards
    return 0;
  return (uint64_t)(contprof_shard_counters(live, live->base, index) - image->counters);
}

bool contprof_bias_publish(const struct contprof_image *image, const struct contprof_live *live) {
  unsigned shard = live->images > 1; // the first thread's
  if (contprof_segment_base_set &&
      !contprof_segment_base_set(contprof_bias_of_shard(image, live, shard)))
    return false;
  __atomic_store_n(&__llvm_profile_counter_bias, (intptr_t)contprof_bias_of_shard(image, live, 0),
                   __ATOMIC_RELEASE);
  if (image->bitmap)
    __atomic_store_n(&__llvm_profile_bitmap_bias, live->base + live->layout.bitmap - image->bitmap,
                     __ATOMIC_RELEASE);
  return true;
}

bool contprof_bias_taken(const struct contprof_image *image, const struct contprof_live *live) {
  return contprof_segment_base_get && !contprof_sharded &&
         contprof_segment_base_get() != contprof_bias_of_shard(image, live, 0);
}

void contprof_bias_clear(void) {
  __atomic_store_n(&__llvm_profile_counter_bias, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&__llvm_profile_bitmap_bias, 0, __ATOMIC_RELEASE);
}
