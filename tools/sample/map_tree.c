// AVL trees, made of parts and taken apart by joining (Blelloch, Ferizovic and Sun, "Just Join for
// Parallel Ordered Sets", 2016): no order of maps can make them deep. A function that takes a tree
// takes the caller's share of it, and gives one of its result. A node that has one holder is
// changed in place; of one with several a copy is.
#include "map_tree.h"

#include "../base/memory.h"

#include <stdlib.h>

enum { FIRST_SLAB = 64, LARGEST_SLAB = 4096 }; // nodes

struct contprof_map_slab {
  struct contprof_map_slab *next; // an older one
  size_t room;                    // of `nodes`
  size_t begun;                   // of them that have ever been in use
  struct contprof_map_node nodes[];
};

// --- nodes --------------------------------------------------------------------------------------

void contprof_map_nodes_free(struct contprof_map_nodes *nodes) {
  while (nodes->slabs) {
    struct contprof_map_slab *older = nodes->slabs->next;
    free(nodes->slabs);
    nodes->slabs = older;
  }
  *nodes = (struct contprof_map_nodes){0};
}

void contprof_map_nodes_watch(struct contprof_map_nodes *nodes, contprof_map_watcher *watcher,
                              void *context) {
  nodes->watcher = watcher;
  nodes->context = context;
  for (const struct contprof_map_slab *slab = nodes->slabs; slab; slab = slab->next)
    for (size_t i = 0; i < slab->begun; i++)
      if (slab->nodes[i].holders)
        watcher(context, &slab->nodes[i].range, true);
}

static void tell(const struct contprof_map_nodes *nodes, const struct contprof_map_range *range,
                 bool more) {
  if (nodes->watcher)
    nodes->watcher(nodes->context, range, more);
}

static void add_slab(struct contprof_map_nodes *nodes) {
  size_t room = nodes->slabs ? 2 * nodes->slabs->room : FIRST_SLAB;
  if (room > LARGEST_SLAB)
    room = LARGEST_SLAB;
  struct contprof_map_slab *slab =
      contprof_need(malloc(sizeof *slab + room * sizeof slab->nodes[0]));
  *slab = (struct contprof_map_slab){.next = nodes->slabs, .room = room};
  nodes->slabs = slab;
}

static struct contprof_map_node *new_node(struct contprof_map_nodes *nodes,
                                          const struct contprof_map_range *range) {
  struct contprof_map_node *node = nodes->free;
  if (node) {
    nodes->free = node->left;
  } else {
    if (!nodes->slabs || nodes->slabs->begun == nodes->slabs->room)
      add_slab(nodes);
    node = &nodes->slabs->nodes[nodes->slabs->begun++];
  }
  *node = (struct contprof_map_node){.range = *range, .holders = 1, .height = 1};
  nodes->in_use++;
  tell(nodes, range, true);
  return node;
}

struct contprof_map_node *contprof_map_tree_share(struct contprof_map_node *tree) {
  if (tree)
    tree->holders++;
  return tree;
}

void contprof_map_tree_drop(struct contprof_map_nodes *nodes, struct contprof_map_node *tree) {
  if (!tree || --tree->holders)
    return;
  tell(nodes, &tree->range, false);
  contprof_map_tree_drop(nodes, tree->left);
  contprof_map_tree_drop(nodes, tree->right);
  tree->left = nodes->free;
  nodes->free = tree;
  nodes->in_use--;
}

// A node that may be changed, in place of one that others may hold, too.
static struct contprof_map_node *own(struct contprof_map_nodes *nodes,
                                     struct contprof_map_node *node) {
  if (node->holders == 1)
    return node;
  struct contprof_map_node *copy = new_node(nodes, &node->range);
  copy->left = contprof_map_tree_share(node->left);
  copy->right = contprof_map_tree_share(node->right);
  copy->height = node->height;
  node->holders--;
  return copy;
}

static void set_end(const struct contprof_map_nodes *nodes, struct contprof_map_node *node,
                    uint64_t end) {
  tell(nodes, &node->range, false);
  node->range.end = end;
  tell(nodes, &node->range, true);
}

// --- balance ------------------------------------------------------------------------------------

static int height_of(const struct contprof_map_node *tree) {
  return tree ? tree->height : 0;
}

// Of a node whose children are right, its height.
static struct contprof_map_node *measured(struct contprof_map_node *node) {
  int left = height_of(node->left), right = height_of(node->right);
  node->height = (uint8_t)(1 + (left > right ? left : right));
  return node;
}

