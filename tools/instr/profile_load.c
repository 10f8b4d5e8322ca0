#include "profile_load.h"

#include "indexed_reader.h"
#include "raw_reader.h"
#include "text_reader.h"

#include <inttypes.h>

bool contprof_profile_begins(const struct contprof_file_view *beginning) {
  return contprof_is_raw(beginning) || contprof_is_indexed(beginning) ||
         contprof_is_text(beginning);
}

bool contprof_profile_read(const struct contprof_file_view *file, struct contprof_profile *profile,
                           struct contprof_error *error) {
  if (contprof_is_raw(file))
    return contprof_raw_read(file, profile, error);
  if (contprof_is_indexed(file))
    return contprof_indexed_read(file, profile, error);
  if (file->size && contprof_is_text(file))
    return contprof_text_read(file, profile, error);
  if (!file->size)
    return contprof_fail(error, CONTPROF_TRUNCATED, file->path, NULL, 0, "the file is empty");
  if (file->size < 8)
    return contprof_fail(error, CONTPROF_TRUNCATED, file->path, NULL, 0,
                         "no profile fits in %" PRIu64 " bytes", file->size);
  return contprof_fail(error, CONTPROF_UNSUPPORTED, file->path, NULL, 0,
                       "neither a raw nor an indexed profile, nor text");
}

bool contprof_profile_load(const char *path, struct contprof_profile *profile,
                           struct contprof_error *error) {
  struct contprof_file_view file = {.is_wanted = contprof_profile_begins};
  bool ok =
      contprof_file_open_next(path, &file, error) && contprof_profile_read(&file, profile, error);
  contprof_file_close(&file);
  return ok;
}
