// What LLVM packs into a DWARF discriminator. Rules: llvm/Support/Discriminator.h,
// llvm/IR/PseudoProbe.h, DILocation in llvm/IR/DebugInfoMetadata.h.
#ifndef CONTPROF_SAMPLE_DISCRIMINATOR_H
#define CONTPROF_SAMPLE_DISCRIMINATOR_H

#include <stdint.h>

// The part that tells blocks of one line apart, which profiles are keyed by.
uint32_t contprof_base_discriminator(uint32_t discriminator);

// How many copies of the code the optimiser made, by unrolling and vectorising; at least 1.
uint32_t contprof_duplication_factor(uint32_t discriminator);

#endif
