// Trees of what is mapped: replaced ranges, joined neighbours, sharing, and how deep and large they
// get.
#include "tools/base/mt19937.h"
#include "tools/sample/map_tree.h"

#include <criterion/criterion.h>

static struct contprof_map_nodes nodes;

static void leave(void) {
  contprof_map_nodes_free(&nodes);
}

TestSuite(map_tree, .fini = leave);

static void put(struct contprof_map_node **tree, uint64_t start, uint64_t end, uint64_t slide) {
  struct contprof_map_range range = {
      .start = start, .end = end, .slide = slide, .where = CONTPROF_WHERE_HERE};
  contprof_map_tree_put(&nodes, tree, &range);
}

static uint64_t slide_at(const struct contprof_map_node *tree, uint64_t address) {
  const struct contprof_map_range *found = contprof_map_tree_find(tree, address);
  return found ? found->slide : 0;
}

Test(map_tree, null_is_the_empty_tree) {
  cr_expect_null(contprof_map_tree_find(NULL, 0));
  cr_expect_null(contprof_map_tree_share(NULL));
  contprof_map_tree_drop(&nodes, NULL);
}

Test(map_tree, a_range_in_the_middle_makes_three) {
  struct contprof_map_node *tree = NULL;
  put(&tree, 100, 200, 1);
  put(&tree, 140, 160, 2);
  cr_expect_eq(nodes.in_use, 3);
  cr_expect_eq(slide_at(tree, 139), 1);
  cr_expect_eq(slide_at(tree, 140), 2);
  cr_expect_eq(slide_at(tree, 159), 2);
  cr_expect_eq(slide_at(tree, 160), 1);
  cr_expect_null(contprof_map_tree_find(tree, 200));
  contprof_map_tree_drop(&nodes, tree);
  cr_expect_eq(nodes.in_use, 0);
}

Test(map_tree, a_range_over_several_leaves_their_ends) {
  struct contprof_map_node *tree = NULL;
  put(&tree, 100, 120, 1);
  put(&tree, 130, 150, 2);
  put(&tree, 160, 180, 3);
  put(&tree, 110, 170, 4);
  cr_expect_eq(nodes.in_use, 3);
  cr_expect_eq(slide_at(tree, 109), 1);
  cr_expect_eq(slide_at(tree, 125), 4);
  cr_expect_eq(slide_at(tree, 169), 4);
  cr_expect_eq(slide_at(tree, 170), 3);
}

Test(map_tree, neighbours_that_agree_become_one) {
  struct contprof_map_node *tree = NULL;
  for (uint64_t i = 0; i < 1000; i += 2)
    put(&tree, i * 10, i * 10 + 10, 7);
  cr_expect_eq(nodes.in_use, 500);
  for (uint64_t i = 1; i < 1000; i += 2)
    put(&tree, i * 10, i * 10 + 10, 7);
  cr_expect_eq(nodes.in_use, 1);
  cr_expect_eq(tree->range.end, 10000);
}

Test(map_tree, a_change_leaves_other_holders_alone) {
  struct contprof_map_node *parent = NULL;
  put(&parent, 100, 200, 1);
  struct contprof_map_node *child = contprof_map_tree_share(parent);
  cr_expect_eq(child, parent);
  put(&child, 120, 130, 1); // nothing new
  cr_expect_eq(child, parent);
  put(&child, 100, 150, 2);
  cr_expect_eq(slide_at(parent, 120), 1);
  cr_expect_eq(slide_at(child, 120), 2);
  cr_expect_eq(slide_at(child, 170), 1);
  contprof_map_tree_drop(&nodes, parent);
  contprof_map_tree_drop(&nodes, child);
  cr_expect_eq(nodes.in_use, 0);
}

// Returns the height, of which AVL trees have at most 1.44 times the logarithm.
static int checked(const struct contprof_map_node *tree, uint64_t from, uint64_t to) {
  if (!tree)
    return 0;
  cr_assert(from <= tree->range.start && tree->range.start < tree->range.end &&
            tree->range.end <= to);
  cr_assert_geq(tree->holders, 1);
  int left = checked(tree->left, from, tree->range.start);
  int right = checked(tree->right, tree->range.end, to);
  cr_assert(left - right <= 1 && right - left <= 1);
  cr_assert_eq(tree->height, 1 + (left > right ? left : right));
  return tree->height;
}

