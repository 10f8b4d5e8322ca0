// Scanning of a piece of text, most often a line: each function takes what it is asked for and
// moves on, or leaves the place as it is and returns false. Never reads at or past `end`.
#ifndef CONTPROF_BASE_TEXT_SCAN_H
#define CONTPROF_BASE_TEXT_SCAN_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct contprof_scan {
  const char *at;  // what comes next
  const char *end; // not in the text
};

static inline struct contprof_scan contprof_scan_over(const char *text, size_t length) {
  return (struct contprof_scan){text, text + length};
}

static inline bool contprof_scan_is_at_end(const struct contprof_scan *scan) {
  return scan->at == scan->end;
}

// True if `character` comes next, which is not taken.
static inline bool contprof_scan_sees(const struct contprof_scan *scan, char character) {
  return scan->at < scan->end && *scan->at == character;
}

static inline bool contprof_scan_character(struct contprof_scan *scan, char character) {
  bool sees = contprof_scan_sees(scan, character);
  scan->at += sees;
  return sees;
}

static inline void contprof_scan_spaces(struct contprof_scan *scan) {
  while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
    scan->at++;
}

static inline bool contprof_scan_is_decimal(char character) {
  return (unsigned char)(character - '0') < 10;
}

// `text` itself.
bool contprof_scan_text(struct contprof_scan *scan, const char *text);

// Decimal digits, one or more, whose value fits.
bool contprof_scan_decimal(struct contprof_scan *scan, uint64_t *value);

// Such digits behind a sign perhaps.
bool contprof_scan_signed(struct contprof_scan *scan, int32_t *value);

// The next word: what stands before a space, a tab or the end, without white space before it.
bool contprof_scan_word(struct contprof_scan *scan, struct contprof_scan *word);

// How many of eight characters, the first in the lowest byte, are hexadecimal digits before one
// that is none.
static inline unsigned contprof_hex_run(uint64_t characters) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t digit = characters ^ 0x30 * each;                  // of '0' to '9': 0 to 9
  uint64_t letter = (characters | 0x20 * each) ^ 0x60 * each; // of 'a' to 'f': 1 to 6
  // Each byte's top bit, since bytes of the text with theirs set are taken out by `characters`.
  uint64_t no_digit = (digit & 0x7f * each) + 0x76 * each;
  uint64_t is_letter =
      ~((letter & 0x7f * each) + 0x79 * each) & ((letter & 0x7f * each) + 0x7f * each);
  uint64_t neither = ((no_digit & ~is_letter) | characters) & 0x80 * each;
  return neither ? (unsigned)__builtin_ctzll(neither) / 8 : 8;
}

// The value of eight hexadecimal digits, the first in the lowest byte; zero bytes count as '0'.
static inline uint64_t contprof_hex_value(uint64_t digits) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t nibbles = (digits & 0x0f * each) + 9 * (digits >> 6 & each);
  uint64_t bytes = (nibbles << 4 | nibbles >> 8) & UINT64_C(0x00ff00ff00ff00ff);
  uint64_t words = (bytes << 8 | bytes >> 16) & UINT64_C(0x0000ffff0000ffff);
  return (words << 16 | words >> 32) & UINT64_C(0xffffffff);
}

// Hexadecimal digits, one or more, without prefix, whose value fits. Eight at a time: almost all of
// a recording's text is addresses.
static inline bool contprof_scan_hex(struct contprof_scan *scan, uint64_t *value) {
  const char *at = scan->at;
  uint64_t sum = 0;
  unsigned run = 8;
  while (run == 8 && at < scan->end) {
    size_t left = (size_t)(scan->end - at);
    uint64_t characters = 0;
    if (left >= 8)
      memcpy(&characters, at, 8);
    else
      memcpy(&characters, at, left);
    characters = le64toh(characters);
    run = contprof_hex_run(characters);
    if (!run)
      break;
    if (sum >> (64 - 4 * run))
      return false;
    sum = sum << 4 * run | contprof_hex_value(characters << (64 - 8 * run));
    at += run;
  }
  bool any = at > scan->at;
  scan->at = at;
  *value = sum;
  return any;
}

#endif
