#include "value_sites.h"

#include <string.h>

#include "image_write.h"

// The ranges of memory-operation sizes and the value that stands for each.
#define INSTR_PROF_VALUE_PROF_MEMOP_API
#include "InstrProfData.inc"

struct slot {
  uint64_t value; // as the kind has it; a link-time address for call targets
  uint64_t count; // 0: free
};

enum { LOCK_TRIES = 64, MEMOP_PRESET = 0x7ffffff1 };

// The value data in the live file (or memory); NULL while there is none.
static char *area;
static const struct contprof_image *area_image;
static char lock;

// A size that no program copies, so that an unused slot is never taken for a seen one.
static uint64_t unlikely(unsigned kind, unsigned slot) {
  return kind == IPVK_MemOPSize ? MEMOP_PRESET + slot : slot + 1;
}

static bool name_taken(const struct contprof_raw_data *const *chosen, unsigned count,
                       uint64_t name) {
  for (unsigned i = 0; i < count; i++)
    if (chosen[i]->NameRef == name)
      return true;
  return false;
}

// Readers turn a call target's address into its function's name; addresses of distinct functions
// stay distinct. Where the module has too few, small numbers, which no reader knows, fill up.
static void preset_call_targets(struct contprof_image *image) {
  const struct contprof_raw_data *chosen[CONTPROF_SLOTS];
  unsigned count = 0;
  const struct contprof_raw_data *data = image->data;
  for (; data < image->data_end && count < CONTPROF_SLOTS; data++)
    if (data->FunctionPointer && !name_taken(chosen, count, data->NameRef)) {
      image->preset[IPVK_IndirectCallTarget][count] =
          contprof_image_address(image, (uintptr_t)data->FunctionPointer);
      chosen[count++] = data;
    }
}

static uint64_t kind_size(const struct contprof_image *image, unsigned kind, uint64_t sites) {
  if (!sites)
    return 0;
  return contprof_value_kind_header((uint32_t)sites) +
         sites * image->slots[kind] * sizeof(struct slot);
}

// Bytes of one function's value data: total size and number of kinds, then each kind.
static uint64_t function_size(const struct contprof_image *image,
                              const struct contprof_raw_data *data) {
  uint64_t size = 0;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    size += kind_size(image, kind, data->NumValueSites[kind]);
  return size ? 8 + size : 0;
}

void contprof_values_plan(struct contprof_image *image) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
    image->slots[kind] = CONTPROF_SLOTS;
    for (unsigned slot = 0; slot < CONTPROF_SLOTS; slot++)
      image->preset[kind][slot] = unlikely(kind, slot);
  }
  preset_call_targets(image);
  image->values_size = 0;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++)
    image->values_size += function_size(image, data);
}

static void put_u32(struct contprof_writer *writer, uint32_t value) {
  contprof_writer_put(writer, &value, sizeof value);
}

static void put_kind(const struct contprof_image *image, struct contprof_writer *writer,
                     unsigned kind, uint32_t sites) {
  static const char zeros[8];
  struct slot slots[CONTPROF_SLOTS];
  for (unsigned i = 0; i < CONTPROF_SLOTS; i++)
    slots[i] = (struct slot){image->preset[kind][i], 0};
  put_u32(writer, kind);
  put_u32(writer, sites);
  for (uint32_t site = 0; site < sites; site++)
    contprof_writer_put(writer, &image->slots[kind], 1);
  contprof_writer_put(writer, zeros, contprof_padding(8 + (uint64_t)sites));
  for (uint32_t site = 0; site < sites; site++)
    contprof_writer_put(writer, slots, image->slots[kind] * sizeof slots[0]);
}

void contprof_values_write(const struct contprof_image *image, struct contprof_writer *writer) {
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++) {
    uint32_t kinds = 0;
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      kinds += data->NumValueSites[kind] != 0;
    if (!kinds)
      continue;
    put_u32(writer, (uint32_t)function_size(image, data));
    put_u32(writer, kinds);
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      if (data->NumValueSites[kind])
        put_kind(image, writer, kind, data->NumValueSites[kind]);
  }
}

void contprof_values_attach(const struct contprof_image *image, char *values) {
  char *place = values;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++) {
    uint64_t size = function_size(image, data);
    if (size)
      ((struct contprof_raw_data *)data)->Values = place;
    place += size;
  }
  area_image = image;
  __atomic_store_n(&area, values, __ATOMIC_RELEASE);
}

void contprof_values_detach(void) {
  __atomic_store_n(&area, NULL, __ATOMIC_RELEASE);
}

void contprof_values_after_fork(void) {
  lock = 0;
}

