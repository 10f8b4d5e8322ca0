// Tells the addresses of profile counters and MC/DC bitmaps from others. A constant address is a
// global or a chain of getelementptr and bitcast expressions on one.
#ifndef CONTPROF_COUNTER_ADDRESS_H
#define CONTPROF_COUNTER_ADDRESS_H

#include <llvm-c/Core.h>

#include <stdint.h>

enum contprof_kind { CONTPROF_NOT_PROFILE, CONTPROF_COUNTER, CONTPROF_BITMAP };
enum { CONTPROF_KINDS = CONTPROF_BITMAP + 1 };

enum contprof_kind contprof_kind_of_global(LLVMValueRef global);

// Of any constant: what its base is, if it is an address.
enum contprof_kind contprof_kind_of_constant(LLVMValueRef constant);

// The global variable that a constant address lies in, or NULL.
LLVMValueRef contprof_base_of_constant(LLVMValueRef constant);

// Bytes from there to the address.
int64_t contprof_offset_of_constant(LLVMModuleRef module, LLVMValueRef constant);

#endif
