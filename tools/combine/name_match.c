#include "name_match.h"

#include "../base/memory.h"
#include "../sample/function_name.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct contprof_match_entry {
  uint64_t ref; // of the name that is looked for
  size_t group; // or CONTPROF_MATCH_SEVERAL
  bool local;   // the name is a part of the group's
};

static const char UNIQUE[] = ".__uniq.";

static void add_entry(struct contprof_name_match *match, uint64_t ref, size_t group, bool local) {
  if (match->entry_count == match->entry_room) {
    match->entry_room = match->entry_room ? match->entry_room * 2 : 64;
    match->entries = contprof_need_array(match->entries, match->entry_room, sizeof *match->entries);
  }
  match->entries[match->entry_count++] = (struct contprof_match_entry){ref, group, local};
}

// --- names of local functions -------------------------------------------------------------------

// Where `text` begins in name[0..length), in whatever case; `length` if nowhere.
static size_t find_text(const char *name, size_t length, const char *text) {
  size_t size = strlen(text);
  for (size_t at = 0; at + size <= length; at++)
    if (strncasecmp(name + at, text, size) == 0)
      return at;
  return length;
}

// The extensions as llvm-profdata lists them: the first of them that occurs, where it first does.
static size_t after_known_file(const char *name, size_t length, char delimiter) {
  static const char *const EXTENSIONS[] = {".cpp", "cc", ".c", ".hpp", ".h"};
  for (size_t i = 0; i < sizeof EXTENSIONS / sizeof *EXTENSIONS; i++) {
    char text[8] = "";
    size_t size = strlen(EXTENSIONS[i]);
    memcpy(text, EXTENSIONS[i], size);
    text[size] = delimiter;
    size_t at = find_text(name, length, text);
    if (at < length)
      return at + size + 1;
  }
  return 0;
}

// Symbols have neither delimiter but for Objective-C's methods, "-[Class method:]".
static size_t after_any_file(const char *name, size_t length, char delimiter) {
  const char *found = memrchr(name, delimiter, length);
  bool method = length && memchr("-+\1", *name, 3);
  return found && !method ? (size_t)(found - name) + 1 : 0;
}

// Where the name begins behind its file; 0 if it has none.
static size_t behind_file(const struct contprof_match_rules *rules, const char *name,
                          size_t length) {
  size_t (*after)(const char *, size_t, char) = rules->generous ? after_any_file : after_known_file;
  size_t start = rules->semicolon ? after(name, length, ';') : 0;
  return start || !rules->colon ? start : after(name, length, ':');
}

size_t contprof_plain_name_start(const char *name, size_t length) {
  static const struct contprof_match_rules RULES = {
      .colon = true, .semicolon = true, .generous = true};
  size_t start = behind_file(&RULES, name, length);
  return start < length ? start : 0;
}

// --- hashes -------------------------------------------------------------------------------------

// The digest as a decimal number, as getUniqueInternalLinkagePostfix in
// llvm/ProfileData/SampleProf.h writes it; its end is `text`'s.
static const char *decimal(const uint8_t digest[CONTPROF_MD5_SIZE], char text[40]) {
  unsigned __int128 number = 0;
  char *at = text + 39;
  for (int i = 0; i < CONTPROF_MD5_SIZE; i++)
    number = number << 8 | digest[i];
  *at = '\0';
  do
    *--at = (char)('0' + (int)(number % 10));
  while (number /= 10);
  return at;
}

// The name of a local function with its file's hash.
static void add_hashed(struct contprof_name_match *match, const struct contprof_function *function,
                       size_t start, size_t length, size_t group) {
  uint8_t digest[CONTPROF_MD5_SIZE];
  char number[40];
  contprof_name_digest(function->name, start - 1, digest);
  const char *hash = decimal(digest, number);
  size_t size = length + strlen(UNIQUE) + strlen(hash);
  char *text = contprof_need(malloc(size + 1));
  memcpy(text, function->name + start, length);
  strcpy(stpcpy(text + length, UNIQUE), hash);
  add_entry(match, contprof_name_ref(text, size), group, true);
  free(text);
}

// --- index --------------------------------------------------------------------------------------

static void add_local(struct contprof_name_match *match, const struct contprof_function *function,
                      size_t group) {
  const struct contprof_match_rules *rules = match->rules;
  size_t start = behind_file(rules, function->name, function->name_length);
  size_t length = function->name_length - start;
  if (!start || !length)
    return;
  const char *name = function->name + start;
  const char *unique = memmem(name, length, UNIQUE, strlen(UNIQUE));
  size_t plain = unique ? (size_t)(unique - name) : length;
  if (rules->generous || (!unique && rules->unique_names))
    add_hashed(match, function, start, plain, group);
  if (rules->generous || !rules->unique_names)
    add_entry(match, contprof_name_ref(name, plain), group, true);
  if (unique && rules->unique_names)
    add_entry(match, contprof_name_ref(name, length), group, true);
}

static int compare_entries(const void *left_entry, const void *right_entry) {
  const struct contprof_match_entry *left = left_entry, *right = right_entry;
  if (left->ref != right->ref)
    return left->ref < right->ref ? -1 : 1;
  return left->local - right->local;
}

// Of entries alike one is left, which means several groups if they do.
static void unite_entries(struct contprof_name_match *match) {
  size_t kept = 0;
  for (size_t i = 0; i < match->entry_count; i++) {
    struct contprof_match_entry *entry = &match->entries[i];
    struct contprof_match_entry *last = kept ? &match->entries[kept - 1] : NULL;
    if (!last || last->ref != entry->ref || last->local != entry->local)
      match->entries[kept++] = *entry;
    else if (last->group != entry->group)
      last->group = CONTPROF_MATCH_SEVERAL;
  }
  match->entry_count = kept;
}

