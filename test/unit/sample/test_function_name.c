// Suffixes of copies are cut as LLVM's getCanonicalFnName cuts them.
#include "tools/sample/function_name.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *name, bool keep_unique, const char *canonical) {
  size_t length = contprof_canonical_length(name, strlen(name), keep_unique);
  cr_expect(length == strlen(canonical), "%s became %.*s", name, (int)length, name);
}

Test(function_name, plain_names_stay) {
  expect("main", false, "main");
  expect("", false, "");
  expect("foo.cold", false, "foo.cold");
  expect("foo.cold.1", false, "foo.cold.1");
}

Test(function_name, suffixes_are_cut_from_the_end) {
  expect("foo.llvm.123", false, "foo");
  expect("foo.part.0", false, "foo");
  expect("foo.__uniq.77", false, "foo");
  expect("foo.__uniq.77.part.1.llvm.5", false, "foo");
  expect("foo.llvm.", false, "foo");
}

Test(function_name, unique_suffix_stays_on_demand) {
  expect("foo.__uniq.77.llvm.5", true, "foo.__uniq.77");
}

Test(function_name, more_than_a_suffix_is_no_suffix) {
  expect("foo.llvm.123.cold", false, "foo.llvm.123.cold");
  expect("foo.part.0.llvm", false, "foo.part.0.llvm");
  expect("llvm.1", false, "llvm.1");
  expect(".llvm.1", false, "");
}
