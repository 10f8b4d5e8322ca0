#include "sample_body_writer.h"

#include "../base/memory.h"
#include "sample_index.h"
#include "sample_summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct contprof_context_place {
  const struct contprof_function_samples *function;
  uint32_t place;
};

// --- tables -------------------------------------------------------------------------------------

enum { UNUSED = 0, USED = 1 };

static void use(struct contprof_body_writer *writer, const struct contprof_sample_name *name) {
  if (writer->name_places[name->index] == UNUSED) {
    writer->name_places[name->index] = USED;
    writer->names[writer->name_count++] = name;
  }
}

static void use_names(struct contprof_body_writer *writer,
                      const struct contprof_function_samples *function) {
  for (size_t i = 0; i < function->body_count; i++)
    for (uint32_t j = 0; j < function->bodies[i].target_count; j++)
      use(writer, function->bodies[i].targets[j].name);
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++) {
      use(writer, function->callsites[i].inlinees[j]->name);
      use_names(writer, function->callsites[i].inlinees[j]);
    }
}

static int by_name(const void *left, const void *right) {
  return contprof_sample_name_compare(*(const struct contprof_sample_name *const *)left,
                                      *(const struct contprof_sample_name *const *)right);
}

static void make_names(struct contprof_body_writer *writer) {
  const struct contprof_sample_profile *profile = writer->profile;
  size_t count = contprof_sample_name_room(profile);
  writer->names = contprof_need_array(NULL, count + 1, sizeof *writer->names);
  writer->name_places = contprof_need(calloc(count + 1, sizeof *writer->name_places));
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function_samples *function = profile->functions[i];
    use(writer, function->name);
    for (uint32_t j = 0; j < function->context_count; j++)
      use(writer, function->context[j].name);
    use_names(writer, function);
  }
  qsort(writer->names, writer->name_count, sizeof *writer->names, by_name);
  for (size_t i = 0; i < writer->name_count; i++)
    writer->name_places[writer->names[i]->index] = (uint32_t)i;
}

static int by_context(const void *left, const void *right) {
  return contprof_samples_compare(*(struct contprof_function_samples *const *)left,
                                  *(struct contprof_function_samples *const *)right);
}

static int by_address(const void *left, const void *right) {
  const struct contprof_context_place *a = left, *b = right;
  uintptr_t x = (uintptr_t)a->function, y = (uintptr_t)b->function;
  return x < y ? -1 : x > y;
}

static void make_contexts(struct contprof_body_writer *writer) {
  const struct contprof_sample_profile *profile = writer->profile;
  size_t room = profile->function_count + 1;
  writer->contexts = contprof_need_array(NULL, room, sizeof *writer->contexts);
  writer->context_places = contprof_need_array(NULL, room, sizeof *writer->context_places);
  for (size_t i = 0; i < profile->function_count; i++)
    if (profile->functions[i]->context)
      writer->contexts[writer->context_count++] = profile->functions[i];
  qsort(writer->contexts, writer->context_count, sizeof *writer->contexts, by_context);
  for (size_t i = 0; i < writer->context_count; i++)
    writer->context_places[i] = (struct contprof_context_place){writer->contexts[i], (uint32_t)i};
  qsort(writer->context_places, writer->context_count, sizeof *writer->context_places, by_address);
}

struct contprof_body_writer
contprof_body_writer_for(const struct contprof_sample_profile *profile) {
  struct contprof_body_writer writer = {.profile = profile};
  make_names(&writer);
  make_contexts(&writer);
  return writer;
}

void contprof_body_writer_free(struct contprof_body_writer *writer) {
  free(writer->names);
  free(writer->name_places);
  free(writer->contexts);
  free(writer->context_places);
  free(writer->targets);
}

void contprof_put_name_table(const struct contprof_body_writer *writer,
                             struct contprof_byte_writer *out) {
  contprof_put_uleb128(out, writer->name_count);
  for (size_t i = 0; i < writer->name_count; i++) {
    const struct contprof_sample_name *name = writer->names[i];
    char digits[24];
    if (name->text)
      contprof_put_bytes(out, name->text, name->length);
    else
      contprof_put_bytes(out, digits,
                         (size_t)snprintf(digits, sizeof digits, "%" PRIu64, name->md5));
    contprof_put_u8(out, 0);
  }
}

void contprof_put_hash_table(const struct contprof_body_writer *writer,
                             struct contprof_byte_writer *out) {
  contprof_put_uleb128(out, writer->name_count);
  for (size_t i = 0; i < writer->name_count; i++)
    contprof_put_u64(out, contprof_sample_name_hash(writer->names[i]));
}

