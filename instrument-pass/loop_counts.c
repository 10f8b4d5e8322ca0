// In reading order: the blocks of a function and its updates of counters; what the blocks are to
// one loop; the loop's sums; their way to the counters; the entry points. See loop_counts.h.
#include "loop_counts.h"

#include "counter_update.h"
#include "grown_array.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Registers are few, and each sum is added to its counter at each place where the loop can be left.
enum { MOST_SUMS = 20, MOST_ADDITIONS = 60 };

// What a block is to the loop at hand.
enum part {
  OUTSIDE, // not in it
  BARRIER, // in it, but no sum may be pending there: it calls, or is of an inner loop or before one
  PLAIN,   // in it
};

struct block {
  LLVMBasicBlockRef block; // this
  int loop;                // the innermost that it is in, or CONTPROF_NO_LOOP
  bool calls;              // what might not come back
  enum part part;          // this and all below are of the loop at hand
  bool reached;            // from the loop's header, through plain blocks
  bool returns;            // to the header, through plain blocks
  bool pending;            // sums may be other than 0 where it ends
  bool adds;               // sums go to their counters where it begins
};

struct found {
  struct contprof_update update;
  size_t block; // index of its block
};

// What the loop at hand has added to a counter.
struct sum {
  struct contprof_counter counter;
  LLVMValueRef slot; // an alloca; 0 whenever nothing is pending
  bool atomic;       // goes to the counter by an atomic addition
};

// One function's.
struct gathering {
  struct contprof_loops *loops;
  LLVMContextRef context;
  LLVMValueRef function;
  LLVMBuilderRef builder;       // owned
  struct block *blocks;         // in the order of the function; owned
  size_t *by_address;           // indices of blocks, in the order of their addresses; owned
  size_t block_count;           // of both
  struct found *found;          // in the order of instructions; owned
  size_t found_count;           // used of `found`
  size_t found_room;            // allocated of `found`
  struct sum sums[MOST_SUMS];   // of the loop at hand
  size_t sum_count;             // used of `sums`
  LLVMValueRef *slots;          // of all loops; owned
  size_t slot_count, slot_room; // used and allocated of `slots`
};

// ---- Blocks and updates

static bool might_not_return(LLVMValueRef instruction) {
  // The runtime's, in place of LLVM's: they count a value, and that is all.
  static const char values[] = "__llvm_profile_instrument_";
  if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction) &&
      LLVMGetInstructionOpcode(instruction) != LLVMCallBr)
    return false;
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(instruction));
  size_t length;
  if (callee && strncmp(LLVMGetValueName2(callee, &length), values, sizeof values - 1) == 0)
    return false;
  return !contprof_call_returns(instruction);
}

static void collect_block(struct gathering *all, size_t index) {
  struct block *block = &all->blocks[index];
  block->loop = contprof_loop_of(all->loops, block->block);
  for (LLVMValueRef each = LLVMGetFirstInstruction(block->block); each;
       each = LLVMGetNextInstruction(each)) {
    struct found found = {.block = index};
    block->calls |= might_not_return(each);
    if (block->loop == CONTPROF_NO_LOOP || !contprof_is_update(each, &found.update))
      continue;
    all->found = contprof_grown(all->found, all->found_count, &all->found_room, sizeof *all->found);
    all->found[all->found_count++] = found;
  }
}

static int compare_addresses(const void *left, const void *right, void *blocks) {
  const struct block *of = blocks;
  uintptr_t a = (uintptr_t)of[*(const size_t *)left].block;
  uintptr_t b = (uintptr_t)of[*(const size_t *)right].block;
  return (a > b) - (a < b);
}

static void collect(struct gathering *all) {
  size_t index = 0;
  all->block_count = LLVMCountBasicBlocks(all->function);
  all->blocks = calloc(all->block_count, sizeof *all->blocks);
  all->by_address = calloc(all->block_count, sizeof *all->by_address);
  if (!all->blocks || !all->by_address)
    abort();
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(all->function); block;
       block = LLVMGetNextBasicBlock(block), index++) {
    all->by_address[index] = index;
    all->blocks[index].block = block;
    collect_block(all, index);
  }
  qsort_r(all->by_address, all->block_count, sizeof *all->by_address, compare_addresses,
          all->blocks);
}

static struct block *block_of(struct gathering *all, LLVMBasicBlockRef wanted) {
  size_t low = 0, high = all->block_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    bool below = (uintptr_t)wanted < (uintptr_t)all->blocks[all->by_address[middle]].block;
    *(below ? &high : &low) = middle;
  }
  return &all->blocks[all->by_address[low]];
}

static unsigned successors(const struct block *block) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block->block));
}

static struct block *successor(struct gathering *all, const struct block *block, unsigned index) {
  return block_of(all, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block->block), index));
}

// ---- What the blocks are to one loop

