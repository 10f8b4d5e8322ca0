#include "value_sites.h"

#include <string.h>

#include "image_write.h"
#include "value_slots.h"

// Sizes are counted in ranges: 0 to 8 one by one, 9 to 512 by powers of two, each with the range
// that follows it, and the rest, which MEMOP_LAST stands for.
enum { MEMOP_RANGES = 22, MEMOP_LAST = 513, MEMOP_FREE = MEMOP_LAST + 1 };
enum { MEMOP_SITE = MEMOP_RANGES * sizeof(struct contprof_slot) };

// One byte for each number of slots that an object of this module asked for, from the compiler
// plugin. Objects that stock clang compiled have none.
extern const unsigned char __start_contprof_slots[] CONTPROF_WEAK_HIDDEN;
extern const unsigned char __stop_contprof_slots[] CONTPROF_WEAK_HIDDEN;

// What counting needs of the module and its value data in the live file (or memory), in one line of
// the cache.
static struct {
  uint64_t size;        // bytes of value data; 0 while there is none that counts
  char *values;         // the value data; valid while size is not 0
  uint64_t target_site; // bytes of the slots of a site of call targets
  uint64_t start;       // of the module's segments in memory
  uint64_t length;      // of those
  uint64_t first;       // their start as the file has it
  const struct contprof_image *image;
} counting;

static bool has_credits(unsigned kind) {
  return kind != IPVK_MemOPSize;
}

static uint64_t slots_size(const struct contprof_image *image, unsigned kind, uint64_t sites) {
  return sites * image->slots[kind] * sizeof(struct contprof_slot);
}

static uint64_t kind_size(const struct contprof_image *image, unsigned kind, uint32_t sites) {
  return sites ? contprof_value_kind_header(sites) + slots_size(image, kind, sites) : 0;
}

static uint64_t credits_size(const struct contprof_image *image, unsigned kind, uint64_t sites) {
  return has_credits(kind) ? sites * image->slots[kind] * sizeof(uint64_t) : 0;
}

// Most functions have none, which is all that a start asks of them.
static inline bool has_sites(const struct contprof_raw_data *data) {
  uint32_t sites = 0;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    sites |= data->NumValueSites[kind];
  return sites != 0;
}

static uint64_t size_of_sites(const struct contprof_image *image,
                              const struct contprof_raw_data *data) {
  uint64_t size = 8;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    size += kind_size(image, kind, data->NumValueSites[kind]) +
            credits_size(image, kind, data->NumValueSites[kind]);
  return size;
}

// Bytes of one function's value data: total size and number of kinds, then each kind, then credits.
static inline uint64_t function_size(const struct contprof_image *image,
                                     const struct contprof_raw_data *data) {
  return has_sites(data) ? size_of_sites(image, data) : 0;
}

// The largest wish wins: no object gets fewer slots than it was compiled for.
static uint8_t wished_slots(void) {
  const unsigned char *wish = __start_contprof_slots, *end = __stop_contprof_slots;
  unsigned char most = 0;
  if (wish == end)
    return CONTPROF_DEFAULT_SLOTS;
  for (; wish < end; wish++)
    most = *wish > most ? *wish : most;
  return most;
}

static void add_up_sizes(struct contprof_image *image) {
  image->values_size = 0;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++)
    image->values_size += function_size(image, data);
}

void contprof_values_plan(struct contprof_image *image) {
  uint8_t slots = wished_slots();
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    image->slots[kind] = kind == IPVK_MemOPSize ? MEMOP_RANGES : slots;
  add_up_sizes(image);
}

void contprof_values_plan_none(struct contprof_image *image) {
  memset(image->slots, 0, sizeof image->slots);
  add_up_sizes(image);
}

uint64_t contprof_values_last(const struct contprof_image *image) {
  uint64_t last = 0, size;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++)
    if ((size = function_size(image, data)))
      last = size;
  return last;
}

// One past the last function to look at: where no function has sites, the records' pages need not
// be touched.
static const struct contprof_raw_data *end_of_sites(const struct contprof_image *image) {
  return image->values_size ? image->data_end : image->data;
}

// What stands for the range of a size (InstrProfData.inc, InstrProfGetRangeRepValue; the unit test
// compares).
static inline uint64_t memop_value(uint64_t size) {
  if (size <= 8)
    return size;
  if (size >= MEMOP_LAST)
    return MEMOP_LAST;
  uint64_t power = UINT64_C(1) << (63 - __builtin_clzll(size));
  return power + (size != power);
}

static void put_u32(struct contprof_writer *writer, uint32_t value) {
  contprof_writer_put(writer, &value, sizeof value);
}

// `values` of MEMOP_RANGES slots: ranges, each once, and then free slots.
static bool are_memop_slots(const struct contprof_slot *slots) {
  for (unsigned i = 0; i < MEMOP_RANGES; i++) {
    if (slots[i].value == MEMOP_FREE + i)
      continue;
    if (memop_value(slots[i].value) != slots[i].value)
      return false;
    for (unsigned other = 0; other < i; other++)
      if (slots[other].value == slots[i].value)
        return false;
  }
  return true;
}

