// Memory that is given back all at once. A profile of a large program has a hundred thousand small
// arrays; one arena holds them with no allocation per function. Not thread-safe.
#ifndef CONTPROF_BASE_ARENA_H
#define CONTPROF_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct contprof_arena_block;

struct contprof_arena {
  struct contprof_arena_block *blocks; // newest first; owned
  size_t used;                         // bytes used of the newest block
};

// `count` times `size` bytes of zeros, aligned for any type. Ends the process with a message when
// memory runs out or the product overflows: the tools have nothing sensible left to do then. For
// counts read from a file, check them against the file's size first.
void *contprof_arena_zeros(struct contprof_arena *arena, size_t count, size_t size);

// A copy of `length` bytes with a NUL after them.
char *contprof_arena_string(struct contprof_arena *arena, const void *bytes, size_t length);

// Frees all; the arena is empty and usable afterwards. A zeroed struct is an empty arena.
void contprof_arena_free(struct contprof_arena *arena);

#endif
