#include "timestamps.h"

static uint64_t next_timestamp = 1;

static bool is_set(uint64_t timestamp) {
  return timestamp != 0 && timestamp != UINT64_MAX;
}

bool contprof_is_temporal(const struct contprof_image *image) {
#if CONTPROF_RAW_VERSION >= 10
  return (image->version & VARIANT_MASK_TEMPORAL_PROF) != 0 && image->data != image->data_end;
#else
  (void)image;
  return false;
#endif
}

// Where a function's counters stand from the first of all counters on, in bytes.
static uint64_t offset_of(const struct contprof_image *image,
                          const struct contprof_raw_data *data) {
  return (uint64_t)((const char *)data + (intptr_t)data->CounterPtr - image->counters);
}

static uint64_t *number_at(char *counters, uint64_t offset) {
  return (uint64_t *)(counters + offset);
}

void contprof_timestamps_go_on(const struct contprof_image *image, const char *counters) {
  if (!contprof_is_temporal(image))
    return;
  uint64_t last = __atomic_load_n(&next_timestamp, __ATOMIC_RELAXED) - 1;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++) {
    uint64_t number = *number_at((char *)counters, offset_of(image, data));
    if (is_set(number) && number > last)
      last = number;
  }
  __atomic_store_n(&next_timestamp, last + 1, __ATOMIC_RELAXED);
}

void contprof_timestamps_restart(void) {
  __atomic_store_n(&next_timestamp, 1, __ATOMIC_RELAXED);
}

static void take_earlier(uint64_t *to, uint64_t *from, bool take) {
  uint64_t mine = __atomic_load_n(to, __ATOMIC_RELAXED);
  uint64_t other = __atomic_load_n(from, __ATOMIC_RELAXED);
  if (!is_set(other))
    return;
  while (!is_set(mine) || other < mine)
    if (__atomic_compare_exchange_n(to, &mine, other, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      break;
  if (take)
    __atomic_store_n(from, is_set(mine) ? 0 : mine, __ATOMIC_RELAXED);
}

void contprof_timestamps_each(const struct contprof_image *image, char *to, char *from, bool take,
                              void (*rest)(char *to, char *from, uint64_t size)) {
  uint64_t entry = CONTPROF_BYTE_COUNTERS(image->version) ? 1 : 8;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++) {
    uint64_t at = offset_of(image, data), size = data->NumCounters * entry;
    take_earlier(number_at(to, at), number_at(from, at), take);
    rest(to + at + sizeof(uint64_t), from + at + sizeof(uint64_t), size - sizeof(uint64_t));
  }
}

#if CONTPROF_RAW_VERSION >= 10
// Called by instrumented code with the place in the live file, each time a function is entered.
CONTPROF_HIDDEN void __llvm_profile_set_timestamp(uint64_t *number) {
  uint64_t unset = __atomic_load_n(number, __ATOMIC_RELAXED);
  if (!is_set(unset))
    __atomic_compare_exchange_n(number, &unset,
                                __atomic_fetch_add(&next_timestamp, 1, __ATOMIC_RELAXED), false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#endif
