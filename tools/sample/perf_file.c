#include "perf_file.h"

#include "../base/memory.h"
#include "perf_data.h"
#include "perf_features.h"
#include "perf_format.h"
#include "perf_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "PERFILE2"
#define MAGIC_SWAPPED "2ELIFREP"
#define MAGIC_FIRST "PERFFILE" // version 1, until Linux 2.6.35

enum { MAGIC_SIZE = 8 };
#define TABLE_MAX (UINT64_C(64) << 20) // bytes of a header's part that are taken into memory

// A part of the file: two of the header's fields.
struct section {
  uint64_t offset;
  uint64_t size; // bytes
};

struct header {
  uint64_t size; // its own
  uint64_t attr_size;
  struct section attrs;
  struct section data;
  struct section event_types;            // of perfs before 2012
  uint64_t features[PERF_FEATURES / 64]; // bit by bit
};

bool contprof_is_perf_data(const uint8_t *bytes, size_t size) {
  return size >= MAGIC_SIZE &&
         (memcmp(bytes, MAGIC, MAGIC_SIZE) == 0 || memcmp(bytes, MAGIC_SWAPPED, MAGIC_SIZE) == 0);
}

// --- bytes --------------------------------------------------------------------------------------

static bool read_at(const struct contprof_perf_file *file, uint64_t offset, uint8_t *into,
                    size_t size, struct contprof_error *error) {
  while (size) {
    ssize_t got = pread(file->fd, into, size, (off_t)offset);
    if (got < 0 && errno != EINTR)
      return contprof_fail_errno(error, errno, file->path, "can't read");
    if (got == 0)
      return contprof_fail(error, CONTPROF_TRUNCATED, file->path, "header", offset,
                           "cut short: %zu bytes more should be here", size);
    if (got > 0) {
      into += got;
      offset += (uint64_t)got;
      size -= (size_t)got;
    }
  }
  return true;
}

// A cursor over `size` bytes of the file that have been read to `bytes`.
static struct contprof_cursor over(const struct contprof_perf_file *file, const uint8_t *bytes,
                                   struct section section, const char *name,
                                   struct contprof_error *error) {
  struct contprof_cursor cursor =
      contprof_cursor_over(bytes, section.size, section.offset, file->path, name, error);
  cursor.swap = file->swap;
  return cursor;
}

// Each part of the file that the header tells of comes by here.
static bool check_section(struct contprof_perf_file *file, struct section section, uint64_t told_at,
                          const char *name, struct contprof_error *error) {
  if (section.offset <= file->size && section.size <= file->size - section.offset) {
    uint64_t end = section.offset + section.size;
    file->end = end > file->end ? end : file->end;
    return true;
  }
  return contprof_fail(error, CONTPROF_TRUNCATED, file->path, "header", told_at,
                       "cut short: %s should be %" PRIu64 " bytes from %" PRIu64
                       " on, of a file of %" PRIu64,
                       name, section.size, section.offset, file->size);
}

// The bytes of a section, to be freed; NULL on failure.
static uint8_t *read_section(struct contprof_perf_file *file, struct section section,
                             uint64_t told_at, const char *name, struct contprof_error *error) {
  if (!check_section(file, section, told_at, name, error))
    return NULL;
  if (section.size > TABLE_MAX) {
    contprof_fail(error, CONTPROF_CORRUPT, file->path, "header", told_at,
                  "%s should be %" PRIu64 " bytes; more than %" PRIu64 " make no sense", name,
                  section.size, TABLE_MAX);
    return NULL;
  }
  uint8_t *bytes = contprof_need(malloc(section.size ? section.size : 1));
  if (read_at(file, section.offset, bytes, section.size, error))
    return bytes;
  free(bytes);
  return NULL;
}

// --- header -------------------------------------------------------------------------------------

static struct section take_section(struct contprof_cursor *cursor) {
  struct section section = {.offset = contprof_take_u64(cursor)};
  section.size = contprof_take_u64(cursor);
  return section;
}

static bool has_feature(const struct header *header, unsigned feature) {
  return header->features[feature / 64] >> feature % 64 & 1;
}

// The bitmap is of C's longs. On a big-endian machine of 32 bits, halves of the words have changed
// places; the host's name, which is always there, tells (perf_file_header__read).
static void mend_features(const struct contprof_perf_file *file, struct header *header) {
  if (!file->swap || has_feature(header, PERF_FEATURE_HOSTNAME))
    return;
  for (size_t i = 0; i < PERF_FEATURES / 64; i++)
    header->features[i] = header->features[i] << 32 | header->features[i] >> 32;
  if (!has_feature(header, PERF_FEATURE_HOSTNAME))
    memset(header->features, 0, sizeof header->features);
}

