// From addresses in the profiled program to what the names of the things there are called in the
// profile. A zeroed struct is an empty map.
#ifndef CONTPROF_INSTR_ADDRESS_MAP_H
#define CONTPROF_INSTR_ADDRESS_MAP_H

#include <stddef.h>
#include <stdint.h>

struct contprof_address_range {
  uint64_t start;    // first address
  uint64_t size;     // bytes; the range may not wrap
  uint64_t name_ref; // of what is there
};

struct contprof_address_map {
  struct contprof_address_range *ranges; // owned
  size_t count;                          // of ranges
  size_t room;                           // private: allocated entries
};

void contprof_address_map_add(struct contprof_address_map *map, uint64_t start, uint64_t size,
                              uint64_t name_ref);

// To be called after the last addition, before the first look-up. Of several ranges with one start,
// that with the smallest reference remains, as in InstrProfSymtab.
void contprof_address_map_sort(struct contprof_address_map *map);

// The reference for `address`, 0 if nothing is known to be there.
uint64_t contprof_address_map_find(const struct contprof_address_map *map, uint64_t address);

void contprof_address_map_free(struct contprof_address_map *map);

#endif
