// The GS segment base, for executables with segment-mode objects. Their reference to the symbol
// below brings this file into the link; a shared object's link has no such file, and its error
// message reads as what is to be done.
#include "bias.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "link_contract.h"

CONTPROF_HIDDEN char CONTPROF_SEGMENT_SYMBOL;

#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE (1 << 1) // Documentation/arch/x86/x86_64/fsgs.rst
#endif

static long arch_prctl(long code, uint64_t argument) {
  long result = SYS_arch_prctl;
  __asm__ volatile("syscall" : "+a"(result) : "D"(code), "S"(argument) : "rcx", "r11", "memory");
  return result;
}

// The kernel refuses a base of 2^47 and above through arch_prctl; the instruction takes any.
static bool set_base(uint64_t base) {
  if (!(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE))
    return arch_prctl(ARCH_SET_GS, base) == 0;
  __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
  return true;
}

static uint64_t get_base(void) {
  uint64_t base = 0;
  if (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE)
    __asm__ volatile("rdgsbase %0" : "=r"(base));
  else
    arch_prctl(ARCH_GET_GS, (uintptr_t)&base);
  return base;
}

bool (*contprof_segment_base_set)(uint64_t base) = set_base;
uint64_t (*contprof_segment_base_get)(void) = get_base;
