// The reference of objects in shadow mode to the symbol below brings this file into a module's
// link. In reading order: what it does to the link; the GS base; whether it can be used; the parts
// of shadow.h.
#define CONTPROF_SHADOW_PART
#include "shadow.h"

#include <asm/prctl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "link_contract.h"
#include "log.h"
#include "module.h"
#include "platform.h"
#include "shadow_modules.h"
#include "shadow_windows.h"

CONTPROF_HIDDEN char CONTPROF_SHADOW_SYMBOL;
CONTPROF_HIDDEN char CONTPROF_EITHER_SYMBOL = 1;

// ---- The link

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(text) #text

CONTPROF_HIDDEN uint32_t contprof_shadow_state;

// Pages of their own for the counters. The empty piece aligns the section's start; as the last
// piece, which it is unless LTO adds others, it aligns the end as well. Else the next section,
// which linkers put behind that of the counters, by name (mold) or as the second of one file
// (others), begins on a new page. Tried: GNU ld, gold, lld and mold, without LTO, thin and full.
__asm__(".pushsection __llvm_prf_cnts,\"aw\",@progbits\n"
        ".balign 4096\n"
        ".hidden contprof_shadow_pages\n"
        ".globl contprof_shadow_pages\n"
        "contprof_shadow_pages:\n"
        ".popsection\n"
        ".pushsection __llvm_prf_cnts_end,\"aw\",@progbits\n"
        ".balign 4096\n"
        ".hidden contprof_behind_counters\n"
        ".globl contprof_behind_counters\n"
        "contprof_behind_counters: .quad 0\n"
        ".popsection\n"
        ".hidden __start___llvm_prf_cnts\n"
        ".hidden __stop___llvm_prf_cnts\n"
        ".hidden __llvm_profile_raw_version\n"
        ".pushsection .note.contprof,\"a\",@note\n"
        ".balign 4\n"
        ".long 9, 32, " TEXT_OF(CONTPROF_SHADOW_NOTE_TYPE) "\n"
                                                           ".asciz \"" CONTPROF_SHADOW_NOTE_NAME
                                                           "\"\n"
                                                           ".balign 4\n"
                                                           ".hidden contprof_shadow_note\n"
                                                           ".globl contprof_shadow_note\n"
                                                           "contprof_shadow_note:\n"
                                                           ".quad __start___llvm_prf_cnts - .\n"
                                                           ".quad __stop___llvm_prf_cnts - .\n"
                                                           ".quad __llvm_profile_raw_version - .\n"
                                                           ".quad contprof_shadow_state - .\n"
                                                           ".popsection\n");
_Static_assert(sizeof CONTPROF_SHADOW_NOTE_NAME == 9 && sizeof(struct contprof_shadow_note) == 32,
               "the note above");

extern CONTPROF_HIDDEN const char contprof_shadow_pages[], contprof_shadow_note[];

// What nothing refers to, --gc-sections would take away.
static void keep(void) {
  __asm__ volatile("" : : "r"(contprof_shadow_pages), "r"(contprof_shadow_note));
}

// ---- The GS base

#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE (1 << 1) // Documentation/arch/x86/x86_64/fsgs.rst
#endif

static long arch_prctl(long code, uint64_t argument) {
  long result = SYS_arch_prctl;
  __asm__ volatile("syscall" : "+a"(result) : "D"(code), "S"(argument) : "rcx", "r11", "memory");
  return result;
}

static bool has_instructions(void) {
  return (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
}

// The kernel's call refuses a base of 2^47 and above; valgrind's takes it.
static bool set_base(uint64_t base) {
  if (!has_instructions())
    return arch_prctl(ARCH_SET_GS, base) == 0;
  __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
  return true;
}

static uint64_t get_base(void) {
  uint64_t base = 0;
  if (has_instructions())
    __asm__ volatile("rdgsbase %0" : "=r"(base));
  else
    arch_prctl(ARCH_GET_GS, (uintptr_t)&base);
  return base;
}

static const uint64_t constant = (uint64_t)CONTPROF_SHADOW_BIAS;

static bool can_set_base(void) {
  if (has_instructions())
    return true;
  uint64_t before = get_base();
  return set_base(constant) && set_base(before);
}

// ---- Whether the GS base can be used

static bool usable; // by this module

static bool reserve_window(void) {
  bool prepared = contprof_shadow_state == CONTPROF_SHADOW_PREPARED;
  bool reserved = contprof_window_reserve(prepared);
  contprof_shadow_state = reserved ? CONTPROF_SHADOW_STARTED : CONTPROF_SHADOW_WITHOUT;
  return reserved;
}

static const char *why_not(uint64_t base) {
  const struct contprof_image *image = &contprof_module.image;
  if (base && base != constant)
    return "the GS segment base was in use, and is set to 0 (build all of the program with "
           "-fprofile-continuous=shadow, or this with =pointer)";
  if (!contprof_window_is_canonical((uintptr_t)image->counters))
    return "it stands too low in memory (compile with -fPIC or -fPIE)";
  if (!can_set_base())
    return "the processor or the kernel has no FSGSBASE instructions";
  if (!reserve_window())
    return "the memory 16 TiB below its counters is in use";
  if (!contprof_shadow_prepare_others(image->counters))
    return "another module of the process can't use it";
  return NULL;
}

// With any other base but 0 in its threads, or the constant without a window, a count of this
// module would be a store to anywhere. An executable in plain segment mode, whose base this may be,
// counts in memory then, as with no base, and brings that to its file at exit.
static bool possible(const char **why) {
  const struct contprof_image *image = &contprof_module.image;
  uint64_t base = get_base();
  keep();
  *why = why_not(base);
  usable = !*why;
  if (!contprof_window_is_reserved())
    contprof_shadow_state = CONTPROF_SHADOW_WITHOUT;
  if (usable)
    return true;
  if (base && !contprof_window_is_reserved())
    set_base(0);
  if (!contprof_window_in_place_possible(image))
    return false;
  contprof_log("can't use shadow mode in", image->name, *why,
               "counters are mapped to the file where they stand");
  return true;
}

// ---- The parts

static bool publish(const struct contprof_live *live, intptr_t *bias) {
  int error = contprof_windows_make_ready(live);
  if (!error)
    error = contprof_windows_turn();
  if (error)
    return false;
  if (live->adopted && !contprof_module.image.executable)
    contprof_windows_drop_left();
  *bias = 0;
  if (!usable)
    return true;
  *bias = CONTPROF_SHADOW_BIAS;
  return get_base() == constant || set_base(constant);
}

static void settle(void) {
  struct contprof_module *module = &contprof_module;
  int error = contprof_window_settle();
  if (!error) {
    module->statics = false;
  } else if (!usable && module->biased) {
    module->biased = false;
    module->statics = true;
    contprof_log_errno("can't count into", module->live.path, -error,
                       "what is counted reaches it at exit only");
  } else {
    module->statics = true;
  }
}

static void stay_in_memory(void) {
  struct contprof_module *module = &contprof_module;
  const struct contprof_image *image = &module->image;
  if (contprof_window_is_canonical((uintptr_t)image->counters) && reserve_window()) {
    if (contprof_windows_make_ready(&module->live) == 0)
      contprof_windows_turn();
  }
  contprof_window_settle();
}

static const struct contprof_shadow part = {
    .possible = possible,
    .publish = publish,
    .settle = settle,
    .stay_in_memory = stay_in_memory,
    .make_ready = contprof_windows_make_ready,
    .turn = contprof_windows_turn,
    .abandon = contprof_windows_abandon,
    .leave = contprof_windows_leave,
};

const struct contprof_shadow *contprof_shadow = &part;
