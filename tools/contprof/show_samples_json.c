// Sample profiles as JSON (dumpFunctionProfileJson in llvm/lib/ProfileData/SampleProfReader.cpp).
#include "../base/json_text.h"
#include "../base/memory.h"
#include "show_samples.h"

#include <inttypes.h>
#include <stdlib.h>

// JSON on its way, each value on a line of its own, as json::OStream indents it.
struct json {
  struct contprof_byte_writer text;
  int depth;     // of brackets that are open
  bool has_some; // the innermost has a value already
};

static void new_line(struct json *json) {
  contprof_put_u8(&json->text, '\n');
  for (int i = 0; i < json->depth; i++)
    contprof_put_text(&json->text, "  ");
}

// Before a value of an array, or a name in an object.
static void next(struct json *json) {
  if (json->has_some)
    contprof_put_u8(&json->text, ',');
  if (json->depth)
    new_line(json);
  json->has_some = true;
}

static void name(struct json *json, const char *text) {
  next(json);
  contprof_put_format(&json->text, "\"%s\": ", text);
}

static void begin(struct json *json, char bracket) {
  contprof_put_u8(&json->text, (uint8_t)bracket);
  json->depth++;
  json->has_some = false;
}

static void end(struct json *json, char bracket) {
  json->depth--;
  if (json->has_some)
    new_line(json);
  contprof_put_u8(&json->text, (uint8_t)bracket);
  json->has_some = true;
}

static void put_number(struct json *json, const char *key, uint64_t number) {
  name(json, key);
  contprof_put_format(&json->text, "%" PRIu64, number);
}

static void put_name(struct json *json, const char *key, const struct contprof_sample_name *value) {
  name(json, key);
  if (value->text)
    contprof_put_json_string(&json->text, value->text, value->length);
  else
    contprof_put_format(&json->text, "\"%" PRIu64 "\"", contprof_sample_name_hash(value));
}

static void put_line(struct json *json, struct contprof_sample_line line) {
  put_number(json, "line", line.offset);
  if (line.discriminator)
    put_number(json, "discriminator", line.discriminator);
}

static void put_targets(struct json *json, const struct contprof_body_sample *body) {
  struct contprof_call_target *targets =
      contprof_need_array(NULL, body->target_count, sizeof *targets);
  contprof_targets_sorted(body, targets);
  name(json, "calls");
  begin(json, '[');
  for (uint32_t i = 0; i < body->target_count; i++) {
    next(json);
    begin(json, '{');
    put_name(json, "function", targets[i].name);
    put_number(json, "samples", targets[i].count);
    end(json, '}');
  }
  end(json, ']');
  free(targets);
}

static void put_bodies(struct json *json, const struct contprof_function_samples *function) {
  name(json, "body");
  begin(json, '[');
  for (size_t i = 0; i < function->body_count; i++) {
    next(json);
    begin(json, '{');
    put_line(json, function->bodies[i].line);
    put_number(json, "samples", function->bodies[i].count);
    if (function->bodies[i].target_count)
      put_targets(json, &function->bodies[i]);
    end(json, '}');
  }
  end(json, ']');
}

static void put_function(struct json *json, const struct contprof_function_samples *function,
                         bool top_level);

static void put_callsite(struct json *json, const struct contprof_callsite *callsite) {
  for (uint32_t i = 0; i < callsite->inlinee_count; i++) {
    next(json);
    begin(json, '{');
    put_line(json, callsite->line);
    name(json, "samples");
    begin(json, '[');
    put_function(json, callsite->inlinees[i], false);
    end(json, ']');
    end(json, '}');
  }
}

static void put_function(struct json *json, const struct contprof_function_samples *function,
                         bool top_level) {
  next(json);
  begin(json, '{');
  put_name(json, "name", function->name);
  put_number(json, "total", function->total);
  if (top_level)
    put_number(json, "head", function->head);
  if (function->body_count)
    put_bodies(json, function);
  if (function->callsite_count) {
    name(json, "callsites");
    begin(json, '[');
    for (size_t i = 0; i < function->callsite_count; i++)
      put_callsite(json, &function->callsites[i]);
    end(json, ']');
  }
  end(json, '}');
}

void contprof_show_samples_json(FILE *to, const struct contprof_sample_profile *profile) {
  struct json json = {0};
  struct contprof_function_samples **sorted = contprof_samples_sorted(profile);
  begin(&json, '[');
  for (size_t i = 0; i < profile->function_count; i++)
    put_function(&json, sorted[i], true);
  end(&json, ']');
  contprof_put_u8(&json.text, '\n');
  fwrite(json.text.bytes, 1, json.text.size, to);
  contprof_byte_writer_free(&json.text);
  free(sorted);
}
