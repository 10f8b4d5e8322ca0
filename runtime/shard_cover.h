// A raw profile may follow another in one file: a reader goes on behind an image, skips zero bytes
// (LLVM 14 to 19, InstrProfReader.cpp, readNextHeader), and refuses the whole file if something
// else than a header comes. So an image can't be written in the open: half of it, and every profile
// of a program that was killed just then would be lost. It is written under a cover: the image
// before it is made, by one store, to reach to the end of the file, and in one more store to end
// where it did, which makes the new image appear.
//
// What can reach so far without saying anything:
//   - value data, where a function has value sites: its size may be more than its parts take;
//   - else the names. Zeros may follow them; then one store turns the blob that ends a shard's
//   names
//     into a compressed one, whose stream ends soon while its stated size reaches to the end, and
//     zlib's uncompress ignores what follows a stream. At rest it is plain text, so that a reader
//     without zlib is not troubled. It holds a name that no function has.
//
// Pure but for what is in the mapping; every store is of one aligned word.
#ifndef CONTPROF_RUNTIME_SHARD_COVER_H
#define CONTPROF_RUNTIME_SHARD_COVER_H

#include "image.h"

extern CONTPROF_HIDDEN const unsigned char contprof_cover_blob[CONTPROF_COVER_SIZE];

// What a shard's image reaches over with: offsets of its two words from its start.
struct contprof_cover {
  uint64_t values;      // offset of the value data that ends the image; 0 if it ends with names
  uint32_t values_size; // what its size word says at rest
  uint64_t blob;        // offset of the names' last blob, if there is no value data
  uint64_t names;       // offset of the names
  uint64_t names_size;  // what the header says at rest
};

void contprof_cover_plan(const struct contprof_image *image, const struct contprof_layout *layout,
                         struct contprof_cover *cover);

// Whether an image can reach `size` bytes from its start.
bool contprof_cover_reaches(const struct contprof_cover *cover, uint64_t size);

// Makes the image at `shard` reach `size` bytes from its start, all of them in the file. They are
// zeros behind the image.
void contprof_cover_put(const struct contprof_cover *cover, char *shard, uint64_t size);

// Whether the image reaches further than its end, after the process that made it do so was killed.
bool contprof_cover_is_on(const struct contprof_cover *cover, const char *shard);

// Lets it end where it did. Zeros or an image must follow.
void contprof_cover_take_off(const struct contprof_cover *cover, char *shard);

#endif
