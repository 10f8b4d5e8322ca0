// LLVM's runtime functions on the live profile: those that do something. Those that only tell where
// sections are stand in llvm_sections.c.
#include "contprof.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "live_switch.h"
#include "log.h"
#include "module.h"
#include "owner.h"
#include "platform.h"
#include "profile_add.h"
#include "shard_file.h"
#include "start.h"
#include "timestamps.h"
#include "value_sites.h"
#include "without_start_up.h"

static struct contprof_module *const module = &contprof_module;

CONTPROF_NO_START_UP

// Each function begins so: a program without start-up starts here.
static void lock(void) {
  contprof_lock();
  contprof_begin_when_asked();
}

int __llvm_profile_write_file(void) {
  int error = 0;
  lock();
  if (module->state == CONTPROF_MEMORY)
    error = contprof_write_from_memory();
  else if (module->state == CONTPROF_LIVE)
    module->live.written = true;
  if (error)
    contprof_log_errno("can't write", module->live.path, -error, "the profile stays in memory");
  contprof_unlock();
  return error ? -1 : 0;
}

int __llvm_profile_dump(void) {
  return __llvm_profile_write_file();
}

// What was written in memory mode is a finished file; the live file is the counters themselves, so
// a written one is left and counting goes on in another.
static void reset_locked(void) {
  if (module->state == CONTPROF_IDLE || !module->live.base)
    return;
  module->dumped = false;
  contprof_take_static_counts();
  bool in_file = module->state == CONTPROF_LIVE;
  if (in_file && !module->live.written && contprof_switch_file(CONTPROF_RESET) == 0)
    return;
  if (!in_file || !module->live.written) { // in place, where there is no room for a new file
    contprof_profile_reset(&module->image, &module->live.layout, module->live.base);
    contprof_shards_reset(&module->live, &module->image);
    return;
  }
  int error = contprof_switch_file(CONTPROF_ROTATE);
  if (error)
    contprof_log_errno("can't leave the written profile", module->live.path, -error,
                       "the counts are not reset");
}

void __llvm_profile_reset_counters(void) {
  lock();
  reset_locked();
  contprof_unlock();
}

static int move_live_file(void) {
  int error = -EXDEV;
  if (!module->live.written)
    error = contprof_live_rename(&module->live, &module->pattern);
  return error == -EXDEV ? contprof_switch_file(CONTPROF_MOVE) : error;
}

// Children and later changes of file go by the pattern: one that doesn't work is not kept.
static void change_pattern(const char *text) {
  static char old[CONTPROF_PATH_SIZE];
  memcpy(old, module->pattern.text, sizeof old);
  int error = contprof_pattern_parse(&module->pattern, text);
  if (!error && module->state == CONTPROF_LIVE)
    error = move_live_file();
  else if (!error)
    module->live.written = module->quiet = false;
  if (!error)
    return;
  contprof_pattern_parse(&module->pattern, old);
  contprof_log_errno("can't use the new name", text, -error, "the old one stays");
}

void __llvm_profile_set_filename(const char *pattern) {
  lock();
  if (module->state != CONTPROF_IDLE) {
    contprof_module_keep_start();
    change_pattern(pattern ? pattern : module->start_pattern);
  }
  contprof_unlock();
}

const char *__llvm_profile_get_filename(void) {
  lock();
  if (module->state == CONTPROF_MEMORY && !module->live.written) {
    struct contprof_name_values values = contprof_module_name_values(&module->pattern, 0);
    contprof_pattern_expand(&module->pattern, &values, module->live.path);
  }
  contprof_unlock();
  return module->live.path;
}

// As the pattern has it: relative if that is, as stock's. Holds until the next call.
CONTPROF_HIDDEN const char *__llvm_profile_get_path_prefix(void) {
  static char prefix[CONTPROF_PATH_SIZE];
  lock();
  struct contprof_name_values values = contprof_module_name_values(&module->pattern, 0);
  contprof_pattern_prefix(&module->pattern, &values, prefix);
  contprof_unlock();
  return prefix;
}

uint64_t __llvm_profile_get_size_for_buffer(void) {
  lock();
  contprof_unlock();
  return module->live.base ? module->live.layout.total : 0;
}

int __llvm_profile_write_buffer(char *buffer) {
  lock();
  int failed = !module->live.base;
  if (!failed) {
    contprof_profile_copy(&module->image, &module->live.layout, buffer, module->live.base);
    contprof_shards_add_to_copy(&module->live, &module->image, module->live.base, buffer);
    ((struct contprof_owner *)(buffer + module->live.layout.owner))->state =
        CONTPROF_OWNER_RELEASED;
  }
  contprof_unlock();
  return failed;
}

