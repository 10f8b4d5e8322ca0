#include "tools/sample/sample_format.h"

#include <criterion/criterion.h>
#include <string.h>

static const char TEXT[] = "f:100:7\n"
                           " 1: 5\n"
                           " 1.3: 6 std::pair<int, char *>:4 g:2\n"
                           " 2: inlined:9\n"
                           "  4: 9\n"
                           "g:20:1\n"
                           " 1: 20\n";

static struct contprof_sample_profile profile, again;
static struct contprof_byte_writer out, text;
static struct contprof_error error;

static void begin(void) {
  contprof_error_clear(&error);
}

static void end(void) {
  contprof_sample_profile_free(&profile);
  contprof_sample_profile_free(&again);
  contprof_byte_writer_free(&out);
  contprof_byte_writer_free(&text);
}

TestSuite(sample_format, .init = begin, .fini = end);

static bool read(const char *bytes, struct contprof_sample_profile *into) {
  return contprof_sample_read_bytes((const uint8_t *)bytes, strlen(bytes), "in", into, &error);
}

static const struct contprof_sample_write_options PLAIN = {.format = CONTPROF_SAMPLE_TEXT};

static void check_round(const struct contprof_sample_write_options *options) {
  cr_assert(read(TEXT, &profile));
  cr_assert(contprof_sample_put(&profile, options, &out, &error));
  cr_assert(contprof_sample_read_bytes(out.bytes, out.size, "out", &again, &error), "%s",
            error.message);
  cr_assert(contprof_sample_put(&again, &PLAIN, &text, &error));
  cr_assert(text.size == strlen(TEXT) && memcmp(text.bytes, TEXT, text.size) == 0, "%.*s",
            (int)text.size, (const char *)text.bytes);
}

Test(sample_format, text_is_what_it_was) {
  check_round(&PLAIN);
}

Test(sample_format, binary_is_what_it_was) {
  check_round(&(struct contprof_sample_write_options){.format = CONTPROF_SAMPLE_BINARY});
}

Test(sample_format, extended_binary_is_what_it_was) {
  check_round(&(struct contprof_sample_write_options){.format = CONTPROF_SAMPLE_EXTBINARY});
}

Test(sample_format, compressed_and_split_it_is_too) {
  check_round(&(struct contprof_sample_write_options){
      .format = CONTPROF_SAMPLE_EXTBINARY, .compress = true, .split_layout = true});
}

Test(sample_format, hashes_stay_for_names) {
  const struct contprof_sample_write_options md5 = {.format = CONTPROF_SAMPLE_EXTBINARY,
                                                    .md5_names = true};
  cr_assert(read(TEXT, &profile));
  cr_assert(contprof_sample_put(&profile, &md5, &out, &error));
  cr_assert(contprof_sample_read_bytes(out.bytes, out.size, "out", &again, &error));
  cr_assert(again.md5_names);
  cr_assert_null(contprof_samples_find(&again, "f", 1));
  cr_assert_null(again.functions[0]->name->text);
  cr_assert_eq(contprof_sample_name_hash(again.functions[0]->name),
               contprof_sample_name_hash(profile.functions[0]->name));
}

Test(sample_format, names_may_be_kept_elsewhere) {
  struct contprof_sample_profile borrowing = {.names_of = &profile};
  const struct contprof_sample_name *f = contprof_sample_name_of(&profile, "f", 1);
  cr_assert(read(TEXT, &borrowing));
  cr_assert_eq(borrowing.functions[0]->name, f);
  cr_assert(contprof_sample_profile_merge(&profile, &borrowing, 1, &error));
  contprof_sample_profile_free(&borrowing);
  cr_assert(contprof_sample_put(&profile, &PLAIN, &text, &error));
  cr_assert(text.size == strlen(TEXT) && memcmp(text.bytes, TEXT, text.size) == 0);
}

Test(sample_format, contexts_and_probes_are_not_for_binary) {
  cr_assert(read("[main:3 @ f]:10:2\n 1: 10\n !CFGChecksum: 77\n !Attributes: 2\n", &profile));
  cr_assert(profile.context_sensitive && profile.probe_based && profile.preinlined);
  cr_assert_eq(profile.functions[0]->cfg_hash, 77);
  cr_assert_eq(profile.functions[0]->attributes, 2);
  cr_assert_not(contprof_sample_put(
      &profile, &(struct contprof_sample_write_options){.format = CONTPROF_SAMPLE_BINARY}, &out,
      &error));
  cr_assert_eq(error.code, CONTPROF_UNSUPPORTED);
}

Test(sample_format, a_damaged_text_leaves_nothing) {
  cr_assert_not(read("f:1:1\n 1: 1\n 2: x\n", &profile));
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
  cr_assert_eq(error.offset, 12);
  cr_assert_eq(profile.function_count, 0);
}
