// Registers the pass with LLVM. Registration is offered in C++ only; the pass itself is rewrite.c.
//
// Where it runs, and what it finds there (LLVM's PassBuilderPipelines.cpp):
//   PipelineEarlySimplification  frontend instrumentation; IR instrumentation at -O0
//   Peephole                     IR instrumentation at -O1 and above, lowered after the former
//   VectorizerStart              context-sensitive instrumentation, lowered after all Peepholes and
//                                before the vectorizer's LICM
//   OptimizerLast, and           the net: nothing may be left
//   FullLinkTimeOptimizationLast
#include "link_marker.h"
#include "loop_counts.h"
#include "loop_facts.hpp"
#include "refuse.h"
#include "rewrite.h"
#include "sharded_update.h"
#include "slot_wish.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

static cl::opt<contprof_mode> mode(
    "contprof-mode", cl::desc("How counters are reached under -fprofile-continuous"),
    cl::init(CONTPROF_MODE_AUTO),
    cl::values(clEnumValN(CONTPROF_MODE_AUTO, "auto",
                          "pointer in position-independent code "
                          "that is not PIE, else segment"),
               clEnumValN(CONTPROF_MODE_SEGMENT, "segment", "through the GS segment base"),
               clEnumValN(CONTPROF_MODE_POINTER, "pointer", "through a variable"),
               clEnumValN(CONTPROF_MODE_SHADOW, "shadow", "where they stand, in every module")));

static cl::opt<bool> sharded("contprof-sharded",
                             cl::desc("Threads have counters of their own in segment mode"));

enum lag { LAG_NONE, LAG_LOOP };

static cl::opt<lag>
    lag("contprof-lag", cl::desc("How long a count may stay in a register"), cl::init(LAG_NONE),
        cl::values(clEnumValN(LAG_NONE, "none", "not at all"),
                   clEnumValN(LAG_LOOP, "loop",
                              "until the end of a loop whose number of rounds is known")));

enum { DEFAULT_SLOTS = 24 };

static cl::opt<unsigned> slots("contprof-value-slots",
                               cl::desc("(value, count) pairs that a site of call targets has in "
                                        "the live file"),
                               cl::init(DEFAULT_SLOTS));

void contprof_emit_error(LLVMContextRef context, const char *message) {
  unwrap(context)->emitError(message);
}

void contprof_keep_global(LLVMValueRef global) {
  auto *variable = cast<GlobalVariable>(unwrap(global));
  appendToUsed(*variable->getParent(), {variable});
}

namespace {

PreservedAnalyses preserved(LLVMBool changed) {
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses analyses;
  analyses.preserveSet<CFGAnalyses>();
  return analyses;
}

// Before anything is redirected. A sanitizer is looked for first: under it nothing is split.
LLVMBool redirect(Module &module, LLVMBool (*how)(LLVMModuleRef, contprof_mode)) {
  contprof_note_sanitizer(wrap(&module));
  LLVMBool split = sharded && contprof_split_module(wrap(&module), mode);
  return how(wrap(&module), mode) || split;
}

LLVMBool wish(Module &module) {
  return contprof_wish_slots(wrap(&module), static_cast<unsigned char>(slots));
}

bool gather(Function &function, FunctionAnalysisManager &analyses) {
  if (!contprof_has_updates(wrap(&function)))
    return false;
  contprof_loops *loops = contprof_loops_open(function, analyses);
  LLVMBool changed = contprof_gather_loop_counts(wrap(&function), loops);
  contprof_loops_close(loops);
  return changed;
}

// Required: a pass that is not is skipped in optnone functions, which -O0 makes of all.
struct RedirectModule : PassInfoMixin<RedirectModule> {
  static bool isRequired() {
    return true;
  }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    // Early, since context-sensitive instrumentation of an LTO link comes after the last pass here.
    LLVMBool wished = slots != DEFAULT_SLOTS && wish(module);
    return preserved(redirect(module, contprof_redirect_module) || wished);
  }
};

struct RedirectModuleFinally : PassInfoMixin<RedirectModuleFinally> {
  static bool isRequired() {
    return true;
  }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    contprof_refuse(wrap(&module));
    LLVMBool changed = redirect(module, contprof_redirect_module_finally);
    LLVMBool wished = contprof_is_marked(wrap(&module)) &&
                      contprof_has_value_sites(wrap(&module)) && wish(module);
    return preserved(changed || wished);
  }
};

struct RedirectFunction : PassInfoMixin<RedirectFunction> {
  static bool isRequired() {
    return true;
  }
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    LLVMBool split = sharded && contprof_split_updates(wrap(&function), mode);
    bool gathered = lag == LAG_LOOP && gather(function, analyses);
    LLVMBool redirected = contprof_redirect_function(wrap(&function), mode);
    return gathered ? PreservedAnalyses::none() : preserved(redirected || split);
  }
};

void register_passes(PassBuilder &builder) {
  auto finally = [](ModulePassManager &passes, OptimizationLevel) {
    passes.addPass(RedirectModuleFinally());
  };
  auto function = [](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(RedirectFunction());
  };
  builder.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(RedirectModule()); });
  builder.registerPeepholeEPCallback(function);
  builder.registerVectorizerStartEPCallback(function);
  builder.registerOptimizerLastEPCallback(finally);
#if LLVM_VERSION_MAJOR >= 15
  builder.registerFullLinkTimeOptimizationLastEPCallback(finally);
#endif
}

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "contprof", LLVM_VERSION_STRING, register_passes};
}
