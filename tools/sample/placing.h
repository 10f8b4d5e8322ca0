// Where the addresses of samples stand: in which of the wanted binaries, and at which of its own
// addresses, or else in which file. Address spaces (address_space.h) for a converter: with the
// processes that are wanted, and with what binaries have as code. Not thread-safe.
#ifndef CONTPROF_SAMPLE_PLACING_H
#define CONTPROF_SAMPLE_PLACING_H

#include "converter.h"
#include "seen_files.h"

// No binary: the address is outside of the wanted ones, or at no instruction.
#define CONTPROF_OUTSIDE UINT32_MAX

// One end of a branch, or a sample's own address.
struct contprof_branch_end {
  uint64_t place;            // in its binary's own addresses
  uint32_t binary;           // its index, or CONTPROF_OUTSIDE
  uint32_t file;             // where is OTHER: its index in `seen`
  enum contprof_where where; // of the address
};

struct contprof_placing {
  struct contprof_binary *const *binaries;        // count of them; not owned
  const struct contprof_convert_options *options; // not owned
  struct contprof_image *images;                  // count of them; owned
  size_t count;
  struct contprof_spaces *spaces;  // of the recording at hand; owned
  struct contprof_seen_files seen; // of all recordings; the caller counts their samples
};

// The arguments are contprof_converter_new's.
void contprof_placing_begin(struct contprof_placing *placing,
                            struct contprof_binary *const *binaries, size_t count,
                            const struct contprof_convert_options *options);
void contprof_placing_free(struct contprof_placing *placing);

// What follows is of another recording: no process is known any more.
void contprof_placing_restart(struct contprof_placing *placing);

// Of process `pid`, or CONTPROF_NO_PID: then of one of the wanted ones, if such are named.
struct contprof_branch_end contprof_place_end(struct contprof_placing *placing, int32_t pid,
                                              uint64_t address);

// Of a number that may be an address of the process or, as some perfs print callchains, an offset
// in the file at `path`. Where both are possible it is UNMAPPED.
struct contprof_branch_end contprof_place_leaf(struct contprof_placing *placing, int32_t pid,
                                               uint64_t number, const char *path, bool *is_offset);

// As llvm-profgen infers where a frame is not whole: at the first two instructions of a function,
// at a return and the instruction before it (PrologEpilogTracker in ProfiledBinary.h). `end` is in
// a binary.
bool contprof_is_in_frame_code(const struct contprof_placing *placing,
                               const struct contprof_branch_end *end);

#endif
