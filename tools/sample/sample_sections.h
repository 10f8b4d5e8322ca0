// The table of sections of an extended binary sample profile: what is where in the file.
//
// The file begins with two ULEB128 numbers, the magic ("SPROF42" and 4, as a 64-bit number with the
// S on top) and the version, 103. Then the table: the number of entries and, for each, type, flags,
// offset in the file and size in bytes, all little-endian numbers of 64 bits. Flags below bit 32
// have a meaning for all sections, those above by the section's type.
// Source: llvm/lib/ProfileData/SampleProfReader.cpp, include/llvm/ProfileData/SampleProf.h.
#ifndef CONTPROF_SAMPLE_SAMPLE_SECTIONS_H
#define CONTPROF_SAMPLE_SAMPLE_SECTIONS_H

#include "../base/cursor.h"

#define CONTPROF_SAMPLE_MAGIC UINT64_C(0x5350524f46343200) // and the format's number
#define CONTPROF_SAMPLE_VERSION 103

enum contprof_sample_magic {  // what the magic's last byte says
  CONTPROF_MAGIC_COMPACT = 2, // of LLVM 16 and before
  CONTPROF_MAGIC_EXTBINARY = 4,
  CONTPROF_MAGIC_BINARY = 0xff,
};

// llvm::sampleprof::SecType
enum contprof_section_type {
  CONTPROF_SECTION_SUMMARY = 1,
  CONTPROF_SECTION_NAMES = 2,
  CONTPROF_SECTION_SYMBOLS = 3,
  CONTPROF_SECTION_OFFSETS = 4, // of functions in the samples' section
  CONTPROF_SECTION_METADATA = 5,
  CONTPROF_SECTION_CONTEXTS = 6, // contexts as rows of names
  CONTPROF_SECTION_SAMPLES = 32,
};

// llvm::sampleprof::SecCommonFlags, SecProfSummaryFlags...
enum contprof_section_flag {
  CONTPROF_FLAG_COMPRESSED = 1,
  CONTPROF_FLAG_FLAT = 2, // functions without context alone
};

#define CONTPROF_SUMMARY_PARTIAL (UINT64_C(1) << 32)
#define CONTPROF_SUMMARY_CONTEXT (UINT64_C(2) << 32)
#define CONTPROF_SUMMARY_FS (UINT64_C(4) << 32)
#define CONTPROF_SUMMARY_PREINLINED (UINT64_C(16) << 32)
#define CONTPROF_NAMES_MD5 (UINT64_C(1) << 32)
#define CONTPROF_NAMES_FIXED_MD5 (UINT64_C(2) << 32)
#define CONTPROF_NAMES_UNIQUE (UINT64_C(4) << 32)
#define CONTPROF_OFFSETS_ORDERED (UINT64_C(1) << 32)
#define CONTPROF_METADATA_PROBES (UINT64_C(1) << 32)
#define CONTPROF_METADATA_ATTRIBUTES (UINT64_C(2) << 32)

struct contprof_sample_section {
  uint64_t type; // contprof_section_type, or one that is not known
  uint64_t flags;
  uint64_t offset; // in the file
  uint64_t size;   // bytes
};

struct contprof_sample_sections {
  struct contprof_sample_section *sections; // count of them, in the table's order; owned
  size_t count;
};

// Whether the bytes begin with a magic of that kind.
bool contprof_has_sample_magic(const uint8_t *bytes, uint64_t size,
                               enum contprof_sample_magic format);

// Reads magic, version and table from the cursor's place, the file's start; the sections lie within
// the cursor's bytes. Returns false with its error set if something is wrong. Free with
// contprof_sample_sections_free in any case.
bool contprof_sample_sections_read(struct contprof_cursor *file,
                                   struct contprof_sample_sections *sections);

void contprof_sample_sections_free(struct contprof_sample_sections *sections);

#endif