// What was counted is no difference, nor which slot a range has taken.
static void put_memop_slots(struct contprof_writer *writer) {
  struct contprof_slot slots[MEMOP_RANGES];
  if (!writer->compare) {
    for (unsigned i = 0; i < MEMOP_RANGES; i++)
      slots[i] = (struct contprof_slot){.value = MEMOP_FREE + i};
    contprof_writer_put(writer, slots, sizeof slots);
    return;
  }
  memcpy(slots, writer->memory + writer->offset, sizeof slots);
  writer->differs |= !are_memop_slots(slots);
  contprof_writer_skip(writer, sizeof slots);
}

static void put_kind(const struct contprof_image *image, struct contprof_writer *writer,
                     unsigned kind, uint32_t sites) {
  static const char zeros[8];
  put_u32(writer, kind);
  put_u32(writer, sites);
  for (uint32_t site = 0; site < sites; site++)
    contprof_writer_put(writer, &image->slots[kind], 1);
  contprof_writer_put(writer, zeros, contprof_padding(8 + (uint64_t)sites));
  if (kind != IPVK_MemOPSize || !image->slots[kind])
    contprof_writer_skip(writer, slots_size(image, kind, sites));
  else
    for (uint32_t site = 0; site < sites; site++)
      put_memop_slots(writer);
}

static void put_function(const struct contprof_image *image, struct contprof_writer *writer,
                         const struct contprof_raw_data *data, uint64_t size) {
  uint32_t kinds = 0;
  uint64_t credits = 0;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    kinds += data->NumValueSites[kind] != 0;
  put_u32(writer, (uint32_t)size);
  put_u32(writer, kinds);
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
    if (data->NumValueSites[kind])
      put_kind(image, writer, kind, data->NumValueSites[kind]);
    credits += credits_size(image, kind, data->NumValueSites[kind]);
  }
  contprof_writer_skip(writer, credits);
}

void contprof_values_write(const struct contprof_image *image, struct contprof_writer *writer) {
  for (const struct contprof_raw_data *data = image->data; data < end_of_sites(image); data++) {
    uint64_t size = function_size(image, data);
    if (size)
      put_function(image, writer, data, size);
  }
}

// The size last: who sees it sees the rest.
static void open_to_counting(const struct contprof_image *image, char *values) {
  counting.values = values;
  counting.target_site = image->slots[IPVK_IndirectCallTarget] * sizeof(struct contprof_slot);
  counting.start = image->start;
  counting.length = image->end - image->start;
  counting.first = image->start - image->load_bias;
  counting.image = image;
  __atomic_store_n(&counting.size, image->values_size, __ATOMIC_RELEASE);
}

// Where in a function's value data its call targets, the first kind, end and memory operations
// begin. Records point there: both kinds' slots are few instructions away.
static uint64_t end_of_targets(const struct contprof_image *image,
                               const struct contprof_raw_data *data) {
  return 8 +
         kind_size(image, IPVK_IndirectCallTarget, data->NumValueSites[IPVK_IndirectCallTarget]);
}

void contprof_values_attach(const struct contprof_image *image, char *values) {
  char *place = values;
  for (const struct contprof_raw_data *data = image->data; data < end_of_sites(image); data++) {
    uint64_t size = function_size(image, data);
    if (size)
      ((struct contprof_raw_data *)data)->Values = place + end_of_targets(image, data);
    place += size;
  }
  if (image->values_size && image->slots[IPVK_IndirectCallTarget])
    open_to_counting(image, values);
}

void contprof_values_detach(void) {
  __atomic_store_n(&counting.size, 0, __ATOMIC_RELEASE);
}

// `index` counts the function's sites through all kinds, in the order of kinds; `base` is where the
// function's value data starts. Returns the site's kind, or CONTPROF_VALUE_KINDS if it has none
// such.
static unsigned find_site(const struct contprof_image *image, const struct contprof_raw_data *data,
                          char *base, uint32_t index, struct contprof_site *site) {
  unsigned found = CONTPROF_VALUE_KINDS;
  uint64_t place = 8, credits = 0, credit = 0;
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++) {
    uint32_t sites = data->NumValueSites[kind];
    if (found == CONTPROF_VALUE_KINDS && index < sites) {
      found = kind;
      site->count = image->slots[kind];
      uint64_t at = place + contprof_value_kind_header(sites) + slots_size(image, kind, index);
      site->slots = (struct contprof_slot *)(base + at);
      credit = credits + credits_size(image, kind, index);
    } else if (found == CONTPROF_VALUE_KINDS) {
      index -= sites;
    }
    place += kind_size(image, kind, sites);
    credits += credits_size(image, kind, sites);
  }
  bool ranked = found != CONTPROF_VALUE_KINDS && has_credits(found);
  site->credits = ranked ? (uint64_t *)(base + place + credit) : NULL;
  site->first_free = ranked ? 0 : MEMOP_FREE;
  return found;
}

