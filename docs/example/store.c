// Shards of chained hash tables. Entries refer to each other by slot number, so the memory needs
// no fixed address. Each shard has a robust lock: when a process is killed with the lock in its
// hands, the next one to want it learns so, and empties the shard, whose lists may be half changed.
#include "store.h"

#include "glob.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { SHARDS = 16, SLOTS = 2048, BUCKETS = 4096 };

// No slot; slot 0 is never given out and heads the list of use.
enum { NONE = 0 };

struct entry {
  int64_t expires; // when it is gone, or STORE_FOREVER
  uint64_t hash;   // of the key
  uint32_t chain;  // next slot of the same bucket, or of the free list
  uint32_t newer;  // neighbours in the order of use, a ring through slot 0:
  uint32_t older;  // slot 0's `older` is the newest entry, its `newer` the oldest
  uint8_t key_length;
  uint8_t value_length;
  char key[STORE_KEY_MAX];
  char value[STORE_VALUE_MAX];
};

struct shard {
  pthread_mutex_t lock;
  uint32_t free;             // first free slot
  struct store_stats stats;  // of this shard
  uint32_t buckets[BUCKETS]; // first slot of each chain
  struct entry entries[SLOTS + 1];
};

struct store {
  struct shard shards[SHARDS];
};

static void shard_empty(struct shard *shard) {
  memset(shard->buckets, 0, sizeof shard->buckets);
  for (uint32_t slot = 1; slot <= SLOTS; slot++)
    shard->entries[slot].chain = slot < SLOTS ? slot + 1 : NONE;
  shard->free = 1;
  shard->entries[0].newer = shard->entries[0].older = 0;
}

struct store *store_create(void) {
  struct store *store =
      mmap(NULL, sizeof *store, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (store == MAP_FAILED)
    return NULL;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  for (int i = 0; i < SHARDS; i++) {
    pthread_mutex_init(&store->shards[i].lock, &attributes);
    shard_empty(&store->shards[i]);
  }
  pthread_mutexattr_destroy(&attributes);
  return store;
}

// FNV-1a, 64 bits, its high half folded in: the low bits pick the shard, the ones above the bucket.
static uint64_t hash_of(struct slice key) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < key.length; i++)
    hash = (hash ^ (unsigned char)key.bytes[i]) * UINT64_C(0x100000001b3);
  return hash ^ hash >> 32;
}

static uint32_t *bucket_of(struct shard *shard, uint64_t hash) {
  return &shard->buckets[hash / SHARDS % BUCKETS];
}

static struct shard *shard_lock(struct store *store, uint64_t hash) {
  struct shard *shard = &store->shards[hash % SHARDS];
  if (pthread_mutex_lock(&shard->lock) == EOWNERDEAD) {
    shard_empty(shard);
    shard->stats.resets++;
    pthread_mutex_consistent(&shard->lock);
  }
  return shard;
}

static void shard_unlock(struct shard *shard) {
  pthread_mutex_unlock(&shard->lock);
}

static void use_unlink(struct shard *shard, struct entry *entry) {
  shard->entries[entry->older].newer = entry->newer;
  shard->entries[entry->newer].older = entry->older;
}

static void use_newest(struct shard *shard, uint32_t slot) {
  struct entry *head = &shard->entries[0], *entry = &shard->entries[slot];
  entry->newer = 0;
  entry->older = head->older;
  shard->entries[head->older].newer = slot;
  head->older = slot;
}

// Takes the entry that `link` refers to out of its chain, and frees it.
static void entry_remove(struct shard *shard, uint32_t *link) {
  uint32_t slot = *link;
  struct entry *entry = &shard->entries[slot];
  *link = entry->chain;
  use_unlink(shard, entry);
  entry->chain = shard->free;
  shard->free = slot;
}

static bool key_equals(const struct entry *entry, uint64_t hash, struct slice key) {
  return entry->hash == hash && entry->key_length == key.length &&
         memcmp(entry->key, key.bytes, key.length) == 0;
}