// A buffer with our own layout matches byte for byte up to the owner record; LLVM's runtime has
// other padding and no value slots, and matches record by record.
static bool records_match(const char *records) {
  for (const struct contprof_raw_data *mine = module->image.data; mine < module->image.data_end;
       mine++, records += sizeof *mine) {
    struct contprof_raw_data other;
    memcpy(&other, records, sizeof other);
    if (other.NameRef != mine->NameRef || other.FuncHash != mine->FuncHash ||
        other.NumCounters != mine->NumCounters)
      return false;
  }
  return true;
}

struct profile_parts {
  const char *counters, *bitmap;
};

static bool find_parts(const char *profile, uint64_t size, struct profile_parts *parts) {
  struct contprof_raw_header header;
  const struct contprof_image *image = &module->image;
  uint64_t counters = contprof_image_counters_size(image),
           bitmap = contprof_image_bitmap_size(image);
  uint64_t records = (uint64_t)((const char *)image->data_end - (const char *)image->data);
  uint64_t entry = CONTPROF_BYTE_COUNTERS(image->version) ? 1 : 8, padding_after = 0;
  if (size < sizeof header)
    return false;
  memcpy(&header, profile, sizeof header);
#if CONTPROF_RAW_VERSION >= 10
  bool sizes = header.NumData * sizeof *image->data == records &&
               header.NumCounters * entry == counters && header.NumBitmapBytes == bitmap;
#else
  bool sizes =
      header.DataSize * sizeof *image->data == records && header.CountersSize * entry == counters;
#endif
  padding_after = header.PaddingBytesAfterCounters;
  if (header.Magic != CONTPROF_RAW_MAGIC || header.Version != image->version || !sizes ||
      header.NamesSize != (uint64_t)(image->names_end - image->names) ||
      header.BinaryIdsSize > size || header.PaddingBytesBeforeCounters > size ||
      padding_after > size)
    return false;
  uint64_t data_at = sizeof header + header.BinaryIdsSize;
  uint64_t counters_at = data_at + records + header.PaddingBytesBeforeCounters;
  uint64_t bitmap_at = counters_at + counters + padding_after;
  if (bitmap_at + bitmap > size || !records_match(profile + data_at))
    return false;
  parts->counters = profile + counters_at;
  parts->bitmap = profile + bitmap_at;
  return true;
}

int __llvm_profile_check_compatibility(const char *profile, uint64_t size) {
  struct profile_parts parts;
  lock();
  contprof_unlock();
  return module->state == CONTPROF_IDLE || !find_parts(profile, size, &parts);
}

int __llvm_profile_merge_from_buffer(const char *profile, uint64_t size) {
  struct profile_parts parts;
  const struct contprof_live *live = &module->live;
  lock();
  contprof_unlock();
  if (module->state == CONTPROF_IDLE || !live->base || !find_parts(profile, size, &parts))
    return 1;
  if (contprof_is_temporal(&module->image)) // as LLVM's runtime: two orders don't make one
    return 1;
  lock();
  contprof_counts_add(&module->image, live->base + live->layout.counters, parts.counters,
                      live->base + live->layout.bitmap, parts.bitmap);
  if (size >= live->layout.total && memcmp(profile, live->base, live->layout.owner) == 0)
    contprof_values_add(&module->image, live->base + live->layout.values,
                        profile + live->layout.values);
  contprof_unlock();
  return 0;
}

int __llvm_profile_is_continuous_mode_enabled(void) {
  return module->state == CONTPROF_LIVE;
}

// Programs call these to choose what is the case here always, or what has no meaning here.
CONTPROF_HIDDEN void __llvm_profile_enable_continuous_mode(void) {}

CONTPROF_HIDDEN void __llvm_profile_disable_continuous_mode(void) {}

CONTPROF_HIDDEN void __llvm_profile_set_page_size(unsigned size) {
  (void)size;
}

// A live file needs no writing, and so no word that it has been done.
CONTPROF_HIDDEN void __llvm_profile_set_dumped(void) {
  module->dumped = true;
}

CONTPROF_HIDDEN int __llvm_profile_register_write_file_atexit(void) {
  lock();
  contprof_write_when_it_ends();
  contprof_unlock();
  return 0;
}

CONTPROF_HIDDEN void __llvm_profile_initialize_file(void) {
  lock();
  contprof_unlock();
}

CONTPROF_HIDDEN void __llvm_profile_initialize(void) {
  contprof_start(environ);
}

// The live file is mapped by name; a FILE of the program's can't become it.
CONTPROF_HIDDEN int __llvm_profile_set_file_object(void *file, int enable_merge) {
  (void)file, (void)enable_merge;
  contprof_log("can't use a file object for the profile", module->live.path,
               "the live file is counted into in place", "counting goes on there");
  return 1;
}
