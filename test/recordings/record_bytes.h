// A growing buffer of bytes in the order of a recorded machine, for making recordings in tests.
#ifndef TEST_RECORDINGS_RECORD_BYTES_H
#define TEST_RECORDINGS_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_bytes {
  uint8_t *bytes; // owned
  size_t size;    // written
  size_t room;    // allocated
  bool big_endian;
};

void record_bytes_free(struct record_bytes *to);

void put_u8(struct record_bytes *to, uint8_t value);
void put_u16(struct record_bytes *to, uint16_t value);
void put_u32(struct record_bytes *to, uint32_t value);
void put_u64(struct record_bytes *to, uint64_t value);
void put_bytes(struct record_bytes *to, const void *bytes, size_t size);

// `size` bytes of zeros.
void put_zeros(struct record_bytes *to, size_t size);

// Zeros up to the next multiple of `alignment` bytes.
void put_alignment(struct record_bytes *to, size_t alignment);

// A text with a NUL, and zeros up to the next multiple of 8 bytes, as perf pads names.
void put_name(struct record_bytes *to, const char *text);

// A text as features have it: its size with the NUL and padding to 64 bytes, then it.
void put_string(struct record_bytes *to, const char *text);

// Overwrites the 16 bits at `at`.
void patch_u16(struct record_bytes *to, size_t at, uint16_t value);

#endif
