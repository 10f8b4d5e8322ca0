// Counts per thread (-fprofile-update=sharded). The compiler is asked for atomic updates, which
// stay exact wherever the threads of a process share counters. Where each thread has its own, which
// is segment mode, they need not be atomic: there each becomes a load, an addition and a store
// again, as updates are that nobody asked to be exact.
#ifndef CONTPROF_SHARDED_UPDATE_H
#define CONTPROF_SHARDED_UPDATE_H

#include "rewrite.h"

#ifdef __cplusplus
extern "C" {
#endif

// Splits the updates of counters in one function whose counters go by segment. To be called before
// they are redirected. Returns whether anything changed.
LLVMBool contprof_split_updates(LLVMValueRef function, enum contprof_mode mode);

// The same for every function of a module.
LLVMBool contprof_split_module(LLVMModuleRef module, enum contprof_mode mode);

#ifdef __cplusplus
}
#endif

#endif
