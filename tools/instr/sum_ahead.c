#include "sum_ahead.h"
#include "../base/memory.h"

#include "profile_load.h"
#include "raw_sum.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 };       // inputs read ahead at most
enum { LARGE = 1 << 20 }; // bytes: from here on it is worth it to read piece by piece

enum state {
  STATE_NONE,   // not read yet
  STATE_ADDED,  // to the thread's sums
  STATE_READ,   // is to be added by whoever asks; the thread waits with it
  STATE_FAILED, // can't be read
};

struct result {
  enum state state;
  struct contprof_sum_report report; // of what has been added
  struct contprof_error error;       // of what can't be read
  struct contprof_file_view *file;   // what has been read; the thread's
};

struct worker {
  struct contprof_sum_ahead *ahead;
  pthread_t thread;
  struct contprof_file_view file;     // its memory serves again
  struct contprof_raw_share **shares; // share_count of them: of each build, or NULL; owned
  size_t share_count;
};

struct contprof_sum_ahead {
  struct contprof_profile_sum *sum;
  const struct contprof_sum_input *inputs;
  size_t count;
  struct worker *workers; // worker_count of them; owned
  unsigned worker_count;
  pthread_mutex_t lock;        // of all below
  pthread_cond_t ready, room;  // whoever asks may go on; threads may
  struct result results[ROOM]; // of the inputs from `base` on, each at its number modulo ROOM
  size_t base;                 // the input asked for next
  size_t next;                 // to be read
  size_t done;                 // results from `base` on that are there
  unsigned held;               // of them, STATE_READ
  bool asked;                  // somebody waits for the result of `base`
};

// --- a thread -----------------------------------------------------------------------------------

// The thread's share of the build's sum.
static struct contprof_raw_share *share_of(struct worker *worker,
                                           const struct contprof_raw_sum *sum, size_t build) {
  if (build >= worker->share_count) {
    size_t count = build * 2 + 16;
    worker->shares = contprof_need_array(worker->shares, count, sizeof *worker->shares);
    memset(worker->shares + worker->share_count, 0,
           (count - worker->share_count) * sizeof *worker->shares);
    worker->share_count = count;
  }
  if (!worker->shares[build])
    worker->shares[build] = contprof_raw_share_new(sum);
  return worker->shares[build];
}

static bool add_file(struct worker *worker, uint64_t weight, struct contprof_sum_report *report) {
  struct contprof_profile_sum *sum = worker->ahead->sum;
  struct contprof_raw_head head;
  size_t build;
  struct contprof_raw_sum *fast = NULL;
  *report = (struct contprof_sum_report){0};
  if (contprof_raw_take_head(&worker->file, &head))
    fast = contprof_profile_sum_find(sum, head.key, &build, report);
  return fast && contprof_raw_sum_add(fast, share_of(worker, fast, build), &worker->file, &head,
                                      weight, &sum->profile, &sum->lock);
}

static void read_input(struct worker *worker, const struct contprof_sum_input *input,
                       struct result *result) {
  contprof_error_clear(&result->error);
  result->file = &worker->file;
  if (!contprof_file_open_part(input->path, LARGE, &worker->file, &result->error))
    result->state = STATE_FAILED;
  else if (add_file(worker, input->weight, &result->report))
    result->state = STATE_ADDED;
  else if (contprof_file_is_part(&worker->file) &&
           !contprof_file_read_rest(&worker->file, &result->error))
    result->state = STATE_FAILED;
  else
    result->state = STATE_READ;
}

// Waking is dear where files are small, so that it is put off until it is worth it. Whoever asks
// can't miss the last reason: it is met when all of the room is done, or all inputs.
static bool is_worth_waking(const struct contprof_sum_ahead *ahead, const struct result *result) {
  return ahead->asked && (result->state != STATE_ADDED || ahead->held || ahead->done >= ROOM / 2 ||
                          ahead->next >= ahead->count);
}

// Called with the lock. A result is not seen by others before it is complete.
static void hand_over(struct contprof_sum_ahead *ahead, const struct result *result, size_t index) {
  struct result *slot = &ahead->results[index % ROOM];
  *slot = *result;
  ahead->done++;
  ahead->held += result->state == STATE_READ;
  if (is_worth_waking(ahead, result))
    pthread_cond_signal(&ahead->ready);
  while (slot->state == STATE_READ && ahead->base <= index)
    pthread_cond_wait(&ahead->room, &ahead->lock);
}

