// Redirects every access to a profile counter through a bias, so that the counters can live in a
// mapped file. Stock LLVM instruments and lowers; what is rewritten here are the loads, stores and
// read-modify-writes it leaves, whose address comes from a global in the section of the counters
// (`__profc_*`) or of the MC/DC bitmap (`__profbm_*`). Data records and llvm.used, which name the
// same globals, stay as they are.
//
// Three forms of an access to a counter:
//   segment  addrspace(256), relative to the GS base; x86-64 executables
//   pointer  the static address plus a load of `__llvm_profile_counter_bias`
//   shadow   the static address, where the runtime maps the live file; but no optimisation may keep
//            a count in a register
// Bitmaps always take the second form, with `__llvm_profile_bitmap_bias`. So do, in segment mode,
// the few accesses that an instruction cannot make itself (a call that is given the address): the
// runtime keeps variable and GS base equal.
//
// All functions are idempotent: what is redirected already is left alone, and so is what stock
// LLVM's -runtime-counter-relocation has redirected. None keeps anything between calls.
#ifndef CONTPROF_REWRITE_H
#define CONTPROF_REWRITE_H

#include <llvm-c/Core.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum contprof_mode {
  CONTPROF_MODE_AUTO, // pointer for code that may end up in a shared object, else segment
  CONTPROF_MODE_SEGMENT,
  CONTPROF_MODE_POINTER,
  CONTPROF_MODE_SHADOW, // in place, in every module
};

// Whether counters of the module go by the executable's own segment. False under ThreadSanitizer,
// which is known once contprof_note_sanitizer has been called.
bool contprof_wants_segment(LLVMModuleRef module, enum contprof_mode mode);

// Looks at the module's functions for ThreadSanitizer, and notes it in the module.
void contprof_note_sanitizer(LLVMModuleRef module);

// Redirects the accesses in one function. Returns whether anything changed.
LLVMBool contprof_redirect_function(LLVMValueRef function, enum contprof_mode mode);

// The same for every function of a module.
LLVMBool contprof_redirect_module(LLVMModuleRef module, enum contprof_mode mode);

// The same, and reports each use of a counter's address that is still not redirected as an error of
// the compilation. To be run when no later pass can change such a use into a plain access.
LLVMBool contprof_redirect_module_finally(LLVMModuleRef module, enum contprof_mode mode);

// What LLVM's C API lacks; defined in plugin.cpp.

// Ends the compilation with `message`, NUL-terminated, once the pipeline has run.
void contprof_emit_error(LLVMContextRef context, const char *message);

// Adds a global to llvm.used: kept by the optimiser, by LTO and by the linker's --gc-sections.
void contprof_keep_global(LLVMValueRef global);

#ifdef __cplusplus
}
#endif

#endif
