#include "image_write.h"

#include <string.h>

#include "shard_cover.h"
#include "timestamps.h"
#include "value_sites.h"

// Shared by all writers: they are used at start, in a forked child and under the module's lock. Its
// pages cost memory from their first use on, and most profiles need one.
static char buffer[CONTPROF_WRITER_BUFFER];

static void begin(struct contprof_writer *writer, int fd, char *memory) {
  writer->fd = fd;
  writer->memory = memory;
  writer->offset = writer->used = writer->pending = 0;
  writer->count = writer->error = 0;
  writer->compare = writer->differs = false;
}

void contprof_writer_flush(struct contprof_writer *writer) {
  if (writer->count && !writer->error)
    writer->error =
        contprof_write_pieces(writer->fd, writer->pieces, writer->count, writer->offset);
  writer->offset += writer->pending;
  writer->pending = writer->used = 0;
  writer->count = 0;
}

void contprof_writer_refer(struct contprof_writer *writer, const void *bytes, uint64_t size) {
  char *place = writer->memory + writer->offset;
  if (writer->fd < 0) {
    if (!writer->compare)
      memcpy(place, bytes, size);
    else if (memcmp(place, bytes, size) != 0)
      writer->differs = true;
    writer->offset += size;
    return;
  }
  if (!size)
    return;
  if (writer->count == CONTPROF_WRITER_PIECES)
    contprof_writer_flush(writer);
  writer->pieces[writer->count++] = (struct contprof_piece){bytes, size};
  writer->pending += size;
}

// Room for `size` bytes in the buffer, as a part of the piece that ends there or as a new one.
static char *take_room(struct contprof_writer *writer, uint64_t size) {
  if (size > sizeof buffer - writer->used)
    contprof_writer_flush(writer);
  char *room = buffer + writer->used;
  struct contprof_piece *last = writer->count ? &writer->pieces[writer->count - 1] : NULL;
  if (last && (const char *)last->bytes + last->size == room) {
    last->size += size;
    writer->pending += size;
  } else {
    contprof_writer_refer(writer, room, size);
    room = buffer + writer->used; // where a flush has made it the first
    writer->pieces[writer->count - 1].bytes = room;
  }
  writer->used += size;
  return room;
}

void contprof_writer_put(struct contprof_writer *writer, const void *bytes, uint64_t size) {
  if (writer->fd < 0) {
    contprof_writer_refer(writer, bytes, size);
    return;
  }
  const char *at = bytes;
  for (uint64_t part; size; at += part, size -= part) {
    part = size < sizeof buffer ? size : sizeof buffer;
    memcpy(take_room(writer, part), at, part);
  }
}

enum { SHORT_GAP = 4096 };

// A short gap is cheaper written than made by another system call.
void contprof_writer_skip(struct contprof_writer *writer, uint64_t size) {
  if (writer->fd >= 0 && size && size <= SHORT_GAP) {
    memset(take_room(writer, size), 0, size);
    return;
  }
  contprof_writer_flush(writer);
  writer->offset += size;
}

static void skip_to(struct contprof_writer *writer, uint64_t offset) {
  contprof_writer_skip(writer, offset - (writer->offset + writer->pending));
}

static void put_u64(struct contprof_writer *writer, uint64_t value) {
  contprof_writer_put(writer, &value, sizeof value);
}

// The .inc gives each field the expression that LLVM's runtime computes it with; these are the
// names the expressions use. Addresses are link-time ones.
static void put_header(struct contprof_writer *writer, const struct contprof_image *image,
                       const struct contprof_layout *layout) {
  uint64_t NumData = (uint64_t)(image->data_end - image->data), DataSize = NumData;
  uint64_t entry = CONTPROF_BYTE_COUNTERS(image->version) ? 1 : 8;
  uint64_t NumCounters = contprof_image_counters_size(image) / entry, CountersSize = NumCounters;
  uint64_t PaddingBytesBeforeCounters = layout->padding_before_counters;
  uint64_t PaddingBytesAfterCounters = layout->padding_after_counters;
  uint64_t NumBitmapBytes = contprof_image_bitmap_size(image);
  uint64_t PaddingBytesAfterBitmapBytes = layout->padding_after_bitmap;
  uint64_t NamesSize = contprof_image_names_size(image);
  const char *DataBegin = (const char *)image->data, *CountersBegin = image->counters;
  const char *BitmapBegin = image->bitmap ? image->bitmap : DataBegin;
  uint64_t NamesBegin = contprof_image_address(image, (uintptr_t)image->names);
  uint64_t NumVTables = 0, VNamesSize = 0;
#if CONTPROF_RAW_VERSION >= 10
  NumVTables = (uint64_t)(image->vtables_end - image->vtables) / sizeof(struct contprof_raw_vtable);
  VNamesSize = (uint64_t)(image->vtable_names_end - image->vtable_names);
#endif
#define __llvm_profile_get_magic() INSTR_PROF_RAW_MAGIC_64
#define __llvm_profile_get_version() image->version
#define __llvm_write_binary_ids(writer) (layout->data - layout->binary_ids)
#define INSTR_PROF_RAW_HEADER(Type, Name, Initializer) .Name = Initializer,
  struct contprof_raw_header header = {
#include "InstrProfData.inc"
  };
#undef __llvm_profile_get_magic
#undef __llvm_profile_get_version
#undef __llvm_write_binary_ids
  if (NumData == 0 &&
      NamesSize == 0) // a reader that finds these elsewhere wants no distances to them
    header.CountersDelta = header.NamesDelta = 0;
  (void)DataSize, (void)CountersSize, (void)BitmapBegin, (void)NumBitmapBytes;
  (void)PaddingBytesAfterBitmapBytes, (void)NumVTables, (void)VNamesSize;
  contprof_writer_put(writer, &header, sizeof header);
}

