// Samples whose text is the same, told by its bytes before any of it is parsed: a hot loop's stacks
// come back thousands of times. Bounded: a sample is held from its second time on, up to HELD_MAX
// bytes of all of them together. Not thread-safe.
#ifndef CONTPROF_SAMPLE_REPEATED_SAMPLES_H
#define CONTPROF_SAMPLE_REPEATED_SAMPLES_H

#include "perf_event.h"

struct contprof_repeated_samples;

// What a sample is, but for its count and time.
struct contprof_sample_text {
  int32_t pid;
  uint64_t period;
  const char *event; // compared as a pointer: a name stands at one place alone; or NULL
  uint64_t ip;
  const char *bytes; // what follows the address in the line; not owned
  size_t length;
};

// `take`, with its context and error, is what samples will be handed to. Free with
// contprof_repeated_free, which hands nothing on.
struct contprof_repeated_samples *contprof_repeated_new(contprof_perf_take *take, void *context,
                                                        struct contprof_error *error);
void contprof_repeated_free(struct contprof_repeated_samples *samples);

// Adds `count` to the held sample of this text. Returns false if none is held.
bool contprof_repeated_add(struct contprof_repeated_samples *samples,
                           const struct contprof_sample_text *text, uint64_t count);

// Takes the event that was made of a text which is not held: holds it if the text has been seen
// before, and else hands it on. Returns false when `take` has.
bool contprof_repeated_take(struct contprof_repeated_samples *samples,
                            const struct contprof_sample_text *text,
                            const struct contprof_perf_event *event);

// Hands all held samples on and forgets them. Returns false when `take` has.
bool contprof_repeated_flush(struct contprof_repeated_samples *samples);

#endif
