// A treap (Seidel and Aragon, 1996) of disjoint pieces, by their first address; each piece has the
// different claims on it, with the number of processes that make them. Mostly that is one claim.
#include "address_claims.h"

#include "../base/memory.h"

#include <stdlib.h>

struct claim {
  struct claim *next;
  struct contprof_map_range what; // start and end mean nothing here
  uint64_t holders;               // processes
};

struct contprof_claims_piece {
  uint64_t start;
  uint64_t end;
  struct claim *claims;                       // not NULL; owned
  struct contprof_claims_piece *left, *right; // of smaller and of greater starts; owned
  uint32_t priority;                          // not less than those of `left` and `right`
};

static void free_piece(struct contprof_claims_piece *piece) {
  while (piece->claims) {
    struct claim *next = piece->claims->next;
    free(piece->claims);
    piece->claims = next;
  }
  free(piece);
}

static void free_tree(struct contprof_claims_piece *root) {
  if (!root)
    return;
  free_tree(root->left);
  free_tree(root->right);
  free_piece(root);
}

void contprof_claims_free(struct contprof_claims *claims) {
  free_tree(claims->root);
  *claims = (struct contprof_claims){0};
}

// The last piece that starts at or before `address`, or NULL.
static struct contprof_claims_piece *piece_before(const struct contprof_claims *claims,
                                                  uint64_t address) {
  struct contprof_claims_piece *at = claims->root, *best = NULL;
  while (at) {
    if (at->start <= address)
      best = at;
    at = at->start <= address ? at->right : at->left;
  }
  return best;
}

// The first piece that starts at or after `address`, or NULL.
static struct contprof_claims_piece *piece_after(const struct contprof_claims *claims,
                                                 uint64_t address) {
  struct contprof_claims_piece *at = claims->root, *best = NULL;
  while (at) {
    if (at->start >= address)
      best = at;
    at = at->start >= address ? at->left : at->right;
  }
  return best;
}

static struct contprof_claims_piece *insert(struct contprof_claims_piece *root,
                                            struct contprof_claims_piece *new) {
  if (!root)
    return new;
  if (new->start < root->start) {
    root->left = insert(root->left, new);
    if (root->left->priority <= root->priority)
      return root;
    struct contprof_claims_piece *top = root->left;
    root->left = top->right;
    top->right = root;
    return top;
  }
  root->right = insert(root->right, new);
  if (root->right->priority <= root->priority)
    return root;
  struct contprof_claims_piece *top = root->right;
  root->right = top->left;
  top->left = root;
  return top;
}

// One tree of two, all of whose pieces stand in order.
static struct contprof_claims_piece *join(struct contprof_claims_piece *left,
                                          struct contprof_claims_piece *right) {
  if (!left || !right)
    return left ? left : right;
  if (left->priority > right->priority) {
    left->right = join(left->right, right);
    return left;
  }
  right->left = join(left, right->left);
  return right;
}

static void take_out(struct contprof_claims *claims, struct contprof_claims_piece *piece) {
  struct contprof_claims_piece **link = &claims->root;
  while (*link != piece)
    link = piece->start < (*link)->start ? &(*link)->left : &(*link)->right;
  *link = join(piece->left, piece->right);
  free_piece(piece);
}

// Marsaglia's xorshift (2003).
static uint32_t next_priority(struct contprof_claims *claims) {
  uint32_t x = claims->random ? claims->random : 2463534242U;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return claims->random = x;
}

static struct contprof_claims_piece *add_piece(struct contprof_claims *claims, uint64_t start,
                                               uint64_t end) {
  struct contprof_claims_piece *piece = contprof_need(calloc(1, sizeof *piece));
  piece->start = start;
  piece->end = end;
  piece->priority = next_priority(claims);
  claims->root = insert(claims->root, piece);
  return piece;
}

static void add_claim(struct contprof_claims_piece *piece, const struct contprof_map_range *what,
                      uint64_t holders) {
  struct claim *claim = piece->claims;
  while (claim && !contprof_map_ranges_agree(&claim->what, what))
    claim = claim->next;
  if (!claim) {
    claim = contprof_need(calloc(1, sizeof *claim));
    *claim = (struct claim){.next = piece->claims, .what = *what};
    piece->claims = claim;
  }
  claim->holders += holders;
}

static void remove_claim(struct contprof_claims_piece *piece,
                         const struct contprof_map_range *what) {
  for (struct claim **link = &piece->claims; *link; link = &(*link)->next) {
    struct claim *claim = *link;
    if (!contprof_map_ranges_agree(&claim->what, what))
      continue;
    if (!--claim->holders) {
      *link = claim->next;
      free(claim);
    }
    return;
  }
}

// Makes two pieces of the one around `address`, unless one begins or ends there.
static void cut(struct contprof_claims *claims, uint64_t address) {
  struct contprof_claims_piece *piece = piece_before(claims, address);
  if (!piece || piece->start == address || piece->end <= address)
    return;
  struct contprof_claims_piece *rest = add_piece(claims, address, piece->end);
  piece->end = address;
  for (struct claim *claim = piece->claims; claim; claim = claim->next)
    add_claim(rest, &claim->what, claim->holders);
}

void contprof_claims_add(struct contprof_claims *claims, const struct contprof_map_range *range) {
  cut(claims, range->start);
  cut(claims, range->end);
  for (uint64_t at = range->start; at < range->end;) {
    struct contprof_claims_piece *piece = piece_after(claims, at);
    if (!piece || piece->start > at) {
      uint64_t end = piece && piece->start < range->end ? piece->start : range->end;
      piece = add_piece(claims, at, end);
    }
    add_claim(piece, range, 1);
    at = piece->end;
  }
}

void contprof_claims_remove(struct contprof_claims *claims,
                            const struct contprof_map_range *range) {
  cut(claims, range->start);
  cut(claims, range->end);
  struct contprof_claims_piece *piece = piece_after(claims, range->start);
  while (piece && piece->start < range->end) {
    uint64_t end = piece->end;
    remove_claim(piece, range);
    if (!piece->claims)
      take_out(claims, piece);
    piece = piece_after(claims, end);
  }
}

// The first claim of a kind on a piece, or NULL.
static const struct claim *claim_that(const struct contprof_claims_piece *piece,
                                      enum contprof_where where) {
  const struct claim *claim = piece->claims;
  while (claim && claim->what.where != where)
    claim = claim->next;
  return claim;
}

struct contprof_map_range contprof_claims_find(const struct contprof_claims *claims,
                                               uint64_t address) {
  const struct contprof_claims_piece *piece = piece_before(claims, address);
  if (!piece || piece->end <= address)
    return (struct contprof_map_range){.where = CONTPROF_WHERE_UNMAPPED};
  const struct claim *here = claim_that(piece, CONTPROF_WHERE_HERE);
  const struct claim *mismatch = claim_that(piece, CONTPROF_WHERE_MISMATCH);
  const struct claim *claim = here ? here : mismatch ? mismatch : piece->claims;
  struct contprof_map_range found = claim->what;
  found.start = piece->start;
  found.end = piece->end;
  if (here && piece->claims->next)
    found.where = CONTPROF_WHERE_AMBIGUOUS;
  return found;
}
