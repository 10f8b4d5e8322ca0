// The text reader and the text writer, against each other; both against llvm-profdata in
// test/e2e/412-text.sh.
#include "made_profile.h"
#include "tools/instr/text_reader.h"
#include "tools/instr/text_writer.h"

#include <criterion/criterion.h>

static struct contprof_error error;

static bool read_text(const void *bytes, size_t size, struct contprof_profile *profile) {
  struct contprof_file_view view = made_view(bytes, size);
  contprof_error_clear(&error);
  bool ok = contprof_is_text(&view) && contprof_text_read(&view, profile, &error);
  free((void *)view.bytes);
  return ok;
}

static struct contprof_byte_writer text_of(struct contprof_profile *profile) {
  struct contprof_byte_writer out = {0};
  contprof_error_clear(&error);
  contprof_profile_sort(profile);
  cr_assert(contprof_text_write(profile, &out, &error), "%s", error.message);
  return out;
}

// The made-up targets of calls have no names, so that the text calls them external: from the second
// time on, the text stays as it is.
static struct contprof_byte_writer again(const struct contprof_byte_writer *text,
                                         struct contprof_profile *got) {
  cr_assert(!text->size || read_text(text->bytes, text->size, got), "%s", error.message);
  return text_of(got);
}

static void check_counts(struct contprof_profile *made, const struct contprof_profile *got) {
  cr_assert_eq(got->function_count, made->function_count);
  for (size_t i = 0; i < made->function_count; i++) {
    const struct contprof_function *wanted = made->functions[i],
                                   *found = contprof_profile_find_like(got, wanted);
    cr_assert(found && found->counter_count == wanted->counter_count);
    cr_assert_eq(
        memcmp(found->counters, wanted->counters, wanted->counter_count * sizeof(uint64_t)), 0);
    cr_assert_eq(found->bitmap_size, wanted->bitmap_size);
    cr_assert(!wanted->bitmap_size ||
              memcmp(found->bitmap, wanted->bitmap, wanted->bitmap_size) == 0);
  }
}

static void check_round_trip(const struct made_shape *shape) {
  struct contprof_profile made, got = {0}, more = {0};
  made_profile(&made, shape);
  struct contprof_byte_writer first = text_of(&made), second = again(&first, &got),
                              third = again(&second, &more);
  cr_assert_eq(got.variant, first.size ? made.variant : 0);
  check_counts(&made, &got);
  cr_assert_eq(second.size, third.size);
  cr_assert(!second.size || memcmp(second.bytes, third.bytes, second.size) == 0);
  contprof_byte_writer_free(&first);
  contprof_byte_writer_free(&second);
  contprof_byte_writer_free(&third);
  contprof_profile_free(&made);
  contprof_profile_free(&got);
  contprof_profile_free(&more);
}

Test(text_format, gives_back_what_was_written) {
  static const unsigned COUNTS[] = {0, 1, 2, 5, 300};
  for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
    check_round_trip(&(struct made_shape){.functions = COUNTS[i]});
    check_round_trip(&(struct made_shape){.functions = COUNTS[i],
                                          .values = true,
                                          .vtables = true,
                                          .bitmaps = true,
                                          .variant = CONTPROF_VARIANT_IR | CONTPROF_VARIANT_CS |
                                                     CONTPROF_VARIANT_ENTRY_FIRST});
  }
}

// Any beginning of a profile is read or refused; never read past its end (the address sanitizer
// would say so), and nothing is left of it when it is refused.
Test(text_format, survives_being_cut_anywhere) {
  struct contprof_profile made;
  made_profile(&made, &(struct made_shape){.functions = 8, .values = true, .bitmaps = true});
  struct contprof_byte_writer text = text_of(&made);
  for (size_t size = 0; size < text.size; size++) {
    struct contprof_profile got = {0};
    bool ok = read_text(text.bytes, size, &got);
    cr_assert(ok || (!got.function_count &&
                     (error.code == CONTPROF_TRUNCATED || error.code == CONTPROF_CORRUPT)));
    contprof_profile_free(&got);
  }
  contprof_byte_writer_free(&text);
  contprof_profile_free(&made);
}

Test(text_format, adds_a_function_that_comes_again_and_drops_another_shape) {
  static const char TEXT[] = "f\n1\n1\n5\nf\n1\n1\n6\nf\n1\n2\n7\n7\nf\n2\n1\n1\n";
  struct contprof_profile got = {0};
  cr_assert(read_text(TEXT, sizeof TEXT - 1, &got), "%s", error.message);
  cr_assert_eq(got.function_count, 2);
  cr_assert_eq(got.functions[0]->counters[0], 11);
  cr_assert_eq(got.functions_dropped, 1);
  contprof_profile_free(&got);
}

// Numbers that promise more than there is are believed only as far as lines follow.
Test(text_format, does_not_allocate_for_promises) {
  static const char *const TEXTS[] = {"f\n1\n4294967295\n1\n", "f\n1\n1\n1\n$4294967295\n0\n",
                                      "f\n1\n1\n1\n1\n0\n4294967295\n1\ng:1\n",
                                      "f\n1\n1\n1\n1\n0\n1\n4294967295\ng:1\n"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    struct contprof_profile got = {0};
    cr_assert_not(read_text(TEXTS[i], strlen(TEXTS[i]), &got));
    cr_assert_eq(error.code, CONTPROF_TRUNCATED, "%s: %s", TEXTS[i], error.message);
  }
}

Test(text_format, refuses_other_bytes) {
  struct contprof_profile got = {0};
  cr_assert_not(read_text("\x81rforpl\xff", 8, &got));
  cr_assert_not(read_text("f\n1\0\n1\n1\n", 9, &got));
}
