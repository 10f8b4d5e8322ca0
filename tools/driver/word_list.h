// A command line under construction: a growing list of words, ready for execv. The words belong to
// whoever made them (argv, string literals, the list's arena) and must outlive the list.
#ifndef CONTPROF_DRIVER_WORD_LIST_H
#define CONTPROF_DRIVER_WORD_LIST_H

#include "../base/arena.h"

#include <stdbool.h>

struct contprof_word_list {
  struct contprof_arena *arena; // owns `words`; not owned
  const char **words;           // `count` of them and a NULL after the last; NULL while empty
  size_t count;
  size_t room; // words that fit, the NULL not counted
};

// Appends one word; the string is not copied.
void contprof_word_add(struct contprof_word_list *list, const char *word);

// Appends every word of `words` up to its NULL.
void contprof_word_add_all(struct contprof_word_list *list, const char *const *words);

// The words up to a NULL, also of an empty list; valid until a word is added.
const char *const *contprof_words(const struct contprof_word_list *list);

// A new string in `arena`, as printf writes it.
const char *contprof_word_format(struct contprof_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// True if `text` starts with `prefix`; `rest`, if not NULL, then points behind it.
bool contprof_word_starts(const char *text, const char *prefix, const char **rest);

// True if `word` is one of the NULL-terminated `set`.
bool contprof_word_in(const char *word, const char *const *set);

#endif
