// The key-value store that all workers share: a fixed amount of memory, mapped before the first
// fork, so that any worker serves any key. Entries may expire; when a shard is full, its least
// recently used entry makes room. Times are milliseconds of CLOCK_MONOTONIC, passed in by the
// caller. Every function may be called from every process at any time; a process that dies inside
// one costs the entries of one shard, never the store.
#ifndef KVD_STORE_H
#define KVD_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_KEY_MAX = 64, STORE_VALUE_MAX = 192 }; // bytes

// `expires` of an entry that stays until it is deleted or evicted.
#define STORE_FOREVER INT64_MAX

// Bytes somewhere else: not owned, no NUL at the end.
struct slice {
  const char *bytes;
  size_t length;
};

// What has happened since the store was made; sums over all workers.
struct store_stats {
  uint64_t hits;    // gets that found their key
  uint64_t misses;  // gets that did not
  uint64_t sets;    // entries written
  uint64_t expired; // entries dropped because their time was over
  uint64_t evicted; // entries dropped to make room
  uint64_t resets;  // shards emptied because a process died while changing one
};

struct store;

// Maps an empty store, shared with all later children. NULL with errno set on failure.
struct store *store_create(void);

// Copies the value of `key` into `value` (STORE_VALUE_MAX bytes) and makes the entry the most
// recently used. Returns the value's length, or -1 if there is no such key.
int store_get(struct store *store, struct slice key, int64_t now, char *value);

// Stores or replaces. The key has 1 to STORE_KEY_MAX bytes, the value at most STORE_VALUE_MAX.
void store_set(struct store *store, struct slice key, struct slice value, int64_t now,
               int64_t expires);

// Returns whether the key was there.
bool store_delete(struct store *store, struct slice key, int64_t now);

// Entries whose key matches `pattern` (see glob.h), those left out whose time is over.
uint64_t store_count(struct store *store, struct slice pattern, int64_t now);

struct store_stats store_stats(struct store *store);

#endif
