#include "mappings.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "platform.h"
#include "proc_text.h"

// One line of /proc/self/maps: "start-end perms offset major:minor inode path".
struct mapping {
  uint64_t start;  // address
  uint64_t offset; // in the file
  uint64_t major;  // device
  uint64_t minor;
  uint64_t inode;
};

// What is looked for: by address, or another mapping of the file of `file`.
struct search {
  uint64_t start;             // if `file` is NULL
  const struct mapping *file; // its start is not wanted again
};

static bool parse_line(const char *at, struct mapping *mapping) {
  uint64_t end;
  if (!contprof_parse_hex(&at, &mapping->start) || *at++ != '-' || !contprof_parse_hex(&at, &end) ||
      *at++ != ' ')
    return false;
  at = strchr(at, ' ');
  if (!at++ || !contprof_parse_hex(&at, &mapping->offset) || *at++ != ' ' ||
      !contprof_parse_hex(&at, &mapping->major) || *at++ != ':' ||
      !contprof_parse_hex(&at, &mapping->minor) || *at++ != ' ')
    return false;
  mapping->inode = contprof_parse_decimal(&at);
  return true;
}

static bool is_wanted(const struct search *search, const struct mapping *found) {
  const struct mapping *file = search->file;
  if (!file)
    return found->start == search->start;
  return found->start != file->start && found->offset == 0 && found->inode == file->inode &&
         found->major == file->major && found->minor == file->minor;
}

// Takes in what lines the text has; what is left of it, without an end, is moved to its start.
static size_t search_text(const struct search *search, char *text, struct mapping *found,
                          bool *in_long_line, bool *done) {
  char *line = text, *end;
  for (; !*done && (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    *done = !*in_long_line && parse_line(line, found) && is_wanted(search, found);
    *in_long_line = false;
  }
  size_t left = strlen(line);
  memmove(text, line, left + 1);
  return left;
}

static bool find(const struct search *search, struct mapping *found) {
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
    used = search_text(search, text, found, &in_long_line, &done);
    if (used < sizeof text - 1)
      continue;
    // A path longer than the buffer: the line's head tells.
    done = done || (!in_long_line && parse_line(text, found) && is_wanted(search, found));
    in_long_line = true;
    used = 0;
  }
  if (fd >= 0)
    contprof_close(fd);
  return done;
}

uintptr_t contprof_mapped_elsewhere(const void *mapped) {
  struct mapping file, other;
  struct search by_address = {(uintptr_t)mapped, NULL}, by_file = {0, &file};
  if (!find(&by_address, &file) || !find(&by_file, &other))
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
