// The C++ side of loop_facts.h, for plugin.cpp.
#ifndef CONTPROF_LOOP_FACTS_HPP
#define CONTPROF_LOOP_FACTS_HPP

#include "loop_facts.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Owned by the caller, who closes it; valid as long as the analyses of the function are.
contprof_loops *contprof_loops_open(llvm::Function &function,
                                    llvm::FunctionAnalysisManager &analyses);

void contprof_loops_close(contprof_loops *loops);

#endif
