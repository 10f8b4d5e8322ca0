// What an object demands of its link, and the globals that objects of one link share.
#ifndef CONTPROF_LINK_MARKER_H
#define CONTPROF_LINK_MARKER_H

#include <llvm-c/Core.h>

#include "rewrite.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// A hidden definition of which one copy is left in a link; a strong one elsewhere replaces it.
LLVMValueRef contprof_add_shared_global(LLVMModuleRef module, LLVMTypeRef type, const char *name);

// Makes the module's object need the runtime of this LLVM's raw version, and in segment mode its
// part for executables, in shadow mode that for shadow mode: without it the link fails, and the
// missing symbol's name says what to do. `mode` is not AUTO. Once for a module; later calls do
// nothing. Returns whether anything changed.
bool contprof_mark_mode(LLVMModuleRef module, enum contprof_mode mode);

// Makes the module's object need the part of the runtime that gives each thread its own counters.
void contprof_mark_sharded(LLVMModuleRef module);

// Whether contprof_mark_mode has been called.
bool contprof_is_marked(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
