// The contract with instrumented code and with the file: raw structs, taken from the LLVM version's
// own InstrProfData.inc, section bounds that the linker defines, variables that instrumented
// objects define or load, and the owner record that stands in the padding before the counters.
//
// Built once per raw version: CONTPROF_RAW_VERSION (8 or 10) and the include path choose the .inc.
// All names here are hidden: every module has its own copy of the runtime.
#ifndef CONTPROF_RUNTIME_ABI_H
#define CONTPROF_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

#define CONTPROF_HIDDEN __attribute__((visibility("hidden")))
#define CONTPROF_WEAK_HIDDEN __attribute__((weak, visibility("hidden")))

// Functions of the .inc that the runtime uses are local to each file that asks for them.
#define INSTR_PROF_VISIBILITY static __attribute__((unused))
typedef void *IntPtrT;
#include "InstrProfData.inc"

// The .inc's macro has no parentheses around it.
#define CONTPROF_RAW_MAGIC (INSTR_PROF_RAW_MAGIC_64)

enum contprof_value_kind {
#define VALUE_PROF_KIND(Enumerator, Value, Descr) Enumerator = Value,
#include "InstrProfData.inc"
};

// One function: `__profd_*` in section __llvm_prf_data.
struct contprof_raw_data {
#define INSTR_PROF_DATA(Type, LLVMType, Name, Initializer) Type Name;
#include "InstrProfData.inc"
};

// First bytes of a raw profile.
struct contprof_raw_header {
#define INSTR_PROF_RAW_HEADER(Type, Name, Initializer) Type Name;
#include "InstrProfData.inc"
};

_Static_assert(INSTR_PROF_RAW_VERSION == CONTPROF_RAW_VERSION,
               "InstrProfData.inc of another version");
#if CONTPROF_RAW_VERSION == 8
_Static_assert(sizeof(struct contprof_raw_header) == 88, "raw header, version 8");
_Static_assert(sizeof(struct contprof_raw_data) == 48, "data record, version 8");
#else
struct contprof_raw_vtable {
#define INSTR_PROF_VTABLE_DATA(Type, LLVMType, Name, Initializer) Type Name;
#include "InstrProfData.inc"
};
_Static_assert(sizeof(struct contprof_raw_header) == 128, "raw header, version 10");
_Static_assert(sizeof(struct contprof_raw_data) == 64, "data record, version 10");
_Static_assert(sizeof(struct contprof_raw_vtable) == 24, "vtable record, version 10");
#endif

// Where instrumented code finds the distance between a counter (or a byte of a bitmap) and its
// place in the live file: mapped address minus static address, in bytes; 0 while there is none.
extern CONTPROF_HIDDEN intptr_t __llvm_profile_counter_bias;
extern CONTPROF_HIDDEN intptr_t __llvm_profile_bitmap_bias;

// Variant bits and format version of the module's instrumentation; frontend instrumentation defines
// none, and then the runtime's weak one, plain INSTR_PROF_RAW_VERSION, holds.
extern CONTPROF_HIDDEN uint64_t __llvm_profile_raw_version;

// Name given at compile time; the runtime's weak "" holds if none was. See bias.h on why it is
// defined.
extern CONTPROF_HIDDEN char __llvm_profile_filename[];

// The two variants whose counters are bytes, 0xff while not reached.
#define CONTPROF_BYTE_COUNTERS(version) (((version)&VARIANT_MASK_BYTE_COVERAGE) != 0)

// Who counts into the file. Readers of profiles skip it: it is padding to them. Native byte order,
// as the rest of a raw profile. Offsets from the end of the data records.
struct contprof_owner {
  char magic[8];          // 0: CONTPROF_OWNER_MAGIC, no terminator
  uint32_t size;          // 8: bytes of this record
  uint32_t state;         // 12: enum contprof_owner_state
  uint64_t pid;           // 16: process id in its own pid namespace
  uint64_t since;         // 24: when this was written, ns of CLOCK_BOOTTIME; 0 if unknown
  uint64_t pid_namespace; // 32: inode number of /proc/PID/ns/pid, 0 if unknown
  uint64_t boot[2];       // 40: /proc/sys/kernel/random/boot_id as 128 bits, 0 if unknown
  uint64_t records;       // 56: a hash of the data records before it (image.h), 0 if unknown
};
_Static_assert(sizeof(struct contprof_owner) == 64, "owner record");

#define CONTPROF_OWNER_MAGIC "contprof"

enum contprof_owner_state {
  CONTPROF_OWNER_COUNTING = 1, // mapped by the process named, if that still lives
  CONTPROF_OWNER_RELEASED = 2, // the module was unloaded or the program exited in good order
};

#endif
