// Where claims begin and end there are edges: an AVL tree of them, by address. An edge has what
// begins there less what ends there, and what stands at an address is the sum of all edges up to
// it. So that a sum tells whether its claims agree, each place (image and slide) has a number, and
// an edge has of its claims how many they are, the sum of their numbers and that of the squares:
// n numbers are equal if, and only if, n times the sum of squares is the square of the sum (Cauchy
// and Schwarz).
#include "address_claims.h"

#include "../base/hash_mix.h"
#include "../base/memory.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

// Modulo 2^64 and 2^128: a sum over edges may be negative, one up to an address is not.
struct sums {
  wide squares;      // of the numbers of HERE claims
  uint64_t numbers;  // their sum; there are less than 2^32 claims and places
  uint64_t here;     // how many
  uint64_t mismatch; // of these
  uint64_t other;    // and of the rest
};

struct contprof_claims_edge {
  uint64_t address;
  struct sums own;
  struct sums all;                           // with those of both children
  struct contprof_claims_edge *left, *right; // of smaller and of greater addresses; owned
  int height;                                // 1 + that of the higher child
};

struct contprof_claims_place {
  uint64_t slide;
  uint32_t image;
};

// A path from the root is no longer than the logarithm of the number of edges.
static void free_edges(struct contprof_claims_edge *root) {
  if (!root)
    return;
  free_edges(root->left);
  free_edges(root->right);
  free(root);
}

void contprof_claims_free(struct contprof_claims *claims) {
  free_edges(claims->root);
  free(claims->places);
  free(claims->slots);
  *claims = (struct contprof_claims){0};
}

// --- numbers of places --------------------------------------------------------------------------

// The slot of a place, or the free one that it would have. What the hash is depends on where the
// table stands in memory: no recording can make its places collide.
static uint32_t *slot_of(const struct contprof_claims *claims,
                         const struct contprof_claims_place *place) {
  uint64_t hash = (place->slide ^ (uint64_t)(uintptr_t)claims->slots << 16) + place->image;
  size_t at = contprof_hash_mix(hash) & (claims->slot_count - 1);
  for (;; at = (at + 1) & (claims->slot_count - 1)) {
    uint32_t *slot = &claims->slots[at];
    const struct contprof_claims_place *there = *slot ? &claims->places[*slot - 1] : NULL;
    if (!there || (there->slide == place->slide && there->image == place->image))
      return slot;
  }
}

static void grow(struct contprof_claims *claims) {
  claims->slot_count = claims->slot_count ? 2 * claims->slot_count : 64;
  free(claims->slots);
  claims->slots = contprof_need(calloc(claims->slot_count, sizeof *claims->slots));
  claims->places =
      contprof_need_array(claims->places, claims->slot_count / 2, sizeof *claims->places);
  for (size_t i = 0; i < claims->place_count; i++)
    *slot_of(claims, &claims->places[i]) = (uint32_t)i + 1;
}

static uint32_t number_of(struct contprof_claims *claims, const struct contprof_map_range *range) {
  struct contprof_claims_place place = {range->slide, range->image};
  if (claims->place_count >= claims->slot_count / 2)
    grow(claims);
  uint32_t *slot = slot_of(claims, &place);
  if (!*slot) {
    claims->places[claims->place_count++] = place;
    *slot = (uint32_t)claims->place_count;
  }
  return *slot - 1;
}

// --- sums ---------------------------------------------------------------------------------------

static void add_sums(struct sums *to, const struct sums *more) {
  to->squares += more->squares;
  to->numbers += more->numbers;
  to->here += more->here;
  to->mismatch += more->mismatch;
  to->other += more->other;
}

static struct sums negative(const struct sums *sums) {
  return (struct sums){-sums->squares, -sums->numbers, -sums->here, -sums->mismatch, -sums->other};
}

static bool is_nothing(const struct sums *sums) {
  return !sums->squares && !sums->numbers && !sums->here && !sums->mismatch && !sums->other;
}

static struct sums sums_of(struct contprof_claims *claims, const struct contprof_map_range *range) {
  if (range->where == CONTPROF_WHERE_MISMATCH)
    return (struct sums){.mismatch = 1};
  if (range->where != CONTPROF_WHERE_HERE)
    return (struct sums){.other = 1};
  wide number = number_of(claims, range);
  return (struct sums){.squares = number * number, .numbers = (uint64_t)number, .here = 1};
}

// --- edges --------------------------------------------------------------------------------------

static int height_of(const struct contprof_claims_edge *edge) {
  return edge ? edge->height : 0;
}

static struct contprof_claims_edge *summed(struct contprof_claims_edge *edge) {
  int left = height_of(edge->left), right = height_of(edge->right);
  edge->height = 1 + (left > right ? left : right);
  edge->all = edge->own;
  if (edge->left)
    add_sums(&edge->all, &edge->left->all);
  if (edge->right)
    add_sums(&edge->all, &edge->right->all);
  return edge;
}

