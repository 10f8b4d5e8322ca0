#include "one_instruction.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

static bool has_attribute(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     kind) != NULL;
}

// At -O0 every function is optnone but those that are always inlined, into others that are.
bool contprof_is_unoptimised(LLVMValueRef function) {
  static const char target[] = "x86_64";
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  if (strncmp(LLVMGetTarget(module), target, sizeof target - 1) != 0)
    return false;
  if (has_attribute(function, "optnone") || !has_attribute(function, "alwaysinline"))
    return has_attribute(function, "optnone");
  for (LLVMValueRef other = LLVMGetFirstFunction(module); other; other = LLVMGetNextFunction(other))
    if (has_attribute(other, "optnone"))
      return true;
  return false;
}

static bool has_one_use(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

// What `store` adds to what `load` has loaded; NULL if it does something else.
static LLVMValueRef addend_of(LLVMValueRef load, LLVMValueRef store) {
  LLVMValueRef sum = LLVMIsAInstruction(LLVMGetOperand(store, 0));
  if (!sum || LLVMGetInstructionOpcode(sum) != LLVMAdd || !has_one_use(sum) || !has_one_use(load) ||
      LLVMGetTypeKind(LLVMTypeOf(sum)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(sum)) != 64)
    return NULL;
  if (LLVMGetOperand(sum, 0) == load)
    return LLVMGetOperand(sum, 1);
  return LLVMGetOperand(sum, 1) == load ? LLVMGetOperand(sum, 0) : NULL;
}

// A memory operand has no segment in inline assembly, so its text has.
static LLVMValueRef assembly(LLVMTypeRef type, bool segment) {
  char *text = segment ? "addq $1, %gs:$0" : "addq $1, $0";
  char *constraints = "*m,er,~{memory},~{dirflag},~{fpsr},~{flags}";
  return LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
                          LLVMInlineAsmDialectATT, false);
}

// LLVM wants the type behind a pointer that assembly accesses.
static void set_element_type(LLVMContextRef context, LLVMValueRef call, LLVMTypeRef type) {
  static const char name[] = "elementtype";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAddCallSiteAttribute(call, 1, LLVMCreateTypeAttribute(context, kind, type));
}

// Instructions that computed an address that nothing uses any more; each has it as its operand 0.
static void erase_unused(LLVMValueRef value) {
  while (LLVMIsAInstruction(value) && !LLVMGetFirstUse(value)) {
    LLVMValueRef from = LLVMGetOperand(value, 0);
    LLVMInstructionEraseFromParent(value);
    value = from;
  }
}

bool contprof_fold_update(LLVMBuilderRef builder, LLVMValueRef load, LLVMValueRef store,
                          LLVMValueRef address, bool segment) {
  LLVMValueRef addend = addend_of(load, store), sum = LLVMGetOperand(store, 0);
  if (!addend)
    return false;
  LLVMModuleRef module =
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(store)));
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef types[] = {LLVMTypeOf(address), LLVMTypeOf(addend)};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 2, false);
  LLVMValueRef arguments[] = {address, addend};
  LLVMPositionBuilderBefore(builder, store);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
  LLVMValueRef call = LLVMBuildCall2(builder, type, assembly(type, segment), arguments, 2, "");
  set_element_type(context, call, LLVMTypeOf(addend));
  LLVMValueRef redirected = LLVMGetOperand(store, 1);
  LLVMInstructionEraseFromParent(store);
  LLVMInstructionEraseFromParent(sum);
  LLVMInstructionEraseFromParent(load);
  erase_unused(redirected);
  return true;
}

// No assembly of a program's can name a counter.
bool contprof_is_folded_update(LLVMValueRef call) {
  return LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL;
}
