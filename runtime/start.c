#include "start.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bias.h"
#include "contprof.h"
#include "fork.h"
#include "log.h"
#include "module.h"
#include "module_end.h"
#include "owner.h"
#include "platform.h"
#include "shadow.h"
#include "timestamps.h"
#include "without_start_up.h"

// What the compiler driver's -u asks for; a program that defines it itself keeps this file, and so
// the start-up, out of its link.
CONTPROF_HIDDEN int __llvm_profile_runtime;
CONTPROF_HIDDEN bool contprof_has_start_up = true;

// Brings llvm_api.c and contprof_api.c into every link that has a start-up: a program that declares
// the functions weak, to link without instrumentation as well, pulls nothing out of an archive by
// that.
__attribute__((used)) static void (*const functions_of_llvm)(void) = __llvm_profile_reset_counters;
__attribute__((used)) static int (*const functions_of_contprof)(void) = contprof_sync;

enum { FEW_PAGES = 16, MANY_PAGES = 256 };

static const char consequence[] =
    "counting in memory, the profile is written at exit if that works then";

// /dev/null is how users say "no profile".
static bool is_device(const char *path) {
  struct stat status;
  return contprof_stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

static const char late[] = "what is counted reaches it at exit only";

static void settle_in_place(void) {
  struct contprof_module *module = &contprof_module;
  int error = contprof_shadow->settle();
  if (!error)
    return;
  module->biased = false;
  contprof_take_static_counts();
  contprof_log_errno("can't count into", module->live.path, -error, late);
}

void contprof_go_live(void) {
  struct contprof_module *module = &contprof_module;
  contprof_attach_values();
  contprof_timestamps_go_on(&module->image, module->live.base + module->live.layout.counters);
  module->biased = contprof_bias_publish(&module->image, &module->live);
  if (!module->biased)
    contprof_log("can't count into", module->live.path, "the GS segment base can't be set", late);
  if (contprof_shadow)
    settle_in_place();
  else
    module->pristine = contprof_take_early_counts();
  // A function in pointer mode that runs meanwhile goes on with the bias that it began with.
  module->statics =
      !module->biased || (module->state == CONTPROF_MEMORY && !module->image.in_place);
  module->state = CONTPROF_LIVE;
}

void contprof_begin(void) {
  struct contprof_module *module = &contprof_module;
  const char *why;
  if (!contprof_bias_possible(&why)) {
    contprof_log("can't count into the live file of", module->image.name, why, consequence);
    contprof_stay_in_memory();
    return;
  }
  int error = contprof_live_create(&module->live, &module->image, &module->pattern, NULL);
  if (!error) {
    contprof_go_live();
    return;
  }
  module->failure = -error;
  module->quiet = is_device(module->live.path);
  if (!module->quiet)
    contprof_log_errno("can't create", module->live.path, -error, consequence);
  contprof_stay_in_memory();
}

// Gives the whole pages from `start` to `end` back, if there are enough of them to be worth a call.
static void drop_pages(const char *start, const char *end, uint64_t least) {
  uintptr_t page = contprof_page_size();
  uintptr_t first = ((uintptr_t)start + page - 1) & ~(page - 1);
  uintptr_t last = (uintptr_t)end & ~(page - 1);
  if (last > first && last - first >= least * page)
    contprof_drop_pages((void *)first, last - first);
}

// Before any constructor of a program there is one thread, and what it counted has been moved:
// where the static counters' pages are zeros as in the program's file, they need no memory of their
// own. Those that were not even looked at have none.
static void drop_static_counters(void) {
  const struct contprof_image *image = &contprof_module.image;
  if (contprof_module.biased && !contprof_module.pristine && !image->in_place &&
      !CONTPROF_BYTE_COUNTERS(image->version))
    drop_pages(image->counters, image->counters_end, FEW_PAGES);
}

// The names are the largest part by far, and only files that are made later need them again. Before
// any constructor they are as the loader mapped them; later a program may have moved its segments
// to memory of another kind (huge pages), which forgets what is dropped.
static void drop_names(void) {
  const struct contprof_image *image = &contprof_module.image;
  if (contprof_module.state == CONTPROF_LIVE)
    drop_pages(image->names, image->names_end, MANY_PAGES);
}

// `environment` is NULL where the program asks for the start itself, at whatever time.
void contprof_start(char *const *environment) {
  static bool started;
  if (started)
    return;
  started = true;
  contprof_log_remember_stderr();
  if (!contprof_image_find(&contprof_module.image))
    return;
  contprof_read_settings(environment);
  contprof_begin();
  if (environment && contprof_module.image.executable) {
    drop_static_counters();
    drop_names();
  }
  contprof_watch_forks();
  contprof_watch_exit();
}

static void start_module(void) {
  contprof_start(environ);
}

// Priority 0 by section name: before and after every constructor and destructor of the module. The
// loader runs .fini_array backwards.
__attribute__((section(".init_array.00000"),
               used)) static void (*const at_start)(void) = start_module;
__attribute__((section(".fini_array.00000"),
               used)) static void (*const at_end)(void) = contprof_end;
