#include "shadow_modules.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "abi.h"
#include "shadow_windows.h"

struct visit {
  const char *own; // counters of the module that asks
  bool possible;   // result
};

// The address that the distance at `field` leads to.
static char *led_to(const int64_t *field) {
  int64_t distance;
  memcpy(&distance, field, sizeof distance);
  return (char *)field + distance;
}

static bool prepare(const struct contprof_shadow_note *note) {
  char *start = led_to(&note->counters);
  uint32_t *state = (uint32_t *)led_to(&note->state);
  uint64_t version;
  if (*state != CONTPROF_SHADOW_NEW)
    return *state != CONTPROF_SHADOW_WITHOUT;
  memcpy(&version, led_to(&note->version), sizeof version);
  if (!contprof_window_is_canonical((uintptr_t)start) ||
      !contprof_window_prepare(start, led_to(&note->counters_end), CONTPROF_BYTE_COUNTERS(version)))
    return false;
  *state = CONTPROF_SHADOW_PREPARED;
  return true;
}

static uint64_t align4(uint64_t value) {
  return (value + 3) & ~(uint64_t)3;
}

static void visit_notes(struct visit *visit, const char *notes, uint64_t size) {
  static const char own_name[] = CONTPROF_SHADOW_NOTE_NAME;
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)notes;
    const char *name = notes + sizeof *note;
    const void *content = name + align4(note->n_namesz);
    uint64_t whole = sizeof *note + align4(note->n_namesz) + align4(note->n_descsz);
    if (whole > size)
      return;
    const struct contprof_shadow_note *shadow = content;
    if (note->n_type == CONTPROF_SHADOW_NOTE_TYPE && note->n_namesz == sizeof own_name &&
        memcmp(name, own_name, sizeof own_name) == 0 && note->n_descsz >= sizeof *shadow &&
        led_to(&shadow->counters) != visit->own && !prepare(shadow))
      visit->possible = false;
    notes += whole;
    size -= whole;
  }
}

static int visit_module(struct dl_phdr_info *module, size_t size, void *argument) {
  struct visit *visit = argument;
  (void)size;
  for (int i = 0; i < module->dlpi_phnum && visit->possible; i++) {
    const ElfW(Phdr) *header = &module->dlpi_phdr[i];
    if (header->p_type == PT_NOTE)
      visit_notes(visit, (const char *)(module->dlpi_addr + header->p_vaddr), header->p_memsz);
  }
  return !visit->possible;
}

bool contprof_shadow_prepare_others(const char *own) {
  struct visit visit = {own, true};
  dl_iterate_phdr(visit_module, &visit);
  return visit.possible;
}
