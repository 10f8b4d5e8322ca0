// Tells the runtime how many slots the object's value sites are to have in the live file.
#ifndef CONTPROF_SLOT_WISH_H
#define CONTPROF_SLOT_WISH_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

// Puts one byte, `slots`, into the section contprof_slots, whose bounds the linker tells the
// runtime. Objects of equal wishes share the byte. Idempotent. Whether anything changed.
LLVMBool contprof_wish_slots(LLVMModuleRef module, unsigned char slots);

// Whether code in the module records values.
LLVMBool contprof_has_value_sites(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
