#include "debug_file.h"

#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The name of an open file, to be freed; NULL if it can't be told.
static char *name_of(int descriptor) {
  char link[32], name[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, name, sizeof name);
  return length > 0 && length < (ssize_t)sizeof name ? strndup(name, (size_t)length) : NULL;
}

// Of what debuginfod has fetched, elfutils hands on the open file, without its name.
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                          const char *file, const char *link, GElf_Word crc, char **found) {
  int descriptor = dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, found);
  if (descriptor >= 0 && !*found)
    *found = name_of(descriptor);
  return descriptor;
}

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
      .find_debuginfo = find_debuginfo,
      .section_address = dwfl_offline_section_address,
  };
  Dwfl *dwfl = dwfl_begin(&callbacks);
  if (!dwfl)
    return NULL;
  char *debug = debug_file_in(dwfl, path);
  dwfl_end(dwfl);
  return debug;
}