static struct contprof_map_node *turn_left(struct contprof_map_nodes *nodes,
                                           struct contprof_map_node *node) {
  struct contprof_map_node *top = own(nodes, node->right);
  node->right = top->left;
  top->left = measured(node);
  return measured(top);
}

static struct contprof_map_node *turn_right(struct contprof_map_nodes *nodes,
                                            struct contprof_map_node *node) {
  struct contprof_map_node *top = own(nodes, node->left);
  node->left = top->right;
  top->right = measured(node);
  return measured(top);
}

// Makes a tree of a node whose children's heights may differ by 2.
static struct contprof_map_node *balanced(struct contprof_map_nodes *nodes,
                                          struct contprof_map_node *node) {
  int lean = height_of(node->right) - height_of(node->left);
  if (lean > 1) {
    if (height_of(node->right->left) > height_of(node->right->right))
      node->right = turn_right(nodes, own(nodes, node->right));
    return turn_left(nodes, node);
  }
  if (lean < -1) {
    if (height_of(node->left->right) > height_of(node->left->left))
      node->left = turn_left(nodes, own(nodes, node->left));
    return turn_right(nodes, node);
  }
  return measured(node);
}

// The tree of `left`, the one range of `middle`, and `right`, in this order.
static struct contprof_map_node *join(struct contprof_map_nodes *nodes,
                                      struct contprof_map_node *left,
                                      struct contprof_map_node *middle,
                                      struct contprof_map_node *right) {
  if (height_of(left) > height_of(right) + 1) {
    left = own(nodes, left);
    left->right = join(nodes, left->right, middle, right);
    return balanced(nodes, left);
  }
  if (height_of(right) > height_of(left) + 1) {
    right = own(nodes, right);
    right->left = join(nodes, left, middle, right->left);
    return balanced(nodes, right);
  }
  middle->left = left;
  middle->right = right;
  return measured(middle);
}

// --- ranges -------------------------------------------------------------------------------------

struct halves {
  struct contprof_map_node *before, *after;
};

// What a tree has before `address`, and from it on; a range around it is in both.
static struct halves split(struct contprof_map_nodes *nodes, struct contprof_map_node *tree,
                           uint64_t address) {
  if (!tree)
    return (struct halves){0};
  struct contprof_map_node *node = own(nodes, tree), *left = node->left, *right = node->right;
  if (node->range.end <= address) {
    struct halves halves = split(nodes, right, address);
    halves.before = join(nodes, left, node, halves.before);
    return halves;
  }
  if (node->range.start >= address) {
    struct halves halves = split(nodes, left, address);
    halves.after = join(nodes, halves.after, node, right);
    return halves;
  }
  struct contprof_map_range rest = node->range;
  rest.start = address;
  set_end(nodes, node, address);
  return (struct halves){join(nodes, left, node, NULL),
                         join(nodes, NULL, new_node(nodes, &rest), right)};
}

// A range with its neighbours of which the same is known: the maps of a just-in-time compiler are
// many.
static struct contprof_map_range with_neighbours(const struct contprof_map_node *tree,
                                                 const struct contprof_map_range *range) {
  struct contprof_map_range whole = *range;
  const struct contprof_map_range *before = contprof_map_tree_find(tree, range->start - 1),
                                  *after = contprof_map_tree_find(tree, range->end);
  if (before && contprof_map_ranges_agree(before, range))
    whole.start = before->start;
  if (after && contprof_map_ranges_agree(after, range))
    whole.end = after->end;
  return whole;
}

void contprof_map_tree_put(struct contprof_map_nodes *nodes, struct contprof_map_node **tree,
                           const struct contprof_map_range *range) {
  const struct contprof_map_range *there = contprof_map_tree_find(*tree, range->start);
  if (there && there->end >= range->end && contprof_map_ranges_agree(there, range))
    return;
  struct contprof_map_range whole = with_neighbours(*tree, range);
  struct halves around = split(nodes, *tree, whole.start);
  struct halves over = split(nodes, around.after, whole.end);
  contprof_map_tree_drop(nodes, over.before);
  *tree = join(nodes, around.before, new_node(nodes, &whole), over.after);
}

const struct contprof_map_range *contprof_map_tree_find(const struct contprof_map_node *tree,
                                                        uint64_t address) {
  while (tree && (address < tree->range.start || address >= tree->range.end))
    tree = address < tree->range.start ? tree->left : tree->right;
  return tree ? &tree->range : NULL;
}
