#include "mappings.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "platform.h"
#include "proc_text.h"

// What is looked for, and in what the answer goes.
struct search {
  bool (*wanted)(const struct contprof_mapping *, const void *);
  const void *argument;
  struct contprof_mapping *found;
};

// One line of /proc/self/maps: "start-end perms offset major:minor inode path"; blanks fill the
// inode's column.
static bool parse_line(const char *at, struct contprof_mapping *mapping) {
  if (!contprof_parse_hex(&at, &mapping->start) || *at++ != '-' ||
      !contprof_parse_hex(&at, &mapping->end) || *at++ != ' ')
    return false;
  at = strchr(at, ' ');
  if (!at++ || !contprof_parse_hex(&at, &mapping->offset) || *at++ != ' ' ||
      !contprof_parse_hex(&at, &mapping->major) || *at++ != ':' ||
      !contprof_parse_hex(&at, &mapping->minor) || *at++ != ' ')
    return false;
  mapping->inode = contprof_parse_decimal(&at);
  mapping->path = at + strspn(at, " ");
  return true;
}

static bool is_wanted(const struct search *search, const char *line, bool whole) {
  struct contprof_mapping *found = search->found;
  if (!parse_line(line, found))
    return false;
  if (!whole)
    found->path = "";
  bool wanted = search->wanted(found, search->argument);
  found->path = "";
  return wanted;
}

// Takes in what lines the text has; what is left of it, without an end, is moved to its start.
static size_t search_text(const struct search *search, char *text, bool *in_long_line, bool *done) {
  char *line = text, *end;
  for (; !*done && (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    *done = !*in_long_line && is_wanted(search, line, true);
    *in_long_line = false;
  }
  size_t left = strlen(line);
  memmove(text, line, left + 1);
  return left;
}

static bool find(const struct search *search) {
  char text[2048];
  size_t used = 0;
  bool in_long_line = false, done = false;
  int fd = contprof_open_following("/proc/self/maps", O_RDONLY, 0);
  for (uint64_t offset = 0; fd >= 0 && !done;) {
    int64_t got = contprof_read_at(fd, text + used, sizeof text - 1 - used, offset);
    if (got <= 0)
      break;
    offset += (uint64_t)got;
    text[used + (size_t)got] = 0;
    used = search_text(search, text, &in_long_line, &done);
    if (used < sizeof text - 1)
      continue;
    // A path longer than the buffer: the line's head tells.
    done = done || (!in_long_line && is_wanted(search, text, false));
    in_long_line = true;
    used = 0;
  }
  if (fd >= 0)
    contprof_close(fd);
  return done;
}

bool contprof_find_mapping(bool (*wanted)(const struct contprof_mapping *, const void *),
                           const void *argument, struct contprof_mapping *found) {
  struct contprof_mapping unwanted;
  struct search search = {wanted, argument, found ? found : &unwanted};
  return find(&search);
}

static bool starts_at(const struct contprof_mapping *mapping, const void *address) {
  return mapping->start == (uintptr_t)address;
}

static bool is_of_file_elsewhere(const struct contprof_mapping *found, const void *argument) {
  const struct contprof_mapping *file = argument;
  return found->start != file->start && found->offset == 0 && found->inode == file->inode &&
         found->major == file->major && found->minor == file->minor;
}

uintptr_t contprof_mapped_elsewhere(const void *mapped) {
  struct contprof_mapping file, other;
  if (!contprof_find_mapping(starts_at, mapped, &file) ||
      !contprof_find_mapping(is_of_file_elsewhere, &file, &other))
    return 0;
  return other.start;
}

bool contprof_is_mapped(int fd) {
  int error;
  uint64_t page = contprof_page_size();
  void *own = contprof_map(NULL, page, PROT_READ, MAP_SHARED, fd, &error);
  if (!own)
    return true;
  bool mapped = contprof_mapped_elsewhere(own) != 0;
  contprof_unmap(own, page);
  return mapped;
}