static void put_binary_id(struct contprof_writer *writer, const struct contprof_image *image) {
  static const char zeros[8];
  if (!image->build_id_size)
    return;
  put_u64(writer, image->build_id_size);
  contprof_writer_put(writer, image->build_id, image->build_id_size);
  contprof_writer_put(writer, zeros, contprof_padding(image->build_id_size));
}

// Some fields of a record are const, for instrumented code's sake; a copy is set by offset.
static void set_pointer(void *record, size_t offset, uint64_t value) {
  memcpy((char *)record + offset, &value, sizeof value);
}

static void put_data(struct contprof_writer *writer, const struct contprof_image *image) {
  if (image->records_as_in_file) {
    contprof_writer_refer(writer, image->data,
                          (uint64_t)((const char *)image->data_end - (const char *)image->data));
    return;
  }
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++) {
    char copy[sizeof *data];
    memcpy(copy, data, sizeof copy);
    set_pointer(copy, offsetof(struct contprof_raw_data, FunctionPointer),
                contprof_image_address(image, (uintptr_t)data->FunctionPointer));
    set_pointer(copy, offsetof(struct contprof_raw_data, Values), 0);
    contprof_writer_put(writer, copy, sizeof copy);
  }
}

static void put_vtables(struct contprof_writer *writer, const struct contprof_image *image) {
#if CONTPROF_RAW_VERSION >= 10
  const struct contprof_raw_vtable *vtable = (const void *)image->vtables;
  for (; (const char *)vtable < image->vtables_end; vtable++) {
    char copy[sizeof *vtable];
    memcpy(copy, vtable, sizeof copy);
    set_pointer(copy, offsetof(struct contprof_raw_vtable, VTablePointer),
                contprof_image_address(image, (uintptr_t)vtable->VTablePointer));
    contprof_writer_put(writer, copy, sizeof copy);
  }
#else
  (void)writer, (void)image;
#endif
}

static void put_nothing_counted(struct contprof_writer *writer,
                                const struct contprof_image *image) {
  char chunk[256];
  uint64_t left = contprof_image_counters_size(image);
  if (!CONTPROF_BYTE_COUNTERS(image->version)) {
    contprof_writer_skip(writer, left);
    return;
  }
  memset(chunk, 0xff, sizeof chunk);
  for (uint64_t size; left; left -= size) {
    size = left < sizeof chunk ? left : sizeof chunk;
    contprof_writer_put(writer, chunk, size);
  }
}

static void put_head(const struct contprof_image *image, const struct contprof_layout *layout,
                     struct contprof_writer *writer) {
  put_header(writer, image, layout);
  put_binary_id(writer, image);
}

static void put_names(const struct contprof_image *image, const struct contprof_layout *layout,
                      struct contprof_writer *writer) {
  skip_to(writer, layout->names);
  contprof_writer_refer(writer, image->names, (uint64_t)(image->names_end - image->names));
  if (image->covers) {
    contprof_writer_skip(writer, contprof_padding((uint64_t)(image->names_end - image->names)));
    contprof_writer_refer(writer, contprof_cover_blob, CONTPROF_COVER_SIZE);
  }
  skip_to(writer, layout->vtables);
  put_vtables(writer, image);
  skip_to(writer, layout->vtable_names);
  contprof_writer_refer(writer, image->vtable_names,
                        (uint64_t)(image->vtable_names_end - image->vtable_names));
}

int contprof_image_write(const struct contprof_image *image, const struct contprof_layout *layout,
                         const struct contprof_owner *owner, int fd, char *memory) {
  struct contprof_writer writer;
  begin(&writer, fd, memory);
  put_head(image, layout, &writer);
  put_data(&writer, image);
  contprof_writer_put(&writer, owner, sizeof *owner);
  skip_to(&writer, layout->counters);
  put_nothing_counted(&writer, image);
  put_names(image, layout, &writer);
  skip_to(&writer, layout->values);
  contprof_values_write(image, &writer);
  contprof_writer_flush(&writer);
  return writer.error;
}

bool contprof_image_matches(const struct contprof_image *image,
                            const struct contprof_layout *layout, char *file,
                            enum contprof_parts parts) {
  struct contprof_writer writer;
  begin(&writer, -1, file);
  writer.compare = true;
  put_head(image, layout, &writer);
  if (parts != CONTPROF_HEAD)
    put_data(&writer, image);
  if (parts == CONTPROF_ALL_PARTS) {
    put_names(image, layout, &writer);
    skip_to(&writer, layout->values);
    contprof_values_write(image, &writer);
  }
  return !writer.differs;
}

void contprof_image_zero(const struct contprof_image *image, const struct contprof_layout *layout,
                         char *memory) {
  contprof_timestamps_restart();
  memset(memory + layout->counters, CONTPROF_BYTE_COUNTERS(image->version) ? 0xff : 0,
         contprof_image_counters_size(image));
  memset(memory + layout->bitmap, 0, contprof_image_bitmap_size(image));
}
