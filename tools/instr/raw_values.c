#include "raw_values.h"

#include <inttypes.h>

struct site_reader {
  const struct contprof_raw_targets *targets;
  struct contprof_profile *profile;
  struct contprof_function *function;
  unsigned kind_count;
  bool seen[CONTPROF_VALUE_KINDS]; // kinds read already
};

static uint64_t name_value(const struct contprof_raw_targets *targets, unsigned kind,
                           uint64_t value) {
  if (kind == CONTPROF_CALL_TARGETS)
    return contprof_address_map_find(targets->functions, value - targets->moved);
  if (kind == CONTPROF_VTABLES)
    return contprof_address_map_find(targets->vtables, value - targets->moved);
  return value;
}

// A slot whose count is 0 is one that contprof's runtime has not used yet.
static void take_site(struct contprof_cursor *values, const struct site_reader *reader,
                      unsigned kind, uint32_t index, uint8_t count) {
  struct contprof_value slots[CONTPROF_SITE_VALUES];
  unsigned used = 0;
  for (unsigned i = 0; i < count; i++) {
    uint64_t value = contprof_take_u64(values), times = contprof_take_u64(values);
    if (times)
      slots[used++] = (struct contprof_value){name_value(reader->targets, kind, value), times};
  }
  if (contprof_cursor_ok(values))
    contprof_profile_set_site(reader->profile, &reader->function->sites[kind][index], slots, used);
}

static bool check_kind(struct contprof_cursor *values, struct site_reader *reader, uint32_t kind,
                       uint32_t site_count) {
  if (!contprof_cursor_ok(values))
    return false;
  if (kind >= reader->kind_count)
    return contprof_cursor_corrupt(values, "value kind %" PRIu32 " before this", kind);
  if (reader->seen[kind])
    return contprof_cursor_corrupt(values, "value kind %" PRIu32 " before this comes twice", kind);
  reader->seen[kind] = true;
  if (site_count == reader->function->site_count[kind])
    return true;
  return contprof_cursor_corrupt(values,
                                 "%" PRIu32 " value sites of kind %" PRIu32
                                 " before this, where the function has %" PRIu32,
                                 site_count, kind, reader->function->site_count[kind]);
}

static bool take_kind(struct contprof_cursor *values, struct site_reader *reader) {
  uint32_t kind = contprof_take_u32(values), site_count = contprof_take_u32(values);
  if (!check_kind(values, reader, kind, site_count))
    return false;
  const uint8_t *counts = contprof_take_bytes(values, site_count);
  contprof_skip_to_alignment(values, 8);
  for (uint32_t i = 0; i < site_count && contprof_cursor_ok(values); i++)
    take_site(values, reader, kind, i, counts[i]);
  return contprof_cursor_ok(values);
}

static bool has_sites(const struct contprof_function *function) {
  for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
    if (function->site_count[kind])
      return true;
  return false;
}

// The size counts the two numbers read here; every part is a multiple of 8 bytes.
static struct contprof_cursor take_header(struct contprof_cursor *file, uint32_t *kinds) {
  file->section = "value data";
  uint64_t size = contprof_take_u32(file);
  *kinds = contprof_take_u32(file);
  if (contprof_cursor_ok(file) && (size < 8 || size % 8))
    contprof_cursor_corrupt(file, "size of the value data before this is %" PRIu64, size);
  return contprof_take_sub(file, size - 8, "value data");
}

bool contprof_raw_take_values(struct contprof_cursor *file, const struct contprof_raw_image *image,
                              const struct contprof_raw_targets *targets,
                              struct contprof_profile *profile,
                              struct contprof_function *function) {
  struct site_reader reader = {.targets = targets,
                               .profile = profile,
                               .function = function,
                               .kind_count = image->kind_count};
  uint32_t kinds;
  if (!has_sites(function))
    return true;
  struct contprof_cursor values = take_header(file, &kinds);
  for (uint32_t i = 0; i < kinds && contprof_cursor_ok(&values); i++)
    take_kind(&values, &reader);
  return contprof_cursor_ok(file);
}
