// seeds KIND DIRECTORY: writes small profiles of a kind (raw, indexed, text), in all of its
// versions and shapes, for a fuzzer to begin with.
#include "test/unit/tools/made_profile.h"
#include "test/unit/tools/raw_bytes.h"
#include "tools/instr/indexed_writer.h"
#include "tools/instr/text_writer.h"

#include <stdio.h>
#include <stdlib.h>

static void put(const char *directory, unsigned number, const void *bytes, size_t size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/seed-%u", directory, number);
  FILE *file = fopen(path, "w");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
    exit(1);
}

static void put_raw(const char *directory) {
  for (unsigned i = 0; i < 96; i++) {
    struct raw_bytes raw = {.version = 8 + i % 3,
                            .pointer_size = i / 3 % 2 ? 4 : 8,
                            .big_endian = i / 6 % 2,
                            .coverage = i / 12 % 2,
                            .compressed = i / 24 % 2,
                            .temporal = i / 48 % 2};
    raw_put_image(&raw);
    put(directory, i, raw.bytes, raw.size);
  }
}

static void put_made(const char *directory, bool text) {
  for (unsigned i = 0; i < 16; i++) {
    struct made_shape shape = {.functions = 1 + i % 4,
                               .values = i / 4 % 2,
                               .vtables = !text && i % 8 == 7,
                               .bitmaps = i % 8 >= 6};
    struct contprof_profile profile = {0};
    struct contprof_byte_writer out = {0};
    struct contprof_error error;
    contprof_error_clear(&error);
    made_profile(&profile, &shape);
    if (i % 2) {
      profile.variant |= CONTPROF_VARIANT_TEMPORAL;
      contprof_profile_add_trace(&profile, 1, &profile.functions[0]->name_ref, 1);
      profile.trace_stream = 1;
    }
    contprof_profile_sort(&profile);
    bool ok = text ? contprof_text_write(&profile, &out, &error)
                   : contprof_indexed_write(&profile, i % 2 ? 10 + i % 3 : 5 + i % 8, false, &out,
                                            &error);
    if (ok)
      put(directory, i, out.bytes, out.size);
    contprof_byte_writer_free(&out);
    contprof_profile_free(&profile);
  }
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  if (strcmp(argv[1], "raw") == 0)
    put_raw(argv[2]);
  else
    put_made(argv[2], strcmp(argv[1], "text") == 0);
  return 0;
}
