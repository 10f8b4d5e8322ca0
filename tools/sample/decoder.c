#include "decoder.h"

#include "../base/memory.h"
#include "binary.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  TRANSFER = CONTPROF_INSTRUCTION_STARTS | CONTPROF_INSTRUCTION_TRANSFER,
  BARRIER = TRANSFER | CONTPROF_INSTRUCTION_BARRIER,
  RETURN = BARRIER | CONTPROF_INSTRUCTION_RETURN,
  OTHER = CONTPROF_INSTRUCTION_STARTS,
};

struct contprof_decoder {
  unsigned machine;
  void *library; // Zydis; owned
  ZydisDecoder zydis;
  ZyanStatus (*decode)(const ZydisDecoder *decoder, ZydisDecoderContext *context,
                       const void *buffer, ZyanUSize length, ZydisDecodedInstruction *instruction);
};

// --- x86-64 -------------------------------------------------------------------------------------

static unsigned x86_flags(const ZydisDecodedInstruction *instruction) {
  ZydisMnemonic mnemonic = instruction->mnemonic;
  if (mnemonic == ZYDIS_MNEMONIC_JMP)
    return instruction->opcode == 0xff ? TRANSFER : BARRIER; // FF /4 and /5 jump indirectly
  if (mnemonic >= ZYDIS_MNEMONIC_JB && mnemonic <= ZYDIS_MNEMONIC_JZ)
    return TRANSFER; // all that begin with J, in the alphabet's order
  switch (mnemonic) {
  case ZYDIS_MNEMONIC_CALL:
    return BARRIER;
  case ZYDIS_MNEMONIC_RET:
  case ZYDIS_MNEMONIC_IRET:
  case ZYDIS_MNEMONIC_IRETD:
  case ZYDIS_MNEMONIC_IRETQ:
    return RETURN;
  case ZYDIS_MNEMONIC_LOOP:
  case ZYDIS_MNEMONIC_LOOPE:
  case ZYDIS_MNEMONIC_LOOPNE:
  case ZYDIS_MNEMONIC_XBEGIN:
    return TRANSFER;
  default:
    return OTHER;
  }
}

// LLVM's decoder takes some prefixes for instructions of their own where they come first
// (X86Disassembler.cpp, readPrefixes): lock, and repne and rep where they may be xacquire and
// xrelease.
static bool is_prefix_alone(const uint8_t *bytes, size_t left) {
  if (bytes[0] == 0xf0)
    return true;
  if ((bytes[0] != 0xf2 && bytes[0] != 0xf3) || left < 2)
    return false;
  uint8_t next = bytes[1];
  if (bytes[0] == 0xf3 && (next == 0x88 || next == 0x89 || next == 0xc6 || next == 0xc7))
    return true; // before mov to memory
  bool is_pause = bytes[0] == 0xf3 && next == 0x90;
  return !is_pause && (next == 0xf0 || (next & 0xfe) == 0x86 || (next & 0xf8) == 0x90);
}

static struct contprof_decoded decode_x86(const struct contprof_decoder *decoder,
                                          const uint8_t *bytes, size_t left) {
  ZydisDecodedInstruction instruction;
  if (is_prefix_alone(bytes, left))
    return (struct contprof_decoded){1, OTHER};
  // LLVM goes on behind the bytes that it had to look at to see that there is no instruction; so
  // does this, with Zydis's.
  instruction.length = 0;
  if (!ZYAN_SUCCESS(decoder->decode(&decoder->zydis, NULL, bytes, left, &instruction)))
    return (struct contprof_decoded){instruction.length ? instruction.length : 1, 0};
  return (struct contprof_decoded){instruction.length, x86_flags(&instruction)};
}

