// Profiles on the way from rank to rank: what arrives is what was sent, and nothing that is cut
// short or contradicts itself is taken for a profile.
#include "made_profile.h"
#include "tools/instr/text_writer.h"
#include "tools/mpi/profile_wire.h"

#include <criterion/criterion.h>

static const struct contprof_trace_limits LIMITS = {CONTPROF_TRACE_RESERVOIR,
                                                    CONTPROF_TRACE_LENGTH};
static const struct made_shape SHAPE = {.functions = 40,
                                        .values = true,
                                        .vtables = true,
                                        .bitmaps = true,
                                        .variant = CONTPROF_VARIANT_IR};
static struct contprof_error error;

static void make(struct contprof_profile *profile) {
  static const uint64_t refs[] = {5, 3, 9};
  struct contprof_name vtable = {.ref = contprof_name_ref("vt", 2), .text = "vt", .length = 2};
  made_profile(profile, &SHAPE);
  profile->format = CONTPROF_FORMAT_INDEXED;
  profile->variant |= CONTPROF_VARIANT_TEMPORAL;
  profile->trace_limits = &LIMITS;
  contprof_profile_add_binary_id(profile, (const uint8_t *)"0123456789", 10);
  profile->keeps_binary_ids = true;
  contprof_name_table_add(&profile->vtables, &vtable);
  contprof_profile_add_trace(profile, 2, refs, 3);
  profile->trace_stream = 1;
  contprof_profile_sort(profile);
}

static void check_same(struct contprof_profile *left, struct contprof_profile *right) {
  struct contprof_byte_writer one = {0}, other = {0};
  contprof_profile_sort(right);
  contprof_error_clear(&error);
  cr_assert(contprof_text_write(left, &one, &error) && contprof_text_write(right, &other, &error));
  cr_assert(one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0,
            "%.*s\nand\n%.*s", (int)one.size, (char *)one.bytes, (int)other.size,
            (char *)other.bytes);
  contprof_byte_writer_free(&one);
  contprof_byte_writer_free(&other);
}

Test(profile_wire, brings_all_of_a_profile) {
  struct contprof_profile sent, got = {.trace_limits = &LIMITS};
  struct contprof_byte_writer wire = {0};
  make(&sent);
  contprof_wire_put(&sent, &wire);
  cr_assert(contprof_wire_merge(&got, &wire));
  cr_assert_eq(got.format, CONTPROF_FORMAT_INDEXED);
  cr_assert(got.binary_id_count == 1 && got.keeps_binary_ids);
  cr_assert_eq(got.vtables.count, 1);
  cr_assert_eq(got.trace_count, 1);
  cr_assert_eq(got.traces[0].weight, 2);
  check_same(&sent, &got);
  contprof_byte_writer_free(&wire);
  contprof_profile_free(&sent);
  contprof_profile_free(&got);
}

Test(profile_wire, adds_to_what_is_there) {
  struct contprof_profile sent, got, wanted;
  struct contprof_merge_report report = {0};
  struct contprof_byte_writer wire = {0};
  make(&sent);
  make(&got);
  make(&wanted);
  contprof_error_clear(&error);
  cr_assert(contprof_profile_merge(&wanted, &sent, 1, &report, "t", &error));
  contprof_wire_put(&sent, &wire);
  cr_assert(contprof_wire_merge(&got, &wire));
  contprof_profile_sort(&wanted);
  check_same(&wanted, &got);
  contprof_byte_writer_free(&wire);
  contprof_profile_free(&sent);
  contprof_profile_free(&got);
  contprof_profile_free(&wanted);
}

// Values alone: of each site, twice what it was.
Test(profile_wire, adds_values) {
  struct contprof_profile sent, got;
  struct contprof_byte_writer wire = {0};
  make(&sent);
  make(&got);
  contprof_wire_put_values(&sent, &wire);
  cr_assert(contprof_wire_add_values(&got, &wire));
  for (size_t i = 0; i < got.function_count; i++)
    for (unsigned kind = 0; kind < CONTPROF_VALUE_KINDS; kind++)
      for (uint32_t j = 0; j < got.functions[i]->site_count[kind]; j++) {
        const struct contprof_value_site *site = &got.functions[i]->sites[kind][j];
        uint64_t before = 0, after = 0;
        for (uint32_t k = 0; k < site->count; k++) {
          before += sent.functions[i]->sites[kind][j].values[k].count;
          after += site->values[k].count;
        }
        cr_assert_eq(after, 2 * before);
      }
  contprof_byte_writer_free(&wire);
  contprof_profile_free(&sent);
  contprof_profile_free(&got);
}

// What contradicts, or was cut, is for rank 0 to judge by the order of all inputs.
Test(profile_wire, refuses_what_depends_on_the_order) {
  struct contprof_profile sent, got;
  struct contprof_byte_writer wire = {0};
  make(&sent);
  make(&got);
  sent.functions[3]->counters[0] = got.functions[3]->counters[0] = CONTPROF_COUNT_MAX - 1;
  contprof_wire_put(&sent, &wire);
  cr_assert_not(contprof_wire_merge(&got, &wire));
  contprof_byte_writer_free(&wire);
  contprof_profile_free(&got);
  make(&got);
  sent.functions[3]->counters[0] = 1;
  got.functions[3]->counter_count = 0; // another shape
  contprof_wire_put(&sent, &wire);
  cr_assert_not(contprof_wire_merge(&got, &wire));
  contprof_byte_writer_free(&wire);
  contprof_profile_free(&sent);
  contprof_profile_free(&got);
}

Test(profile_wire, refuses_what_is_cut_short) {
  struct contprof_profile sent;
  struct contprof_byte_writer wire = {0};
  make(&sent);
  contprof_wire_put(&sent, &wire);
  for (size_t size = 0; size < wire.size; size += 1 + size / 64) {
    struct contprof_profile got = {.trace_limits = &LIMITS};
    struct contprof_byte_writer cut = {.bytes = malloc(size + 1), .size = size};
    memcpy(cut.bytes, wire.bytes, size);
    cr_assert_not(contprof_wire_merge(&got, &cut), "%zu bytes", size);
    contprof_byte_writer_free(&cut);
    contprof_profile_free(&got);
  }
  contprof_byte_writer_free(&wire);
  contprof_profile_free(&sent);
}
