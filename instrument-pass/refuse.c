// See refuse.h. What stands in a module is looked at, not options: these reach LLVM on many ways.
#include "refuse.h"

#include "rewrite.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bits of __llvm_profile_raw_version (InstrProfData.inc, VARIANT_MASK_*).
#define FUNCTION_ENTRY_ONLY (UINT64_C(1) << 61)
#define TEMPORAL (UINT64_C(1) << 63)

static void refuse(LLVMModuleRef module, const char *reason) {
  static const char format[] = "contprof: %.*s: %s";
  size_t length;
  const char *file = LLVMGetSourceFileName(module, &length);
  size_t size = sizeof format + length + strlen(reason);
  char *message = malloc(size);
  if (!message)
    abort();
  snprintf(message, size, format, (int)length, file, reason);
  contprof_emit_error(LLVMGetModuleContext(module), message);
  free(message);
}

static uint64_t variant(LLVMModuleRef module) {
  LLVMValueRef version = LLVMGetNamedGlobal(module, "__llvm_profile_raw_version");
  LLVMValueRef value = version ? LLVMGetInitializer(version) : NULL;
  return value ? LLVMConstIntGetZExtValue(value) : 0;
}

void contprof_refuse(LLVMModuleRef module) {
  if ((variant(module) & TEMPORAL) && (variant(module) & FUNCTION_ENTRY_ONLY))
    refuse(module, "-pgo-temporal-instrumentation and -pgo-function-entry-coverage together make "
                   "profiles without counts; use -pgo-block-coverage, or leave one out");
}
