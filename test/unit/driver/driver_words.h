// Command lines in tests are written as one string, words parted by blanks.
#ifndef CONTPROF_TEST_DRIVER_WORDS_H
#define CONTPROF_TEST_DRIVER_WORDS_H

#include "tools/driver/response_file.h"

#include <string.h>

// The words of `line`, ending in NULL.
static inline const char *const *words_of(const char *line, struct contprof_arena *arena) {
  struct contprof_word_list list = {.arena = arena};
  contprof_response_split(line, strlen(line), &list);
  return contprof_words(&list);
}

// The list as one string again.
static inline const char *line_of(const struct contprof_word_list *list) {
  const char *line = "";
  for (size_t i = 0; i < list->count; i++)
    line = contprof_word_format(list->arena, "%s%s%s", line, i ? " " : "", list->words[i]);
  return line;
}

#endif
