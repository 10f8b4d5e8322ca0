#include "table_order.h"

#include <string.h>

// A new item goes to the head of its bucket, and growing walks the old chains from their heads,
// which turns them round.

#define NONE SIZE_MAX

struct link {
  uint64_t hash;
  size_t next;         // in its bucket, or NONE
  size_t first, count; // functions of the name
};

struct chains {
  size_t *heads; // bucket_count of them: the first link's number, or NONE; in the arena
  size_t bucket_count;
  struct link *links; // one for each name, in the profile's order; in the arena
  size_t link_count;
  struct contprof_arena arena;
};

static void put_first(struct chains *chains, size_t link) {
  size_t *head = &chains->heads[chains->links[link].hash & (chains->bucket_count - 1)];
  chains->links[link].next = *head;
  *head = link;
}

static void resize(struct chains *chains, size_t bucket_count) {
  size_t *old_heads = chains->heads, old_count = chains->bucket_count;
  chains->heads = contprof_arena_zeros(&chains->arena, bucket_count, sizeof *chains->heads);
  chains->bucket_count = bucket_count;
  memset(chains->heads, 0xff, bucket_count * sizeof *chains->heads);
  for (size_t i = 0; i < old_count; i++)
    for (size_t link = old_heads[i], next; link != NONE; link = next) {
      next = chains->links[link].next;
      put_first(chains, link);
    }
}

static void find_names(struct chains *chains, const struct contprof_profile *profile) {
  size_t count = profile->function_count;
  chains->links = contprof_arena_zeros(&chains->arena, count, sizeof *chains->links);
  for (size_t i = 0; i < count; i++) {
    const struct contprof_function *function = profile->functions[i];
    contprof_profile_send_ahead(profile, i);
    if (!i || !contprof_function_same_name(function, profile->functions[i - 1]))
      chains->links[chains->link_count++] = (struct link){.hash = function->name_ref, .first = i};
    chains->links[chains->link_count - 1].count++;
  }
}

// The least power of two above `number`, as NextPowerOf2.
static size_t power_above(size_t number) {
  size_t power = 1;
  while (power <= number)
    power *= 2;
  return power;
}

static void chain_names(struct chains *chains) {
  resize(chains, 64);
  for (size_t link = 0; link < chains->link_count; link++) {
    if (4 * (link + 1) >= 3 * chains->bucket_count)
      resize(chains, chains->bucket_count * 2);
    put_first(chains, link);
  }
  size_t count = chains->link_count, wanted = count <= 2 ? 1 : power_above(count * 4 / 3);
  if (wanted != chains->bucket_count)
    resize(chains, wanted);
}

// In the table's order nothing lies beside what comes after it. So that order is laid out, for
// whoever goes through it to be able to ask for what comes later.
static void lay_out(struct contprof_table_order *order, const struct chains *chains,
                    const struct contprof_profile *profile) {
  struct contprof_table_item *next =
      contprof_arena_zeros(&order->arena, chains->link_count, sizeof *next);
  *order = (struct contprof_table_order){.items = next,
                                         .item_count = chains->link_count,
                                         .bucket_count = chains->bucket_count,
                                         .arena = order->arena};
  for (size_t i = 0; i < chains->bucket_count; i++)
    for (size_t link = chains->heads[i]; link != NONE; link = chains->links[link].next) {
      const struct link *from = &chains->links[link];
      *next++ = (struct contprof_table_item){
          .hash = from->hash,
          .function = profile->functions[from->first],
          .functions = (const struct contprof_function *const *)profile->functions + from->first,
          .count = from->count};
      order->most = from->count > order->most ? from->count : order->most;
    }
}

void contprof_table_order_make(struct contprof_table_order *order,
                               const struct contprof_profile *profile) {
  struct chains chains = {.heads = NULL};
  *order = (struct contprof_table_order){.items = NULL};
  find_names(&chains, profile);
  chain_names(&chains);
  lay_out(order, &chains, profile);
  contprof_arena_free(&chains.arena);
}

void contprof_table_order_free(struct contprof_table_order *order) {
  contprof_arena_free(&order->arena);
  *order = (struct contprof_table_order){.items = NULL};
}
