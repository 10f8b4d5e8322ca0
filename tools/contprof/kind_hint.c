#include "kind_hint.h"

#include "../base/file_view.h"
#include "../instr/indexed_reader.h"
#include "../instr/raw_reader.h"
#include "../sample/perf_data.h"
#include "../sample/sample_format.h"
#include "messages.h"

#include <sys/stat.h>

// Of a profile as text, the first line says what it is, if it is one with a colon in front.
static bool is_instrumented(const struct contprof_file_view *file) {
  return contprof_is_raw(file) || contprof_is_indexed(file) ||
         (file->size && file->bytes[0] == ':');
}

static bool take_beginning(const struct contprof_file_view *beginning) {
  (void)beginning;
  return false;
}

bool contprof_hint_kind(const char *path, bool sampled) {
  struct contprof_file_view file = {.is_wanted = take_beginning};
  struct contprof_error error;
  struct stat status;
  contprof_error_clear(&error);
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
      !contprof_file_open_next(path, &file, &error))
    return false;
  bool recording = contprof_is_perf_data(file.bytes, file.size);
  bool other = sampled ? is_instrumented(&file) : contprof_is_sample(file.bytes, file.size);
  contprof_file_close(&file);
  if (recording)
    contprof_say_warning("%s is a recording of perf's: contprof sample makes a profile of it",
                         path);
  else if (other && sampled)
    contprof_say_warning("%s is an instrumented profile: leave --sample out", path);
  else if (other)
    contprof_say_warning("%s is a sample profile: give --sample", path);
  return other || recording;
}