static enum part part_of(struct gathering *all, int loop, const struct block *block) {
  if (!contprof_loop_contains(all->loops, loop, block->block))
    return OUTSIDE;
  if (block->loop != loop || block->calls)
    return BARRIER;
  for (unsigned i = 0; i < successors(block); i++) {
    struct block *next = successor(all, block, i);
    if (next->loop != loop && contprof_loop_contains(all->loops, loop, next->block))
      return BARRIER;
  }
  return PLAIN;
}

// One look at a block for each of these; whether it learnt something. They are repeated until none
// does.
typedef bool look(struct gathering *all, struct block *block, const struct block *header);

static bool look_forward(struct gathering *all, struct block *block, const struct block *header) {
  bool learnt = false;
  if (block == header && !block->reached)
    learnt = block->reached = true;
  for (unsigned i = 0; block->reached && i < successors(block); i++) {
    struct block *next = successor(all, block, i);
    if (next->part == PLAIN && !next->reached)
      learnt = next->reached = true;
  }
  return learnt;
}

static bool look_back(struct gathering *all, struct block *block, const struct block *header) {
  if (block->returns)
    return false;
  for (unsigned i = 0; !block->returns && i < successors(block); i++) {
    struct block *next = successor(all, block, i);
    block->returns = next == header || (next->part == PLAIN && next->returns);
  }
  return block->returns;
}

static bool look_on(struct gathering *all, struct block *block, const struct block *header) {
  bool learnt = false;
  (void)header;
  for (unsigned i = 0; block->pending && i < successors(block); i++) {
    struct block *next = successor(all, block, i);
    if (next->part == PLAIN && !next->pending)
      learnt = next->pending = true;
    if (next->part != PLAIN)
      next->adds = true;
  }
  return learnt;
}

static void repeat(struct gathering *all, look *look, const struct block *header) {
  bool learnt = true;
  while (learnt) {
    learnt = false;
    for (size_t i = 0; i < all->block_count; i++)
      if (all->blocks[i].part == PLAIN)
        learnt |= look(all, &all->blocks[i], header);
  }
}

// Whether an update may run twice with no barrier between, which is when a sum saves something.
static bool is_gathered(struct gathering *all, const struct found *found, int loop) {
  const struct block *block = &all->blocks[found->block];
  return block->loop == loop && block->part == PLAIN && block->reached && block->returns;
}

static bool begins_landing_pad(const struct block *block) {
  LLVMValueRef first = LLVMGetFirstInstruction(block->block);
  while (LLVMIsAPHINode(first))
    first = LLVMGetNextInstruction(first);
  return LLVMIsALandingPadInst(first) || LLVMGetInstructionOpcode(first) == LLVMCatchSwitch ||
         LLVMGetInstructionOpcode(first) == LLVMCleanupPad;
}

// Exceptions come out of barriers alone, with nothing pending.
static size_t count_additions(struct gathering *all) {
  size_t count = 0;
  for (size_t i = 0; i < all->block_count; i++) {
    struct block *block = &all->blocks[i];
    block->adds = block->adds && !begins_landing_pad(block);
    count += block->adds;
  }
  return count;
}

// Returns the number of places where sums go to their counters; 0 if nothing is to be gathered.
static size_t classify(struct gathering *all, int loop) {
  const struct block *header = block_of(all, contprof_loop_header(all->loops, loop));
  bool any = false;
  for (size_t i = 0; i < all->block_count; i++) {
    struct block *block = &all->blocks[i];
    block->part = part_of(all, loop, block);
    block->reached = block->returns = block->pending = block->adds = false;
  }
  if (header->part != PLAIN)
    return 0;
  repeat(all, look_forward, header);
  repeat(all, look_back, header);
  for (size_t i = 0; i < all->found_count; i++)
    if (is_gathered(all, &all->found[i], loop))
      any = all->blocks[all->found[i].block].pending = true;
  if (!any)
    return 0;
  repeat(all, look_on, header);
  return count_additions(all);
}

// ---- Sums

static LLVMTypeRef counter_type(struct gathering *all) {
  return LLVMInt64TypeInContext(all->context);
}

static LLVMValueRef add_slot(struct gathering *all) {
  LLVMTypeRef type = counter_type(all);
  LLVMPositionBuilderBefore(all->builder,
                            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(all->function)));
  LLVMValueRef slot = LLVMBuildAlloca(all->builder, type, "");
  LLVMBuildStore(all->builder, LLVMConstInt(type, 0, false), slot);
  all->slots = contprof_grown(all->slots, all->slot_count, &all->slot_room, sizeof(LLVMValueRef));
  all->slots[all->slot_count++] = slot;
  return slot;
}

// NULL if there are `most` others.
static struct sum *sum_of(struct gathering *all, struct contprof_counter counter, size_t most) {
  for (size_t i = 0; i < all->sum_count; i++)
    if (all->sums[i].counter.base == counter.base && all->sums[i].counter.offset == counter.offset)
      return &all->sums[i];
  if (all->sum_count >= most)
    return NULL;
  struct sum *sum = &all->sums[all->sum_count++];
  *sum = (struct sum){.counter = counter, .slot = add_slot(all)};
  return sum;
}

