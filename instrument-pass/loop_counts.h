// -fprofile-continuous-lag=loop: lets counts of a loop stay in registers until it ends, where that
// is soon to be told: where the number of its rounds is known when it is entered.
//
// Each counter of such a loop gets a sum, 0 at the start. What the loop adds to the counter goes to
// the sum; the sum goes to the counter, and is 0 again, wherever the loop ends, before a call that
// might not come back (or come back twice, or look at the counters), and before a loop inside it.
// So at any moment the sums of one loop at most, the innermost one in flight, are not in the file.
//
// A sum is added, never stored, so what signal handlers, other threads and the loop's callees add
// to the same counter meanwhile stays.
#ifndef CONTPROF_LOOP_COUNTS_H
#define CONTPROF_LOOP_COUNTS_H

#include "loop_facts.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether a function updates counters, so that the analyses are worth asking for.
LLVMBool contprof_has_updates(LLVMValueRef function);

// Does the above to one function. Finds updates that are redirected already as well as those that
// are not; leaves ones that are not, for contprof_redirect_function. Returns whether anything
// changed.
LLVMBool contprof_gather_loop_counts(LLVMValueRef function, struct contprof_loops *loops);

#ifdef __cplusplus
}
#endif

#endif
