// LLVM's runtime functions that tell where the parts of the profile are, and how large.
#include "module.h"

static struct contprof_module *const module = &contprof_module;

// Counters and bitmaps are where they are counted: in the live image once there is one.
static char *live_or(uint64_t offset, char *statics) {
  return module->biased ? module->live.base + offset : statics;
}

CONTPROF_HIDDEN const struct contprof_raw_data *__llvm_profile_begin_data(void) {
  return module->image.data;
}

CONTPROF_HIDDEN const struct contprof_raw_data *__llvm_profile_end_data(void) {
  return module->image.data_end;
}

CONTPROF_HIDDEN const char *__llvm_profile_begin_names(void) {
  return module->image.names;
}

CONTPROF_HIDDEN const char *__llvm_profile_end_names(void) {
  return module->image.names_end;
}

CONTPROF_HIDDEN char *__llvm_profile_begin_counters(void) {
  return live_or(module->live.layout.counters, module->image.counters);
}

CONTPROF_HIDDEN char *__llvm_profile_end_counters(void) {
  return __llvm_profile_begin_counters() + contprof_image_counters_size(&module->image);
}

#if CONTPROF_RAW_VERSION >= 10
CONTPROF_HIDDEN char *__llvm_profile_begin_bitmap(void) {
  return live_or(module->live.layout.bitmap, module->image.bitmap);
}

CONTPROF_HIDDEN char *__llvm_profile_end_bitmap(void) {
  return __llvm_profile_begin_bitmap() + contprof_image_bitmap_size(&module->image);
}

CONTPROF_HIDDEN const struct contprof_raw_vtable *__llvm_profile_begin_vtables(void) {
  return (const void *)module->image.vtables;
}

CONTPROF_HIDDEN const struct contprof_raw_vtable *__llvm_profile_end_vtables(void) {
  return (const void *)module->image.vtables_end;
}

CONTPROF_HIDDEN const char *__llvm_profile_begin_vtabnames(void) {
  return module->image.vtable_names;
}

CONTPROF_HIDDEN const char *__llvm_profile_end_vtabnames(void) {
  return module->image.vtable_names_end;
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_num_bitmap_bytes(const char *begin, const char *end) {
  return (uint64_t)(end - begin);
}
#endif

CONTPROF_HIDDEN uint64_t __llvm_profile_get_magic(void) {
  return CONTPROF_RAW_MAGIC;
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_version(void) {
  return __llvm_profile_raw_version;
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_num_data(const struct contprof_raw_data *begin,
                                                     const struct contprof_raw_data *end) {
  return (uint64_t)(end - begin);
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_data_size(const struct contprof_raw_data *begin,
                                                      const struct contprof_raw_data *end) {
  return (uint64_t)(end - begin) * sizeof *begin;
}

CONTPROF_HIDDEN size_t __llvm_profile_counter_entry_size(void) {
  return CONTPROF_BYTE_COUNTERS(__llvm_profile_raw_version) ? 1 : sizeof(uint64_t);
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_num_counters(const char *begin, const char *end) {
  return (uint64_t)(end - begin) / __llvm_profile_counter_entry_size();
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_counters_size(const char *begin, const char *end) {
  return (uint64_t)(end - begin);
}

CONTPROF_HIDDEN uint8_t __llvm_profile_get_num_padding_bytes(uint64_t size) {
  return (uint8_t)contprof_padding(size);
}