Test(map_tree, no_order_makes_it_deep) {
  struct contprof_map_node *up = NULL, *down = NULL;
  for (uint64_t i = 1; i <= 10000; i++) {
    put(&up, i * 10, i * 10 + 5, i);
    put(&down, 1000000 - i * 10, 1000000 - i * 10 + 5, i);
  }
  cr_expect_leq(checked(up, 0, UINT64_MAX), 19);
  cr_expect_leq(checked(down, 0, UINT64_MAX), 19);
}

// Ten thousand children of a process with two thousand maps, each with a map of its own.
Test(map_tree, forks_cost_what_they_change) {
  enum { MAPS = 2000, FORKS = 10000 };
  struct contprof_map_node *parent = NULL;
  for (uint64_t i = 0; i < MAPS; i++)
    put(&parent, i * 10, i * 10 + 5, i);
  for (uint64_t i = 0; i < FORKS; i++) {
    struct contprof_map_node *child = contprof_map_tree_share(parent);
    put(&child, i * 7 % MAPS * 10 + 2, i * 7 % MAPS * 10 + 8, MAPS + i);
    cr_assert_eq(slide_at(child, i * 7 % MAPS * 10 + 7), MAPS + i);
  }
  cr_expect_leq(nodes.in_use, MAPS + FORKS * 20); // a path of 13 or less, twice, with common parts
}

enum { TREES = 12, ADDRESSES = 200, ROUNDS = 20000 };

static size_t watched[ADDRESSES][4]; // ranges of each slide around an address

static void watch(void *context, const struct contprof_map_range *range, bool more) {
  (void)context;
  for (uint64_t i = range->start; i < range->end; i++)
    watched[i][range->slide] += more ? 1 : -(size_t)1;
}

// What is watched is what some tree has.
static void expect_watched(uint8_t plain[TREES][ADDRESSES]) {
  for (int i = 0; i < ADDRESSES; i++)
    for (uint8_t slide = 1; slide < 4; slide++) {
      bool there = false;
      for (int tree = 0; tree < TREES; tree++)
        there |= plain[tree][i] == slide;
      cr_assert_eq(watched[i][slide] > 0, there, "address %d, %u", i, slide);
    }
}

Test(map_tree, as_plain_arrays) {
  static uint8_t plain[TREES][ADDRESSES]; // slides; 0: nothing is there
  struct contprof_map_node *trees[TREES] = {0};
  struct contprof_mt19937 dice = {0};
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t to = contprof_mt19937_below(&dice, TREES), from = contprof_mt19937_below(&dice, TREES);
    if (contprof_mt19937_below(&dice, 4) == 0) {
      struct contprof_map_node *before = trees[to];
      trees[to] = contprof_map_tree_share(trees[from]);
      contprof_map_tree_drop(&nodes, before);
      memmove(plain[to], plain[from], ADDRESSES);
    } else {
      uint32_t start = contprof_mt19937_below(&dice, ADDRESSES);
      uint32_t size = 1 + contprof_mt19937_below(&dice, (ADDRESSES - start) / 3 + 1);
      uint8_t slide = (uint8_t)(1 + contprof_mt19937_below(&dice, 3));
      size = size > ADDRESSES - start ? ADDRESSES - start : size;
      put(&trees[to], start, start + size, slide);
      memset(&plain[to][start], slide, size);
    }
    for (uint64_t i = 0; i < ADDRESSES; i++)
      cr_assert_eq(slide_at(trees[to], i), plain[to][i]);
    checked(trees[to], 0, ADDRESSES);
    if (round == ROUNDS / 10)
      contprof_map_nodes_watch(&nodes, watch, NULL);
    if (round >= ROUNDS / 10 && round % 100 == 0)
      expect_watched(plain);
  }
  for (int i = 0; i < TREES; i++)
    contprof_map_tree_drop(&nodes, trees[i]);
  cr_expect_eq(nodes.in_use, 0);
}
