// Decodes single machine instructions: how long they are, and whether they are branches. The flags
// are those of contprof_instruction_at and mean what LLVM's MCInstrDesc means for llvm-profgen:
// an indirect jump is a transfer but no barrier, a system call neither. Thread-safe once made.
#ifndef CONTPROF_SAMPLE_DECODER_H
#define CONTPROF_SAMPLE_DECODER_H

#include "../base/error.h"

#include <stddef.h>

struct contprof_decoder;

struct contprof_decoded {
  unsigned size;  // bytes of the instruction, or to skip if there is none; at least 1
  unsigned flags; // enum contprof_instruction; 0: no instruction
};

// For the ELF machine EM_X86_64, whose decoder, Zydis, is loaded here, or EM_AARCH64. Returns NULL
// with `error` set if Zydis is not installed. Free with contprof_decoder_free.
struct contprof_decoder *contprof_decoder_new(unsigned machine, struct contprof_error *error);
void contprof_decoder_free(struct contprof_decoder *decoder);

// Decodes what stands at `bytes`, of which `left` (at least 1) are readable.
struct contprof_decoded contprof_decode(const struct contprof_decoder *decoder,
                                        const uint8_t *bytes, size_t left);

#endif
