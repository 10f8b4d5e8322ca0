#include "live_switch.h"

#include <errno.h>
#include <string.h>

#include "module.h"
#include "platform.h"
#include "profile_add.h"
#include "value_sites.h"

// The new file is made and named elsewhere first; then one system call moves its mapping over the
// old one. The old file, mapped a second time, has everything that was counted until then.
int contprof_switch_file(bool carry) {
  static struct contprof_live next;
  struct contprof_module *module = &contprof_module;
  int error = 0;
  // Not through the descriptor: the program may have closed it, or have its own file there.
  char *old = contprof_live_map_again(&module->live, &error);
  if (!old)
    return -error;
  next.written = module->live.written;
  error = contprof_live_create(&next, &module->image, &module->pattern, NULL);
  next.written = false;
  if (error) {
    contprof_unmap(old, module->live.size);
    return error;
  }
  error = contprof_move_mapping(next.base, next.size, module->live.base);
  if (error) {
    contprof_unlink(next.path);
    contprof_unmap(next.base, next.size);
    contprof_live_close(&next);
    contprof_unmap(old, module->live.size);
    return error;
  }
  next.base = module->live.base;
  if (carry)
    contprof_profile_add(&module->image, &next.layout, next.base, old);
  contprof_unmap(old, next.size);
  contprof_live_close(&module->live);
  memcpy(&module->live, &next, sizeof next);
  return 0;
}
