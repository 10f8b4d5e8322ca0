#include "shard_cover.h"

#include <string.h>

#include "value_sites.h"

// Two numbers of LEB128 (DWARF 5, 7.6) with leading zeros, so that they fill a word together: the
// size of the text, and that of the compressed stream, 0 for plain text.
#define LEB_2(n) (0x80 | ((n)&0x7f)), (((n) >> 7) & 0x7f)
enum { TEXT = 8, STREAM = 19, REST = CONTPROF_COVER_SIZE - 8 };

// "contprof" as zlib stores it (RFC 1950 and 1951): header, a last block that is stored, its size
// twice, the text, Adler-32.
const unsigned char contprof_cover_blob[CONTPROF_COVER_SIZE] = {
    LEB_2(REST), 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x78, 0x9c, 0x01, 0x08, 0x00, 0xf7,
    0xff,        'c',  'o',  'n',  't',  'p',  'r',  'o',  'f',  0x0f, 0x5b, 0x03, 0x6c};
_Static_assert(8 + STREAM <= CONTPROF_COVER_SIZE, "the stream has room");

static uint64_t word_at_rest(void) {
  uint64_t word;
  memcpy(&word, contprof_cover_blob, sizeof word);
  return word;
}

static uint64_t covering_word(uint64_t stream) {
  unsigned char bytes[8] = {LEB_2(TEXT)};
  uint64_t word;
  for (unsigned i = 2; i < 8; i++, stream >>= 7)
    bytes[i] = (unsigned char)((stream & 0x7f) | (i < 7 ? 0x80 : 0));
  memcpy(&word, bytes, sizeof word);
  return word;
}

static void store(char *at, uint64_t word) {
  __atomic_store_n((uint64_t *)at, word, __ATOMIC_RELEASE);
}

static uint64_t load(const char *at) {
  return __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
}

static char *names_size_in(char *shard) {
  return shard + offsetof(struct contprof_raw_header, NamesSize);
}

void contprof_cover_plan(const struct contprof_image *image, const struct contprof_layout *layout,
                         struct contprof_cover *cover) {
  uint64_t last = contprof_values_last(image);
  memset(cover, 0, sizeof *cover);
  cover->names = layout->names;
  cover->names_size = contprof_image_names_size(image);
  cover->blob = layout->names + cover->names_size - CONTPROF_COVER_SIZE;
  if (last) {
    cover->values = layout->total - last;
    cover->values_size = (uint32_t)last;
  }
}

bool contprof_cover_reaches(const struct contprof_cover *cover, uint64_t size) {
  return cover->values ? size - cover->values <= UINT32_MAX : size < UINT64_C(1) << 42;
}

void contprof_cover_put(const struct contprof_cover *cover, char *shard, uint64_t size) {
  if (cover->values) {
    __atomic_store_n((uint32_t *)(shard + cover->values), (uint32_t)(size - cover->values),
                     __ATOMIC_RELEASE);
    return;
  }
  store(names_size_in(shard), size - cover->names);
  store(shard + cover->blob, covering_word(size - cover->blob - 8));
}

bool contprof_cover_is_on(const struct contprof_cover *cover, const char *shard) {
  if (cover->values)
    return __atomic_load_n((const uint32_t *)(shard + cover->values), __ATOMIC_ACQUIRE) !=
           cover->values_size;
  return load(names_size_in((char *)shard)) != cover->names_size ||
         load(shard + cover->blob) != word_at_rest();
}

// The names first: a blob that reaches beyond them is read as far as they go.
void contprof_cover_take_off(const struct contprof_cover *cover, char *shard) {
  if (cover->values) {
    __atomic_store_n((uint32_t *)(shard + cover->values), cover->values_size, __ATOMIC_RELEASE);
    return;
  }
  store(names_size_in(shard), cover->names_size);
  store(shard + cover->blob, word_at_rest());
}
