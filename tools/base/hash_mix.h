// Spreads what is hashed over all bits of its hash.
#ifndef CONTPROF_BASE_HASH_MIX_H
#define CONTPROF_BASE_HASH_MIX_H

#include <stdint.h>

// The finaliser of Austin Appleby's MurmurHash3: each bit of `hash` changes about half of those
// that come out. Who must not choose what collides mixes in what he does not know, as a table's
// address.
static inline uint64_t contprof_hash_mix(uint64_t hash) {
  hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
  hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ hash >> 33;
}

#endif
