#include "live_switch.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "module.h"
#include "platform.h"
#include "profile_add.h"
#include "shadow.h"
#include "shard_file.h"
#include "timestamps.h"
#include "value_sites.h"
#include "value_slots.h"

// Compilers for x86-64 make one instruction of an update, which a change of the mapping does not
// divide; elsewhere, and where they don't, a thread may hold a count in a register meanwhile.
#if defined(__x86_64__)
enum { WATCH = 100000 };
#else
enum { WATCH = 20000000 };
#endif

// A thread that was stopped between loading a count and storing it stores it into the new file.
static void drop_carried(const struct contprof_live *next, const char *old, uint64_t since) {
  do {
    contprof_counts_drop_carried(&contprof_module.image, &next->layout, next->base, old, since);
    contprof_yield();
  } while (contprof_boot_clock() - since < WATCH);
  contprof_counts_drop_carried(&contprof_module.image, &next->layout, next->base, old, since);
}

// Lets go of a new file that will not be used; the old one gets back the name it has given.
static void give_up(struct contprof_live *next, enum contprof_change change) {
  if (change == CONTPROF_RESET)
    contprof_live_name_again(&contprof_module.live);
  else if (!next->adopted)
    contprof_unlink(next->path);
  contprof_unmap(next->base, next->size);
  contprof_live_close(next);
}

// Where the static counters' place can't be given to the new file, it gets memory: what is counted
// there comes to the file at exit.
static void turn_in_place(void) {
  if (contprof_shadow && contprof_shadow->turn()) {
    contprof_shadow->leave();
    contprof_module.statics = true;
  }
}

// A thread that has found its value's slot adds to it in the new file: there it has to be that
// value's, too. In a file that others have counted in, values have slots already.
static void keep_slots(const struct contprof_live *next, const char *old) {
  if (!next->adopted)
    contprof_values_take_over(&contprof_module.image, next->base + next->layout.values,
                              old + next->layout.values);
}

// One system call moves the new file's mapping over the old one (in shadow mode, one for the
// counters and one for all else); an instruction that another thread is executing ends before the
// old one is gone, and what comes then finds the new one. `seen` is what the new file had of the
// old one's counts before; NULL if nothing.
static int move_over(struct contprof_live *next, const char *old, const char *seen) {
  struct contprof_module *module = &contprof_module;
  uint64_t since = contprof_boot_clock();
  int error = contprof_shadow ? contprof_shadow->make_ready(next) : 0;
  if (error)
    return error;
  contprof_slots_hold();
  keep_slots(next, old);
  error = contprof_move_mapping(next->base, next->size, module->live.base);
  contprof_slots_release();
  if (error) {
    if (contprof_shadow)
      contprof_shadow->abandon();
    return error;
  }
  next->base = module->live.base;
  turn_in_place();
  if (seen) {
    contprof_profile_add(&module->image, &next->layout, next->base, old, seen);
    contprof_shards_carry(&module->live, &module->image, old, next->base);
    contprof_values_add(&module->image, next->base + next->layout.values,
                        old + next->layout.values);
  } else {
    contprof_timestamps_restart();
    drop_carried(next, old, since);
  }
  return 0;
}

// Most counts go into the new file while nobody counts there; after the change only those are left
// that were counted meanwhile.
static int carry_over(struct contprof_live *next, const char *old) {
  const struct contprof_image *image = &contprof_module.image;
  int error = 0;
  char *seen = contprof_map(NULL, next->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                            -1, &error);
  if (!seen)
    return -error;
  memcpy(seen + next->layout.counters, old + next->layout.counters,
         next->layout.names - next->layout.counters);
  contprof_counts_add(image, next->base + next->layout.counters, seen + next->layout.counters,
                      next->base + next->layout.bitmap, seen + next->layout.bitmap);
  error = move_over(next, old, seen);
  contprof_unmap(seen, next->size);
  return error;
}

// The old file, mapped a second time, has everything that was counted until the change. If the new
// one has that, too, the old one goes, before anybody can count on in it; unless the program has
// asked for it, or its name is another's by now.
static void leave(char *old, bool carried) {
  struct contprof_live *live = &contprof_module.live;
  if (carried && !live->written && contprof_live_has_name(live))
    contprof_unlink(live->path);
  ((struct contprof_owner *)(old + live->layout.owner))->state = CONTPROF_OWNER_RELEASED;
  contprof_unmap(old, live->size);
  contprof_live_close(live);
}

// A reset's file has the name at once: who is killed then has been reset.
static int create_next(struct contprof_live *next, enum contprof_change change) {
  const struct contprof_module *module = &contprof_module;
  next->written = module->live.written;
  next->forked = module->live.forked;
  next->rotated = module->live.rotated;
  next->images = module->live.images;
  next->room = module->live.room;
  int error = change == CONTPROF_RESET
                  ? contprof_live_create_over(next, &module->image, &module->live)
                  : contprof_live_create(next, &module->image, &module->pattern, NULL);
  next->written = false;
  return error;
}

int contprof_switch_file(enum contprof_change change) {
  static struct contprof_live next;
  struct contprof_module *module = &contprof_module;
  bool carry = change == CONTPROF_MOVE;
  int error = 0;
  // Not through the descriptor: the program may have closed it, or have its own file there.
  char *old = contprof_live_map_again(&module->live, &error);
  if (!old)
    return -error;
  error = create_next(&next, change);
  if (!error) {
    error = carry ? carry_over(&next, old) : move_over(&next, old, NULL);
    if (error)
      give_up(&next, change);
  }
  if (error) {
    contprof_unmap(old, module->live.size);
    return error;
  }
  leave(old, carry);
  memcpy(&module->live, &next, sizeof next);
  return 0;
}
