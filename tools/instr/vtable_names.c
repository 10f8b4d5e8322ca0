#include "vtable_names.h"

#include "../base/compare_bytes.h"
#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SEPARATOR = 1 };

static int compare_names(const void *left_entry, const void *right_entry) {
  const struct contprof_name *left = left_entry, *right = right_entry;
  return contprof_compare_bytes(left->text, left->length, right->text, right->length);
}

static void join(const struct contprof_name_table *names, struct contprof_byte_writer *text) {
  struct contprof_name *sorted = contprof_need_array(NULL, names->count, sizeof *sorted);
  memcpy(sorted, names->names, names->count * sizeof *sorted);
  qsort(sorted, names->count, sizeof *sorted, compare_names);
  for (size_t i = 0; i < names->count; i++) {
    if (i)
      contprof_put_u8(text, SEPARATOR);
    contprof_put_bytes(text, sorted[i].text, sorted[i].length);
  }
  free(sorted);
}

static void put_blob(struct contprof_byte_writer *out, const struct contprof_byte_writer *text) {
  uLongf size = compressBound(text->size);
  Bytef *compressed = contprof_need(malloc(size));
  if (compress2(compressed, &size, text->bytes, text->size, Z_BEST_COMPRESSION) != Z_OK)
    contprof_need(NULL); // nothing else can go wrong with a buffer that large
  contprof_put_uleb128(out, text->size);
  contprof_put_uleb128(out, size);
  contprof_put_bytes(out, compressed, size);
  free(compressed);
}

void contprof_put_vtable_names(struct contprof_byte_writer *out,
                               const struct contprof_profile *profile) {
  struct contprof_byte_writer text = {0};
  size_t start = out->size;
  contprof_put_u64(out, 0);
  if (!profile->vtables.count)
    return;
  join(&profile->vtables, &text);
  put_blob(out, &text);
  contprof_byte_writer_free(&text);
  contprof_patch_u64(out, start, out->size - start - 8);
  contprof_put_padding(out, 8);
}