static void gather(struct gathering *all, const struct contprof_update *update, size_t most) {
  struct sum *sum = sum_of(all, update->counter, most);
  if (!sum)
    return;
  sum->atomic |= update->load == NULL;
  LLVMPositionBuilderBefore(all->builder, update->last);
  LLVMSetCurrentDebugLocation2(all->builder, NULL);
  LLVMValueRef old = LLVMBuildLoad2(all->builder, counter_type(all), sum->slot, "");
  LLVMBuildStore(all->builder, LLVMBuildAdd(all->builder, old, update->addend, ""), sum->slot);
  contprof_erase_update(update);
}

// ---- Their way to the counters

// Not redirected.
static LLVMValueRef address_of(struct gathering *all, struct contprof_counter counter) {
  LLVMTypeRef i8 = LLVMInt8TypeInContext(all->context);
  LLVMValueRef offset = LLVMConstInt(counter_type(all), (unsigned long long)counter.offset, true);
  LLVMValueRef base = LLVMConstBitCast(counter.base, LLVMPointerType(i8, 0));
  LLVMValueRef address = counter.offset ? LLVMConstInBoundsGEP2(i8, base, &offset, 1) : base;
  return LLVMConstBitCast(address, LLVMPointerType(counter_type(all), 0));
}

static void add_to_counter(struct gathering *all, const struct sum *sum) {
  LLVMTypeRef type = counter_type(all);
  LLVMValueRef address = address_of(all, sum->counter);
  LLVMValueRef value = LLVMBuildLoad2(all->builder, type, sum->slot, "");
  LLVMBuildStore(all->builder, LLVMConstInt(type, 0, false), sum->slot);
  if (sum->atomic) {
    LLVMBuildAtomicRMW(all->builder, LLVMAtomicRMWBinOpAdd, address, value,
                       LLVMAtomicOrderingMonotonic, false);
    return;
  }
  LLVMValueRef old = LLVMBuildLoad2(all->builder, type, address, "");
  LLVMBuildStore(all->builder, LLVMBuildAdd(all->builder, old, value, ""), address);
}

static void add_sums(struct gathering *all, const struct block *block) {
  LLVMValueRef first = LLVMGetFirstInstruction(block->block);
  while (LLVMIsAPHINode(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(all->builder, first);
  LLVMSetCurrentDebugLocation2(all->builder, NULL);
  for (size_t i = 0; i < all->sum_count; i++)
    add_to_counter(all, &all->sums[i]);
}

static size_t most_sums(size_t additions) {
  size_t most = MOST_ADDITIONS / additions;
  return most < MOST_SUMS ? most : MOST_SUMS;
}

static void gather_loop(struct gathering *all, int loop) {
  size_t additions = classify(all, loop);
  if (additions == 0)
    return;
  all->sum_count = 0;
  for (size_t i = 0; i < all->found_count; i++)
    if (is_gathered(all, &all->found[i], loop))
      gather(all, &all->found[i].update, most_sums(additions));
  for (size_t i = 0; i < all->block_count; i++)
    if (all->blocks[i].adds)
      add_sums(all, &all->blocks[i]);
}

// ---- Entry points

LLVMBool contprof_has_updates(LLVMValueRef function) {
  struct contprof_update update = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each))
      if (contprof_is_update(each, &update))
        return true;
  return false;
}

static void forget(struct gathering *all) {
  free(all->blocks);
  free(all->by_address);
  free(all->found);
  all->blocks = NULL;
  all->by_address = NULL;
  all->found = NULL;
  all->found_count = all->found_room = 0;
}

static bool has_countable_updates(struct gathering *all) {
  bool has = false;
  collect(all);
  for (size_t i = 0; i < all->found_count && !has; i++)
    has = contprof_loop_is_countable(all->loops, all->blocks[all->found[i].block].loop);
  forget(all);
  return has;
}

static void gather_loops(struct gathering *all) {
  collect(all);
  for (int loop = 0; loop < contprof_loops_count(all->loops); loop++)
    if (contprof_loop_is_countable(all->loops, loop) && contprof_loop_is_simple(all->loops, loop))
      gather_loop(all, loop);
  contprof_slots_to_registers(all->loops, all->slots, all->slot_count);
  forget(all);
}

LLVMBool contprof_gather_loop_counts(LLVMValueRef function, struct contprof_loops *loops) {
  if (!contprof_loops_are_usable(loops))
    return false;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  struct gathering all = {.loops = loops,
                          .context = context,
                          .function = function,
                          .builder = LLVMCreateBuilderInContext(context)};
  LLVMBool changed = false;
  if (has_countable_updates(&all)) {
    changed = contprof_loops_simplify(loops);
    gather_loops(&all);
  }
  changed |= all.slot_count != 0;
  LLVMDisposeBuilder(all.builder);
  free(all.slots);
  return changed;
}
