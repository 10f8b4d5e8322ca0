// Branch stacks as perf script prints them: FROM/TO/FLAGS, newest first, separated by spaces; an
// address is "0x" and hexadecimal digits, and with the dso field its file follows, in parentheses.
// Taken is what llvm-profgen takes (PerfScriptReader::extractLBRStack), and the files besides.
#ifndef CONTPROF_SAMPLE_SCRIPT_STACK_H
#define CONTPROF_SAMPLE_SCRIPT_STACK_H

#include "../base/text_scan.h"
#include "perf_event.h"

// A zeroed struct is an empty stack.
struct contprof_script_stack {
  struct contprof_branch *branches; // newest first; owned
  size_t count;
  size_t room; // private: allocated entries
};

// True if what comes next in `text` is an entry of a branch stack. Takes nothing.
bool contprof_script_is_branch(struct contprof_scan text);

// Reads the entries of `text` in place of what the stack holds. Returns false at one that is none;
// the stack then has those before it.
bool contprof_script_stack_read(struct contprof_script_stack *stack, struct contprof_scan text);

void contprof_script_stack_free(struct contprof_script_stack *stack);

#endif
