#include "owner.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "platform.h"
#include "settings.h"

enum { STAT_THREADS = 20, STAT_START_TIME = 22 };

// Reads the start of a file in /proc into a terminated buffer. 0 or a negated errno. These files
// are shorter than a page, and such a one comes in one read
// (Documentation/filesystems/seq_file.rst).
static int read_text(const char *path, char *buffer, size_t size) {
  int fd = contprof_open_following(path, O_RDONLY, 0);
  buffer[0] = 0;
  if (fd < 0)
    return fd;
  int64_t got = contprof_read_some(fd, buffer, size - 1, 0);
  contprof_close(fd);
  buffer[got < 0 ? 0 : got] = 0;
  return got < 0 ? (int)got : 0;
}

static uint64_t parse_decimal(const char **at) {
  uint64_t value = 0;
  while (**at >= '0' && **at <= '9')
    value = value * 10 + (uint64_t)(*(*at)++ - '0');
  return value;
}

static bool parse_hex(const char **at, uint64_t *value) {
  const char *start = *at;
  for (*value = 0;; (*at)++) {
    char c = **at;
    if (c >= '0' && c <= '9')
      *value = *value << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      *value = *value << 4 | (uint64_t)(c - 'a' + 10);
    else
      return *at != start;
  }
}

// Field `number` of /proc/PID/stat (proc(5) counts from 1). The second, the program's name, may
// hold spaces and parentheses, so counting starts behind the last closing one.
static uint64_t stat_field(uint64_t pid, int number) {
  char path[48], text[1024];
  contprof_decimal(path, "/proc/", pid);
  strcat(path, "/stat");
  if (read_text(path, text, sizeof text))
    return 0;
  const char *at = strrchr(text, ')');
  for (int field = 2; at && field < number; field++)
    at = strchr(at + 1, ' ');
  if (!at)
    return 0;
  at++;
  return parse_decimal(&at);
}

uint64_t contprof_thread_count(void) {
  return stat_field(contprof_pid(), STAT_THREADS);
}

static void read_boot_id(uint64_t boot[2]) {
  char text[64];
  read_text("/proc/sys/kernel/random/boot_id", text, sizeof text);
  for (const char *at = text; *at; at++) {
    uint64_t digit;
    const char one[2] = {*at, 0}, *place = one;
    if (!parse_hex(&place, &digit))
      continue;
    boot[0] = boot[0] << 4 | boot[1] >> 60;
    boot[1] = boot[1] << 4 | digit;
  }
}

static struct contprof_owner self = {
    .magic = CONTPROF_OWNER_MAGIC, .size = sizeof self, .state = CONTPROF_OWNER_COUNTING};

// All but the boot may be another's in a forked child: a parent that unshared its namespace has
// children in the new one.
void contprof_owner_look(void) {
  char link[64];
  self.pid = contprof_pid();
  self.since = contprof_boot_clock();
  self.pid_namespace = 0;
  if (contprof_read_link("/proc/self/ns/pid", link, sizeof link) > 0) {
    const char *at = strchr(link, '[');
    if (at++)
      self.pid_namespace = parse_decimal(&at);
  }
  if (!self.boot[0] && !self.boot[1])
    read_boot_id(self.boot);
}

const struct contprof_owner *contprof_owner_self(void) {
  return &self;
}

static bool same_world(const struct contprof_owner *owner) {
  return memcmp(owner->magic, self.magic, sizeof owner->magic) == 0 &&
         owner->boot[0] == self.boot[0] && owner->boot[1] == self.boot[1] &&
         owner->pid_namespace == self.pid_namespace;
}

// A process id has one process at a time: the one that has it now wrote the record if it had begun
// by then. So the record needs no start time, which would cost every start-up three system calls.
static bool had_begun(const struct contprof_owner *owner) {
  uint64_t start = stat_field(owner->pid, STAT_START_TIME);
  return !start || !owner->since || start * contprof_clock_tick() <= owner->since;
}

bool contprof_owner_is_self(const struct contprof_owner *owner) {
  return same_world(owner) && owner->pid == self.pid && had_begun(owner);
}

bool contprof_owner_lives(const struct contprof_owner *owner) {
  return same_world(owner) && owner->state == CONTPROF_OWNER_COUNTING &&
         contprof_pid_exists(owner->pid) && had_begun(owner);
}

// One line of /proc/self/maps: "start-end perms offset major:minor inode path".
static uintptr_t match_line(const char *at, const struct stat *file, bool any_device) {
  uint64_t start, end, offset, device_major, device_minor;
  if (!parse_hex(&at, &start) || *at++ != '-' || !parse_hex(&at, &end) || *at++ != ' ')
    return 0;
  at = strchr(at, ' ');
  if (!at++ || !parse_hex(&at, &offset) || *at++ != ' ' || !parse_hex(&at, &device_major) ||
      *at++ != ':' || !parse_hex(&at, &device_minor) || *at++ != ' ')
    return 0;
  bool same_device =
      any_device || (device_major == major(file->st_dev) && device_minor == minor(file->st_dev));
  return parse_decimal(&at) == file->st_ino && same_device && offset == 0 ? start : 0;
}

static uintptr_t search_mappings(const struct stat *file, bool any_device) {
  char text[2048];
  size_t used = 0;
  uintptr_t found = 0;
  bool in_long_line = false;
  int fd = contprof_open_following("/proc/self/maps", O_RDONLY, 0);
  for (uint64_t offset = 0; fd >= 0 && !found;) {
    int64_t got = contprof_read_at(fd, text + used, sizeof text - 1 - used, offset);
    if (got <= 0)
      break;
    offset += (uint64_t)got;
    used += (size_t)got;
    text[used] = 0;
    char *line = text, *end;
    for (; !found && (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      found = in_long_line ? 0 : match_line(line, file, any_device);
      in_long_line = false;
    }
    used = strlen(line);
    memmove(text, line, used);
    if (used == sizeof text - 1) { // a path longer than the buffer: its head tells
      found = in_long_line ? 0 : match_line(text, file, any_device);
      in_long_line = true;
      used = 0;
    }
  }
  if (fd >= 0)
    contprof_close(fd);
  return found;
}

uintptr_t contprof_mapped_at(const struct stat *file) {
  return search_mappings(file, false);
}

bool contprof_maybe_mapped(const struct stat *file) {
  return search_mappings(file, true) != 0;
}