static bool take_header(const struct contprof_perf_file *file, struct contprof_cursor *cursor,
                        struct header *header) {
  contprof_skip(cursor, MAGIC_SIZE);
  header->size = contprof_take_u64(cursor);
  header->attr_size = contprof_take_u64(cursor);
  header->attrs = take_section(cursor);
  header->data = take_section(cursor);
  header->event_types = take_section(cursor);
  if (header->size == PERF_HEADER_SIZE)
    contprof_take_u64s(cursor, header->features, PERF_FEATURES / 64);
  mend_features(file, header);
  return contprof_cursor_ok(cursor);
}

enum {
  ATTR_SIZE_AT = 16,
  ATTRS_AT = 24,
  DATA_AT = 40,
  EVENT_TYPES_AT = 56
}; // offsets of header fields

static bool check_header(struct contprof_perf_file *file, const struct header *header,
                         struct contprof_error *error) {
  const uint64_t least = PERF_ATTR_SIZE_FIRST + PERF_SECTION_SIZE;
  if (header->attr_size < least)
    return contprof_fail(error, CONTPROF_CORRUPT, file->path, "header", ATTR_SIZE_AT,
                         "an event's description should have %" PRIu64 " bytes; %" PRIu64
                         " is the least",
                         header->attr_size, least);
  return check_section(file, header->data, DATA_AT, "records", error);
}

// --- events -------------------------------------------------------------------------------------

// Ids stand in a section of their own, which all together can't be more than the file.
static bool take_ids(struct contprof_perf_file *file, struct contprof_perf_catalog *catalog,
                     size_t attr, struct section section, uint64_t told_at, uint64_t *most,
                     struct contprof_error *error) {
  if (section.size > *most)
    return contprof_fail(error, CONTPROF_CORRUPT, file->path, "attrs", told_at,
                         "ids of %" PRIu64 " bytes, more than the file has for them", section.size);
  *most -= section.size;
  uint8_t *bytes = read_section(file, section, told_at, "ids", error);
  if (!bytes)
    return false;
  struct contprof_cursor ids = over(file, bytes, section, "ids", error);
  while (contprof_cursor_left(&ids) >= sizeof(uint64_t))
    contprof_perf_catalog_add_id(catalog, contprof_take_u64(&ids), attr);
  free(bytes);
  return true;
}

static bool take_attr(struct contprof_perf_file *file, struct contprof_perf_catalog *catalog,
                      struct contprof_cursor *entry, uint64_t *most) {
  struct contprof_perf_attr attr;
  struct contprof_cursor description =
      contprof_take_sub(entry, entry->size - PERF_SECTION_SIZE, "attrs");
  if (!contprof_perf_attr_take(&description, &attr))
    return false;
  uint64_t told_at = entry->base + entry->offset;
  struct section ids = take_section(entry);
  size_t index = contprof_perf_catalog_add(catalog, &attr);
  return take_ids(file, catalog, index, ids, told_at, most, entry->error);
}

static bool take_attrs(struct contprof_perf_file *file, const struct header *header,
                       struct contprof_perf_catalog *catalog, struct contprof_error *error) {
  uint64_t most = file->size;
  uint8_t *bytes = read_section(file, header->attrs, ATTRS_AT, "events", error);
  if (!bytes)
    return false;
  struct contprof_cursor attrs = over(file, bytes, header->attrs, "attrs", error);
  bool ok = true;
  while (ok && contprof_cursor_left(&attrs) >= header->attr_size) {
    struct contprof_cursor entry = contprof_take_sub(&attrs, header->attr_size, "attrs");
    ok = take_attr(file, catalog, &entry, &most);
  }
  free(bytes);
  return ok;
}

// --- features: a table of their sections stands behind the records ------------------------------

static bool take_feature(struct contprof_perf_file *file, struct contprof_perf_catalog *catalog,
                         unsigned feature, struct section section, uint64_t told_at,
                         struct contprof_error *error) {
  if (feature != PERF_FEATURE_BUILD_ID && feature != PERF_FEATURE_EVENT_DESC &&
      feature != PERF_FEATURE_COMPRESSED)
    return check_section(file, section, told_at, "a feature", error);
  uint8_t *bytes = read_section(file, section, told_at, "a feature", error);
  if (!bytes)
    return false;
  struct contprof_cursor body = over(file, bytes, section, "feature", error);
  contprof_perf_feature_take(catalog, feature, &body);
  free(bytes);
  return contprof_cursor_ok(&body);
}

