#include "perf_catalog.h"

#include "../base/memory.h"
#include "perf_format.h"

#include <stdlib.h>
#include <string.h>

struct contprof_perf_id {
  uint64_t id;
  size_t attr; // its index, plus 1; 0: an unused slot
};

struct contprof_perf_file_id {
  const char *path; // in the arena; NULL: an unused slot
  uint64_t hash;
  uint8_t bytes[CONTPROF_BUILD_ID_MAX];
  uint8_t size;
  bool several; // files of this path with other ids were recorded, too
};

void contprof_perf_catalog_free(struct contprof_perf_catalog *catalog) {
  free(catalog->attrs);
  free(catalog->ids);
  free(catalog->files);
  contprof_arena_free(&catalog->arena);
  *catalog = (struct contprof_perf_catalog){0};
}

static bool same_fields(const struct contprof_perf_attr *a, const struct contprof_perf_attr *b) {
  return a->sample_type == b->sample_type && a->read_format == b->read_format &&
         (a->branch_sample_type & PERF_BRANCH_HW_INDEX) ==
             (b->branch_sample_type & PERF_BRANCH_HW_INDEX) &&
         a->trailer_size == b->trailer_size;
}

static void look_at_layout(struct contprof_perf_catalog *catalog,
                           const struct contprof_perf_attr *attr) {
  const struct contprof_perf_attr *first = &catalog->attrs[0];
  bool is_first = attr == first;
  bool sample_id_all = contprof_perf_attr_has(attr, PERF_ATTR_SAMPLE_ID_ALL);
  bool id_decides = attr->sample_id != CONTPROF_PERF_NOWHERE &&
                    attr->sample_id == first->sample_id && attr->trailer_id == first->trailer_id;
  catalog->same_layout = is_first || (catalog->same_layout && same_fields(attr, first));
  catalog->by_time = (is_first || catalog->by_time) && sample_id_all;
  catalog->id_decides = (is_first || catalog->id_decides) && id_decides;
}

size_t contprof_perf_catalog_add(struct contprof_perf_catalog *catalog,
                                 const struct contprof_perf_attr *attr) {
  char name[CONTPROF_PERF_NAME_ROOM];
  if (catalog->attr_count == catalog->attr_room) {
    catalog->attr_room = catalog->attr_room ? 2 * catalog->attr_room : 4;
    catalog->attrs =
        contprof_need_array(catalog->attrs, catalog->attr_room, sizeof *catalog->attrs);
  }
  size_t index = catalog->attr_count++;
  catalog->attrs[index] = *attr;
  contprof_perf_attr_derive_name(attr, name);
  contprof_perf_catalog_name(catalog, index, name, sizeof name);
  look_at_layout(catalog, &catalog->attrs[index]);
  return index;
}

// --- ids --------------------------------------------------------------------------------------

static uint64_t spread(uint64_t number) {
  number *= UINT64_C(0x9e3779b97f4a7c15); // 2^64 over the golden ratio
  return number ^ number >> 32;
}

// The slot of an id, or the free one that it would have.
static struct contprof_perf_id *id_slot(struct contprof_perf_id *slots, size_t room, uint64_t id) {
  size_t at = spread(id) & (room - 1);
  while (slots[at].attr && slots[at].id != id)
    at = (at + 1) & (room - 1);
  return &slots[at];
}

static void grow_ids(struct contprof_perf_catalog *catalog) {
  size_t room = catalog->id_room ? 2 * catalog->id_room : 64;
  struct contprof_perf_id *slots = contprof_need(calloc(room, sizeof *slots));
  for (size_t i = 0; i < catalog->id_room; i++)
    if (catalog->ids[i].attr)
      *id_slot(slots, room, catalog->ids[i].id) = catalog->ids[i];
  free(catalog->ids);
  catalog->ids = slots;
  catalog->id_room = room;
}

void contprof_perf_catalog_add_id(struct contprof_perf_catalog *catalog, uint64_t id, size_t attr) {
  if (2 * (catalog->id_count + 1) > catalog->id_room)
    grow_ids(catalog);
  struct contprof_perf_id *slot = id_slot(catalog->ids, catalog->id_room, id);
  catalog->id_count += !slot->attr;
  *slot = (struct contprof_perf_id){.id = id, .attr = attr + 1};
}

size_t contprof_perf_catalog_find_id(const struct contprof_perf_catalog *catalog, uint64_t id) {
  size_t attr = catalog->id_room ? id_slot(catalog->ids, catalog->id_room, id)->attr : 0;
  return attr ? attr - 1 : catalog->attr_count;
}

