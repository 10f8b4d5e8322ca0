#include "sum_ahead.h"
#include "../base/memory.h"

#include "profile_load.h"
#include "raw_sum.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ROOM = 64 };                        // inputs read ahead at most
enum { TOGETHER = CONTPROF_RAW_TOGETHER }; // inputs that a thread takes at once, at most
enum { LARGE = 1 << 20 };             // bytes: from here on it is worth it to read piece by piece
#define MOST_ROOM (UINT64_C(1) << 30) // bytes, of files that a thread has open at once

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

// A build that is summed fast.
struct known_build {
  uint64_t key;                      // contprof_raw_take_head; 0: none
  struct contprof_raw_sum *sum;      // not owned
  struct contprof_sum_report report; // of any file of it
  size_t index;
};

struct worker {
  struct contprof_sum_ahead *ahead;
  pthread_t thread;
  struct contprof_file_view files[TOGETHER]; // their memory serves again; small ones need the first
  struct contprof_raw_head heads[TOGETHER];  // of those files
  struct contprof_raw_share **shares;        // share_count of them: of each build, or NULL; owned
  size_t share_count;
  struct known_build build; // of the last file added
  bool smooth;              // the last file was added
};

struct contprof_sum_ahead {
  struct contprof_profile_sum *sum;
  const struct contprof_sum_input *inputs;
  size_t count;
  struct worker *workers; // worker_count of them; owned
  unsigned worker_count;
  unsigned threads;            // that were asked for
  size_t together;             // large files that each of them has open at once, at most
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

// The build of the file with this head, as worker->build; false if it is not summed fast yet.
static bool find_build(struct worker *worker, const struct contprof_raw_head *head) {
  struct known_build *build = &worker->build;
  if (build->key == head->key)
    return true;
  build->report = (struct contprof_sum_report){0};
  build->sum =
      contprof_profile_sum_find(worker->ahead->sum, head->key, &build->index, &build->report);
  build->key = build->sum ? head->key : 0;
  return build->sum;
}

static bool add_whole(struct worker *worker, uint64_t weight, struct result *result) {
  struct contprof_profile_sum *sum = worker->ahead->sum;
  struct contprof_raw_head *head = &worker->heads[0];
  if (!contprof_raw_take_head(&worker->files[0], head) || !find_build(worker, head))
    return false;
  struct known_build *build = &worker->build;
  result->report = build->report;
  return contprof_raw_sum_add(build->sum, share_of(worker, build->sum, build->index),
                              &worker->files[0], head, weight, &sum->profile, &sum->lock);
}

// Reads what is left of a file opened in part, for whoever asks to add it.
static void read_rest(struct result *result) {
  result->state =
      !contprof_file_is_part(result->file) || contprof_file_read_rest(result->file, &result->error)
          ? STATE_READ
          : STATE_FAILED;
}

static bool open_input(struct worker *worker, const struct contprof_sum_input *input, size_t place,
                       struct result *result) {
  *result = (struct result){.file = &worker->files[place]};
  contprof_error_clear(&result->error);
  return contprof_file_open_part(input->path, LARGE, result->file, &result->error);
}

// What is no file of that size may be readable once only, as a pipe is, and is left unopened.
static bool is_large(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= LARGE;
}

// Whether the input is opened in part, and can be added together with the first one.
static bool joins(struct worker *worker, const struct contprof_sum_input *first,
                  const struct contprof_sum_input *input, size_t place, struct result *result) {
  uint64_t room = worker->files[0].size * (place + 1); // that is asked for, though not all used
  return room <= MOST_ROOM && input->weight == first->weight && is_large(input->path) &&
         open_input(worker, input, place, result) && contprof_file_is_part(result->file) &&
         contprof_raw_take_head(result->file, &worker->heads[place]) == worker->build.key;
}

// The first of `count` inputs has been opened in part. Reads more of them, and adds them together;
// returns how many. Their results are all but read to the end.
static size_t add_large(struct worker *worker, const struct contprof_sum_input *inputs,
                        size_t count, struct result *results) {
  struct contprof_profile_sum *sum = worker->ahead->sum;
  struct known_build *build = &worker->build;
  struct contprof_raw_part parts[TOGETHER];
  size_t opened = 1;
  results[0].state = STATE_READ;
  if (!contprof_raw_take_head(results[0].file, &worker->heads[0]) ||
      !find_build(worker, &worker->heads[0]))
    return 1;
  count = count < worker->ahead->together ? count : worker->ahead->together;
  while (opened < count && joins(worker, inputs, &inputs[opened], opened, &results[opened]))
    opened++;
  if (opened < count)
    contprof_file_leave(&worker->files[opened]); // it joins not
  for (size_t i = 0; i < opened; i++)
    parts[i] = (struct contprof_raw_part){.file = results[i].file, .head = &worker->heads[i]};
  contprof_raw_sum_add_together(build->sum, share_of(worker, build->sum, build->index), parts,
                                opened, inputs->weight, &sum->profile, &sum->lock);
  for (size_t i = 0; i < opened; i++) {
    results[i].state = parts[i].added ? STATE_ADDED : STATE_READ;
    if (parts[i].added) // open files are few
      contprof_file_leave(results[i].file);
    results[i].report = build->report;
  }
  return opened;
}

// Reads some of `count` inputs, at least one; returns how many.
static size_t read_inputs(struct worker *worker, const struct contprof_sum_input *inputs,
                          size_t count, struct result *results) {
  if (!open_input(worker, inputs, 0, results))
    results->state = STATE_FAILED;
  else if (contprof_file_is_part(results->file))
    return add_large(worker, inputs, count, results);
  else
    results->state = add_whole(worker, inputs->weight, results) ? STATE_ADDED : STATE_READ;
  return 1;
}

// Waking is dear where files are small, so that it is put off until it is worth it. Whoever asks
// can't miss the last reason: it is met when all of the room is done, or all inputs.
static bool is_worth_waking(const struct contprof_sum_ahead *ahead, const struct result *result) {
  return ahead->asked && (result->state != STATE_ADDED || ahead->held || ahead->done >= ROOM / 2 ||
                          ahead->next >= ahead->count);
}

// Called with the lock. A result is not seen by others before it is complete.
static void hand_over_one(struct contprof_sum_ahead *ahead, const struct result *result,
                          size_t index) {
  struct result *slot = &ahead->results[index % ROOM];
  *slot = *result;
  ahead->done++;
  ahead->held += result->state == STATE_READ;
  if (is_worth_waking(ahead, result))
    pthread_cond_signal(&ahead->ready);
  while (slot->state == STATE_READ && ahead->base <= index)
    pthread_cond_wait(&ahead->room, &ahead->lock);
}

static void hand_over(struct worker *worker, struct result *results, size_t count, size_t index) {
  struct contprof_sum_ahead *ahead = worker->ahead;
  pthread_mutex_lock(&ahead->lock);
  for (size_t i = 0; i < count; i++) {
    if (results[i].state == STATE_READ) {
      pthread_mutex_unlock(&ahead->lock);
      read_rest(&results[i]);
      pthread_mutex_lock(&ahead->lock);
    }
    worker->smooth = results[i].state == STATE_ADDED;
    hand_over_one(ahead, &results[i], index + i);
  }
  pthread_mutex_unlock(&ahead->lock);
}

// Inputs that have been taken are handed over as soon as one waits to be added, since that may be
// the one that is asked for; else all at once.
static void work_on(struct worker *worker, size_t index, size_t count) {
  struct result results[TOGETHER];
  size_t handed = 0, done = 0;
  while (done < count) {
    size_t got =
        read_inputs(worker, worker->ahead->inputs + index + done, count - done, results + done);
    bool smooth = true;
    for (size_t i = 0; i < got; i++)
      smooth &= results[done + i].state == STATE_ADDED;
    done += got;
    if (smooth && done < count)
      continue;
    hand_over(worker, results + handed, done - handed, index + handed);
    handed = done;
  }
}

// How many inputs a thread takes next, with the lock: few where they have to wait for their turn,
// and towards the end, so that all threads end at once. 0: there is no room.
static size_t may_take(const struct worker *worker) {
  const struct contprof_sum_ahead *ahead = worker->ahead;
  size_t room = ahead->base + ROOM - ahead->next, left = ahead->count - ahead->next;
  size_t most = worker->smooth ? TOGETHER : 1, part = left / (2 * ahead->threads) + 1;
  most = most < part ? most : part;
  most = most < left ? most : left;
  return most < room ? most : room;
}

static void *work(void *argument) {
  struct worker *worker = argument;
  struct contprof_sum_ahead *ahead = worker->ahead;
  pthread_mutex_lock(&ahead->lock);
  while (ahead->next < ahead->count) {
    size_t index = ahead->next, count = may_take(worker);
    if (!count) {
      pthread_cond_wait(&ahead->room, &ahead->lock);
      continue;
    }
    ahead->next += count;
    pthread_mutex_unlock(&ahead->lock);
    work_on(worker, index, count);
    pthread_mutex_lock(&ahead->lock);
  }
  pthread_mutex_unlock(&ahead->lock);
  for (size_t i = 0; i < TOGETHER; i++)
    contprof_file_close(&worker->files[i]);
  return NULL;
}

// --- whoever asks -------------------------------------------------------------------------------

// Half of the files that the process may have open, shared by the threads: none is to fail because
// others have more than they need.
static size_t most_together(unsigned threads) {
  struct rlimit limit;
  size_t share = TOGETHER;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 2 / threads < share)
    share = limit.rlim_cur / 2 / threads;
  return share ? share : 1;
}

struct contprof_sum_ahead *contprof_sum_ahead_start(struct contprof_profile_sum *sum,
                                                    const struct contprof_sum_input *inputs,
                                                    size_t count, unsigned threads) {
  struct contprof_sum_ahead *ahead = contprof_need(calloc(1, sizeof *ahead));
  ahead->sum = sum;
  sum->expects_more = true;
  ahead->inputs = inputs;
  ahead->count = count;
  ahead->threads = threads;
  ahead->together = most_together(threads);
  ahead->workers = contprof_need(calloc(threads, sizeof *ahead->workers));
  pthread_mutex_init(&ahead->lock, NULL);
  pthread_cond_init(&ahead->ready, NULL);
  pthread_cond_init(&ahead->room, NULL);
  while (ahead->worker_count < threads) {
    struct worker *worker = &ahead->workers[ahead->worker_count];
    worker->ahead = ahead;
    for (size_t i = 0; i < TOGETHER; i++)
      worker->files[i].is_wanted = contprof_profile_begins;
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