static bool take_features(struct contprof_perf_file *file, const struct header *header,
                          struct contprof_perf_catalog *catalog, struct contprof_error *error) {
  struct section entry = {.offset = header->data.offset + header->data.size,
                          .size = PERF_SECTION_SIZE};
  for (unsigned feature = 0; feature < PERF_FEATURES; feature++) {
    uint8_t bytes[PERF_SECTION_SIZE];
    if (!has_feature(header, feature))
      continue;
    if (!check_section(file, entry, entry.offset, "a feature's entry", error) ||
        !read_at(file, entry.offset, bytes, sizeof bytes, error))
      return false;
    struct contprof_cursor cursor = over(file, bytes, entry, "features", error);
    struct section section = take_section(&cursor);
    if (!take_feature(file, catalog, feature, section, entry.offset, error))
      return false;
    entry.offset += PERF_SECTION_SIZE;
  }
  return true;
}

// --- opening ------------------------------------------------------------------------------------

static bool stand_at(struct contprof_perf_file *file, uint64_t offset, uint64_t left,
                     struct contprof_error *error) {
  file->data_offset = offset;
  file->left = left;
  if (file->can_seek && lseek(file->fd, (off_t)offset, SEEK_SET) < 0)
    return contprof_fail_errno(error, errno, file->path, "can't seek");
  return true;
}

// Of a file whose writer was killed the data's size is 0 still, and features are promised that are
// not written: there are records to the end. Of one without any record there are features.
static bool is_unfinished(const struct contprof_perf_file *file, const struct header *header) {
  uint8_t bytes[PERF_SECTION_SIZE];
  struct contprof_error ignored;
  struct section entry = {.offset = header->data.offset, .size = sizeof bytes};
  uint64_t features = 0;
  contprof_error_clear(&ignored);
  for (size_t i = 0; i < PERF_FEATURES / 64; i++)
    features += (uint64_t)__builtin_popcountll(header->features[i]);
  if (header->data.size)
    return false;
  if (!features || !read_at(file, entry.offset, bytes, sizeof bytes, &ignored))
    return true;
  struct contprof_cursor cursor = over(file, bytes, entry, "features", &ignored);
  return take_section(&cursor).offset != entry.offset + features * PERF_SECTION_SIZE;
}

// perf writes nothing behind the last part. Files that were joined end so, of which perf reads the
// first without a word.
static bool look_behind(struct contprof_perf_file *file, const struct header *header,
                        struct contprof_error *error) {
  uint8_t bytes[MAGIC_SIZE];
  struct contprof_error ignored;
  contprof_error_clear(&ignored);
  if (!check_section(file, header->event_types, EVENT_TYPES_AT, "event types", error))
    return false;
  if (file->size - file->end >= sizeof bytes &&
      read_at(file, file->end, bytes, sizeof bytes, &ignored) &&
      contprof_is_perf_data(bytes, sizeof bytes))
    return contprof_perf_joined(file->path, file->end, error);
  return true;
}

bool contprof_perf_joined(const char *path, uint64_t offset, struct contprof_error *error) {
  return contprof_fail(error, CONTPROF_UNSUPPORTED, path, NULL, offset,
                       "another recording begins here: files were joined. Give each by itself; "
                       "several can be named");
}

static bool open_file(struct contprof_perf_file *file, const struct header *header,
                      struct contprof_perf_catalog *catalog, struct contprof_error *error) {
  if (!check_header(file, header, error) || !take_attrs(file, header, catalog, error))
    return false;
  file->unfinished = is_unfinished(file, header);
  if (!file->unfinished &&
      !(take_features(file, header, catalog, error) && look_behind(file, header, error)))
    return false;
  return stand_at(file, header->data.offset, file->unfinished ? UINT64_MAX : header->data.size,
                  error);
}

// The first bytes, of what may be no file. Returns how many there are.
static size_t read_first(struct contprof_perf_file *file, uint8_t *bytes, size_t size,
                         struct contprof_error *error) {
  size_t done = 0;
  while (done < size) {
    ssize_t got = read(file->fd, bytes + done, size - done);
    if (got < 0 && errno != EINTR) {
      contprof_fail_errno(error, errno, file->path, "can't read");
      return 0;
    }
    if (got == 0)
      break;
    done += got > 0 ? (size_t)got : 0;
  }
  return done;
}