static void add_group(struct contprof_name_match *match, struct contprof_function **functions,
                      size_t count) {
  size_t group = match->group_count;
  if (count > 1 && match->rules->single_only)
    return;
  match->groups[match->group_count++] = (struct contprof_name_group){functions, count};
  add_entry(match, functions[0]->name_ref, group, false);
  if (match->rules->locals)
    add_local(match, functions[0], group);
}

void contprof_name_match_begin(struct contprof_name_match *match,
                               const struct contprof_profile *profile,
                               const struct contprof_match_rules *rules) {
  *match = (struct contprof_name_match){.rules = rules};
  match->groups = contprof_need_array(NULL, profile->function_count + 1, sizeof *match->groups);
  for (size_t start = 0, end; start < profile->function_count; start = end) {
    for (end = start + 1; end < profile->function_count; end++)
      if (!contprof_function_same_name(profile->functions[start], profile->functions[end]))
        break;
    add_group(match, profile->functions + start, end - start);
  }
  if (match->entry_count)
    qsort(match->entries, match->entry_count, sizeof *match->entries, compare_entries);
  unite_entries(match);
}

// The first entry that is not below `ref`.
static size_t lower_bound(const struct contprof_name_match *match, uint64_t ref) {
  size_t low = 0, high = match->entry_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (match->entries[middle].ref < ref)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static size_t find_ref(const struct contprof_name_match *match, uint64_t ref) {
  size_t found = lower_bound(match, ref);
  return found < match->entry_count && match->entries[found].ref == ref
             ? match->entries[found].group
             : CONTPROF_MATCH_NONE;
}

// What a C function is called behind its mangling, "_ZL3fooi"; NULL if that is none, or a template
// ("_ZL3fooI"). Source: the Itanium C++ ABI, 5.1 (<source-name>); "L", for internal linkage, is
// of mangleUnqualifiedName in clang's ItaniumMangle.cpp.
static const char *mangled_c_name(const char *name, size_t length, size_t *found) {
  size_t at = 3, size = 0;
  if (length < 5 || memcmp(name, "_ZL", 3) != 0)
    return NULL;
  for (; at < length && name[at] >= '0' && name[at] <= '9' && size < length; at++)
    size = size * 10 + (size_t)(name[at] - '0');
  if (at == 3 || !size || size >= length - at || name[at + size] == 'I')
    return NULL;
  *found = size;
  return name + at;
}

static size_t find_local(const struct contprof_name_match *match, uint64_t ref) {
  for (size_t i = lower_bound(match, ref); i < match->entry_count; i++) {
    if (match->entries[i].ref != ref)
      break;
    if (match->entries[i].local)
      return match->entries[i].group;
  }
  return CONTPROF_MATCH_NONE;
}

// A C function whose samples are from a build with unique names, and its counts from one without:
// by the hash, or else by the name alone, as other local functions.
static size_t find_mangled(const struct contprof_name_match *match,
                           const struct contprof_sample_name *name) {
  size_t length = contprof_canonical_length(name->text, name->length, true), size;
  const char *unique = memmem(name->text, length, UNIQUE, strlen(UNIQUE));
  const char *plain =
      unique ? mangled_c_name(name->text, (size_t)(unique - name->text), &size) : NULL;
  if (!plain)
    return CONTPROF_MATCH_NONE;
  size_t hash_length = length - (size_t)(unique - name->text);
  char *text = contprof_need(malloc(size + hash_length));
  memcpy(mempcpy(text, plain, size), unique, hash_length);
  size_t group = find_local(match, contprof_name_ref(text, size + hash_length));
  free(text);
  return group != CONTPROF_MATCH_NONE ? group : find_local(match, contprof_name_ref(plain, size));
}

static size_t find_canonical(const struct contprof_name_match *match,
                             const struct contprof_sample_name *name, bool keep_unique) {
  size_t length = contprof_canonical_length(name->text, name->length, keep_unique);
  return length == name->length ? CONTPROF_MATCH_NONE
                                : find_ref(match, contprof_name_ref(name->text, length));
}

size_t contprof_name_match_find(const struct contprof_name_match *match,
                                const struct contprof_sample_name *name) {
  if (!match->rules->generous)
    return name->text ? find_ref(match, contprof_sample_name_hash(name)) : CONTPROF_MATCH_NONE;
  size_t group = find_ref(match, contprof_sample_name_hash(name));
  if (group == CONTPROF_MATCH_NONE && name->text)
    group = find_canonical(match, name, true);
  if (group == CONTPROF_MATCH_NONE && name->text)
    group = find_canonical(match, name, false);
  if (group == CONTPROF_MATCH_NONE && name->text)
    group = find_mangled(match, name);
  return group;
}

void contprof_name_match_free(struct contprof_name_match *match) {
  free(match->groups);
  free(match->entries);
  *match = (struct contprof_name_match){0};
}

bool contprof_has_unique_names(const struct contprof_sample_profile *sample) {
  for (size_t i = 0; i < sample->function_count; i++) {
    const struct contprof_sample_name *name = sample->functions[i]->name;
    if (name->text && memmem(name->text, name->length, UNIQUE, strlen(UNIQUE)))
      return true;
  }
  return false;
}
