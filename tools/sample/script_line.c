#include "script_line.h"

#include "script_stack.h"

#include <ctype.h>

enum {
  ADDRESS_WIDTH = 16, // columns that perf gives an address, at least: "%16lx"
  PID_END = 7,        // column where a PID of "%5d" ends, at most: PIDs have up to 7 digits
  WORDS_MAX = 16,     // of a line, before its stack: a name of 15 characters, and the columns
};

static size_t length_of(struct contprof_scan word) {
  return (size_t)(word.end - word.at);
}

static bool is_hex(struct contprof_scan word, uint64_t *value) {
  return contprof_scan_hex(&word, value) && contprof_scan_is_at_end(&word);
}

static bool is_decimal(struct contprof_scan word, uint64_t *value) {
  return contprof_scan_decimal(&word, value) && contprof_scan_is_at_end(&word);
}

static bool starts_with(struct contprof_scan word, const char *text) {
  return contprof_scan_text(&word, text);
}

// "PID", "TID" or "PID/TID".
static bool take_id(struct contprof_scan word, struct contprof_script_line *line) {
  int32_t id, thread;
  if (!contprof_scan_signed(&word, &id))
    return false;
  bool is_pid = contprof_scan_character(&word, '/') && contprof_scan_signed(&word, &thread);
  if (!contprof_scan_is_at_end(&word))
    return false;
  line->has_id = true;
  line->id_is_pid = is_pid;
  line->id = id;
  return true;
}

// "[CPU]".
static bool is_cpu(struct contprof_scan word) {
  uint64_t cpu;
  return contprof_scan_character(&word, '[') && contprof_scan_decimal(&word, &cpu) &&
         contprof_scan_character(&word, ']') && contprof_scan_is_at_end(&word);
}

// "SECONDS.FRACTION:", the fraction in 6 or 9 digits.
static bool take_time(struct contprof_scan word, uint64_t *time) {
  uint64_t seconds, fraction;
  if (!contprof_scan_decimal(&word, &seconds) || !contprof_scan_character(&word, '.'))
    return false;
  const char *digits = word.at;
  if (!contprof_scan_decimal(&word, &fraction) || word.at - digits > 9)
    return false;
  for (ptrdiff_t given = word.at - digits; given < 9; given++)
    fraction *= 10;
  *time = seconds * 1000000000 + fraction;
  return contprof_scan_character(&word, ':') && contprof_scan_is_at_end(&word);
}

// "EVENT:". Names begin with a letter; a time, too, ends with a colon.
static bool take_event(struct contprof_scan word, struct contprof_scan *event) {
  if (length_of(word) < 2 || word.end[-1] != ':' || !isalpha((unsigned char)*word.at))
    return false;
  *event = (struct contprof_scan){word.at, word.end - 1};
  return true;
}

// The words that a line begins with.
struct words {
  struct contprof_scan word[WORDS_MAX];
  size_t count;
  const char *end; // of the line
};

static struct words words_of(struct contprof_scan text) {
  struct words words = {.end = text.end};
  while (words.count < WORDS_MAX && contprof_scan_word(&text, &words.word[words.count]))
    words.count++;
  return words;
}

// The address in word `at`, behind other columns: right-aligned in its width, unless
// `of_any_width`. It tells an address from the number in a command's name.
static bool take_address(const struct words *words, size_t at, bool of_any_width,
                         struct contprof_script_line *line) {
  struct contprof_scan word = words->word[at];
  if (!is_hex(word, &line->ip) ||
      (!of_any_width && word.end - words->word[at - 1].end <= ADDRESS_WIDTH))
    return false;
  line->kind = CONTPROF_SCRIPT_SAMPLE;
  line->rest = (struct contprof_scan){word.end, words->end};
  return true;
}

// The columns that may stand between a PID and an address, from word `at` on, and the address.
static bool take_columns(const struct words *words, size_t at, struct contprof_script_line *line) {
  size_t first = at;
  uint64_t period;
  if (at < words->count && is_cpu(words->word[at]))
    at++;
  if (at < words->count && take_time(words->word[at], &line->time))
    at++;
  if (at + 1 < words->count && is_decimal(words->word[at], &period) &&
      take_event(words->word[at + 1], &line->event)) {
    line->period = period;
    at += 2;
  } else if (at < words->count && take_event(words->word[at], &line->event))
    at++;
  if (at < words->count)
    return at > 0 && take_address(words, at, !first, line);
  // Nothing follows: perf prints such a line before a callchain, with a space at its end.
  line->kind = CONTPROF_SCRIPT_HEAD;
  return words->word[at - 1].end < words->end;
}

// A command's name, which may have spaces and numbers in it, or none, and columns.
static bool read_columns(struct contprof_scan text, struct contprof_script_line *line) {
  struct words words = words_of(text);
  uint64_t time;
  for (size_t at = 0; at < words.count; at++) {
    struct contprof_script_line tried = {.kind = CONTPROF_SCRIPT_OTHER};
    struct contprof_scan word = words.word[at];
    bool is_id = take_id(word, &tried);
    if ((is_id || is_cpu(word) || take_time(word, &time) || !at) &&
        take_columns(&words, at + is_id, &tried)) {
      *line = tried;
      return true;
    }
  }
  return false;
}

