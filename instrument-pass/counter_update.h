// Recognises an update of a profile counter, `counter += n`, redirected through a bias or not.
#ifndef CONTPROF_COUNTER_UPDATE_H
#define CONTPROF_COUNTER_UPDATE_H

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdint.h>

// A counter.
struct contprof_counter {
  LLVMValueRef base; // the global variable
  int64_t offset;    // bytes from there
};

struct contprof_update {
  struct contprof_counter counter;
  LLVMValueRef load;   // its load, or NULL if it is atomic
  LLVMValueRef last;   // its store, or the atomicrmw
  LLVMValueRef addend; // what it adds, an i64
};

// Whether `instruction` is the last of an update, and then which.
bool contprof_is_update(LLVMValueRef instruction, struct contprof_update *update);

// Takes an update out of the code.
void contprof_erase_update(const struct contprof_update *update);

#endif
