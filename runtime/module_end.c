#include "module_end.h"

#include "bias.h"
#include "log.h"
#include "module.h"
#include "owner.h"
#include "platform.h"
#include "shadow.h"
#include "value_sites.h"

// The C++ ABI's registration (Itanium C++ ABI, 3.3.6): a handler is called by exit(), or when the
// module with this handle is finalised, whichever comes first.
int __cxa_atexit(void (*handler)(void *), void *argument, void *module);
extern CONTPROF_HIDDEN void *__dso_handle;

static bool ending;  // the module's destructors have begun
static bool exiting; // exit() came before them

static void note_exit(void *nothing) {
  (void)nothing;
  exiting = !ending;
}

// Runs before what calls the handlers of an unloaded module: that is the first of its destructors
// (crtbegin's), and they run last to first.
__attribute__((destructor)) static void note_ending(void) {
  ending = true;
}

void contprof_watch_exit(void) {
  if (!contprof_module.image.executable)
    __cxa_atexit(note_exit, NULL, &__dso_handle);
}

// What failed at start and fails now for the same reason has been said.
static void write_at_exit(void) {
  struct contprof_module *module = &contprof_module;
  int error = contprof_write_from_memory();
  if (error && -error != module->failure)
    contprof_log_errno("can't write", module->live.path, -error, "the profile is lost");
}

// At exit, handlers of the objects that the program was started with come too late to be told from
// an unloading; but such objects are never unloaded.
static bool stays_loaded(void) {
  return contprof_module.image.executable || contprof_module.image.loaded_at_start || exiting;
}

// Beside other threads, this may be an exit all the same (of an object that was opened before
// main), and they may count still: mapping and bias stay, for the object to take over when it comes
// back.
static void leave_file(void) {
  struct contprof_module *module = &contprof_module;
  bool alone = contprof_thread_count() == 1;
  if (alone) {
    contprof_bias_clear();
    contprof_values_detach();
    if (contprof_shadow)
      contprof_shadow->leave();
  }
  contprof_live_release(&module->live);
  if (alone)
    contprof_unmap(module->live.base, module->live.size);
  module->state = CONTPROF_IDLE;
}

// The copy of the profile in memory, which holds the recorded values. As for the file, other
// threads may yet record some.
static void leave_memory(void) {
  struct contprof_module *module = &contprof_module;
  module->state = CONTPROF_IDLE;
  if (!module->live.base || (module->image.values_size && contprof_thread_count() != 1))
    return;
  contprof_values_detach();
  contprof_unmap(module->live.base, module->live.size);
  module->live.base = NULL;
}

// Most programs count into their file to the last. They are not kept by the lock, which in a child
// of a raw clone a thread may have that is not there.
static bool is_done(void) {
  const struct contprof_module *module = &contprof_module;
  return module->state == CONTPROF_IDLE ||
         (module->state == CONTPROF_LIVE && !contprof_counts_beside() && stays_loaded());
}

void contprof_end(void) {
  struct contprof_module *module = &contprof_module;
  if (is_done())
    return;
  contprof_lock();
  if (module->state == CONTPROF_MEMORY)
    write_at_exit();
  if (module->state == CONTPROF_MEMORY && !stays_loaded())
    leave_memory();
  if (module->state == CONTPROF_LIVE && contprof_counts_beside())
    contprof_take_static_counts(); // a second chance for what the missing bias kept out
  if (module->state == CONTPROF_LIVE && !stays_loaded())
    leave_file();
  contprof_unlock();
}
