// See slot_wish.h.
#include "slot_wish.h"

#include "rewrite.h"

#include <llvm-c/Comdat.h>

#include <stdbool.h>
#include <stdio.h>

LLVMBool contprof_wish_slots(LLVMModuleRef module, unsigned char slots) {
  char name[sizeof "contprof_slots_255"];
  snprintf(name, sizeof name, "contprof_slots_%u", slots);
  if (LLVMGetNamedGlobal(module, name))
    return false;
  LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef wish = LLVMAddGlobal(module, i8, name);
  LLVMSetInitializer(wish, LLVMConstInt(i8, slots, false));
  LLVMSetGlobalConstant(wish, true);
  LLVMSetLinkage(wish, LLVMLinkOnceODRLinkage);
  LLVMSetVisibility(wish, LLVMHiddenVisibility);
  LLVMSetComdat(wish, LLVMGetOrInsertComdat(module, name));
  LLVMSetSection(wish, "contprof_slots");
  LLVMSetAlignment(wish, 1);
  contprof_keep_global(wish);
  return true;
}

LLVMBool contprof_has_value_sites(LLVMModuleRef module) {
  return LLVMGetNamedFunction(module, "__llvm_profile_instrument_target") != NULL ||
         LLVMGetNamedFunction(module, "__llvm_profile_instrument_memop") != NULL;
}
