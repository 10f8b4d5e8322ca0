// What the fuzz targets of sample profiles do with what has been read.
#ifndef CONTPROF_TEST_FUZZ_SAMPLE_H
#define CONTPROF_TEST_FUZZ_SAMPLE_H

#include "tools/sample/sample_format.h"

// Reads the bytes if they are of one of the formats that `wanted` is true for. Of a profile: merges
// it with itself, summarises it, and writes it in `options->format`, which must be read again as
// what is then written the same.
void contprof_fuzz_sample(const uint8_t *bytes, size_t size,
                          bool (*wanted)(const uint8_t *bytes, size_t size),
                          const struct contprof_sample_write_options *options);

#endif
