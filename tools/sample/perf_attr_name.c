// Names of events that no recording names, as perf makes them: tools/perf/util/evsel.c,
// evsel__name.
#include "perf_attr.h"
#include "perf_format.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *of_list(const char *const *list, size_t count, uint64_t number,
                           const char *unknown) {
  return number < count ? list[number] : unknown;
}

static const char *hardware_name(uint64_t config) {
  static const char *const names[] = {"cycles",
                                      "instructions",
                                      "cache-references",
                                      "cache-misses",
                                      "branches",
                                      "branch-misses",
                                      "bus-cycles",
                                      "stalled-cycles-frontend",
                                      "stalled-cycles-backend",
                                      "ref-cycles"};
  return of_list(names, COUNT(names), config, "unknown-hardware");
}

static const char *software_name(uint64_t config) {
  static const char *const names[] = {
      "cpu-clock",    "task-clock",   "page-faults",      "context-switches", "cpu-migrations",
      "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy"};
  return of_list(names, COUNT(names), config, "unknown-software");
}

// config: which cache, then what was done (8 bits each), then how it went.
static void cache_name(uint64_t config, char *name, size_t room) {
  static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
                                       "iTLB",      "branch",    "node"};
  static const char *const done[] = {"load", "store", "prefetch"};
  static const char *const many[] = {"loads", "stores", "prefetches"};
  static const char *const possible[] = {"lsp", "lp", "lsp", "lsp", "l", "l", "lsp"};
  uint64_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16 & 0xff;
  if (cache >= COUNT(caches))
    snprintf(name, room, "unknown-ext-hardware-cache-type");
  else if (operation >= COUNT(done))
    snprintf(name, room, "unknown-ext-hardware-cache-op");
  else if (result > 1)
    snprintf(name, room, "unknown-ext-hardware-cache-result");
  else if (!strchr(possible[cache], "lsp"[operation]))
    snprintf(name, room, "invalid-cache");
  else if (result)
    snprintf(name, room, "%s-%s-misses", caches[cache], done[operation]);
  else
    snprintf(name, room, "%s-%s", caches[cache], many[operation]);
}

// ":uppp": for whom it is counted, if not for all, and how precisely.
static void add_modifiers(const struct contprof_perf_attr *attr, char *name, size_t room) {
  static const struct {
    unsigned flag;
    char letter;
  } levels[] = {
      {PERF_ATTR_EXCLUDE_KERNEL, 'k'}, {PERF_ATTR_EXCLUDE_USER, 'u'}, {PERF_ATTR_EXCLUDE_HV, 'h'}};
  char letters[8] = "";
  size_t count = 0;
  bool by_level = false;
  for (size_t i = 0; i < COUNT(levels); i++)
    by_level |= contprof_perf_attr_has(attr, levels[i].flag);
  for (size_t i = 0; by_level && i < COUNT(levels); i++)
    if (!contprof_perf_attr_has(attr, levels[i].flag))
      letters[count++] = levels[i].letter;
  unsigned precise = attr->flags >> PERF_ATTR_PRECISE_IP & 3;
  for (unsigned i = 0; i < precise; i++)
    letters[count++] = 'p';
  bool no_guest = contprof_perf_attr_has(attr, PERF_ATTR_EXCLUDE_GUEST);
  bool no_host = contprof_perf_attr_has(attr, PERF_ATTR_EXCLUDE_HOST);
  if ((no_host || no_guest == (by_level || precise)) && !no_host)
    letters[count++] = 'H';
  if ((no_host || no_guest == (by_level || precise)) && !no_guest)
    letters[count++] = 'G';
  size_t length = strlen(name);
  if (count)
    snprintf(name + length, room - length, ":%.*s", (int)count, letters);
}

void contprof_perf_attr_derive_name(const struct contprof_perf_attr *attr,
                                    char name[CONTPROF_PERF_NAME_ROOM]) {
  const size_t room = CONTPROF_PERF_NAME_ROOM;
  switch (attr->type) {
  case PERF_TYPE_HARDWARE:
    snprintf(name, room, "%s", hardware_name(attr->config));
    break;
  case PERF_TYPE_SOFTWARE:
    snprintf(name, room, "%s", software_name(attr->config));
    break;
  case PERF_TYPE_HW_CACHE:
    cache_name(attr->config, name, room);
    break;
  case PERF_TYPE_RAW:
    snprintf(name, room, "raw 0x%llx", (unsigned long long)attr->config);
    break;
  case PERF_TYPE_TRACEPOINT:
    snprintf(name, room, "unknown tracepoint");
    return;
  default:
    snprintf(name, room, "unknown attr type: %u", attr->type);
    return;
  }
  add_modifiers(attr, name, room);
}
