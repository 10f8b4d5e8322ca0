// A growing buffer of bytes in little-endian order, what LLVM's indexed profiles are written in.
// Offsets are bytes from the buffer's start. Memory exhaustion ends the process, as in arena.h.
#ifndef CONTPROF_BASE_BYTE_WRITER_H
#define CONTPROF_BASE_BYTE_WRITER_H

#include <stddef.h>
#include <stdint.h>

// Where the bytes of a large output can go before all of them are there.
struct contprof_byte_outlet {
  void (*append)(struct contprof_byte_outlet *outlet, const uint8_t *bytes, size_t size);
  // Overwrites what has been appended.
  void (*patch)(struct contprof_byte_outlet *outlet, size_t offset, const uint8_t *bytes,
                size_t size);
};

struct contprof_byte_writer {
  uint8_t *bytes;                      // those written less those handed on; owned
  size_t size;                         // written
  size_t room;                         // allocated
  size_t gone;                         // handed on to the outlet: the first ones written
  struct contprof_byte_outlet *outlet; // not owned; NULL: all bytes stay here
};

void contprof_put_u8(struct contprof_byte_writer *writer, uint8_t value);
void contprof_put_u16(struct contprof_byte_writer *writer, uint16_t value);
void contprof_put_u32(struct contprof_byte_writer *writer, uint32_t value);
void contprof_put_u64(struct contprof_byte_writer *writer, uint64_t value);
void contprof_put_u64s(struct contprof_byte_writer *writer, const uint64_t *values, size_t count);
void contprof_put_uleb128(struct contprof_byte_writer *writer, uint64_t value);
void contprof_put_bytes(struct contprof_byte_writer *writer, const void *bytes, size_t size);

// Zero bytes up to the next multiple of `alignment`, a power of two.
void contprof_put_padding(struct contprof_byte_writer *writer, size_t alignment);

// If there are many, hands what has been written on to the outlet. To be called where nothing is
// half written that is patched later.
void contprof_byte_writer_hand_on(struct contprof_byte_writer *writer);

// Overwrites the eight bytes at `offset`, which must have been written already.
void contprof_patch_u64(struct contprof_byte_writer *writer, size_t offset, uint64_t value);

// Frees the buffer; the writer is empty, without an outlet, and usable afterwards. A zeroed struct
// is an empty writer.
void contprof_byte_writer_free(struct contprof_byte_writer *writer);

#endif
