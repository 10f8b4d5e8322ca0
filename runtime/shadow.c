// The reference of objects in shadow mode to the symbol below brings this file into a module's
// link. In reading order: what it does to the link; the file's pages in their place; the parts of
// shadow.h.
#define CONTPROF_SHADOW_PART
#include "shadow.h"

#include <string.h>
#include <sys/mman.h>

#include "link_contract.h"
#include "module.h"
#include "platform.h"

CONTPROF_HIDDEN char CONTPROF_SHADOW_SYMBOL;
CONTPROF_HIDDEN char CONTPROF_EITHER_SYMBOL = 1;

// ---- The link

// The largest page that a kernel for the architecture may have, bytes.
#if defined(__x86_64__)
#define LARGEST_PAGE "4096"
#else
#define LARGEST_PAGE "65536"
#endif

// Pages of their own for the counters. The empty piece aligns the section's start; as the last
// piece, which it is unless LTO adds others, it aligns the end as well. Else the next section,
// which linkers put behind that of the counters, by name (mold) or as the second of one file
// (others), begins on a new page. Tried: GNU ld, gold, lld and mold, without LTO, thin and full.
__asm__(".pushsection __llvm_prf_cnts,\"aw\",%progbits\n"
        ".balign " LARGEST_PAGE "\n"
        ".hidden contprof_shadow_pages\n"
        ".globl contprof_shadow_pages\n"
        "contprof_shadow_pages:\n"
        ".popsection\n"
        ".pushsection __llvm_prf_cnts_end,\"aw\",%progbits\n"
        ".balign " LARGEST_PAGE "\n"
        ".hidden contprof_behind_counters\n"
        ".globl contprof_behind_counters\n"
        "contprof_behind_counters: .quad 0\n"
        ".popsection\n");

extern CONTPROF_HIDDEN char contprof_shadow_pages[], contprof_behind_counters[];

// What nothing refers to, --gc-sections would take away.
static void keep(void) {
  __asm__ volatile("" : : "r"(contprof_shadow_pages));
}

// ---- The file's pages

static char *ready; // the counters of the next file, mapped; NULL if there are none

static uint64_t own_size(void) {
  return contprof_mapped_size(contprof_image_counters_size(&contprof_module.image),
                              contprof_page_size());
}

static bool possible(const char **why) {
  const struct contprof_image *image = &contprof_module.image;
  const char *pages_end = image->counters + own_size();
  keep();
  *why = "the link has not given its counters pages of their own";
  return (uintptr_t)image->counters % contprof_page_size() == 0 &&
         (image->counters_end == pages_end || contprof_behind_counters == pages_end);
}

// Of a mapping of the whole file.
static char *cut_out(const struct contprof_live *live, char *whole) {
  uint64_t start = live->layout.counters, end = start + own_size();
  if (!whole)
    return NULL;
  contprof_unmap(whole, start);
  if (end < live->size)
    contprof_unmap(whole + end, live->size - end);
  return whole + start;
}

// Mapped a second time, the whole file where the kernel makes no second view of a part (qemu-user).
static char *counters_again(const struct contprof_live *live, int *error) {
  char *again = contprof_map_again(live->base + live->layout.counters, own_size(), error);
  return again ? again : cut_out(live, contprof_live_map_again(live, error));
}

static void abandon(void) {
  if (ready)
    contprof_unmap(ready, own_size());
  ready = NULL;
}

static int make_ready(const struct contprof_live *next) {
  int error = 0;
  if (!contprof_module.image.in_place)
    return 0;
  ready = counters_again(next, &error);
  return ready ? 0 : -error;
}

static int turn(void) {
  int error = ready ? contprof_move_mapping(ready, own_size(), contprof_module.image.counters) : 0;
  if (error)
    abandon();
  ready = NULL;
  return error;
}

// What other threads count between the last two steps is lost; they would have to be in the
// module's code before it is open for anybody. So the time is kept short: the pages are ready when
// the counts are taken.
static int settle(void) {
  struct contprof_module *module = &contprof_module;
  int error = 0;
  ready = counters_again(&module->live, &error);
  if (!ready)
    return -error;
  contprof_take_early_counts();
  error = turn();
  module->image.in_place = !error;
  return error;
}

static int leave(void) {
  struct contprof_image *image = &contprof_module.image;
  int error = 0;
  if (image->in_place && contprof_map(image->counters, own_size(), PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, &error)) {
    image->in_place = false;
    if (CONTPROF_BYTE_COUNTERS(image->version))
      memset(image->counters, 0xff, contprof_image_counters_size(image));
  }
  return -error;
}

static const struct contprof_shadow part = {
    .possible = possible,
    .settle = settle,
    .make_ready = make_ready,
    .turn = turn,
    .abandon = abandon,
    .leave = leave,
};

const struct contprof_shadow *contprof_shadow = &part;
