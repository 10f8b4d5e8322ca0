// Function names as LLVM keeps them in profiles: blobs of names, and the 64-bit references by which
// everything else in a profile means a name.
//
// A names section is a row of blobs, one for each object file linked in, with any number of zero
// bytes between them. A blob is two ULEB128 numbers, the size of its text and the size of the text
// compressed by zlib (0 if it is not), then the text: names separated by the byte 1.
// Source: llvm/lib/ProfileData/InstrProf.cpp (collectGlobalObjectNameStrings). Sizes are bytes.
#ifndef CONTPROF_BASE_NAMES_H
#define CONTPROF_BASE_NAMES_H

#include "arena.h"
#include "cursor.h"

struct contprof_name {
  uint64_t ref;     // contprof_name_ref of the text
  const char *text; // no NUL after it; in the section's bytes or the table's arena
  size_t length;    // bytes
};

// The names of one or more sections, to be looked up by reference. A zeroed struct is an empty
// table. It points into the sections' bytes, which must outlive it.
struct contprof_name_table {
  struct contprof_name *names; // count of them, in the order they were read; owned
  size_t count;
  size_t room;                 // private: allocated entries of `names`
  uint32_t *slots;             // private: hash table of indices into `names` plus 1; owned
  size_t slot_count;           // private: a power of two, or 0
  struct contprof_arena arena; // private: the text of compressed blobs and of names added
};

#define CONTPROF_MD5_SIZE 16 // bytes

// The MD5 of a name.
void contprof_name_digest(const void *name, size_t length, uint8_t digest[CONTPROF_MD5_SIZE]);

// The first eight bytes of the name's MD5, little endian: NameRef in a data record.
uint64_t contprof_name_ref(const void *name, size_t length);

// Adds all names from the cursor's place to its end. Returns false with the cursor's error set if a
// blob is damaged.
bool contprof_name_table_read(struct contprof_name_table *table, struct contprof_cursor *section);

// Adds a name, whose text is copied, unless there is one of its reference.
void contprof_name_table_add(struct contprof_name_table *table, const struct contprof_name *name);

// The name with this reference, or NULL. The pointer holds until the next read into the table.
const struct contprof_name *contprof_name_table_find(const struct contprof_name_table *table,
                                                     uint64_t ref);

// The same where names are asked for mostly in the order in which they were read: quick for the one
// at `next`, 0 at first, which is then the one behind what was found.
const struct contprof_name *contprof_name_table_find_next(const struct contprof_name_table *table,
                                                          uint64_t ref, size_t *next);

// Frees all; the table is empty and usable afterwards.
void contprof_name_table_free(struct contprof_name_table *table);

#endif
