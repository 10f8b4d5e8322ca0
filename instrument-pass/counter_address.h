// Tells the addresses of profile counters and MC/DC bitmaps from others. A constant address is a
// global or a chain of getelementptr and bitcast expressions on one.
#ifndef CONTPROF_COUNTER_ADDRESS_H
#define CONTPROF_COUNTER_ADDRESS_H

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdint.h>

// The variable that holds the distance of the counters; LLVM's name.
#define CONTPROF_COUNTER_BIAS "__llvm_profile_counter_bias"

enum contprof_kind { CONTPROF_NOT_PROFILE, CONTPROF_COUNTER, CONTPROF_BITMAP };
enum { CONTPROF_KINDS = CONTPROF_BITMAP + 1 };

enum contprof_kind contprof_kind_of_global(LLVMValueRef global);

// Of any constant: what its base is, if it is an address.
enum contprof_kind contprof_kind_of_constant(LLVMValueRef constant);

// The global variable that a constant address lies in, or NULL.
LLVMValueRef contprof_base_of_constant(LLVMValueRef constant);

// Bytes from there to the address.
int64_t contprof_offset_of_constant(LLVMModuleRef module, LLVMValueRef constant);

// Whether `value`, constant or instruction, is a step of an address calculation that is constant, a
// cast or a getelementptr; if so, the bytes that it adds to its operand 0 are added to `offset`.
bool contprof_offset_of_step(LLVMModuleRef module, LLVMValueRef value, int64_t *offset);

#endif
