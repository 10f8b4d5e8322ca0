// Kinds of instrumentation that a live file can't carry.
#ifndef CONTPROF_REFUSE_H
#define CONTPROF_REFUSE_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

// Ends the compilation with an error if the module is instrumented in such a way. To be run when
// instrumentation has been lowered.
void contprof_refuse(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
