// Updates of counters in code that is not optimised. Where instruction selection looks at each
// instruction by itself, a load, an addition and a store stay three, and a thread that is stopped
// between them holds an old count, which it stores after the runtime has put another file in place.
// So the three become one: `addq`, as inline assembly. x86-64 only; elsewhere they stay.
#ifndef CONTPROF_ONE_INSTRUCTION_H
#define CONTPROF_ONE_INSTRUCTION_H

#include <llvm-c/Core.h>

#include <stdbool.h>

// Whether the code generator will not merge the function's instructions.
bool contprof_is_unoptimised(LLVMValueRef function);

// If `store` puts a sum with what `load` loaded from `address`, and nothing else uses either, puts
// one addition to memory in place of the three; they are gone then, and true is returned. `address`
// is relative to GS if `segment`; both must belong to the same counter.
bool contprof_fold_update(LLVMBuilderRef builder, LLVMValueRef load, LLVMValueRef store,
                          LLVMValueRef address, bool segment);

// Whether a call is such an addition.
bool contprof_is_folded_update(LLVMValueRef call);

#endif
