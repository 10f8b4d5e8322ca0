// The executable's own start: before the constructors of its shared objects, which may start
// threads (a thread inherits its creator's segment base) or run for long. Only executables may have
// a .preinit_array, so this file is in an archive of its own.
#include "start.h"

CONTPROF_NO_START_UP

// glibc's, from 2.32 on: not 0 until the first thread is made, by the C library. Linkers note a
// symbol's version as needed, weak or not. Asked for by shared objects, too, it would keep earlier
// C libraries from loading them; an executable needs the one that it was linked with as a rule.
extern char __libc_single_threaded __attribute__((weak));

// See value_slots.h. Nobody's where no values are counted.
CONTPROF_WEAK_HIDDEN const char *contprof_one_thread;

static void start_executable(int argument_count, char **arguments, char **environment) {
  (void)argument_count, (void)arguments;
  if (&__libc_single_threaded)
    contprof_one_thread = &__libc_single_threaded;
  contprof_start(environment);
}

// The driver's -u names it.
__attribute__((section(".preinit_array"), used))
CONTPROF_HIDDEN void (*const contprof_start_executable)(int, char **, char **) = start_executable;
