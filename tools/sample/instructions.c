// One byte for each byte of code: what starts there. Symbols are decoded when first asked about.
#include "binary_parts.h"

#include "../base/memory.h"
#include "decoder.h"

#include <stdlib.h>
#include <string.h>

// The bits of such a byte besides enum contprof_instruction's first three. A return is a barrier
// that seems to be no transfer, which is one bit less.
enum {
  RETURN = CONTPROF_INSTRUCTION_STARTS | CONTPROF_INSTRUCTION_BARRIER,
  DECODED = 8,    // its symbol has been decoded, or it stands before the first one
  SIZE_SHIFT = 4, // bytes of the instruction, 1 to 15
};

struct section {
  const struct contprof_text_section *text;
  struct contprof_bytes bytes;
  uint8_t *marks; // of each byte; NULL until needed; owned
};

struct contprof_instructions {
  struct contprof_decoder *decoder; // owned
  struct section *sections;         // of binary->text, in its order; in the arena
  struct section *last;             // where the last address stood
};

bool contprof_instructions_open(struct contprof_binary *binary, struct contprof_error *error) {
  struct contprof_instructions *all = contprof_arena_zeros(&binary->arena, 1, sizeof *all);
  all->decoder = contprof_decoder_new(binary->elf.machine, error);
  if (!all->decoder)
    return false;
  size_t count = binary->text.section_count;
  all->sections = contprof_arena_zeros(&binary->arena, count + 1, sizeof *all->sections);
  for (size_t i = 0; i < count; i++)
    all->sections[i].text = &binary->text.sections[i];
  binary->instructions = all;
  return true;
}

void contprof_instructions_close(struct contprof_binary *binary) {
  struct contprof_instructions *all = binary->instructions;
  if (!all)
    return;
  for (size_t i = 0; i < binary->text.section_count; i++)
    free(all->sections[i].marks);
  contprof_decoder_free(all->decoder);
}

// --- decoding -----------------------------------------------------------------------------------

static unsigned packed(unsigned flags) {
  return flags & CONTPROF_INSTRUCTION_RETURN ? RETURN : flags;
}

static unsigned unpacked(unsigned bits) {
  return bits == RETURN ? RETURN | CONTPROF_INSTRUCTION_TRANSFER | CONTPROF_INSTRUCTION_RETURN
                        : bits;
}

// Up to `end`, which is the next symbol or the section's end; offsets are from its start. The last
// instruction may reach beyond.
static void decode(const struct contprof_decoder *decoder, struct section *section, uint64_t start,
                   uint64_t end) {
  end = end < section->bytes.size ? end : section->bytes.size;
  for (uint64_t at = start; at < end;) {
    struct contprof_decoded one =
        contprof_decode(decoder, section->bytes.bytes + at, section->bytes.size - at);
    if (one.flags)
      section->marks[at] = (uint8_t)(packed(one.flags) | one.size << SIZE_SHIFT);
    at += one.size;
  }
}

static void mark_decoded(struct section *section, uint64_t start, uint64_t end) {
  for (uint64_t i = start; i < end; i++)
    section->marks[i] |= DECODED;
}

// How many of the section's symbols stand at or before the offset.
static size_t symbols_up_to(const struct contprof_text_section *text, uint64_t offset) {
  size_t low = 0, high = text->symbol_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (text->symbols[middle].address - text->address <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Decodes the symbol that holds the offset.
static void decode_around(const struct contprof_decoder *decoder, struct section *section,
                          uint64_t offset) {
  const struct contprof_text_section *text = section->text;
  size_t after = symbols_up_to(text, offset);
  uint64_t start = after ? text->symbols[after - 1].address - text->address : 0;
  uint64_t end =
      after < text->symbol_count ? text->symbols[after].address - text->address : text->size;
  if (after)
    decode(decoder, section, start, end);
  mark_decoded(section, start, end);
}

static void prepare(struct contprof_binary *binary, struct section *section) {
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  // A section whose bytes can't be had has no instructions.
  contprof_elf_bytes(&binary->elf, section->text->section, &section->bytes, &ignored);
  section->marks = contprof_need(calloc(section->text->size, 1));
}

// --- use ----------------------------------------------------------------------------------------

static struct section *section_at(struct contprof_binary *binary, uint64_t address) {
  struct contprof_instructions *all = binary->instructions;
  const struct contprof_text_section *text = all->last ? all->last->text : NULL;
  if (text && address - text->address < text->size)
    return all->last;
  text = contprof_text_section_at(&binary->text, address);
  if (!text)
    return NULL;
  all->last = &all->sections[text - binary->text.sections];
  if (!all->last->marks)
    prepare(binary, all->last);
  return all->last;
}

// The byte of an offset, decoded.
static uint8_t mark_of(struct contprof_binary *binary, struct section *section, uint64_t offset) {
  if (!(section->marks[offset] & DECODED))
    decode_around(binary->instructions->decoder, section, offset);
  return section->marks[offset];
}

static uint8_t mark_at(struct contprof_binary *binary, uint64_t address) {
  struct section *section = section_at(binary, address);
  return section ? mark_of(binary, section, address - section->text->address) : 0;
}

unsigned contprof_instruction_at(struct contprof_binary *binary, uint64_t address) {
  return unpacked(mark_at(binary, address) & (DECODED - 1));
}

unsigned contprof_instruction_size(struct contprof_binary *binary, uint64_t address) {
  return mark_at(binary, address) >> SIZE_SHIFT;
}

// The first section that ends behind the address.
static const struct contprof_text_section *section_from(const struct contprof_text *text,
                                                        uint64_t address) {
  for (size_t i = 0; i < text->section_count; i++)
    if (text->sections[i].address + text->sections[i].size > address)
      return &text->sections[i];
  return NULL;
}

// None of the eight bytes at `marks` has one of the flags, and all are decoded.
static bool is_passed_over(const uint8_t *marks, unsigned flags) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t eight;
  memcpy(&eight, marks, sizeof eight);
  return (eight & (each * (flags | DECODED))) == each * DECODED;
}

// The first address of [start, end) with one of these flags; `end` if there is none. Both are in
// the section.
static uint64_t find(struct contprof_binary *binary, struct section *section, uint64_t start,
                     uint64_t end, unsigned flags) {
  uint64_t base = section->text->address;
  uint64_t address = start;
  while (address < end) {
    // Most bytes start no instruction of that kind: eight are looked at together.
    if (end - address >= 8 && is_passed_over(section->marks + (address - base), flags))
      address += 8;
    else if (mark_of(binary, section, address - base) & flags)
      return address;
    else
      address++;
  }
  return end;
}

uint64_t contprof_instruction_next(struct contprof_binary *binary, uint64_t address) {
  const struct contprof_text_section *text;
  while ((text = section_from(&binary->text, address))) {
    address = address > text->address ? address : text->address;
    uint64_t end = text->address + text->size;
    uint64_t found =
        find(binary, section_at(binary, address), address, end, CONTPROF_INSTRUCTION_STARTS);
    if (found < end)
      return found;
    address = end;
  }
  return UINT64_MAX;
}

bool contprof_crosses_barrier(struct contprof_binary *binary, uint64_t start, uint64_t end) {
  const struct contprof_text_section *text;
  while (start < end && (text = section_from(&binary->text, start))) {
    start = start > text->address ? start : text->address;
    uint64_t last = text->address + text->size < end ? text->address + text->size : end;
    if (start < last &&
        find(binary, section_at(binary, start), start, last, CONTPROF_INSTRUCTION_BARRIER) < last)
      return true;
    start = text->address + text->size;
  }
  return false;
}
