#include "side_job.h"

static void *run(void *argument) {
  struct contprof_side_job *job = argument;
  job->work(job->context);
  return NULL;
}

void contprof_side_job_begin(struct contprof_side_job *job, bool threaded,
                             void (*work)(void *context), void *context) {
  job->work = work;
  job->context = context;
  job->threaded = threaded && pthread_create(&job->thread, NULL, run, job) == 0;
  if (!job->threaded)
    work(context);
}

void contprof_side_job_end(struct contprof_side_job *job) {
  if (job->threaded)
    pthread_join(job->thread, NULL);
}
