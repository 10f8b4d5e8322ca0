// See counter_address.h.
#include "counter_address.h"

#include <llvm-c/Target.h>

#include <string.h>

static bool has_prefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// By section, which holds for whatever name a counter was given, and by name, for declarations.
enum contprof_kind contprof_kind_of_global(LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  if ((section && strcmp(section, "__llvm_prf_cnts") == 0) || has_prefix(name, "__profc_"))
    return CONTPROF_COUNTER;
  if ((section && strcmp(section, "__llvm_prf_bits") == 0) || has_prefix(name, "__profbm_"))
    return CONTPROF_BITMAP;
  return CONTPROF_NOT_PROFILE;
}

// A cast to another address space ends the search: it is ours. So does ptrtoint: it begins stock
// counter relocation.
LLVMValueRef contprof_base_of_constant(LLVMValueRef constant) {
  while (LLVMIsAConstantExpr(constant)) {
    LLVMOpcode opcode = LLVMGetConstOpcode(constant);
    if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast)
      return NULL;
    constant = LLVMGetOperand(constant, 0);
  }
  return LLVMIsAGlobalVariable(constant);
}

enum contprof_kind contprof_kind_of_constant(LLVMValueRef value) {
  LLVMValueRef base = contprof_base_of_constant(value);
  return base ? contprof_kind_of_global(base) : CONTPROF_NOT_PROFILE;
}

// Bytes that one getelementptr adds; its indices are constants.
static int64_t offset_of_gep(LLVMTargetDataRef layout, LLVMValueRef gep) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int64_t offset =
      LLVMConstIntGetSExtValue(LLVMGetOperand(gep, 1)) * (int64_t)LLVMABISizeOfType(layout, type);
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    int64_t index = LLVMConstIntGetSExtValue(LLVMGetOperand(gep, (unsigned)i));
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      offset += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)index);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
    } else {
      type = LLVMGetElementType(type);
      offset += index * (int64_t)LLVMABISizeOfType(layout, type);
    }
  }
  return offset;
}

int64_t contprof_offset_of_constant(LLVMModuleRef module, LLVMValueRef constant) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  int64_t offset = 0;
  for (; LLVMIsAConstantExpr(constant); constant = LLVMGetOperand(constant, 0))
    if (LLVMGetConstOpcode(constant) == LLVMGetElementPtr)
      offset += offset_of_gep(layout, constant);
  return offset;
}

static bool has_constant_indices(LLVMValueRef gep) {
  for (int i = 1; i < LLVMGetNumOperands(gep); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(gep, (unsigned)i)))
      return false;
  return true;
}

bool contprof_offset_of_step(LLVMModuleRef module, LLVMValueRef value, int64_t *offset) {
  LLVMOpcode opcode = (LLVMOpcode)0;
  if (LLVMIsAConstantExpr(value))
    opcode = LLVMGetConstOpcode(value);
  else if (LLVMIsAInstruction(value))
    opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast)
    return true;
  if (opcode != LLVMGetElementPtr || !has_constant_indices(value))
    return false;
  *offset += offset_of_gep(LLVMGetModuleDataLayout(module), value);
  return true;
}
