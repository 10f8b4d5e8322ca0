// A piece of work beside the caller's: in a thread of its own, or, where none is wanted or to be
// had, before the caller goes on. What comes of it does not depend on which.
#ifndef CONTPROF_BASE_SIDE_JOB_H
#define CONTPROF_BASE_SIDE_JOB_H

#include <pthread.h>
#include <stdbool.h>

struct contprof_side_job {
  void (*work)(void *context);
  void *context; // the work's alone until contprof_side_job_end
  pthread_t thread;
  bool threaded;
};

void contprof_side_job_begin(struct contprof_side_job *job, bool threaded,
                             void (*work)(void *context), void *context);

// Waits until it is done.
void contprof_side_job_end(struct contprof_side_job *job);

#endif
