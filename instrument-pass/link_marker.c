// See link_marker.h. The runtime's side is runtime/link_contract.h.
#include "link_marker.h"
#include "rewrite.h"

#include <llvm-c/Comdat.h>

// Each raw version has its own names: the records of two in one module make no profile. The
// markers', too, or a link would keep one of two.
#define TEXT_OF(macro) TEXT(macro)
#define TEXT(text) #text
#define VERSION TEXT_OF(CONTPROF_RAW_VERSION)
#define NEEDED "contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_" VERSION

// What an object of one mode refers to, and the word that does.
static const struct {
  const char *symbol;
  const char *marker;
} names[] = {
    [CONTPROF_MODE_SEGMENT] = {NEEDED "_and_compile_shared_objects_with_fPIC",
                               "contprof_segment_mode_" VERSION},
    [CONTPROF_MODE_POINTER] = {NEEDED, "contprof_pointer_mode_" VERSION},
    [CONTPROF_MODE_SHADOW] = {NEEDED "_for_shadow_mode", "contprof_shadow_mode_" VERSION},
};

static const char sharded_symbol[] =
    "contprof_link_with_fprofile_update_sharded_and_a_clang_of_raw_version_" VERSION;
static const char sharded_marker[] = "contprof_sharded_" VERSION;

LLVMValueRef contprof_add_shared_global(LLVMModuleRef module, LLVMTypeRef type, const char *name) {
  LLVMValueRef global = LLVMAddGlobal(module, type, name);
  LLVMSetLinkage(global, LLVMLinkOnceODRLinkage);
  LLVMSetVisibility(global, LLVMHiddenVisibility);
  LLVMSetComdat(global, LLVMGetOrInsertComdat(module, name));
  return global;
}

static LLVMValueRef add_symbol(LLVMModuleRef module, const char *name) {
  LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef symbol = LLVMAddGlobal(module, i8, name);
  LLVMSetVisibility(symbol, LLVMHiddenVisibility);
  return symbol;
}

bool contprof_is_marked(LLVMModuleRef module) {
  for (unsigned mode = CONTPROF_MODE_SEGMENT; mode < sizeof names / sizeof *names; mode++)
    if (LLVMGetNamedGlobal(module, names[mode].marker))
      return true;
  return false;
}

// A word that refers to the symbol. A distance, not an address, so that the loader has nothing to
// relocate; in llvm.used, which survives LTO and each linker's --gc-sections. Without the runtime
// there is no live file, and segment mode in a shared object would count at the executable's bias.
static void add_marker(LLVMModuleRef module, const char *symbol_name, const char *marker_name) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef symbol = add_symbol(module, symbol_name);
  LLVMValueRef marker = contprof_add_shared_global(module, i64, marker_name);
  LLVMSetGlobalConstant(marker, true);
  LLVMSetInitializer(marker,
                     LLVMConstSub(LLVMConstPtrToInt(symbol, i64), LLVMConstPtrToInt(marker, i64)));
  LLVMSetAlignment(marker, 8);
  contprof_keep_global(marker);
}

bool contprof_mark_mode(LLVMModuleRef module, enum contprof_mode mode) {
  if (contprof_is_marked(module))
    return false;
  add_marker(module, names[mode].symbol, names[mode].marker);
  return true;
}

void contprof_mark_sharded(LLVMModuleRef module) {
  if (!LLVMGetNamedGlobal(module, sharded_marker))
    add_marker(module, sharded_symbol, sharded_marker);
}