static void *work(void *argument) {
  struct worker *worker = argument;
  struct contprof_sum_ahead *ahead = worker->ahead;
  pthread_mutex_lock(&ahead->lock);
  while (ahead->next < ahead->count) {
    if (ahead->next >= ahead->base + ROOM) {
      pthread_cond_wait(&ahead->room, &ahead->lock);
      continue;
    }
    size_t index = ahead->next++;
    struct result result = {0};
    pthread_mutex_unlock(&ahead->lock);
    read_input(worker, &ahead->inputs[index], &result);
    pthread_mutex_lock(&ahead->lock);
    hand_over(ahead, &result, index);
  }
  pthread_mutex_unlock(&ahead->lock);
  contprof_file_close(&worker->file);
  return NULL;
}

// --- whoever asks -------------------------------------------------------------------------------

struct contprof_sum_ahead *contprof_sum_ahead_start(struct contprof_profile_sum *sum,
                                                    const struct contprof_sum_input *inputs,
                                                    size_t count, unsigned threads) {
  struct contprof_sum_ahead *ahead = contprof_need(calloc(1, sizeof *ahead));
  ahead->sum = sum;
  ahead->inputs = inputs;
  ahead->count = count;
  ahead->workers = contprof_need(calloc(threads, sizeof *ahead->workers));
  pthread_mutex_init(&ahead->lock, NULL);
  pthread_cond_init(&ahead->ready, NULL);
  pthread_cond_init(&ahead->room, NULL);
  while (ahead->worker_count < threads) {
    struct worker *worker = &ahead->workers[ahead->worker_count];
    worker->ahead = ahead;
    worker->file.is_wanted = contprof_profile_begins;
    if (pthread_create(&worker->thread, NULL, work, worker) != 0)
      break;
    ahead->worker_count++;
  }
  if (ahead->worker_count)
    return ahead;
  contprof_sum_ahead_end(ahead);
  return NULL;
}

static struct result wait_for(struct contprof_sum_ahead *ahead) {
  struct result *slot = &ahead->results[ahead->base % ROOM];
  pthread_mutex_lock(&ahead->lock);
  ahead->asked = true;
  while (slot->state == STATE_NONE)
    pthread_cond_wait(&ahead->ready, &ahead->lock);
  ahead->asked = false;
  struct result result = *slot;
  pthread_mutex_unlock(&ahead->lock);
  return result;
}

static void let_go(struct contprof_sum_ahead *ahead, enum state state) {
  pthread_mutex_lock(&ahead->lock);
  ahead->results[ahead->base % ROOM].state = STATE_NONE;
  ahead->base++;
  ahead->done--;
  ahead->held -= state == STATE_READ;
  if (state == STATE_READ || ahead->next - ahead->base <= ROOM / 2)
    pthread_cond_broadcast(&ahead->room);
  pthread_mutex_unlock(&ahead->lock);
}

bool contprof_sum_ahead_next(struct contprof_sum_ahead *ahead, struct contprof_sum_report *report,
                             struct contprof_error *error) {
  uint64_t weight = ahead->inputs[ahead->base].weight;
  struct result result = wait_for(ahead);
  bool ok = result.state != STATE_FAILED;
  *report = result.report;
  if (result.state == STATE_FAILED)
    *error = result.error;
  if (result.state == STATE_READ)
    ok = contprof_profile_sum_add(ahead->sum, result.file, weight, report, error);
  let_go(ahead, result.state);
  return ok;
}

void contprof_sum_ahead_end(struct contprof_sum_ahead *ahead) {
  for (unsigned i = 0; i < ahead->worker_count; i++) {
    struct worker *worker = &ahead->workers[i];
    pthread_join(worker->thread, NULL);
    for (size_t build = 0; build < worker->share_count; build++)
      if (worker->shares[build]) {
        contprof_profile_sum_unite(ahead->sum, build, worker->shares[build]);
        contprof_raw_share_free(worker->shares[build]);
      }
    free(worker->shares);
  }
  pthread_mutex_destroy(&ahead->lock);
  pthread_cond_destroy(&ahead->ready);
  pthread_cond_destroy(&ahead->room);
  free(ahead->workers);
  free(ahead);
}
