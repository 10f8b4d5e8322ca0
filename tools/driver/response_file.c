#include "response_file.h"

#include "../base/file_view.h"

#include <string.h>

// Files within files. What is deeper (a file that includes itself) is left for clang to refuse.
enum { MOST_NESTED = 32 };

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Takes one word from *text up to `end`; writes it, without quotes, to `word`.
static size_t take_word(const char **text, const char *end, char *word) {
  size_t length = 0;
  char quote = 0;
  const char *p = *text;
  for (; p < end && (quote || !is_space(*p)) && *p; p++) {
    if (*p == '\\' && p + 1 < end)
      word[length++] = *++p;
    else if (quote && *p == quote)
      quote = 0;
    else if (!quote && (*p == '"' || *p == '\''))
      quote = *p;
    else
      word[length++] = *p;
  }
  *text = p;
  return length;
}

void contprof_response_split(const char *text, size_t size, struct contprof_word_list *list) {
  const char *end = text + size;
  char *word = contprof_arena_zeros(list->arena, size + 1, 1);
  for (;;) {
    while (text < end && (is_space(*text) || !*text))
      text++;
    if (text == end)
      return;
    size_t length = take_word(&text, end, word);
    contprof_word_add(list, contprof_arena_string(list->arena, word, length));
  }
}

static void expand(const char *const *words, unsigned depth, struct contprof_word_list *list);

// Appends what the response file holds. False if there is no such file.
static bool expand_file(const char *path, unsigned depth, struct contprof_word_list *list) {
  struct contprof_file_view file = {0};
  struct contprof_error unreadable;
  contprof_error_clear(&unreadable);
  if (depth == MOST_NESTED || strcmp(path, "-") == 0 ||
      !contprof_file_open(path, &file, &unreadable))
    return false;
  const char *text = (const char *)file.bytes;
  size_t mark = file.size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // UTF-8's
  struct contprof_word_list inner = {.arena = list->arena};
  contprof_response_split(text + mark, file.size - mark, &inner);
  contprof_file_close(&file);
  expand(contprof_words(&inner), depth + 1, list);
  return true;
}

static void expand(const char *const *words, unsigned depth, struct contprof_word_list *list) {
  for (; *words; words++)
    if (**words != '@' || !expand_file(*words + 1, depth, list))
      contprof_word_add(list, *words);
}

void contprof_response_expand(const char *const *words, struct contprof_word_list *list) {
  expand(words, 0, list);
}

const char *contprof_response_join(const struct contprof_word_list *list, size_t *size) {
  size_t room = 1;
  for (size_t i = 0; i < list->count; i++)
    room += 2 * strlen(list->words[i]) + 3;
  char *text = contprof_arena_zeros(list->arena, room, 1);
  char *out = text;
  for (size_t i = 0; i < list->count; i++) {
    *out++ = '"';
    for (const char *p = list->words[i]; *p; p++) {
      if (*p == '"' || *p == '\\')
        *out++ = '\\';
      *out++ = *p;
    }
    *out++ = '"';
    *out++ = '\n';
  }
  *size = (size_t)(out - text);
  return text;
}