// The library of the version that this was compiled for: its structures differ between versions.
static bool load_zydis(struct contprof_decoder *decoder, struct contprof_error *error) {
  char name[64];
  snprintf(name, sizeof name, "libZydis.so.%u.%u", (unsigned)ZYDIS_VERSION_MAJOR(ZYDIS_VERSION),
           (unsigned)ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
  decoder->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!decoder->library)
    return contprof_fail(error, CONTPROF_NOT_FOUND, NULL, NULL, CONTPROF_NO_OFFSET,
                         "the x86-64 decoder can't be loaded (Debian: libzydis4.0): %s", dlerror());
  ZyanStatus (*init)(ZydisDecoder *, ZydisMachineMode, ZydisStackWidth) = NULL;
  ZyanStatus (*enable)(ZydisDecoder *, ZydisDecoderMode, ZyanBool) = NULL;
  *(void **)&init = dlsym(decoder->library, "ZydisDecoderInit");
  *(void **)&enable = dlsym(decoder->library, "ZydisDecoderEnableMode");
  *(void **)&decoder->decode = dlsym(decoder->library, "ZydisDecoderDecodeInstruction");
  if (!init || !enable || !decoder->decode ||
      !ZYAN_SUCCESS(init(&decoder->zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
      !ZYAN_SUCCESS(enable(&decoder->zydis, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE)))
    return contprof_fail(error, CONTPROF_UNSUPPORTED, NULL, NULL, CONTPROF_NO_OFFSET,
                         "%s lacks the functions of an x86-64 decoder", name);
  return true;
}

// --- AArch64 ------------------------------------------------------------------------------------

// Unconditional branches to a register, also those of pointer authentication; the second half of
// bits 24 to 21 is the operation.
static unsigned register_branch_flags(uint32_t word) {
  switch (word >> 21 & 15) {
  case 0: // BR
  case 8: // BRAA, BRAB
    return TRANSFER;
  case 1: // BLR
  case 9: // BLRAA, BLRAB
    return BARRIER;
  case 2: // RET
  case 4: // ERET
  case 5: // DRPS
    return RETURN;
  default:
    return 0;
  }
}

// Arm Architecture Reference Manual, C4.1: the classes of branches, and of what is unallocated as a
// whole. Single unallocated words of other classes pass for instructions.
static unsigned arm_flags(uint32_t word) {
  if ((word & 0x7c000000) == 0x14000000) // B, BL
    return BARRIER;
  if ((word & 0xff000000) == 0x54000000 || // B.cond
      (word & 0x7c000000) == 0x34000000)   // CBZ, CBNZ, TBZ, TBNZ
    return TRANSFER;
  if ((word & 0xfe1f0000) == 0xd61f0000)
    return register_branch_flags(word);
  unsigned group = word >> 25 & 15;
  if (group == 1 || group == 3)
    return 0;
  // Group 0 is UDF, where the upper half is 0, and SME, where the top bit is set.
  return group == 0 && word >> 16 != 0 && !(word >> 31) ? 0 : OTHER;
}

static struct contprof_decoded decode_arm(const uint8_t *bytes, size_t left) {
  if (left < 4)
    return (struct contprof_decoded){1, 0};
  uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  return (struct contprof_decoded){4, arm_flags(word)};
}

// --- both ---------------------------------------------------------------------------------------

struct contprof_decoder *contprof_decoder_new(unsigned machine, struct contprof_error *error) {
  struct contprof_decoder *decoder = contprof_need(calloc(1, sizeof *decoder));
  decoder->machine = machine;
  if (machine != EM_X86_64 || load_zydis(decoder, error))
    return decoder;
  contprof_decoder_free(decoder);
  return NULL;
}

void contprof_decoder_free(struct contprof_decoder *decoder) {
  if (!decoder)
    return;
  if (decoder->library)
    dlclose(decoder->library);
  free(decoder);
}

struct contprof_decoded contprof_decode(const struct contprof_decoder *decoder,
                                        const uint8_t *bytes, size_t left) {
  return decoder->machine == EM_X86_64 ? decode_x86(decoder, bytes, left) : decode_arm(bytes, left);
}
