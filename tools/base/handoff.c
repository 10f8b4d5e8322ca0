#include "handoff.h"

#include "memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { BLOCKS = 4 }; // one that is filled, one that is taken, two that wait

struct block {
  char *items; // owned
  size_t count;
};

struct contprof_handoff {
  contprof_handoff_take *take;
  void *context;
  size_t size; // bytes of an item
  size_t room; // items of a block
  struct block blocks[BLOCKS];
  struct block *filling; // the producer's: blocks[filled % BLOCKS]
  bool threaded;
  pthread_t thread;
  pthread_mutex_t lock;   // of all below
  pthread_cond_t changed; // one of them has
  size_t filled;          // blocks handed over, ever
  size_t taken;           // blocks of them that were taken
  bool ended;             // no more will come
};

// The next block handed over, or NULL if no more will come.
static struct block *wait_for_block(struct contprof_handoff *handoff) {
  pthread_mutex_lock(&handoff->lock);
  while (handoff->taken == handoff->filled && !handoff->ended)
    pthread_cond_wait(&handoff->changed, &handoff->lock);
  bool is_there = handoff->taken < handoff->filled;
  struct block *block = &handoff->blocks[handoff->taken % BLOCKS];
  pthread_mutex_unlock(&handoff->lock);
  return is_there ? block : NULL;
}

static void *consume(void *context) {
  struct contprof_handoff *handoff = context;
  struct block *block;
  while ((block = wait_for_block(handoff))) {
    handoff->take(handoff->context, block->items, block->count);
    pthread_mutex_lock(&handoff->lock);
    handoff->taken++;
    pthread_cond_signal(&handoff->changed);
    pthread_mutex_unlock(&handoff->lock);
  }
  return NULL;
}

struct contprof_handoff *contprof_handoff_new(size_t size, size_t count, bool threaded,
                                              contprof_handoff_take *take, void *context) {
  struct contprof_handoff *handoff = contprof_need(calloc(1, sizeof *handoff));
  handoff->take = take;
  handoff->context = context;
  handoff->size = size;
  handoff->room = count;
  handoff->filling = &handoff->blocks[0];
  pthread_mutex_init(&handoff->lock, NULL);
  pthread_cond_init(&handoff->changed, NULL);
  handoff->threaded = threaded && pthread_create(&handoff->thread, NULL, consume, handoff) == 0;
  for (size_t i = 0; i < (handoff->threaded ? BLOCKS : 1); i++)
    handoff->blocks[i].items = contprof_need_array(NULL, count, size);
  return handoff;
}

// Gives the block to the consumer and waits for an empty one.
static void hand_over(struct contprof_handoff *handoff) {
  pthread_mutex_lock(&handoff->lock);
  handoff->filled++;
  pthread_cond_signal(&handoff->changed);
  while (handoff->filled - handoff->taken == BLOCKS)
    pthread_cond_wait(&handoff->changed, &handoff->lock);
  handoff->filling = &handoff->blocks[handoff->filled % BLOCKS];
  pthread_mutex_unlock(&handoff->lock);
}

static void pass_on(struct contprof_handoff *handoff) {
  if (handoff->threaded)
    hand_over(handoff);
  else
    handoff->take(handoff->context, handoff->filling->items, handoff->filling->count);
  handoff->filling->count = 0;
}

void *contprof_handoff_next(struct contprof_handoff *handoff) {
  if (handoff->filling->count == handoff->room)
    pass_on(handoff);
  return handoff->filling->items + handoff->size * handoff->filling->count++;
}

static void join(struct contprof_handoff *handoff) {
  pthread_mutex_lock(&handoff->lock);
  handoff->ended = true;
  pthread_cond_signal(&handoff->changed);
  pthread_mutex_unlock(&handoff->lock);
  pthread_join(handoff->thread, NULL);
}

void contprof_handoff_end(struct contprof_handoff *handoff) {
  if (!handoff)
    return;
  if (handoff->filling->count)
    pass_on(handoff);
  if (handoff->threaded)
    join(handoff);
  for (size_t i = 0; i < BLOCKS; i++)
    free(handoff->blocks[i].items);
  pthread_cond_destroy(&handoff->changed);
  pthread_mutex_destroy(&handoff->lock);
  free(handoff);
}