static bool take_lock(void) {
  for (int i = 0; i < LOCK_TRIES; i++)
    if (!__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
      return true;
  return false;
}

static void give_lock(void) {
  __atomic_clear(&lock, __ATOMIC_RELEASE);
}

static uint64_t load(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void store(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static bool count_known(struct slot *slots, uint64_t value, uint64_t by) {
  for (unsigned i = 0; i < CONTPROF_SLOTS; i++)
    if (load(&slots[i].value) == value) {
      __atomic_fetch_add(&slots[i].count, by, __ATOMIC_RELAXED);
      return true;
    }
  return false;
}

// Under the lock: the free slot or the coldest one takes the new value, or grows colder.
static void count_new(struct slot *slots, uint64_t value, uint64_t by) {
  struct slot *coldest = slots;
  if (count_known(slots, value, by))
    return;
  for (unsigned i = 1; i < CONTPROF_SLOTS; i++)
    if (load(&slots[i].count) < load(&coldest->count))
      coldest = &slots[i];
  if (load(&coldest->count) > by) {
    __atomic_fetch_sub(&coldest->count, by, __ATOMIC_RELAXED);
    return;
  }
  store(&coldest->count, 0);
  store(&coldest->value, value);
  __atomic_fetch_add(&coldest->count, by, __ATOMIC_RELEASE);
}

static void count_value(struct slot *slots, uint64_t value, uint64_t by) {
  if (count_known(slots, value, by) || !take_lock())
    return;
  count_new(slots, value, by);
  give_lock();
}

// `index` counts the function's sites through all kinds, in the order of kinds.
static struct slot *find_site(const struct contprof_image *image,
                              const struct contprof_raw_data *data, uint32_t index,
                              unsigned *kind_found) {
  char *place = (char *)data->Values + 8;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
    uint32_t sites = data->NumValueSites[kind];
    if (index < sites) {
      *kind_found = kind;
      place += contprof_value_kind_header(sites);
      return (struct slot *)place + (uint64_t)index * image->slots[kind];
    }
    place += kind_size(image, kind, sites);
    index -= sites;
  }
  return NULL;
}

CONTPROF_HIDDEN void __llvm_profile_instrument_target_value(uint64_t value, void *record,
                                                            uint32_t index, uint64_t by) {
  const struct contprof_raw_data *data = record;
  char *values = __atomic_load_n(&area, __ATOMIC_ACQUIRE);
  unsigned kind;
  // Before the attachment, Values points at the static lists of LLVM's own runtime, unused here.
  if (!values || !data || (uintptr_t)data->Values - (uintptr_t)values >= area_image->values_size)
    return;
  struct slot *slots = find_site(area_image, data, index, &kind);
  if (!slots)
    return;
  if (kind != IPVK_MemOPSize)
    value = contprof_image_address(area_image, value);
  count_value(slots, value, by);
}

CONTPROF_HIDDEN void __llvm_profile_instrument_target(uint64_t value, void *data, uint32_t index) {
  __llvm_profile_instrument_target_value(value, data, index, 1);
}

CONTPROF_HIDDEN void __llvm_profile_instrument_memop(uint64_t value, void *data, uint32_t index) {
  __llvm_profile_instrument_target_value(InstrProfGetRangeRepValue(value), data, index, 1);
}

// Calls `visit` for every site in `values`, with the same place in `other` (which may be NULL).
static void for_each_site(const struct contprof_image *image, char *values, const char *other,
                          void (*visit)(const struct contprof_image *image, unsigned kind,
                                        struct slot *site, const struct slot *other)) {
  uint64_t place = 0;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++) {
    if (!function_size(image, data))
      continue;
    place += 8;
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
      uint32_t sites = data->NumValueSites[kind];
      uint64_t at = place + contprof_value_kind_header(sites);
      for (uint32_t i = 0; i < sites; i++, at += image->slots[kind] * sizeof(struct slot))
        visit(image, kind, (struct slot *)(values + at),
              other ? (const struct slot *)(other + at) : NULL);
      place += kind_size(image, kind, sites);
    }
  }
}

static void reset_site(const struct contprof_image *image, unsigned kind, struct slot *site,
                       const struct slot *other) {
  (void)other;
  for (unsigned i = 0; i < CONTPROF_SLOTS; i++) {
    store(&site[i].count, 0);
    store(&site[i].value, image->preset[kind][i]);
  }
}

static void add_site(const struct contprof_image *image, unsigned kind, struct slot *site,
                     const struct slot *other) {
  (void)image, (void)kind;
  for (unsigned i = 0; i < CONTPROF_SLOTS; i++)
    if (other[i].count)
      count_value(site, other[i].value, other[i].count);
}

void contprof_values_reset(const struct contprof_image *image, char *values) {
  for_each_site(image, values, NULL, reset_site);
}

void contprof_values_add(const struct contprof_image *image, char *values, const char *from) {
  for_each_site(image, values, from, add_site);
}
