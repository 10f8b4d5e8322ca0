// Patterns over keys: `?` is any byte, `*` any number of them, `[a-z_]` one of a set, `[^...]` one
// not in it, `\x` x itself. The whole key must match. No recursion, so no pattern is worse than
// pattern length times key length.
#ifndef KVD_GLOB_H
#define KVD_GLOB_H

#include "store.h"

// Whether the set that starts after the `[` at `*at` holds `byte`; moves `*at` past its `]`, or to
// the pattern's end if there is none.
static bool glob_set_holds(struct slice pattern, size_t *at, char byte) {
  size_t i = *at + 1;
  bool negated = i < pattern.length && pattern.bytes[i] == '^', found = false;
  i += negated;
  for (size_t first = i; i < pattern.length && (pattern.bytes[i] != ']' || i == first); i++) {
    char low = pattern.bytes[i], high = low;
    if (i + 2 < pattern.length && pattern.bytes[i + 1] == '-' && pattern.bytes[i + 2] != ']') {
      high = pattern.bytes[i + 2];
      i += 2;
    }
    found = found || (low <= byte && byte <= high);
  }
  *at = i < pattern.length ? i + 1 : i;
  return found != negated;
}

// Whether the part of the pattern at `*at`, which is not a `*`, matches `byte`; moves `*at` past
// it.
static bool glob_one_matches(struct slice pattern, size_t *at, char byte) {
  switch (pattern.bytes[*at]) {
  case '?':
    *at += 1;
    return true;
  case '[':
    return glob_set_holds(pattern, at, byte);
  case '\\':
    *at += *at + 1 < pattern.length;
    break;
  }
  return pattern.bytes[(*at)++] == byte;
}

static bool glob_matches(struct slice pattern, struct slice key) {
  size_t at = 0, i = 0;        // places in pattern and key
  size_t star = 0, resume = 0; // after the last `*` seen; where its match in the key ends
  bool starred = false;
  while (i < key.length) {
    if (at < pattern.length && pattern.bytes[at] == '*') {
      star = ++at;
      resume = i;
      starred = true;
    } else if (at < pattern.length && glob_one_matches(pattern, &at, key.bytes[i])) {
      i++;
    } else if (starred) { // let the last `*` take one byte more
      at = star;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (at < pattern.length && pattern.bytes[at] == '*')
    at++;
  return at == pattern.length;
}

#endif
