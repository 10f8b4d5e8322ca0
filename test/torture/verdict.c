#include "verdict.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct holder *holder_of(struct verdict *verdict, uint32_t pid, uint32_t generation,
                                unsigned module) {
  if (verdict->together)
    pid = generation = module = 0;
  for (size_t i = 0; i < verdict->count; i++) {
    struct holder *holder = &verdict->holders[i];
    if (holder->pid == pid && holder->generation == generation && holder->module == module)
      return holder;
  }
  if (verdict->count == verdict->room) {
    verdict->room = verdict->room ? verdict->room * 2 : 64;
    verdict->holders = realloc(verdict->holders, verdict->room * sizeof *verdict->holders);
    if (!verdict->holders)
      abort();
  }
  struct holder *holder = &verdict->holders[verdict->count++];
  *holder = (struct holder){.pid = pid, .generation = generation, .module = module};
  return holder;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// 1-snapshot.profraw is a copy at some moment, of which no more is known than that it is valid.
// PID[-guest_X.so][.GENERATION].profraw
static bool parse_name(const char *name, uint32_t *pid, uint32_t *generation, unsigned *module) {
  char guest = 'a' - 1;
  int used = 0;
  *generation = 1;
  if (sscanf(name, "%" SCNu32 "%n", pid, &used) != 1)
    return false;
  name += used;
  if (strcmp(name, "-snapshot.profraw") == 0)
    return true;
  if (sscanf(name, "-guest_%c.so%n", &guest, &used) == 1)
    name += used;
  if (sscanf(name, ".%" SCNu32 "%n", generation, &used) == 1)
    name += used;
  *module = (unsigned)(guest - 'a' + 1);
  return strcmp(name, ".profraw") == 0;
}

static bool read_file(struct verdict *verdict, const char *name, char *why, size_t size) {
  char path[4096];
  uint32_t pid = 0, generation = 1;
  unsigned module = 0;
  struct counts counted = {.frontend = verdict->frontend};
  if (ends_with(name, ".tmp")) {
    verdict->temporaries++;
    return true;
  }
  snprintf(path, sizeof path, "%s/%s", verdict->directory, name);
  if (!ends_with(name, ".profraw") ||
      (!verdict->together && !parse_name(name, &pid, &generation, &module))) {
    snprintf(why, size, "an unexpected file %s", name);
    return false;
  }
  verdict->files++;
  fprintf(verdict->list, "%s\n", path);
  if (!counts_add_file(&counted, path, why, size))
    return false;
  counts_add_counts(&verdict->sum, &counted);
  if (ends_with(name, "-snapshot.profraw"))
    return true;
  struct holder *holder = holder_of(verdict, pid, generation, module);
  holder->files++;
  counts_add_counts(&holder->counted, &counted);
  return true;
}

bool verdict_read(struct verdict *verdict, char *why, size_t size) {
  DIR *directory = opendir(verdict->directory);
  bool ok = true;
  if (!directory) { // the runtime makes it, when it gets so far
    snprintf(why, size, "%s: %s", verdict->directory, strerror(errno));
    return errno == ENOENT;
  }
  for (struct dirent *entry; ok && (entry = readdir(directory));)
    if (entry->d_name[0] != '.')
      ok = read_file(verdict, entry->d_name, why, size);
  closedir(directory);
  return ok;
}

static void expect_told(struct verdict *verdict, const struct told *told) {
  unsigned task = told->task, module = task < TASKS ? 0 : 1 + task - TASKS;
  struct holder *holder = holder_of(verdict, told->pid, told->generation, module);
  struct counts *least = &holder->least, *most = &holder->most;
  least->of[COUNT_STEPS][task] += told->done;
  most->of[COUNT_STEPS][task] += told->planned;
  least->of[COUNT_RUNS][task] += told->ended;
  most->of[COUNT_RUNS][task] += told->begun;
  if (verdict->frontend) {
    least->of[COUNT_LOOPS][task] += told->done;
    most->of[COUNT_LOOPS][task] += told->planned;
  }
  if (task >= TASKS)
    return;
  if (verdict->atomic) // else two threads that count at once may lose any number
    least->of[COUNT_SHARED][0] += told->done;
  most->of[COUNT_SHARED][0] += told->planned;
}

static bool within(const struct holder *holder, const struct counts *before, bool atomic, char *why,
                   size_t size) {
  static const char *const kinds[] = {"step", "run", "loop of run", "shared_step"};
  for (unsigned kind = 0; kind < COUNT_KINDS; kind++)
    for (unsigned task = 0; task < ALL_TASKS; task++) {
      uint64_t base = before ? before->of[kind][task] : 0;
      uint64_t least = base + holder->least.of[kind][task];
      uint64_t most = base + holder->most.of[kind][task];
      uint64_t counted = holder->counted.of[kind][task];
      if (kind == COUNT_SHARED && !atomic)
        least = 0;
      if (counted >= least && counted <= most)
        continue;
      snprintf(why, size,
               "process %" PRIu32 ", generation %" PRIu32 ", module %u, %s %u: counted %" PRIu64
               ", told %" PRIu64 " to %" PRIu64,
               holder->pid, holder->generation, holder->module, kinds[kind], task, counted, least,
               most);
      return false;
    }
  return true;
}

// How many tasks died in the middle of a run; where several processes count together, that can't be
// told.
static unsigned tasks_inside(const struct holder *holder) {
  unsigned inside = 0;
  for (unsigned task = 0; task < ALL_TASKS; task++) {
    uint64_t counted = holder->counted.of[COUNT_STEPS][task];
    inside += counted > holder->least.of[COUNT_STEPS][task] &&
              counted < holder->most.of[COUNT_STEPS][task];
  }
  return inside;
}

static bool tells_nothing(const struct holder *holder) {
  for (unsigned task = 0; task < ALL_TASKS; task++)
    if (holder->most.of[COUNT_RUNS][task])
      return false;
  return true;
}

bool verdict_compare(struct verdict *verdict, const struct counts *before, char *why, size_t size) {
  for (size_t i = 0; i < verdict->figures->count; i++)
    expect_told(verdict, &verdict->figures->last[i]);
  bool ok = true;
  for (size_t i = 0; ok && i < verdict->count; i++) {
    const struct holder *holder = &verdict->holders[i];
    ok = holder->files != 0;
    if (!ok)
      snprintf(why, size, "process %" PRIu32 ", generation %" PRIu32 ", module %u: no file",
               holder->pid, holder->generation, holder->module);
    else
      ok = within(holder, before, verdict->atomic, why, size);
    verdict->inside += verdict->together ? 0 : tasks_inside(holder);
    verdict->silent += tells_nothing(holder);
  }
  for (size_t i = 0; i < verdict->count; i++) { // for another comparison
    verdict->holders[i].least = (struct counts){.frontend = false};
    verdict->holders[i].most = (struct counts){.frontend = false};
  }
  return ok;
}

void verdict_free(struct verdict *verdict) {
  free(verdict->holders);
  verdict->holders = NULL;
  verdict->count = verdict->room = 0;
}
