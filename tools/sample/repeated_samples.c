#include "repeated_samples.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  SLOTS = 4096,       // a power of two
  HELD_MAX = 4 << 20, // bytes of texts and branches
  TEXT_MAX = 1 << 15, // bytes of a text that is worth holding
};

// One place for each hash: the text that was seen there last, and the sample that is held.
struct slot {
  uint64_t seen; // hash of the text last seen here and not held; 0: none
  uint64_t hash; // of the held text; 0: none is held
  struct contprof_sample_text text;
  struct contprof_perf_event event;
};

struct contprof_repeated_samples {
  contprof_perf_take *take;
  void *context;                // of `take`; not owned
  struct contprof_error *error; // not owned
  uint32_t held[SLOTS];         // slots with a held sample, held_count of them
  size_t held_count;
  size_t used;     // bytes of `memory`
  uint8_t *memory; // HELD_MAX bytes: texts and branches of held samples; owned
  struct slot slots[SLOTS];
};

struct contprof_repeated_samples *contprof_repeated_new(contprof_perf_take *take, void *context,
                                                        struct contprof_error *error) {
  struct contprof_repeated_samples *samples = contprof_need(calloc(1, sizeof *samples));
  samples->take = take;
  samples->context = context;
  samples->error = error;
  samples->memory = contprof_need(malloc(HELD_MAX));
  return samples;
}

void contprof_repeated_free(struct contprof_repeated_samples *samples) {
  if (samples)
    free(samples->memory);
  free(samples);
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static uint64_t load(const char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// Of some of the text's bytes alone, as texts that have the same are compared: those at its ends
// and between, where stacks differ.
static uint64_t hash_of(const struct contprof_sample_text *text) {
  enum { SAMPLED = 32, WORD = sizeof(uint64_t) };
  uint64_t hash = mix(text->length, (uint32_t)text->pid);
  hash = mix(mix(hash, text->period ^ (uintptr_t)text->event), text->ip);
  if (text->length < WORD) {
    for (size_t at = 0; at < text->length; at++)
      hash = mix(hash, (uint8_t)text->bytes[at]);
    return hash | 1;
  }
  size_t step = text->length / SAMPLED > WORD ? text->length / SAMPLED : WORD;
  for (size_t at = 0; at + WORD <= text->length; at += step)
    hash = mix(hash, load(text->bytes + at));
  return mix(hash, load(text->bytes + text->length - WORD)) | 1;
}

static bool is_same(const struct contprof_sample_text *one,
                    const struct contprof_sample_text *other) {
  return one->length == other->length && one->pid == other->pid && one->period == other->period &&
         one->event == other->event && one->ip == other->ip &&
         memcmp(one->bytes, other->bytes, one->length) == 0;
}

bool contprof_repeated_add(struct contprof_repeated_samples *samples,
                           const struct contprof_sample_text *text, uint64_t count) {
  uint64_t hash = hash_of(text);
  struct slot *slot = &samples->slots[hash >> 1 & (SLOTS - 1)];
  if (slot->hash != hash || !is_same(&slot->text, text))
    return false;
  if (__builtin_add_overflow(slot->event.count, count, &slot->event.count))
    slot->event.count = UINT64_MAX;
  return true;
}

static void *copy(struct contprof_repeated_samples *samples, const void *bytes, size_t size) {
  void *to = samples->memory + samples->used;
  if (size)
    memcpy(to, bytes, size);
  samples->used += (size + 15) / 16 * 16;
  return to;
}

static void hold(struct contprof_repeated_samples *samples, struct slot *slot, uint64_t hash,
                 const struct contprof_sample_text *text, const struct contprof_perf_event *event) {
  samples->held[samples->held_count++] = (uint32_t)(slot - samples->slots);
  slot->hash = hash;
  slot->text = *text;
  slot->text.bytes = copy(samples, text->bytes, text->length);
  slot->event = *event;
  slot->event.sample.branches = copy(samples, event->sample.branches,
                                     event->sample.branch_count * sizeof *event->sample.branches);
}

static bool has_room(const struct contprof_repeated_samples *samples,
                     const struct contprof_sample_text *text,
                     const struct contprof_perf_event *event) {
  size_t size = text->length + event->sample.branch_count * sizeof *event->sample.branches + 32;
  return HELD_MAX - samples->used >= size;
}

bool contprof_repeated_take(struct contprof_repeated_samples *samples,
                            const struct contprof_sample_text *text,
                            const struct contprof_perf_event *event) {
  uint64_t hash = hash_of(text);
  struct slot *slot = &samples->slots[hash >> 1 & (SLOTS - 1)];
  bool seen = slot->seen == hash;
  slot->seen = hash;
  if (!seen || text->length > TEXT_MAX)
    return samples->take(samples->context, event, samples->error);
  // What is held in the slot has to go, and with it all that was held: that is rare.
  if ((slot->hash || !has_room(samples, text, event)) && !contprof_repeated_flush(samples))
    return false;
  hold(samples, slot, hash, text, event);
  return true;
}

bool contprof_repeated_flush(struct contprof_repeated_samples *samples) {
  bool ok = true;
  for (size_t i = 0; i < samples->held_count; i++) {
    struct slot *slot = &samples->slots[samples->held[i]];
    ok = ok && samples->take(samples->context, &slot->event, samples->error);
    slot->hash = 0;
  }
  samples->held_count = 0;
  samples->used = 0;
  return ok;
}
