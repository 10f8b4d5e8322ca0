// An ELF binary whose samples are wanted: what of its file, symbols and debug information the
// conversion needs. Addresses are the ELF file's own. elfutils (libelf, libdwfl) reads ELF and
// finds separate debug files by build-id, .gnu_debuglink and debuginfod; DWARF is read by
// dwarf_unit.h. What is read and what is not: docs/binaries.md. Loading is eager for functions,
// lazy for instructions and locations. After contprof_binary_open a binary may be used by one
// thread.
#ifndef CONTPROF_SAMPLE_BINARY_H
#define CONTPROF_SAMPLE_BINARY_H

#include "address_space.h"

struct contprof_binary;

struct contprof_binary_options {
  const char *path;         // the executable or shared object
  const char *debug_binary; // --debug-binary: take the debug information from here; or NULL
  const char *dwp;          // --dwp, or NULL: PATH.dwp
};

// A function, by its DWARF linkage name (or plain name), with all its ranges.
struct contprof_binary_function;

struct contprof_function_range {
  uint64_t start;
  uint64_t end;  // not in the range
  bool is_entry; // its start is the function's real entry, not that of a split part
  const struct contprof_binary_function *function;
};

struct contprof_binary_function {
  const char *name; // linkage name as DWARF has it, NUL-terminated; in the binary
  const struct contprof_function_range *const *ranges; // range_count of them
  size_t range_count;
};

// Opens `options->path`. Returns NULL with `error` set if it is no ELF file of x86-64 or AArch64,
// or damaged. A binary without debug information opens, with no functions; the caller warns. Free
// with contprof_binary_close.
struct contprof_binary *contprof_binary_open(const struct contprof_binary_options *options,
                                             struct contprof_error *error);
void contprof_binary_close(struct contprof_binary *binary);

// For contprof_spaces_new; lives as long as the binary.
const struct contprof_image *contprof_binary_image(const struct contprof_binary *binary);

// All functions, sorted by address of their first range; the symbol list of the extended binary
// format comes from the ranges.
size_t contprof_binary_functions(const struct contprof_binary *binary,
                                 const struct contprof_binary_function ***functions);
size_t contprof_binary_ranges(const struct contprof_binary *binary,
                              const struct contprof_function_range ***ranges);

// The function range that holds an address, or NULL; the one that starts there, or NULL.
const struct contprof_function_range *contprof_binary_range_at(const struct contprof_binary *binary,
                                                               uint64_t address);
const struct contprof_function_range *
contprof_binary_range_starting(const struct contprof_binary *binary, uint64_t address);

// The first address of the first executable segment, rounded down to 4096, and of the first
// segment: what llvm-profgen's --use-offset and --use-first-loadable-segment-as-base count from.
uint64_t contprof_binary_text_base(const struct contprof_binary *binary);
uint64_t contprof_binary_load_base(const struct contprof_binary *binary);

// The symbol __llvm_fs_discriminator__ is there: discriminators are flow-sensitive ones.
bool contprof_binary_fs_discriminators(const struct contprof_binary *binary);

// It has pseudo probes, by which llvm-profgen counts; here lines are what counts.
bool contprof_binary_has_probes(const struct contprof_binary *binary);

// Which part of the debug information can't be read, the first one; NULL: all can.
const struct contprof_error *contprof_binary_unread(const struct contprof_binary *binary);

// The debug information could not be found in part: units whose .dwo is missing.
size_t contprof_binary_missing_dwo(const struct contprof_binary *binary);

// --- instructions (instructions.c) --------------------------------------------------------------

// As llvm-profgen decodes: each text section but .plt, from each symbol to the next one; bytes
// before a section's first symbol are no code. Functions are decoded when they are first asked for.

enum contprof_instruction {
  CONTPROF_INSTRUCTION_STARTS = 1,   // an instruction starts here
  CONTPROF_INSTRUCTION_TRANSFER = 2, // which is a branch, call or return
  CONTPROF_INSTRUCTION_BARRIER = 4,  // which is an unconditional branch, call or return
  CONTPROF_INSTRUCTION_RETURN = 8,   // which is a return
};

// Flags of an address; 0 if no instruction starts there.
unsigned contprof_instruction_at(struct contprof_binary *binary, uint64_t address);

// The first instruction at or after `address`; UINT64_MAX if there is none.
uint64_t contprof_instruction_next(struct contprof_binary *binary, uint64_t address);

// Bytes of the instruction at `address`; 0 if none starts there.
unsigned contprof_instruction_size(struct contprof_binary *binary, uint64_t address);

// A barrier instruction starts in [start, end).
bool contprof_crosses_barrier(struct contprof_binary *binary, uint64_t start, uint64_t end);

// --- source locations (locations.c) -------------------------------------------------------------

struct contprof_frame {
  const char *name;       // linkage name as DWARF has it; in the binary
  uint32_t line_offset;   // (line - declaration line) & 0xffff
  uint32_t discriminator; // as the line table or call site has it, not decoded
};

// The inline stack that holds for all of [start, end).
struct contprof_location {
  uint64_t start;
  uint64_t end;
  const struct contprof_frame *frames; // outermost first; in the binary
  size_t frame_count;                  // 0: nothing is known here
};

// The location around `address`, the same numbers as LLVMSymbolizer::symbolizeInlinedCode gives.
// The pointer holds until the next call.
const struct contprof_location *contprof_binary_locate(struct contprof_binary *binary,
                                                       uint64_t address);

#endif
