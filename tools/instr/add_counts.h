// Adding arrays of counts: the inner loops of a merge, in vector code where the machine has it.
// Sums stop at CONTPROF_COUNT_MAX. All arrays have `count` entries; `from` needs no alignment.
#ifndef CONTPROF_INSTR_ADD_COUNTS_H
#define CONTPROF_INSTR_ADD_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// into[i] += from[i] * weight. Returns false if a sum was cut.
bool contprof_add_counts(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight);

// The same, unless some from[i] has one of the `forbidden` bits: then nothing is added, and it
// returns false. Sets *cut if a sum was cut.
bool contprof_add_counts_without(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight,
                                 uint64_t forbidden, bool *cut);

// into[i] = the sum of all files' from[file][i], which must not be cut. Returns all bits that any
// of them has. The files are swept through side by side (contprof_sweep_at).
uint64_t contprof_gather_counts(uint64_t *into, const uint8_t *const *from, size_t files,
                                size_t count);

// The same with counters of single-byte coverage, which count 1 where they are 0.
void contprof_gather_byte_counts(uint64_t *into, const uint8_t *const *from, size_t files,
                                 size_t count);

// All bits that any count has.
uint64_t contprof_bits_of_counts(const uint8_t *from, size_t count);

// Counters of single-byte coverage, 0 where code has run: into[i] += weight for those. Returns
// false if a sum was cut.
bool contprof_add_byte_counts(uint64_t *into, const uint8_t *from, size_t count, uint64_t weight);

// into[i] |= from[i].
void contprof_add_bits(uint8_t *into, const uint8_t *from, size_t count);

#endif
