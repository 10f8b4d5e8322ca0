// Single instructions: sizes and flags. All of real programs are compared with LLVM's in
// test/e2e/458.
#include "tools/sample/binary.h"
#include "tools/sample/decoder.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>

enum {
  OTHER = CONTPROF_INSTRUCTION_STARTS,
  TRANSFER = OTHER | CONTPROF_INSTRUCTION_TRANSFER,
  BARRIER = TRANSFER | CONTPROF_INSTRUCTION_BARRIER,
  RETURN = BARRIER | CONTPROF_INSTRUCTION_RETURN,
};

static struct contprof_decoder *decoder_of(unsigned machine) {
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_decoder *decoder = contprof_decoder_new(machine, &error);
  cr_assert_not_null(decoder, "%s", error.message);
  return decoder;
}

Test(decoder, x86_64) {
  static const struct {
    const char *bytes;
    unsigned length; // of `bytes`
    unsigned size;
    unsigned flags;
  } CASES[] = {
      {"\x90", 1, 1, OTHER},                     // nop
      {"\xe8\0\0\0\0", 5, 5, BARRIER},           // call
      {"\xff\xd0", 2, 2, BARRIER},               // call *%rax
      {"\xeb\xfe", 2, 2, BARRIER},               // jmp
      {"\xff\xe0", 2, 2, TRANSFER},              // jmp *%rax
      {"\x3e\xff\xe0", 3, 3, TRANSFER},          // notrack jmp *%rax
      {"\x75\x00", 2, 2, TRANSFER},              // jne
      {"\x0f\x85\0\0\0\0", 6, 6, TRANSFER},      // jne
      {"\xe2\x00", 2, 2, TRANSFER},              // loop
      {"\xe3\x00", 2, 2, TRANSFER},              // jrcxz
      {"\xc3", 1, 1, RETURN},                    // ret
      {"\xf3\xc3", 2, 2, RETURN},                // rep ret
      {"\x48\xcf", 2, 2, RETURN},                // iretq
      {"\x0f\x05", 2, 2, OTHER},                 // syscall
      {"\x0f\x0b", 2, 2, OTHER},                 // ud2
      {"\xf4", 1, 1, OTHER},                     // hlt
      {"\xf0\xff\x00", 3, 1, OTHER},             // lock, alone
      {"\xf3\x90", 2, 2, OTHER},                 // pause
      {"\xf2\xf0\xff\x00", 4, 1, OTHER},         // xacquire, alone
      {"\xf3\xa4", 2, 2, OTHER},                 // rep movsb
      {"\x06", 1, 1, 0},                         // nothing in 64-bit mode
      {"\xe8\0\0", 3, 1, 0},                     // a call that is cut
      {"\x62\xf1\xfe\x48\x6f\x00", 6, 6, OTHER}, // vmovdqu64 (%rax), %zmm0
  };
  struct contprof_decoder *decoder = decoder_of(EM_X86_64);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    struct contprof_decoded got =
        contprof_decode(decoder, (const uint8_t *)CASES[i].bytes, CASES[i].length);
    cr_expect(got.size == CASES[i].size && got.flags == CASES[i].flags,
              "case %zu: size %u, flags %u", i, got.size, got.flags);
  }
  contprof_decoder_free(decoder);
}

Test(decoder, aarch64) {
  static const struct {
    uint32_t word;
    unsigned flags;
  } CASES[] = {
      {0xd503201f, OTHER},    // nop
      {0x14000000, BARRIER},  // b
      {0x94000000, BARRIER},  // bl
      {0x54000000, TRANSFER}, // b.eq
      {0xb4000000, TRANSFER}, // cbz
      {0x35000000, TRANSFER}, // cbnz
      {0x36080000, TRANSFER}, // tbz
      {0xb7f80000, TRANSFER}, // tbnz
      {0xd61f0020, TRANSFER}, // br x1
      {0xd63f0020, BARRIER},  // blr x1
      {0xd65f03c0, RETURN},   // ret
      {0xd65f0bff, RETURN},   // retaa
      {0xd71f0822, TRANSFER}, // braa x2, x1 or so
      {0xd69f03e0, RETURN},   // eret
      {0xd4000001, OTHER},    // svc
      {0x00000000, OTHER},    // udf
      {0x00010000, 0},        // unallocated
      {0x02000000, 0},        // a class that is unallocated
  };
  struct contprof_decoder *decoder = decoder_of(EM_AARCH64);
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    uint8_t bytes[4];
    for (int j = 0; j < 4; j++)
      bytes[j] = (uint8_t)(CASES[i].word >> 8 * j);
    struct contprof_decoded got = contprof_decode(decoder, bytes, 4);
    cr_expect(got.size == 4 && got.flags == CASES[i].flags, "%08x: size %u, flags %u",
              CASES[i].word, got.size, got.flags);
    cr_expect_eq(contprof_decode(decoder, bytes, 3).flags, 0);
  }
  contprof_decoder_free(decoder);
}