static struct contprof_claims_edge *turn_left(struct contprof_claims_edge *edge) {
  struct contprof_claims_edge *top = edge->right;
  edge->right = top->left;
  top->left = summed(edge);
  return summed(top);
}

static struct contprof_claims_edge *turn_right(struct contprof_claims_edge *edge) {
  struct contprof_claims_edge *top = edge->left;
  edge->left = top->right;
  top->right = summed(edge);
  return summed(top);
}

static struct contprof_claims_edge *balanced(struct contprof_claims_edge *edge) {
  int lean = height_of(edge->right) - height_of(edge->left);
  if (edge->right && lean > 1) {
    if (height_of(edge->right->left) > height_of(edge->right->right))
      edge->right = turn_right(edge->right);
    return turn_left(edge);
  }
  if (edge->left && lean < -1) {
    if (height_of(edge->left->right) > height_of(edge->left->left))
      edge->left = turn_left(edge->left);
    return turn_right(edge);
  }
  return summed(edge);
}

// Takes the edge of the smallest address out of a tree that is not empty; returns the rest.
static struct contprof_claims_edge *take_first(struct contprof_claims_edge *root,
                                               struct contprof_claims_edge **first) {
  if (!root->left) {
    *first = root;
    return root->right;
  }
  root->left = take_first(root->left, first);
  return balanced(root);
}

// What remains of a tree without its root.
static struct contprof_claims_edge *without_root(struct contprof_claims_edge *root) {
  struct contprof_claims_edge *left = root->left, *right = root->right, *first = NULL;
  free(root);
  if (!left || !right)
    return left ? left : right;
  right = take_first(right, &first);
  first->left = left;
  first->right = right;
  return balanced(first);
}

// Adds to the edge at an address, which comes or goes as need be.
static struct contprof_claims_edge *add_at(struct contprof_claims_edge *root, uint64_t address,
                                           const struct sums *more) {
  if (!root) {
    root = contprof_need(malloc(sizeof *root));
    *root = (struct contprof_claims_edge){.address = address, .own = *more};
  } else if (address < root->address) {
    root->left = add_at(root->left, address, more);
  } else if (address > root->address) {
    root->right = add_at(root->right, address, more);
  } else {
    add_sums(&root->own, more);
    if (is_nothing(&root->own))
      return without_root(root);
  }
  return balanced(root);
}

// --- claims -------------------------------------------------------------------------------------

void contprof_claims_add(struct contprof_claims *claims, const struct contprof_map_range *range) {
  struct sums begin = sums_of(claims, range), end = negative(&begin);
  claims->root = add_at(claims->root, range->start, &begin);
  claims->root = add_at(claims->root, range->end, &end);
}

void contprof_claims_remove(struct contprof_claims *claims,
                            const struct contprof_map_range *range) {
  struct sums end = sums_of(claims, range), begin = negative(&end);
  claims->root = add_at(claims->root, range->start, &begin);
  claims->root = add_at(claims->root, range->end, &end);
}

// The sum of all edges up to an address, and in `around` where the next ones are.
static struct sums sum_at(const struct contprof_claims *claims, uint64_t address,
                          struct contprof_map_range *around) {
  struct sums sum = {0};
  *around = (struct contprof_map_range){.end = UINT64_MAX};
  for (const struct contprof_claims_edge *at = claims->root; at;) {
    if (at->address > address) {
      around->end = at->address;
      at = at->left;
      continue;
    }
    around->start = at->address;
    add_sums(&sum, &at->own);
    if (at->left)
      add_sums(&sum, &at->left->all);
    at = at->right;
  }
  return sum;
}

static bool all_agree(const struct sums *sum) {
  return !sum->mismatch && !sum->other &&
         sum->here * sum->squares == (wide)sum->numbers * sum->numbers;
}

struct contprof_map_range contprof_claims_find(const struct contprof_claims *claims,
                                               uint64_t address) {
  struct contprof_map_range found;
  struct sums sum = sum_at(claims, address, &found);
  if (!sum.here) {
    found.where = sum.mismatch ? CONTPROF_WHERE_MISMATCH
                  : sum.other  ? CONTPROF_WHERE_OTHER
                               : CONTPROF_WHERE_UNMAPPED;
  } else if (all_agree(&sum)) {
    const struct contprof_claims_place *place = &claims->places[sum.numbers / sum.here];
    found.where = CONTPROF_WHERE_HERE;
    found.slide = place->slide;
    found.image = place->image;
  } else {
    found.where = CONTPROF_WHERE_AMBIGUOUS;
  }
  return found;
}
