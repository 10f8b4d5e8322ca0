#include "script_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void script_fail(const struct script_words *words, const char *what, const char *word) {
  fprintf(stderr, "%s:%lu: %s%s%s\n", words->file, words->line, what, word ? ": " : "",
          word ? word : "");
  exit(1);
}

char *take_word(struct script_words *words, const char *what) {
  while (words->next < words->count && !words->words[words->next])
    words->next++;
  if (words->next == words->count)
    script_fail(words, "there should be", what);
  char *word = words->words[words->next];
  words->words[words->next++] = NULL;
  return word;
}

uint64_t number_of(const struct script_words *words, const char *text) {
  char *end;
  errno = 0;
  uint64_t number = strtoull(text, &end, 0);
  if (errno || end == text || *end)
    script_fail(words, "this is no number", text);
  return number;
}

uint64_t take_number(struct script_words *words, const char *what) {
  return number_of(words, take_word(words, what));
}

const char *take_value(struct script_words *words, const char *key) {
  size_t length = strlen(key);
  for (size_t i = words->next; i < words->count; i++) {
    char *word = words->words[i];
    if (!word || strncmp(word, key, length) != 0 || word[length] != '=')
      continue;
    words->words[i] = NULL;
    return word + length + 1;
  }
  return NULL;
}

bool take_flag(struct script_words *words, const char *key) {
  for (size_t i = words->next; i < words->count; i++) {
    if (!words->words[i] || strcmp(words->words[i], key) != 0)
      continue;
    words->words[i] = NULL;
    return true;
  }
  return false;
}

uint64_t take_number_value(struct script_words *words, const char *key, uint64_t otherwise) {
  const char *text = take_value(words, key);
  return text ? number_of(words, text) : otherwise;
}

size_t hex_of(const struct script_words *words, const char *text, uint8_t *bytes, size_t room) {
  size_t count = 0;
  for (; text[0] && text[1]; text += 2) {
    char digits[] = {text[0], text[1], '\0'}, *end;
    if (count == room)
      script_fail(words, "too many bytes", NULL);
    bytes[count++] = (uint8_t)strtoul(digits, &end, 16);
    if (*end)
      script_fail(words, "these are no bytes", text);
  }
  if (*text)
    script_fail(words, "half a byte", text);
  return count;
}

size_t list_of(const struct script_words *words, const char *text, uint64_t *numbers, size_t room) {
  size_t count = 0;
  for (const char *end; *text; text = *end ? end + 1 : end) {
    char number[32];
    end = strchrnul(text, ',');
    if (count == room || (size_t)(end - text) >= sizeof number)
      script_fail(words, "this list is too long", text);
    memcpy(number, text, (size_t)(end - text));
    number[end - text] = '\0';
    numbers[count++] = number_of(words, number);
  }
  return count;
}

uint64_t bits_of(const struct script_words *words, const char *text, const char *const *names,
                 const uint8_t *bits, size_t count) {
  uint64_t sum = 0;
  for (const char *end; *text; text = *end ? end + 1 : end) {
    size_t length = (size_t)((end = strchrnul(text, ',')) - text), i = 0;
    while (i < count && !(strlen(names[i]) == length && memcmp(names[i], text, length) == 0))
      i++;
    if (i == count)
      script_fail(words, "no such name", text);
    sum |= UINT64_C(1) << bits[i];
  }
  return sum;
}

void expect_no_more(struct script_words *words) {
  for (size_t i = 0; i < words->count; i++)
    if (words->words[i])
      script_fail(words, "this is not understood", words->words[i]);
}
