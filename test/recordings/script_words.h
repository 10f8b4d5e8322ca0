// A line of a recording's script, in words.
#ifndef TEST_RECORDINGS_SCRIPT_WORDS_H
#define TEST_RECORDINGS_SCRIPT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct script_words {
  const char *file;
  unsigned long line; // from 1
  char **words;       // count of them; a word that was used is NULL
  size_t count;
  size_t next; // the first that take_word has not handed out
};

// Ends the program with a message that names the line.
void script_fail(const struct script_words *words, const char *what, const char *word)
    __attribute__((noreturn));

// The next word, in order, which must be there; the next one as a number.
char *take_word(struct script_words *words, const char *what);
uint64_t take_number(struct script_words *words, const char *what);

// Takes "KEY=value" or "KEY" from anywhere behind: the value, or NULL if it is not there.
const char *take_value(struct script_words *words, const char *key);
bool take_flag(struct script_words *words, const char *key);
uint64_t take_number_value(struct script_words *words, const char *key, uint64_t otherwise);

uint64_t number_of(const struct script_words *words, const char *text);

// Bytes of hexadecimal digits, to `bytes`, of which there is `room`. Returns how many.
size_t hex_of(const struct script_words *words, const char *text, uint8_t *bytes, size_t room);

// Numbers between commas. Returns how many.
size_t list_of(const struct script_words *words, const char *text, uint64_t *numbers, size_t room);

// The sum of the bits that a list of names, between commas, has: name I has 1 << bits[I].
uint64_t bits_of(const struct script_words *words, const char *text, const char *const *names,
                 const uint8_t *bits, size_t count);

// Fails if a word is left that nobody took.
void expect_no_more(struct script_words *words);

#endif
