#include "names.h"

#include "memory.h"

#include <inttypes.h>
#include <md5.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SEPARATOR = 1 };

// Deflate cannot shrink anything to less than 1/1032 (zlib's "Maximum Compression Factor"), so a
// blob that promises more is damaged, and need not be given the memory it asks for.
enum { MAX_COMPRESSION = 1032 };

void contprof_name_digest(const void *name, size_t length, uint8_t digest[CONTPROF_MD5_SIZE]) {
  MD5_CTX context;
  MD5Init(&context);
  MD5Update(&context, name, length);
  MD5Final(digest, &context);
}

uint64_t contprof_name_ref(const void *name, size_t length) {
  uint8_t digest[CONTPROF_MD5_SIZE];
  uint64_t ref = 0;
  contprof_name_digest(name, length, digest);
  for (unsigned i = 0; i < sizeof ref; i++)
    ref |= (uint64_t)digest[i] << (8 * i);
  return ref;
}

// The slot that holds `ref`, or the empty one where it belongs. References are MD5 sums, so their
// low bits are hash enough.
static uint32_t *slot_of(const struct contprof_name_table *table, uint64_t ref) {
  size_t mask = table->slot_count - 1;
  size_t at = ref & mask;
  while (table->slots[at] && table->names[table->slots[at] - 1].ref != ref)
    at = (at + 1) & mask;
  return &table->slots[at];
}

// Doubles the number of slots; at most half of them are ever in use.
static void grow_slots(struct contprof_name_table *table) {
  size_t slot_count = table->slot_count ? table->slot_count * 2 : 1024;
  table->slots = contprof_need_array(table->slots, slot_count, sizeof *table->slots);
  table->slot_count = slot_count;
  memset(table->slots, 0, slot_count * sizeof *table->slots);
  for (size_t i = 0; i < table->count; i++)
    *slot_of(table, table->names[i].ref) = (uint32_t)i + 1;
}

// Returns the entry, NULL if there was one.
static struct contprof_name *add(struct contprof_name_table *table,
                                 const struct contprof_name *name) {
  if ((table->count + 1) * 2 > table->slot_count)
    grow_slots(table);
  uint32_t *slot = slot_of(table, name->ref);
  if (*slot)
    return NULL;
  if (table->count == table->room) {
    table->room = table->room ? table->room * 2 : 512;
    table->names = contprof_need_array(table->names, table->room, sizeof *table->names);
  }
  table->names[table->count++] = *name;
  *slot = (uint32_t)table->count;
  return &table->names[table->count - 1];
}

void contprof_name_table_add(struct contprof_name_table *table, const struct contprof_name *name) {
  struct contprof_name *entry = add(table, name);
  if (entry)
    entry->text = contprof_arena_string(&table->arena, name->text, name->length);
}

static void add_name(struct contprof_name_table *table, const char *text, size_t length) {
  struct contprof_name name = {
      .ref = contprof_name_ref(text, length), .text = text, .length = length};
  add(table, &name);
}

static void add_text(struct contprof_name_table *table, const char *text, size_t size) {
  while (size) {
    const char *separator = memchr(text, SEPARATOR, size);
    size_t length = separator ? (size_t)(separator - text) : size;
    if (length)
      add_name(table, text, length);
    text += separator ? length + 1 : length;
    size -= separator ? length + 1 : length;
  }
}

static bool add_compressed(struct contprof_name_table *table, struct contprof_cursor *section,
                           uint64_t size, uint64_t compressed_size) {
  // contprof's runtime makes the last blob end early while it adds an image; see shard_cover.h.
  if (compressed_size > contprof_cursor_left(section))
    compressed_size = contprof_cursor_left(section);
  const uint8_t *compressed = contprof_take_bytes(section, compressed_size);
  if (!compressed)
    return false;
  if (size / MAX_COMPRESSION > compressed_size)
    return contprof_cursor_corrupt(section, "%" PRIu64 " bytes can't hold %" PRIu64 " of names",
                                   compressed_size, size);
  char *text = contprof_arena_zeros(&table->arena, size, 1);
  uLongf got = size;
  int status = uncompress((Bytef *)text, &got, compressed, compressed_size);
  if (status != Z_OK || got != size)
    return contprof_cursor_corrupt(section, "the compressed names before this are damaged");
  add_text(table, text, size);
  return true;
}

static bool add_blob(struct contprof_name_table *table, struct contprof_cursor *section) {
  uint64_t size = contprof_take_uleb128(section);
  uint64_t compressed_size = contprof_take_uleb128(section);
  if (!contprof_cursor_ok(section))
    return false;
  if (compressed_size)
    return add_compressed(table, section, size, compressed_size);
  const uint8_t *text = contprof_take_bytes(section, size);
  if (text)
    add_text(table, (const char *)text, size);
  return text != NULL;
}

bool contprof_name_table_read(struct contprof_name_table *table, struct contprof_cursor *section) {
  while (contprof_cursor_ok(section) && contprof_cursor_left(section)) {
    if (section->bytes[section->offset] == 0)
      contprof_skip(section, 1);
    else
      add_blob(table, section);
  }
  return contprof_cursor_ok(section);
}

const struct contprof_name *contprof_name_table_find(const struct contprof_name_table *table,
                                                     uint64_t ref) {
  if (!table->slot_count)
    return NULL;
  uint32_t slot = *slot_of(table, ref);
  return slot ? &table->names[slot - 1] : NULL;
}

const struct contprof_name *contprof_name_table_find_next(const struct contprof_name_table *table,
                                                          uint64_t ref, size_t *next) {
  const struct contprof_name *name = *next < table->count && table->names[*next].ref == ref
                                         ? &table->names[*next]
                                         : contprof_name_table_find(table, ref);
  if (name)
    *next = (size_t)(name - table->names) + 1;
  return name;
}

void contprof_name_table_free(struct contprof_name_table *table) {
  free(table->names);
  free(table->slots);
  contprof_arena_free(&table->arena);
  *table = (struct contprof_name_table){0};
}
