#include "perf_inflate.h"

#include "../base/memory.h"

#include <inttypes.h>
#include <zstd.h>

// A record holds a part of one ring buffer, whose size the feature COMPRESSED tells. Where it does
// not, perf itself reads nothing; this is 128 times the usual size.
#define PIECE_MAX (UINT64_C(64) << 20) // bytes

void contprof_perf_inflater_free(struct contprof_perf_inflater *inflater) {
  ZSTD_freeDCtx(inflater->context);
  inflater->context = NULL;
}

void contprof_perf_inflater_give(struct contprof_perf_inflater *inflater, const uint8_t *bytes,
                                 size_t size, uint64_t offset, uint64_t most) {
  if (!inflater->context)
    inflater->context = contprof_need(ZSTD_createDCtx());
  inflater->input = bytes;
  inflater->size = size;
  inflater->used = 0;
  inflater->left = most ? most : PIECE_MAX;
  inflater->offset = offset;
}

size_t contprof_perf_inflater_fill(void *source, uint8_t *into, size_t room,
                                   struct contprof_error *error) {
  struct contprof_perf_inflater *inflater = source;
  ZSTD_inBuffer input = {inflater->input, inflater->size, inflater->used};
  ZSTD_outBuffer output = {into, room, 0};
  size_t status = 0;
  do {
    size_t before = input.pos;
    status = ZSTD_decompressStream(inflater->context, &output, &input);
    if (!ZSTD_isError(status) && input.pos == before && !output.pos)
      break; // all that can be had
  } while (!ZSTD_isError(status) && !output.pos);
  inflater->used = input.pos;
  if (ZSTD_isError(status)) {
    contprof_fail(error, CONTPROF_CORRUPT, inflater->file, "compressed record", inflater->offset,
                  "zstd can't decompress it: %s", ZSTD_getErrorName(status));
    return 0;
  }
  if (output.pos > inflater->left) {
    contprof_fail(error, CONTPROF_CORRUPT, inflater->file, "compressed record", inflater->offset,
                  "it comes to more than a record can hold");
    return 0;
  }
  inflater->left -= output.pos;
  return output.pos;
}
