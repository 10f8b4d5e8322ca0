#include "word_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void make_room(struct contprof_word_list *list) {
  size_t room = list->room ? 2 * list->room : 32;
  const char **words = contprof_arena_zeros(list->arena, room + 1, sizeof *words);
  if (list->count)
    memcpy(words, list->words, list->count * sizeof *words);
  list->words = words;
  list->room = room;
}

void contprof_word_add(struct contprof_word_list *list, const char *word) {
  if (list->count == list->room)
    make_room(list);
  list->words[list->count++] = word;
}

void contprof_word_add_all(struct contprof_word_list *list, const char *const *words) {
  for (; *words; words++)
    contprof_word_add(list, *words);
}

const char *const *contprof_words(const struct contprof_word_list *list) {
  static const char *const none[] = {NULL};
  return list->count ? list->words : none;
}

const char *contprof_word_format(struct contprof_arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = contprof_arena_zeros(arena, (size_t)length + 1, 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

bool contprof_word_starts(const char *text, const char *prefix, const char **rest) {
  size_t length = strlen(prefix);
  if (strncmp(text, prefix, length) != 0)
    return false;
  if (rest)
    *rest = text + length;
  return true;
}

bool contprof_word_in(const char *word, const char *const *set) {
  for (; *set; set++)
    if (strcmp(word, *set) == 0)
      return true;
  return false;
}
