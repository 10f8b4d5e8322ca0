// The executable's own start: before the constructors of its shared objects, which may start
// threads (a thread inherits its creator's segment base) or run for long. Only executables may have
// a .preinit_array, so this file is in an archive of its own.
#include "start.h"

CONTPROF_NO_START_UP

static void start_executable(int argument_count, char **arguments, char **environment) {
  (void)argument_count, (void)arguments;
  contprof_start(environment);
}

// The driver's -u names it.
__attribute__((section(".preinit_array"), used))
CONTPROF_HIDDEN void (*const contprof_start_executable)(int, char **, char **) = start_executable;
