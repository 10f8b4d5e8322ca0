#include "option_values.h"

#include "../base/line_reader.h"

#include <string.h>

bool contprof_bad_argument(struct contprof_error *error, const char *option, const char *argument,
                           const char *wanted) {
  return contprof_fail(error, CONTPROF_USAGE, NULL, NULL, CONTPROF_NO_OFFSET,
                       "--%s=%s: expected %s", option, argument, wanted);
}

bool contprof_number_argument(const char *option, const char *argument, uint64_t *number,
                              struct contprof_error *error) {
  return contprof_parse_number(argument, strlen(argument), 10, number) ||
         contprof_bad_argument(error, option, argument, "a whole number");
}
