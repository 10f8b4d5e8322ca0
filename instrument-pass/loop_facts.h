// What LLVM knows about the loops of one function, and the two transformations of its that
// loop_counts.c needs. LLVM offers them in C++ only; loop_facts.cpp is the way to them from C.
//
// Loops are numbered from 0, each before the loop around it. A `struct contprof_loops` belongs to
// whoever made it, and is valid until a block or edge is added or removed by other means than
// these.
#ifndef CONTPROF_LOOP_FACTS_H
#define CONTPROF_LOOP_FACTS_H

#include <llvm-c/Core.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CONTPROF_NO_LOOP = -1 };

struct contprof_loops;

// Whether there are loops whose counts may be kept in registers. Not in code that is not to be
// optimised, nor beside a call such as setjmp's, after which registers may hold what they held
// before; and not if there is a cycle that is no loop, of which nothing is known.
LLVMBool contprof_loops_are_usable(const struct contprof_loops *loops);

// Gives each loop that can have them a preheader, and exit blocks that are entered from it alone.
// Numbers them anew. Returns whether anything changed.
LLVMBool contprof_loops_simplify(struct contprof_loops *loops);

int contprof_loops_count(const struct contprof_loops *loops);

// The innermost loop that a block lies in, or CONTPROF_NO_LOOP.
int contprof_loop_of(const struct contprof_loops *loops, LLVMBasicBlockRef block);

// The block through which a loop is entered.
LLVMBasicBlockRef contprof_loop_header(const struct contprof_loops *loops, int loop);

// Whether `block` is in the loop, or in one inside it.
LLVMBool contprof_loop_contains(const struct contprof_loops *loops, int loop,
                                LLVMBasicBlockRef block);

// Whether the number of a loop's rounds is known when it is entered.
LLVMBool contprof_loop_is_countable(const struct contprof_loops *loops, int loop);

// Whether it has a preheader, and exit blocks that are entered from it alone.
LLVMBool contprof_loop_is_simple(const struct contprof_loops *loops, int loop);

// Whether a call comes back for sure, to where it was made: it throws nothing, ends nothing, jumps
// nowhere.
LLVMBool contprof_call_returns(LLVMValueRef call);

// Makes values in registers of `count` allocas that are only loaded and stored.
void contprof_slots_to_registers(struct contprof_loops *loops, const LLVMValueRef *slots,
                                 size_t count);

#ifdef __cplusplus
}
#endif

#endif
