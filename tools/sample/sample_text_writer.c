#include "sample_text.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

struct text_writer {
  struct contprof_byte_writer *out;
  const struct contprof_sample_profile *profile;
  struct contprof_call_target *targets; // of one body; owned
  size_t target_room;
};

static void put(struct text_writer *writer, const char *text) {
  contprof_put_bytes(writer->out, text, strlen(text));
}

static void put_number(struct text_writer *writer, uint64_t number) {
  char digits[20], *at = digits + sizeof digits;
  do
    *--at = (char)('0' + number % 10);
  while (number /= 10);
  contprof_put_bytes(writer->out, at, (size_t)(digits + sizeof digits - at));
}

static void put_name(struct text_writer *writer, const struct contprof_sample_name *name) {
  if (name->text)
    contprof_put_bytes(writer->out, name->text, name->length);
  else
    put_number(writer, name->md5);
}

static void put_line(struct text_writer *writer, struct contprof_sample_line line) {
  put_number(writer, line.offset);
  if (line.discriminator) {
    put(writer, ".");
    put_number(writer, line.discriminator);
  }
}

static void put_indented(struct text_writer *writer, size_t indent,
                         struct contprof_sample_line line) {
  for (size_t i = 0; i < indent; i++)
    put(writer, " ");
  put_line(writer, line);
  put(writer, ": ");
}

static const struct contprof_call_target *sorted_targets(struct text_writer *writer,
                                                         const struct contprof_body_sample *body) {
  if (body->target_count > writer->target_room) {
    writer->target_room = body->target_count * (size_t)2;
    writer->targets =
        contprof_need_array(writer->targets, writer->target_room, sizeof *writer->targets);
  }
  contprof_targets_sorted(body, writer->targets);
  return writer->targets;
}

static void put_body(struct text_writer *writer, const struct contprof_body_sample *body,
                     size_t indent) {
  put_indented(writer, indent, body->line);
  put_number(writer, body->count);
  const struct contprof_call_target *targets =
      body->target_count ? sorted_targets(writer, body) : NULL;
  for (uint32_t i = 0; i < body->target_count; i++) {
    put(writer, " ");
    put_name(writer, targets[i].name);
    put(writer, ":");
    put_number(writer, targets[i].count);
  }
  put(writer, "\n");
}

static void put_metadata(struct text_writer *writer, size_t indent, const char *key,
                         uint64_t value) {
  for (size_t i = 0; i < indent; i++)
    put(writer, " ");
  put(writer, key);
  put_number(writer, value);
  put(writer, "\n");
}

// What follows a function's first line; `indent` is that of its lines.
static void put_lines(struct text_writer *writer, const struct contprof_function_samples *function,
                      size_t indent) {
  for (size_t i = 0; i < function->body_count; i++)
    put_body(writer, &function->bodies[i], indent);
  for (size_t i = 0; i < function->callsite_count; i++)
    for (uint32_t j = 0; j < function->callsites[i].inlinee_count; j++) {
      const struct contprof_function_samples *inlinee = function->callsites[i].inlinees[j];
      put_indented(writer, indent, function->callsites[i].line);
      put(writer, writer->profile->context_sensitive ? "[" : "");
      put_name(writer, inlinee->name);
      put(writer, writer->profile->context_sensitive ? "]:" : ":");
      put_number(writer, inlinee->total);
      put(writer, "\n");
      put_lines(writer, inlinee, indent + 1);
    }
  if (writer->profile->probe_based)
    put_metadata(writer, indent, "!CFGChecksum: ", function->cfg_hash);
  if (function->attributes)
    put_metadata(writer, indent, "!Attributes: ", function->attributes);
}

static void put_context(struct text_writer *writer,
                        const struct contprof_function_samples *function) {
  put(writer, "[");
  if (!function->context)
    put_name(writer, function->name);
  for (uint32_t i = 0; i < function->context_count; i++) {
    put(writer, i ? " @ " : "");
    put_name(writer, function->context[i].name);
    if (i + 1 == function->context_count)
      break;
    put(writer, ":");
    put_line(writer, function->context[i].line);
  }
  put(writer, "]");
}

static void put_function(struct text_writer *writer,
                         const struct contprof_function_samples *function) {
  if (writer->profile->context_sensitive)
    put_context(writer, function);
  else
    put_name(writer, function->name);
  put(writer, ":");
  put_number(writer, function->total);
  put(writer, ":");
  put_number(writer, function->head);
  put(writer, "\n");
  put_lines(writer, function, 1);
}

void contprof_sample_text_put(const struct contprof_sample_profile *profile,
                              struct contprof_byte_writer *out) {
  struct text_writer writer = {.out = out, .profile = profile};
  struct contprof_function_samples **sorted = contprof_samples_sorted(profile);
  for (size_t i = 0; i < profile->function_count; i++)
    put_function(&writer, sorted[i]);
  free(sorted);
  free(writer.targets);
}