void contprof_perf_catalog_name(struct contprof_perf_catalog *catalog, size_t attr,
                                const void *name, size_t room) {
  size_t length = strnlen(name, room);
  const char *old = catalog->attrs[attr].name;
  if (length && !(old && strlen(old) == length && memcmp(old, name, length) == 0))
    catalog->attrs[attr].name = contprof_arena_string(&catalog->arena, name, length);
}

// --- build-ids ----------------------------------------------------------------------------------

static uint64_t hash_of(const char *path, size_t length) {
  uint64_t hash = 0;
  for (size_t i = 0; i < length; i++)
    hash = spread(hash + (uint8_t)path[i] + 1);
  return hash;
}

static struct contprof_perf_file_id *file_slot(struct contprof_perf_file_id *slots, size_t room,
                                               const char *path, size_t length, uint64_t hash) {
  size_t at = hash & (room - 1);
  while (slots[at].path && !(slots[at].hash == hash && strlen(slots[at].path) == length &&
                             memcmp(slots[at].path, path, length) == 0))
    at = (at + 1) & (room - 1);
  return &slots[at];
}

static void grow_files(struct contprof_perf_catalog *catalog) {
  size_t room = catalog->file_room ? 2 * catalog->file_room : 64;
  struct contprof_perf_file_id *slots = contprof_need(calloc(room, sizeof *slots));
  for (size_t i = 0; i < catalog->file_room; i++) {
    const struct contprof_perf_file_id *old = &catalog->files[i];
    if (old->path)
      *file_slot(slots, room, old->path, strlen(old->path), old->hash) = *old;
  }
  free(catalog->files);
  catalog->files = slots;
  catalog->file_room = room;
}

static void add_file(struct contprof_perf_catalog *catalog, const char *path, size_t length,
                     const uint8_t *bytes, uint8_t size) {
  if (2 * (catalog->file_count + 1) > catalog->file_room)
    grow_files(catalog);
  uint64_t hash = hash_of(path, length);
  struct contprof_perf_file_id *slot =
      file_slot(catalog->files, catalog->file_room, path, length, hash);
  if (!slot->path) {
    slot->path = contprof_arena_string(&catalog->arena, path, length);
    slot->hash = hash;
    catalog->file_count++;
  } else if (slot->size != size || memcmp(slot->bytes, bytes, size) != 0) {
    slot->several = true;
  }
  memcpy(slot->bytes, bytes, size);
  slot->size = size;
}

// Where the size is not told, zeros have filled up shorter ids (MD5: 16 bytes, xxHash: 8).
static uint8_t size_without_zeros(const uint8_t *bytes) {
  uint8_t size = PERF_BUILD_ID_BYTES;
  while (size > 8 && !bytes[size - 1] && !bytes[size - 2] && !bytes[size - 3] && !bytes[size - 4])
    size -= 4;
  return size;
}

// The id's size is told by younger perfs only (PERF_RECORD_MISC_BUILD_ID_SIZE, Linux 5.10).
void contprof_perf_catalog_build_id(struct contprof_perf_catalog *catalog, unsigned misc,
                                    struct contprof_cursor *body) {
  contprof_skip(body, sizeof(uint32_t)); // a PID: -1, or that of a guest
  const uint8_t *bytes = contprof_take_bytes(body, PERF_BUILD_ID_BYTES);
  uint8_t size = contprof_take_u8(body);
  contprof_skip(body, 3); // reserved
  uint64_t room = contprof_cursor_left(body);
  const char *path = (const char *)contprof_take_bytes(body, room);
  if (!contprof_cursor_ok(body))
    return;
  if (!(misc & PERF_MISC_BUILD_ID_SIZE))
    size = size_without_zeros(bytes);
  size_t length = strnlen(path, room);
  if (size == 0 || size > PERF_BUILD_ID_BYTES)
    contprof_cursor_corrupt(body, "a build-id of %u bytes; there are 1 to %d", size,
                            PERF_BUILD_ID_BYTES);
  else if (length)
    add_file(catalog, path, length, bytes, size);
}

// The kernel's map has a symbol's name behind the name that the table knows it by
// (perf_event__synthesize_kernel_mmap): "[kernel.kallsyms]_text".
static size_t length_in_table(const char *path) {
  const char *end = path[0] == '[' ? strchr(path, ']') : NULL;
  return end ? (size_t)(end - path) + 1 : strlen(path);
}

void contprof_perf_catalog_complete(const struct contprof_perf_catalog *catalog,
                                    struct contprof_perf_mmap *map) {
  if (map->build_id_size || !catalog->file_room)
    return;
  size_t length = length_in_table(map->path);
  const struct contprof_perf_file_id *slot =
      file_slot(catalog->files, catalog->file_room, map->path, length, hash_of(map->path, length));
  if (!slot->path)
    return;
  memcpy(map->build_id, slot->bytes, slot->size);
  map->build_id_size = slot->size;
  map->of_several = slot->several;
}
