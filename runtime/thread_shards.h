// Which thread has which shard (-fprofile-update=sharded). In a library of its own, which
// executables alone link, and only those with objects that count per thread.
//
// A thread has a shard from before its first instruction of the program to its very end: beyond its
// start function, through thread-local destructors and cancellation. So its shard is given to
// another one only when the kernel knows no thread of its id any more. That is asked when a shard
// is wanted: a thread's end costs nothing, and however it ends, no two threads ever have one shard.
//
// A thread that can have none counts into its creator's, which is never given to another then.
#ifndef CONTPROF_RUNTIME_THREAD_SHARDS_H
#define CONTPROF_RUNTIME_THREAD_SHARDS_H

#include <stdint.h>

#include "abi.h"

// A thread that is about to be made. What it is to run is handed to it through its shard's entry:
// the runtime allocates nothing.
struct contprof_thread;

// What the C library is told to run, with the thread for its argument, and what that runs in turn.
typedef void *(*contprof_start_function)(void *argument);
typedef int (*contprof_c11_start_function)(void *argument);

// What the creating thread has to have again afterwards.
struct contprof_creator {
  uint64_t signals; // those it held back
  uint64_t base;    // its segment base
};

// Begins the making of a thread: until contprof_thread_made this one has no signals, and the new
// one's segment base, so that the new one has it from its first instruction on, even in a handler.
// NULL if there is no shard: the program's own function is to be run then, and nothing to be ended.
struct contprof_thread *contprof_thread_prepare(struct contprof_creator *creator);

// To be set on the thread before it is made: one or the other.
void contprof_thread_set_start(struct contprof_thread *thread, contprof_start_function start,
                               contprof_c11_start_function c11_start, void *argument);

// Ends it; `error` is 0 if the C library has made the thread.
void contprof_thread_made(struct contprof_thread *thread, const struct contprof_creator *creator,
                          int error);

// Start functions for the C library.
void *contprof_thread_run(void *thread);
int contprof_thread_run_c11(void *thread);

#endif