// The link to the key's entry, or the one at the end of the chain. An entry whose time is over is
// dropped on the way.
static uint32_t *entry_find(struct shard *shard, uint64_t hash, struct slice key, int64_t now) {
  uint32_t *link = bucket_of(shard, hash);
  while (*link != NONE) {
    struct entry *entry = &shard->entries[*link];
    if (entry->expires <= now) {
      entry_remove(shard, link);
      shard->stats.expired++;
    } else if (key_equals(entry, hash, key)) {
      break;
    } else {
      link = &entry->chain;
    }
  }
  return link;
}

static void evict_oldest(struct shard *shard) {
  uint32_t slot = shard->entries[0].newer;
  uint32_t *link = bucket_of(shard, shard->entries[slot].hash);
  while (*link != slot)
    link = &shard->entries[*link].chain;
  entry_remove(shard, link);
  shard->stats.evicted++;
}

// A new entry for `key`, the newest of its shard, at the head of its chain.
static struct entry *entry_insert(struct shard *shard, uint64_t hash, struct slice key) {
  if (shard->free == NONE)
    evict_oldest(shard);
  uint32_t slot = shard->free, *bucket = bucket_of(shard, hash);
  struct entry *entry = &shard->entries[slot];
  shard->free = entry->chain;
  entry->chain = *bucket;
  *bucket = slot;
  entry->hash = hash;
  entry->key_length = (uint8_t)key.length;
  memcpy(entry->key, key.bytes, key.length);
  use_newest(shard, slot);
  return entry;
}

int store_get(struct store *store, struct slice key, int64_t now, char *value) {
  uint64_t hash = hash_of(key);
  struct shard *shard = shard_lock(store, hash);
  uint32_t slot = *entry_find(shard, hash, key, now);
  int length = -1;
  if (slot != NONE) {
    struct entry *entry = &shard->entries[slot];
    use_unlink(shard, entry);
    use_newest(shard, slot);
    length = entry->value_length;
    memcpy(value, entry->value, entry->value_length);
    shard->stats.hits++;
  } else {
    shard->stats.misses++;
  }
  shard_unlock(shard);
  return length;
}

void store_set(struct store *store, struct slice key, struct slice value, int64_t now,
               int64_t expires) {
  uint64_t hash = hash_of(key);
  struct shard *shard = shard_lock(store, hash);
  uint32_t slot = *entry_find(shard, hash, key, now);
  struct entry *entry = slot ? &shard->entries[slot] : entry_insert(shard, hash, key);
  entry->expires = expires;
  entry->value_length = (uint8_t)value.length;
  memcpy(entry->value, value.bytes, value.length);
  shard->stats.sets++;
  shard_unlock(shard);
}

bool store_delete(struct store *store, struct slice key, int64_t now) {
  uint64_t hash = hash_of(key);
  struct shard *shard = shard_lock(store, hash);
  uint32_t *link = entry_find(shard, hash, key, now);
  bool found = *link != NONE;
  if (found)
    entry_remove(shard, link);
  shard_unlock(shard);
  return found;
}

// From the oldest to the newest: the order of use holds all entries, and no free slot.
static uint64_t shard_count(const struct shard *shard, struct slice pattern, int64_t now) {
  uint64_t count = 0;
  for (uint32_t slot = shard->entries[0].newer; slot != 0; slot = shard->entries[slot].newer) {
    const struct entry *entry = &shard->entries[slot];
    if (entry->expires > now &&
        glob_matches(pattern, (struct slice){entry->key, entry->key_length}))
      count++;
  }
  return count;
}

uint64_t store_count(struct store *store, struct slice pattern, int64_t now) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < SHARDS; i++) {
    struct shard *shard = shard_lock(store, i);
    count += shard_count(shard, pattern, now);
    shard_unlock(shard);
  }
  return count;
}

struct store_stats store_stats(struct store *store) {
  struct store_stats sum = {0};
  for (uint64_t i = 0; i < SHARDS; i++) {
    struct shard *shard = shard_lock(store, i);
    sum.hits += shard->stats.hits;
    sum.misses += shard->stats.misses;
    sum.sets += shard->stats.sets;
    sum.expired += shard->stats.expired;
    sum.evicted += shard->stats.evicted;
    sum.resets += shard->stats.resets;
    shard_unlock(shard);
  }
  return sum;
}
