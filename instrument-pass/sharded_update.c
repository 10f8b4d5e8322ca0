#include "sharded_update.h"
#include "counter_address.h"
#include "link_marker.h"

#include <llvm-c/DebugInfo.h>

#include <stdbool.h>

// An atomic addition to a counter at a known place whose old value nobody wants.
static bool is_update(LLVMValueRef instruction) {
  if (LLVMGetInstructionOpcode(instruction) != LLVMAtomicRMW ||
      LLVMGetAtomicRMWBinOp(instruction) != LLVMAtomicRMWBinOpAdd || LLVMGetFirstUse(instruction))
    return false;
  LLVMValueRef address = LLVMGetOperand(instruction, 0);
  return LLVMIsConstant(address) && contprof_kind_of_constant(address) == CONTPROF_COUNTER;
}

static void split(LLVMBuilderRef builder, LLVMValueRef update) {
  LLVMValueRef address = LLVMGetOperand(update, 0), by = LLVMGetOperand(update, 1);
  LLVMPositionBuilderBefore(builder, update);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(update));
  LLVMValueRef count = LLVMBuildLoad2(builder, LLVMTypeOf(by), address, "");
  LLVMBuildStore(builder, LLVMBuildAdd(builder, count, by, ""), address);
  LLVMInstructionEraseFromParent(update);
}

static bool split_block(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  bool changed = false;
  for (LLVMValueRef next, at = LLVMGetFirstInstruction(block); at; at = next) {
    next = LLVMGetNextInstruction(at);
    if (!is_update(at))
      continue;
    split(builder, at);
    changed = true;
  }
  return changed;
}

LLVMBool contprof_split_updates(LLVMValueRef function, enum contprof_mode mode) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  bool changed = false;
  if (!contprof_wants_segment(module, mode))
    return false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    changed |= split_block(builder, block);
  LLVMDisposeBuilder(builder);
  if (changed)
    contprof_mark_sharded(module);
  return changed;
}

LLVMBool contprof_split_module(LLVMModuleRef module, enum contprof_mode mode) {
  bool changed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (LLVMCountBasicBlocks(function) != 0)
      changed |= contprof_split_updates(function, mode);
  return changed;
}
