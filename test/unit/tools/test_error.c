#include "tools/base/error.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static const char *text_of(const struct contprof_error *error) {
  static char text[2048];
  return contprof_error_text(error, text, sizeof text);
}

Test(error, says_where) {
  struct contprof_error error;
  contprof_error_clear(&error);
  cr_assert_eq(error.code, CONTPROF_OK);
  cr_assert_not(contprof_fail(&error, CONTPROF_CORRUPT, "a/b", "names", 12, "%d bad", 3));
  cr_assert_str_eq(text_of(&error), "a/b: names at offset 12: 3 bad");
}

Test(error, leaves_out_what_does_not_apply) {
  struct contprof_error error;
  contprof_error_clear(&error);
  contprof_fail(&error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET, "wrong");
  cr_assert_str_eq(text_of(&error), "wrong");
  contprof_error_clear(&error);
  contprof_fail(&error, CONTPROF_MISMATCH, "f", NULL, CONTPROF_NO_OFFSET, "wrong");
  cr_assert_str_eq(text_of(&error), "f: wrong");
}

Test(error, the_first_one_wins) {
  struct contprof_error error;
  contprof_error_clear(&error);
  contprof_fail(&error, CONTPROF_CORRUPT, "f", NULL, 0, "first");
  contprof_fail(&error, CONTPROF_IO, "g", NULL, 1, "second");
  contprof_fail_errno(&error, ENOENT, "h", "third");
  cr_assert_eq(error.code, CONTPROF_CORRUPT);
  cr_assert_str_eq(error.message, "first");
}

Test(error, tells_missing_from_failing) {
  struct contprof_error error;
  contprof_error_clear(&error);
  contprof_fail_errno(&error, ENOENT, "f", "can't open");
  cr_assert_eq(error.code, CONTPROF_NOT_FOUND);
  cr_assert(strstr(text_of(&error), "f: can't open: No such file"));
  contprof_error_clear(&error);
  contprof_fail_errno(&error, EACCES, "f", "can't open");
  cr_assert_eq(error.code, CONTPROF_IO);
}

Test(error, keeps_the_end_of_a_long_path) {
  struct contprof_error error;
  char path[1000];
  memset(path, 'd', sizeof path);
  strcpy(path + sizeof path - 7, "/x.raw");
  contprof_error_clear(&error);
  contprof_fail(&error, CONTPROF_IO, path, NULL, 0, "m");
  cr_assert_eq(strlen(error.file), sizeof error.file - 1);
  cr_assert_str_eq(error.file + strlen(error.file) - 6, "/x.raw");
}