static bool is_pid_column(struct contprof_scan word, const char *line) {
  uint64_t pid;
  return word.end - line <= PID_END && is_decimal(word, &pid) && pid <= INT32_MAX;
}

// A line of one hexadecimal number.
static void read_number(struct contprof_scan word, struct contprof_scan text,
                        struct contprof_script_line *line) {
  bool is_first = word.at == text.at, is_last = word.end == text.end;
  line->rest = (struct contprof_scan){word.end, text.end};
  if (is_first && is_last && is_decimal(word, &line->count))
    line->kind = CONTPROF_SCRIPT_COUNT;
  else if (!is_last && is_pid_column(word, text.at) && take_id(word, line))
    line->kind = CONTPROF_SCRIPT_HEAD;
  else if (!is_first || length_of(word) == ADDRESS_WIDTH)
    line->kind = CONTPROF_SCRIPT_ADDRESS;
}

static bool read_record(struct contprof_scan text, struct contprof_script_line *line) {
  static const char mark[] = "PERF_RECORD_";
  const char *at = memmem(text.at, length_of(text), mark, sizeof mark - 1);
  if (!at)
    return false;
  line->kind = CONTPROF_SCRIPT_RECORD;
  line->rest = (struct contprof_scan){at, text.end};
  return true;
}

// A line that begins with a hexadecimal number, which is line->ip, and has something behind it.
static bool read_numbers(struct contprof_scan first, struct contprof_scan second,
                         struct contprof_scan text, struct contprof_script_line *line) {
  uint64_t address;
  line->kind = CONTPROF_SCRIPT_SAMPLE;
  line->rest = (struct contprof_scan){second.at, text.end};
  if (starts_with(second, "0x") || contprof_script_is_branch(line->rest))
    return true;
  if (starts_with(second, "PERF_RECORD_")) {
    line->kind = CONTPROF_SCRIPT_RECORD;
    return true;
  }
  struct contprof_script_line other = {0};
  if (take_id(second, &other) && read_columns(text, &other)) {
    *line = other;
    return true;
  }
  if (is_pid_column(first, text.at) && is_hex(second, &address)) {
    line->ip = address;
    line->rest.at = second.end;
    return take_id(first, line);
  }
  // A short PID, which has a space before it, and other columns.
  if (is_pid_column(first, text.at) &&
      (read_record(text, &other) || (read_columns(text, &other) && other.has_id))) {
    *line = other;
    return true;
  }
  return first.at > text.at || length_of(first) == ADDRESS_WIDTH;
}

static void read_words(struct contprof_scan text, struct contprof_script_line *line) {
  struct contprof_scan left = text, first, second;
  if (!contprof_scan_word(&left, &first)) {
    line->kind = CONTPROF_SCRIPT_BLANK;
    return;
  }
  if (is_hex(first, &line->ip)) {
    if (!contprof_scan_word(&left, &second)) {
      read_number(first, text, line);
      return;
    }
    if (read_numbers(first, second, text, line))
      return;
  }
  *line =
      (struct contprof_script_line){.kind = CONTPROF_SCRIPT_BRANCHES, .rest = {first.at, text.end}};
  struct contprof_script_line other = {0};
  if (!take_id(first, &other) && contprof_script_is_branch(line->rest))
    return;
  if (!read_columns(text, line) && !read_record(text, line))
    line->kind = CONTPROF_SCRIPT_OTHER;
}

static bool read_frame(struct contprof_scan text, struct contprof_script_line *line) {
  struct contprof_scan word;
  if (!contprof_scan_character(&text, '\t') || !contprof_scan_word(&text, &word) ||
      !is_hex(word, &line->ip))
    return false;
  line->kind = CONTPROF_SCRIPT_FRAME;
  line->rest = (struct contprof_scan){word.end, text.end};
  return true;
}

struct contprof_script_line contprof_script_line_read(const char *line, size_t length) {
  struct contprof_scan text = contprof_scan_over(line, length);
  struct contprof_script_line read = {.kind = CONTPROF_SCRIPT_OTHER};
  if (contprof_scan_sees(&text, '#'))
    read.kind = CONTPROF_SCRIPT_COMMENT;
  else if (!read_frame(text, &read))
    read_words(text, &read);
  return read;
}

struct contprof_scan contprof_script_branches(struct contprof_scan rest) {
  contprof_scan_spaces(&rest);
  if (starts_with(rest, "0x") || contprof_script_is_branch(rest))
    return rest;
  while ((rest.at = memmem(rest.at, length_of(rest), " 0x", 3))) {
    rest.at++;
    if (contprof_script_is_branch(rest))
      return rest;
  }
  return (struct contprof_scan){rest.end, rest.end};
}

// A symbol before it may hold parentheses, and so may a path, but not " (/".
void contprof_script_file(struct contprof_scan rest, char *file, size_t room) {
  static const char begin[] = {' ', '(', '/'};
  file[0] = 0;
  const char *found = memmem(rest.at, (size_t)(rest.end - rest.at), begin, sizeof begin);
  const char *end = found ? memrchr(found, ')', (size_t)(rest.end - found)) : NULL;
  if (!end || (size_t)(end - found - 2) >= room)
    return;
  memcpy(file, found + 2, (size_t)(end - found - 2));
  file[end - found - 2] = 0;
}