// Addresses as the file has them. Those of other modules differ from process to process, but for
// the place within a page: that tells them apart, and is the same in the next run. No function of a
// module has an address of the last page.
static inline uint64_t target_in_file(uint64_t address) {
  uint64_t place = address - counting.start;
  return place < counting.length ? counting.first + place : address | ~UINT64_C(0xfff);
}

// Before the attachment, Values points at the static lists of LLVM's own runtime, unused here.
static inline bool has_place(const struct contprof_raw_data *data) {
  uint64_t size = __atomic_load_n(&counting.size, __ATOMIC_ACQUIRE);
  return data && (uint64_t)((uintptr_t)data->Values - (uintptr_t)counting.values) < size;
}

// All that is not nearly always so: other kinds, first calls of a target, sums. Apart, so that the
// quick ways below need no registers saved.
static __attribute__((noinline, cold)) void
count_rare(uint64_t value, const struct contprof_raw_data *data, uint32_t index, uint64_t by) {
  struct contprof_site site;
  if (!by || !has_place(data))
    return;
  char *base = (char *)data->Values - end_of_targets(counting.image, data);
  switch (find_site(counting.image, data, base, index, &site)) {
  case CONTPROF_VALUE_KINDS:
    break;
  case IPVK_MemOPSize:
    contprof_slots_count(&site, memop_value(value), by, 0);
    break;
  default:
    contprof_slots_count(&site, target_in_file(value), by, 0);
  }
}

// In the registers that its callers have these in.
static __attribute__((noinline, cold)) void
count_one_rare(uint64_t value, const struct contprof_raw_data *data, uint32_t index) {
  count_rare(value, data, index, 1);
}

CONTPROF_HIDDEN void __llvm_profile_instrument_target_value(uint64_t value, void *record,
                                                            uint32_t index, uint64_t by) {
  count_rare(value, record, index, by);
}

// Programs call this as often as they make indirect calls, and a target nearly always has its slot
// already.
CONTPROF_HIDDEN void __llvm_profile_instrument_target(uint64_t value, void *record,
                                                      uint32_t index) {
  const struct contprof_raw_data *data = record;
  if (has_place(data)) {
    uint32_t sites = data->NumValueSites[IPVK_IndirectCallTarget];
    char *slots = (char *)data->Values - (uint64_t)(sites - index) * counting.target_site;
    if (index < sites &&
        contprof_slots_count_known(slots, counting.target_site, target_in_file(value), true))
      return;
  }
  count_one_rare(value, data, index);
}

// As often as lengths of memory operations vary.
CONTPROF_HIDDEN void __llvm_profile_instrument_memop(uint64_t value, void *record, uint32_t index) {
  const struct contprof_raw_data *data = record;
  if (has_place(data)) {
    uint32_t site = index - data->NumValueSites[IPVK_IndirectCallTarget];
    uint32_t sites = data->NumValueSites[IPVK_MemOPSize];
    char *slots = (char *)data->Values + contprof_value_kind_header(sites) + site * MEMOP_SITE;
    if (site < sites && contprof_slots_count_known(slots, MEMOP_SITE, memop_value(value), false))
      return;
  }
  count_one_rare(value, data, index);
}

void contprof_values_reset(const struct contprof_image *image, char *values) {
  for (const struct contprof_raw_data *data = image->data; data < end_of_sites(image); data++) {
    struct contprof_site site;
    for (uint32_t i = 0; find_site(image, data, values, i, &site) != CONTPROF_VALUE_KINDS; i++)
      contprof_slots_reset(&site);
    values += function_size(image, data);
  }
}

// What one site's slots get of another's: see each_two.
typedef void with_two(unsigned kind, const struct contprof_site *site,
                      const struct contprof_site *from);

// Each site of `values` with the same one of `from`.
static void each_two(const struct contprof_image *image, char *values, const char *from,
                     with_two *with) {
  for (const struct contprof_raw_data *data = image->data; data < end_of_sites(image); data++) {
    struct contprof_site site, other;
    unsigned kind;
    for (uint32_t i = 0; (kind = find_site(image, data, values, i, &site)) < CONTPROF_VALUE_KINDS;
         i++) {
      find_site(image, data, (char *)from, i, &other);
      with(kind, &site, &other);
    }
    values += function_size(image, data);
    from += function_size(image, data);
  }
}

static void take_over_site(unsigned kind, const struct contprof_site *site,
                           const struct contprof_site *from) {
  (void)kind;
  contprof_slots_take_over(site, from);
}

void contprof_values_take_over(const struct contprof_image *image, char *values, const char *from) {
  each_two(image, values, from, take_over_site);
}

static void add_site(unsigned kind, const struct contprof_site *site,
                     const struct contprof_site *from) {
  for (unsigned i = 0; i < site->count; i++) {
    uint64_t value = from->slots[i].value, count = from->slots[i].count;
    if (!count)
      continue;
    if (has_credits(kind))
      contprof_slots_count(site, value, count, from->credits[i]);
    else
      contprof_slots_count(site, memop_value(value), count, 0);
  }
}

void contprof_values_add(const struct contprof_image *image, char *values, const char *from) {
  each_two(image, values, from, add_site);
}
