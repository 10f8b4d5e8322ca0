// Numbers of LLVM's indexed profile format, shared by its reader and its writer.
// Source: llvm/ProfileData/InstrProf.h (namespace IndexedInstrProf), lib/ProfileData/
// InstrProfWriter.cpp, llvm/Support/OnDiskHashTable.h and, for value data, InstrProfData.inc.
//
// A file is, all little endian: header, summary, a second summary if there are context-sensitive
// functions, the hash table's items, padding to 8, the hash table's index, and the sections that
// the header's offsets name. Sizes and offsets are bytes.
#ifndef CONTPROF_INSTR_INDEXED_FORMAT_H
#define CONTPROF_INSTR_INDEXED_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define CONTPROF_INDEXED_MAGIC UINT64_C(0x8169666f72706cff) // "\xfflprofi\x81"

// The version field's upper half is the variant; 14 and 16 use its top byte alone.
#define CONTPROF_INDEXED_VERSION_MASK UINT64_C(0xffffffff)

// Header fields, 8 bytes each: magic, version, unused, hash type, offset of the hash table's index;
// then, from the versions below, the offsets of further sections.
enum {
  CONTPROF_INDEXED_OLDEST_READ = 4,    // the first with a summary
  CONTPROF_INDEXED_OLDEST_WRITTEN = 5, // laid out as 7, as is 6
  CONTPROF_INDEXED_OLDEST_LLVM = 14,   // whose version is known
  CONTPROF_INDEXED_DEFAULT = 7,        // LLVM 14's; every later LLVM reads it
  CONTPROF_INDEXED_NEWEST = 12,
  // From here on, clang computes the hashes of front-end instrumentation as it does today; of an
  // older version it takes them for hashes of another algorithm (getPGOHashVersion in
  // CodeGenPGO.cpp).
  CONTPROF_INDEXED_WITH_HASHES = 6,
  CONTPROF_INDEXED_WITH_MEMPROF = 8,
  CONTPROF_INDEXED_WITH_BINARY_IDS = 9,
  // From here on, LLVM 16's, one counter marks a function as hot or warm; before, all of them do,
  // and only as hot.
  CONTPROF_INDEXED_WITH_MARKS = 9,
  CONTPROF_INDEXED_WITH_TEMPORAL = 10,
  CONTPROF_INDEXED_WITH_BITMAPS = 11, // in the records; no offset
  CONTPROF_INDEXED_WITH_VTABLES = 12,
};

// HashT::MD5, the only hash type: keys are hashed as contprof_name_ref does.
#define CONTPROF_INDEXED_HASH_MD5 0

// Summary::NumKinds; their order is SummaryFieldKind's: functions, counters, maximum function
// count, maximum count, maximum internal count, total count.
#define CONTPROF_INDEXED_SUMMARY_FIELDS 6
#define CONTPROF_INDEXED_SUMMARY_ENTRY_SIZE 24 // cutoff, minimum count, number of counters

// An item of the hash table: hash, key size, data size (8 bytes each), key, data. A bucket's items
// follow a 2-byte number of them.
#define CONTPROF_INDEXED_ITEM_HEAD 24

// ValueProfData and ValueProfRecord begin with two 4-byte numbers; a value is value and count.
#define CONTPROF_INDEXED_VALUE_HEAD 8
#define CONTPROF_INDEXED_VALUE_SIZE 16

#endif
