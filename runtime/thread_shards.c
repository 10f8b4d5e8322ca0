#include "thread_shards.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "bias.h"
#include "link_contract.h"
#include "log.h"
#include "module.h"
#include "platform.h"
#include "shard_file.h"

CONTPROF_HIDDEN char CONTPROF_SHARDED_SYMBOL;
CONTPROF_HIDDEN char CONTPROF_EITHER_SYMBOL = 1;
CONTPROF_HIDDEN bool contprof_sharded = true;

// Bring thread_calls.c and c11_thread_calls.c, or what a static link has instead, into each link of
// this file, but for what the program defines itself.
__attribute__((used)) static int (*const of_pthreads)(pthread_t *, const pthread_attr_t *,
                                                      contprof_start_function,
                                                      void *) = pthread_create;
__attribute__((used)) static int (*const of_c11)(thrd_t *, thrd_start_t, void *) = thrd_create;

enum state {
  FREE = 0,
  MAKING,  // given to a thread that has not begun
  RUNNING, // its thread is in its start function, or has ended in another way than by its return
  ENDING,  // its thread's start function has returned
  KEPT     // a thread without a shard of its own counts here as well
};

struct contprof_thread {
  int state; // enum state; changed under the module's lock, or by the shard's own thread
  int id;    // the kernel's, in RUNNING and ENDING
  // For the new thread, in MAKING.
  contprof_start_function start;
  contprof_c11_start_function c11_start; // instead of it
  void *argument;
  uint64_t signals; // its creator's, as they were before they were held
};

// By shard. The first is the first thread's.
static struct contprof_thread threads[CONTPROF_MOST_IMAGES];
static unsigned used; // entries that have been given to threads, or kept; under the module's lock

static int state_of(const struct contprof_thread *thread) {
  return __atomic_load_n(&thread->state, __ATOMIC_ACQUIRE);
}

static void set_state(struct contprof_thread *thread, enum state state) {
  __atomic_store_n(&thread->state, (int)state, __ATOMIC_RELEASE);
}

static unsigned index_of(const struct contprof_thread *thread) {
  return (unsigned)(thread - threads);
}

static void count_in(unsigned index) {
  struct contprof_module *module = &contprof_module;
  contprof_segment_base_set(contprof_bias_of_shard(&module->image, &module->live, index));
}

// ---- Getting a shard

static bool is_gone(const struct contprof_thread *thread) {
  return !contprof_thread_exists(thread->id);
}

// A shard that nobody has, or whose thread is no more in one of two states.
static struct contprof_thread *find_unused(enum state ended) {
  for (unsigned i = 2; i < contprof_module.live.images; i++) {
    int state = state_of(&threads[i]);
    if (state == FREE || (state == (int)ended && is_gone(&threads[i])))
      return &threads[i];
  }
  return NULL;
}

static bool is_one_ending(void) {
  unsigned i = 2;
  while (i < used && state_of(&threads[i]) != ENDING)
    i++;
  return i < used;
}

enum { PATIENCE = 10 };

// A thread that has been joined is gone from the kernel a moment later. One that was cancelled, or
// left its start function by a call, is not marked; those are looked for before the file grows.
static struct contprof_thread *find_shard(int *error) {
  struct contprof_live *live = &contprof_module.live;
  struct contprof_thread *found = find_unused(ENDING);
  if (!found)
    found = find_unused(RUNNING);
  for (int i = 0; i < PATIENCE && !found && is_one_ending(); i++) {
    contprof_yield();
    found = find_unused(ENDING);
  }
  if (found)
    return found;
  *error = live->images < CONTPROF_MOST_IMAGES ? contprof_shards_grow(live) : -EMFILE;
  return *error ? NULL : &threads[live->images - 1];
}

// By this thread's segment base. 0 for image 0.
static unsigned own_index(void) {
  const struct contprof_module *module = &contprof_module;
  uint64_t base = contprof_segment_base_get();
  for (unsigned i = 1; i < module->live.images; i++)
    if (contprof_bias_of_shard(&module->image, &module->live, i) == base)
      return i;
  return 0;
}

// Under the lock.
static void take(struct contprof_thread *thread, enum state state) {
  if (used <= index_of(thread))
    used = index_of(thread) + 1;
  set_state(thread, state);
}

static void share_own(int error) {
  static bool said;
  take(&threads[own_index()], KEPT);
  if (said)
    return;
  said = true;
  contprof_log_errno("a thread has no counters of its own in", contprof_module.live.path, -error,
                     "such threads count into their creators', and may lose counts");
}

// A child that counts into its parent's file has a copy of the table alone: each would give out
// what the other has, and growing would wipe it.
static struct contprof_thread *take_shard(void) {
  const struct contprof_live *live = &contprof_module.live;
  int error = 0;
  if (live->images < 2 || !contprof_live_is_own(live)) {
    share_own(live->images < 2 ? -ENOMEM : -EPERM);
    return NULL;
  }
  struct contprof_thread *thread = find_shard(&error);
  if (thread)
    take(thread, MAKING);
  else
    share_own(error);
  return thread;
}

struct contprof_thread *contprof_thread_prepare(struct contprof_creator *creator) {
  struct contprof_thread *thread = NULL;
  creator->signals = contprof_hold_signals();
  contprof_lock();
  if (contprof_module.state == CONTPROF_LIVE && contprof_module.biased)
    thread = take_shard();
  contprof_unlock();
  if (!thread) {
    contprof_release_signals(creator->signals);
    return NULL;
  }
  thread->signals = creator->signals;
  creator->base = contprof_segment_base_get();
  count_in(index_of(thread));
  return thread;
}

void contprof_thread_set_start(struct contprof_thread *thread, contprof_start_function start,
                               contprof_c11_start_function c11_start, void *argument) {
  thread->start = start;
  thread->c11_start = c11_start;
  thread->argument = argument;
}

// If there is a thread, its entry may be another's by now.
void contprof_thread_made(struct contprof_thread *thread, const struct contprof_creator *creator,
                          int error) {
  contprof_segment_base_set(creator->base);
  if (error)
    set_state(thread, FREE);
  contprof_release_signals(creator->signals);
}

// ---- In the thread

// The signals are as the creator held them, unless attributes said otherwise: then they stay.
static void begin(struct contprof_thread *thread) {
  count_in(index_of(thread)); // in case that the C library's own clone has kept another
  thread->id = contprof_thread_id();
  set_state(thread, RUNNING);
  contprof_release_signals_if_held(thread->signals);
}

// In a forked child the entry may be another's by now.
static void end(struct contprof_thread *thread) {
  int running = RUNNING;
  if (thread->id == contprof_thread_id())
    __atomic_compare_exchange_n(&thread->state, &running, ENDING, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
}

void *contprof_thread_run(void *argument) {
  struct contprof_thread *thread = argument;
  contprof_start_function start = thread->start;
  void *own_argument = thread->argument;
  begin(thread);
  void *result = start(own_argument);
  end(thread);
  return result;
}

int contprof_thread_run_c11(void *argument) {
  struct contprof_thread *thread = argument;
  contprof_c11_start_function start = thread->c11_start;
  void *own_argument = thread->argument;
  begin(thread);
  int result = start(own_argument);
  end(thread);
  return result;
}

// ---- In a forked child

static void forked(void) {
  unsigned first = contprof_module.live.images > 1;
  for (unsigned i = 0; i < used; i++)
    threads[i].state = FREE;
  used = 0;
  if (contprof_module.state == CONTPROF_LIVE || contprof_module.biased)
    count_in(first);
}

void (*contprof_threads_forked)(void) = forked;
