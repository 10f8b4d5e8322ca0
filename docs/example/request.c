#include "request.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ARGUMENTS_MAX = 3, SECONDS_MAX = 100000000 };

struct request {
  struct store *store;
  int64_t now;                           // milliseconds
  struct slice arguments[ARGUMENTS_MAX]; // into the request's line
  char *answer;                          // ANSWER_MAX bytes
};

struct verb {
  const char *name;
  int arguments;                          // all of them are required
  size_t (*run)(struct request *request); // returns the answer's length
};

static size_t answer_text(char *answer, const char *text) {
  size_t length = strlen(text);
  memcpy(answer, text, length);
  return length;
}

__attribute__((format(printf, 2, 3))) static size_t answer_format(char *answer, const char *format,
                                                                  ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(answer, ANSWER_MAX, format, arguments);
  va_end(arguments);
  return length < ANSWER_MAX ? (size_t)length : ANSWER_MAX - 1;
}

// Keys are visible ASCII: what else a client sends is not a key, and may be its bug.
static bool key_is_good(struct slice key) {
  if (key.length < 1 || key.length > STORE_KEY_MAX)
    return false;
  for (size_t i = 0; i < key.length; i++)
    if (key.bytes[i] <= ' ' || key.bytes[i] > '~')
      return false;
  return true;
}

// A decimal number of seconds, or -1.
static int64_t seconds_of(struct slice text) {
  int64_t seconds = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (text.bytes[i] < '0' || text.bytes[i] > '9' || seconds > SECONDS_MAX)
      return -1;
    seconds = seconds * 10 + (text.bytes[i] - '0');
  }
  return text.length ? seconds : -1;
}

static size_t run_get(struct request *request) {
  if (!key_is_good(request->arguments[0]))
    return answer_text(request->answer, "ERROR bad key\n");
  size_t prefix = answer_text(request->answer, "VALUE ");
  int length =
      store_get(request->store, request->arguments[0], request->now, request->answer + prefix);
  if (length < 0)
    return answer_text(request->answer, "NONE\n");
  request->answer[prefix + (size_t)length] = '\n';
  return prefix + (size_t)length + 1;
}

static size_t run_set(struct request *request) {
  int64_t seconds = seconds_of(request->arguments[1]);
  if (!key_is_good(request->arguments[0]))
    return answer_text(request->answer, "ERROR bad key\n");
  if (seconds < 0)
    return answer_text(request->answer, "ERROR bad number of seconds\n");
  if (request->arguments[2].length > STORE_VALUE_MAX)
    return answer_text(request->answer, "ERROR value too long\n");
  store_set(request->store, request->arguments[0], request->arguments[2], request->now,
            seconds ? request->now + seconds * 1000 : STORE_FOREVER);
  return answer_text(request->answer, "STORED\n");
}

static size_t run_del(struct request *request) {
  if (!key_is_good(request->arguments[0]))
    return answer_text(request->answer, "ERROR bad key\n");
  bool found = store_delete(request->store, request->arguments[0], request->now);
  return answer_text(request->answer, found ? "DELETED\n" : "NONE\n");
}

static size_t run_count(struct request *request) {
  struct slice pattern = request->arguments[0];
  return answer_format(request->answer, "COUNT %" PRIu64 "\n",
                       store_count(request->store, pattern, request->now));
}

static size_t run_stats(struct request *request) {
  struct store_stats stats = store_stats(request->store);
  return answer_format(request->answer,
                       "STATS hits=%" PRIu64 " misses=%" PRIu64 " sets=%" PRIu64 " expired=%" PRIu64
                       " evicted=%" PRIu64 " resets=%" PRIu64 "\n",
                       stats.hits, stats.misses, stats.sets, stats.expired, stats.evicted,
                       stats.resets);
}

// The next word of `line`, which loses it and the space after it.
static struct slice take_word(struct slice *line) {
  struct slice word = {line->bytes, 0};
  while (word.length < line->length && word.bytes[word.length] != ' ')
    word.length++;
  size_t taken = word.length + (word.length < line->length);
  line->bytes += taken;
  line->length -= taken;
  return word;
}

// Whether `word` is the verb `name`, in capitals or not.
static bool names_verb(struct slice word, const char *name) {
  for (size_t i = 0; i < word.length; i++)
    if (name[i] == '\0' || (word.bytes[i] & ~0x20) != name[i])
      return false;
  return name[word.length] == '\0';
}

static const struct verb *find_verb(struct slice word) {
  static const struct verb verbs[] = {
      {"STATS", 0, run_stats}, {"COUNT", 1, run_count}, {"DEL", 1, run_del},
      {"SET", 3, run_set},     {"GET", 1, run_get},
  };
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (names_verb(word, verbs[i].name))
      return &verbs[i];
  return NULL;
}

size_t request_run(struct store *store, struct slice line, int64_t now, char *answer) {
  struct request request = {.store = store, .now = now, .answer = answer};
  if (line.length > 0 && line.bytes[line.length - 1] == '\r')
    line.length--;
  const struct verb *verb = find_verb(take_word(&line));
  if (verb == NULL)
    return answer_text(answer, "ERROR unknown command\n");
  for (int i = 0; i < verb->arguments; i++) {
    if (line.length == 0 && i < 2) // only a value may be empty
      return answer_text(answer, "ERROR too few arguments\n");
    // The third argument is a value, and takes the rest of the line.
    request.arguments[i] = i < 2 ? take_word(&line) : line;
  }
  if (verb->arguments < ARGUMENTS_MAX && line.length > 0)
    return answer_text(answer, "ERROR too many arguments\n");
  return verb->run(&request);
}