static bool check_magic(struct contprof_perf_file *file, const uint8_t *bytes, size_t size,
                        struct contprof_error *error) {
  const char *magic = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? MAGIC_SWAPPED : MAGIC;
  if (size >= MAGIC_SIZE && memcmp(bytes, MAGIC_FIRST, MAGIC_SIZE) == 0)
    return contprof_fail(error, CONTPROF_UNSUPPORTED, file->path, "header", 0,
                         "a perf.data of version 1, which perf wrote before 2010");
  if (!contprof_is_perf_data(bytes, size))
    return contprof_fail(error, CONTPROF_UNSUPPORTED, file->path, "header", 0,
                         "not a perf.data file");
  file->swap = memcmp(bytes, magic, MAGIC_SIZE) != 0;
  return true;
}

// Behind the magic, the header's size says which form it is.
static bool open_form(struct contprof_perf_file *file, struct contprof_perf_catalog *catalog,
                      struct contprof_error *error) {
  uint8_t bytes[PERF_HEADER_SIZE] = {0};
  size_t got = read_first(file, bytes, PERF_PIPE_HEADER_SIZE, error);
  struct section whole = {.size = got};
  struct contprof_cursor cursor = over(file, bytes, whole, "header", error);
  if (!contprof_cursor_ok(&cursor) || !check_magic(file, bytes, got, error))
    return false;
  cursor.swap = file->swap;
  contprof_skip(&cursor, MAGIC_SIZE);
  uint64_t size = contprof_take_u64(&cursor);
  if (contprof_cursor_ok(&cursor) && size == PERF_PIPE_HEADER_SIZE) {
    file->is_stream = true;
    return stand_at(file, PERF_PIPE_HEADER_SIZE, UINT64_MAX, error);
  }
  if (size != PERF_HEADER_SIZE && size != PERF_HEADER_SIZE_OLD)
    return contprof_cursor_corrupt(&cursor,
                                   "a header of %" PRIu64 " bytes; there are %d, %d and %d", size,
                                   PERF_HEADER_SIZE, PERF_HEADER_SIZE_OLD, PERF_PIPE_HEADER_SIZE);
  if (!file->can_seek && !contprof_perf_spool(file, bytes, got, error))
    return false;
  whole.size = size;
  if (!read_at(file, 0, bytes, size, error))
    return false;
  struct header header = {0};
  cursor = over(file, bytes, whole, "header", error);
  return take_header(file, &cursor, &header) && open_file(file, &header, catalog, error);
}

bool contprof_perf_file_open(const char *path, struct contprof_perf_file *file,
                             struct contprof_perf_catalog *catalog, struct contprof_error *error) {
  struct stat status;
  *file = (struct contprof_perf_file){.path = path, .is_input = strcmp(path, "-") == 0};
  file->fd = file->is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (file->fd < 0)
    return contprof_fail_errno(error, errno, path, "can't open");
  bool ok = fstat(file->fd, &status) == 0;
  if (!ok)
    contprof_fail_errno(error, errno, path, "can't examine");
  else if (S_ISDIR(status.st_mode))
    ok = contprof_fail(error, CONTPROF_UNSUPPORTED, path, NULL, CONTPROF_NO_OFFSET,
                       "a directory, as perf record --threads makes them; take what perf script "
                       "prints of it");
  file->can_seek = ok && S_ISREG(status.st_mode);
  file->size = file->can_seek ? (uint64_t)status.st_size : UINT64_MAX;
  ok = ok && open_form(file, catalog, error);
  if (!ok)
    contprof_perf_file_close(file);
  return ok;
}

void contprof_perf_file_close(struct contprof_perf_file *file) {
  if (file->fd >= 0 && !file->is_input)
    close(file->fd);
  file->fd = -1;
}

// --- records ------------------------------------------------------------------------------------

size_t contprof_perf_file_fill(void *source, uint8_t *into, size_t room,
                               struct contprof_error *error) {
  struct contprof_perf_file *file = source;
  if (room > file->left)
    room = (size_t)file->left;
  ssize_t got = 0;
  do
    got = room ? read(file->fd, into, room) : 0;
  while (got < 0 && errno == EINTR);
  if (got < 0) {
    contprof_fail_errno(error, errno, file->path, "can't read");
    return 0;
  }
  if (file->left != UINT64_MAX)
    file->left -= (uint64_t)got;
  return (size_t)got;
}

uint64_t contprof_perf_file_pass(void *source, uint64_t size) {
  struct contprof_perf_file *file = source;
  if (file->left == UINT64_MAX || size > file->left || !file->can_seek)
    return 0;
  if (lseek(file->fd, (off_t)size, SEEK_CUR) < 0)
    return 0;
  file->left -= size;
  return size;
}
