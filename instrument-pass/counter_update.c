// See counter_update.h.
#include "counter_update.h"

#include "counter_address.h"

#include <string.h>

static bool is_bias(LLVMValueRef value) {
  LLVMValueRef load = LLVMIsALoadInst(value);
  LLVMValueRef from = load ? LLVMIsAGlobalVariable(LLVMGetOperand(load, 0)) : NULL;
  size_t length;
  return from && strcmp(LLVMGetValueName2(from, &length), CONTPROF_COUNTER_BIAS) == 0;
}

static bool is_launder(LLVMValueRef value) {
  static const char name[] = "llvm.launder.invariant.group";
  LLVMValueRef call = LLVMIsACallInst(value);
  LLVMValueRef callee = call ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  size_t length;
  return callee && strncmp(LLVMGetValueName2(callee, &length), name, sizeof name - 1) == 0;
}

static bool adds_bias(LLVMValueRef address) {
  return LLVMIsAGetElementPtrInst(address) && LLVMGetNumOperands(address) == 2 &&
         is_bias(LLVMGetOperand(address, 1));
}

// From a redirected address back to the counter's own: constant offsets are added up, the bias is
// left out.
static bool is_counter(LLVMModuleRef module, LLVMValueRef address,
                       struct contprof_counter *counter) {
  counter->offset = 0;
  while (is_launder(address) || adds_bias(address) ||
         contprof_offset_of_step(module, address, &counter->offset))
    address = LLVMGetOperand(address, 0);
  counter->base = LLVMIsAGlobalVariable(address);
  return counter->base && contprof_kind_of_global(counter->base) == CONTPROF_COUNTER;
}

static bool is_counter_type(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

static bool has_one_use(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

static bool is_plain(LLVMValueRef access) {
  return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static LLVMModuleRef module_of(LLVMValueRef instruction) {
  return LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
}

// The load that operand `index` of a sum is, if nothing else uses it, and it is in the same block.
static LLVMValueRef only_load(LLVMValueRef sum, unsigned index) {
  LLVMValueRef load = LLVMIsALoadInst(LLVMGetOperand(sum, index));
  bool fits = load && has_one_use(load) && is_plain(load) &&
              LLVMGetInstructionParent(load) == LLVMGetInstructionParent(sum);
  return fits ? load : NULL;
}

static bool is_store_of_sum(LLVMValueRef store, struct contprof_update *update) {
  LLVMModuleRef module = module_of(store);
  LLVMValueRef sum = LLVMIsABinaryOperator(LLVMGetOperand(store, 0));
  struct contprof_counter loaded;
  if (!is_plain(store) || !sum || LLVMGetInstructionOpcode(sum) != LLVMAdd || !has_one_use(sum) ||
      LLVMGetInstructionParent(sum) != LLVMGetInstructionParent(store) || !is_counter_type(sum) ||
      !is_counter(module, LLVMGetOperand(store, 1), &update->counter))
    return false;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef load = only_load(sum, i);
    if (!load || !is_counter(module, LLVMGetOperand(load, 0), &loaded) ||
        loaded.base != update->counter.base || loaded.offset != update->counter.offset)
      continue;
    update->load = load;
    update->addend = LLVMGetOperand(sum, 1 - i);
    return true;
  }
  return false;
}

static bool is_atomic_addition(LLVMValueRef rmw, struct contprof_update *update) {
  update->load = NULL;
  update->addend = LLVMGetOperand(rmw, 1);
  return LLVMGetAtomicRMWBinOp(rmw) == LLVMAtomicRMWBinOpAdd && !LLVMGetVolatile(rmw) &&
         !LLVMGetFirstUse(rmw) && is_counter_type(update->addend) &&
         is_counter(module_of(rmw), LLVMGetOperand(rmw, 0), &update->counter);
}

bool contprof_is_update(LLVMValueRef instruction, struct contprof_update *update) {
  update->last = instruction;
  if (LLVMIsAStoreInst(instruction))
    return is_store_of_sum(instruction, update);
  return LLVMIsAAtomicRMWInst(instruction) && is_atomic_addition(instruction, update);
}

// What computed the address is left to the optimiser.
void contprof_erase_update(const struct contprof_update *update) {
  LLVMValueRef sum = update->load ? LLVMGetOperand(update->last, 0) : NULL;
  LLVMInstructionEraseFromParent(update->last);
  if (!update->load)
    return;
  LLVMInstructionEraseFromParent(sum);
  LLVMInstructionEraseFromParent(update->load);
}
