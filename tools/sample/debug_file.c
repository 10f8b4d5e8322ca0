#include "debug_file.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

// The file that elfutils' own search gives, which needs a session of it.
static char *debug_file_in(Dwfl *dwfl, const char *path) {
  Dwfl_Module *module = dwfl_report_offline(dwfl, "", path, -1);
  if (!module || dwfl_report_end(dwfl, NULL, NULL))
    return NULL;
  Dwarf_Addr bias;
  if (!dwfl_module_getdwarf(module, &bias))
    return NULL;
  const char *debug = NULL;
  dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, &debug);
  return debug ? strdup(debug) : NULL;
}

char *contprof_debug_file_of(const char *path) {
  static const Dwfl_Callbacks callbacks = {
      .find_elf = dwfl_build_id_find_elf,
      .find_debuginfo = dwfl_standard_find_debuginfo,
      .section_address = dwfl_offline_section_address,
  };
  Dwfl *dwfl = dwfl_begin(&callbacks);
  if (!dwfl)
    return NULL;
  char *debug = debug_file_in(dwfl, path);
  dwfl_end(dwfl);
  return debug;
}
