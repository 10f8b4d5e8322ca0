// The smaller functions that stock's runtime exports: what tools of LLVM's own and ports call.
#include <string.h>

#include "file_name.h"
#include "module.h"
#include "platform.h"

// Mode of the directories that __llvm_profile_recursive_mkdir makes; LLVM's default.
static unsigned directory_mode = 0755;

CONTPROF_HIDDEN void __llvm_profile_set_dir_mode(unsigned mode) {
  directory_mode = mode;
}

CONTPROF_HIDDEN unsigned __llvm_profile_get_dir_mode(void) {
  return directory_mode;
}

// As `mkdir -p` for all but the last component; `path` is written to, and is at the end as before.
CONTPROF_HIDDEN void __llvm_profile_recursive_mkdir(char *path) {
  for (char *at = path; *at && (at = strchr(at + 1, '/'));) {
    *at = 0;
    contprof_mkdir(path, directory_mode);
    *at = '/';
  }
}

CONTPROF_HIDDEN const struct contprof_raw_data *
__llvm_profile_iterate_data(const struct contprof_raw_data *data) {
  return data + 1;
}

CONTPROF_HIDDEN void *__llvm_get_function_addr(const struct contprof_raw_data *data) {
  return (void *)(uintptr_t)data->FunctionPointer;
}

// LLVM's tests make records of their own with it. Not for records of the module: their value data
// is laid out at start.
CONTPROF_HIDDEN void __llvm_profile_set_num_value_sites(struct contprof_raw_data *data,
                                                        uint32_t kind, uint16_t sites) {
  *(uint16_t *)&data->NumValueSites[kind] = sites;
}

// Stock's runtime takes the nodes of its lists of values from here. Values have their slots in the
// file instead: there are none.
CONTPROF_HIDDEN void *__llvm_profile_begin_vnodes(void) {
  return NULL;
}

CONTPROF_HIDDEN void *__llvm_profile_end_vnodes(void) {
  return NULL;
}

// The padding that a file of this module has with parts of these sizes, bytes.
static struct contprof_layout layout_of(struct contprof_sizes sizes) {
  const struct contprof_image *image = &contprof_module.image;
  struct contprof_layout layout;
  sizes.header = sizeof(struct contprof_raw_header);
  sizes.binary_ids = contprof_module.live.layout.data - contprof_module.live.layout.binary_ids;
  sizes.owner = sizeof(struct contprof_owner);
  contprof_layout_compute(&sizes, contprof_image_residue(image), image->alignment, &layout);
  return layout;
}

#if CONTPROF_RAW_VERSION >= 10
CONTPROF_HIDDEN int __llvm_profile_get_padding_sizes_for_counters(
    uint64_t data, uint64_t counters, uint64_t bitmap, uint64_t names, uint64_t vtables,
    uint64_t vtable_names, uint64_t *before_counters, uint64_t *after_counters,
    uint64_t *after_bitmap, uint64_t *after_names, uint64_t *after_vtables,
    uint64_t *after_vtable_names) {
  struct contprof_layout layout =
      layout_of((struct contprof_sizes){.data = data, .counters = counters, .bitmap = bitmap});
  *before_counters = layout.padding_before_counters;
  *after_counters = layout.padding_after_counters;
  *after_bitmap = layout.padding_after_bitmap;
  *after_names = contprof_padding(names);
  if (after_vtables)
    *after_vtables = contprof_padding(vtables);
  if (after_vtable_names)
    *after_vtable_names = contprof_padding(vtable_names);
  return 0;
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_name_size(const char *begin, const char *end) {
  return (uint64_t)(end - begin);
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_vtable_section_size(
    const struct contprof_raw_vtable *begin, const struct contprof_raw_vtable *end) {
  return (uint64_t)((const char *)end - (const char *)begin);
}

CONTPROF_HIDDEN uint64_t __llvm_profile_get_num_vtable(const struct contprof_raw_vtable *begin,
                                                       const struct contprof_raw_vtable *end) {
  return __llvm_profile_get_vtable_section_size(begin, end) / sizeof *begin;
}
#else
CONTPROF_HIDDEN void __llvm_profile_get_padding_sizes_for_counters(uint64_t data, uint64_t counters,
                                                                   uint64_t names,
                                                                   uint64_t *before_counters,
                                                                   uint64_t *after_counters,
                                                                   uint64_t *after_names) {
  struct contprof_layout layout =
      layout_of((struct contprof_sizes){.data = data, .counters = counters});
  *before_counters = layout.padding_before_counters;
  *after_counters = layout.padding_after_counters;
  *after_names = contprof_padding(names);
}
#endif