static void put_line(struct contprof_sample_line line, struct contprof_byte_writer *out) {
  contprof_put_uleb128(out, line.offset);
  contprof_put_uleb128(out, line.discriminator);
}

void contprof_put_context_table(const struct contprof_body_writer *writer,
                                struct contprof_byte_writer *out) {
  contprof_put_uleb128(out, writer->context_count);
  for (size_t i = 0; i < writer->context_count; i++) {
    const struct contprof_function_samples *function = writer->contexts[i];
    contprof_put_uleb128(out, function->context_count);
    for (uint32_t j = 0; j < function->context_count; j++) {
      contprof_put_name(writer, function->context[j].name, out);
      put_line(function->context[j].line, out);
    }
  }
}

// --- the rest -----------------------------------------------------------------------------------

void contprof_put_sample_summary(const struct contprof_sample_profile *profile,
                                 struct contprof_byte_writer *out) {
  struct contprof_sample_summary summary;
  contprof_sample_summarise(profile, &summary);
  contprof_put_uleb128(out, summary.total_count);
  contprof_put_uleb128(out, summary.max_count);
  contprof_put_uleb128(out, summary.max_function_count);
  contprof_put_uleb128(out, summary.counter_count);
  contprof_put_uleb128(out, summary.function_count);
  contprof_put_uleb128(out, summary.entry_count);
  for (size_t i = 0; i < summary.entry_count; i++) {
    contprof_put_uleb128(out, summary.entries[i].cutoff);
    contprof_put_uleb128(out, summary.entries[i].min_count);
    contprof_put_uleb128(out, summary.entries[i].counter_count);
  }
  contprof_sample_summary_free(&summary);
}

void contprof_put_name(const struct contprof_body_writer *writer,
                       const struct contprof_sample_name *name, struct contprof_byte_writer *out) {
  contprof_put_uleb128(out, writer->name_places[name->index]);
}

void contprof_put_function_key(const struct contprof_body_writer *writer,
                               const struct contprof_function_samples *function,
                               struct contprof_byte_writer *out) {
  if (!function->context) {
    contprof_put_name(writer, function->name, out);
    return;
  }
  const struct contprof_context_place key = {function, 0},
                                      *found =
                                          bsearch(&key, writer->context_places,
                                                  writer->context_count, sizeof key, by_address);
  contprof_put_uleb128(out, found->place);
}

static void put_targets(struct contprof_body_writer *writer,
                        const struct contprof_body_sample *body, struct contprof_byte_writer *out) {
  if (body->target_count > writer->target_room) {
    writer->target_room = body->target_count * (size_t)2;
    writer->targets =
        contprof_need_array(writer->targets, writer->target_room, sizeof *writer->targets);
  }
  contprof_targets_sorted(body, writer->targets);
  for (uint32_t i = 0; i < body->target_count; i++) {
    contprof_put_name(writer, writer->targets[i].name, out);
    contprof_put_uleb128(out, writer->targets[i].count);
  }
}

static void put_samples(struct contprof_body_writer *writer,
                        const struct contprof_function_samples *function,
                        struct contprof_byte_writer *out);

static void put_inlined(struct contprof_body_writer *writer,
                        const struct contprof_function_samples *function,
                        struct contprof_byte_writer *out) {
  uint64_t count = 0;
  for (size_t i = 0; i < function->callsite_count; i++)
    count += function->callsites[i].inlinee_count;
  contprof_put_uleb128(out, count);
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++) {
      put_line(function->callsites[i].line, out);
      put_samples(writer, function->callsites[i].inlinees[j], out);
    }
}

static void put_samples(struct contprof_body_writer *writer,
                        const struct contprof_function_samples *function,
                        struct contprof_byte_writer *out) {
  contprof_put_function_key(writer, function, out);
  contprof_put_uleb128(out, function->total);
  contprof_put_uleb128(out, function->body_count);
  for (size_t i = 0; i < function->body_count; i++) {
    const struct contprof_body_sample *body = &function->bodies[i];
    put_line(body->line, out);
    contprof_put_uleb128(out, body->count);
    contprof_put_uleb128(out, body->target_count);
    if (body->target_count)
      put_targets(writer, body, out);
  }
  put_inlined(writer, function, out);
}

void contprof_put_function(struct contprof_body_writer *writer,
                           const struct contprof_function_samples *function,
                           struct contprof_byte_writer *out) {
  contprof_put_uleb128(out, function->head);
  put_samples(writer, function, out);
}
