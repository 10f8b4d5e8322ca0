#include "owner.h"

#include <limits.h>
#include <string.h>

#include "platform.h"
#include "proc_text.h"
#include "settings.h"

// What /proc/PID/stat tells of a process; all 0 if it tells nothing.
struct process {
  char state;          // 'Z' for one that has ended and is not waited for yet
  uint64_t threads;    // the ended first one counts, while others run
  uint64_t start_time; // clock ticks after boot
};

enum { STAT_STATE = 3, STAT_THREADS = 20, STAT_START_TIME = 22 };

// Fields are counted from 1 (proc(5)). The second, the program's name, may hold spaces and
// parentheses, so counting starts behind the last closing one.
static const char *stat_field(const char *text, int number) {
  const char *at = strrchr(text, ')');
  for (int field = 2; at && field < number; field++)
    at = strchr(at + 1, ' ');
  return at ? at + 1 : "";
}

static struct process look_up(const char *path) {
  char text[1024];
  struct process process = {0, 0, 0};
  if (contprof_proc_read(path, text, sizeof text))
    return process;
  const char *threads = stat_field(text, STAT_THREADS), *start = stat_field(text, STAT_START_TIME);
  process.state = *stat_field(text, STAT_STATE);
  process.threads = contprof_parse_decimal(&threads);
  process.start_time = contprof_parse_decimal(&start);
  return process;
}

uint64_t contprof_thread_count(void) {
  return look_up("/proc/self/stat").threads;
}

static void read_boot_id(uint64_t boot[2]) {
  char text[64];
  contprof_proc_read("/proc/sys/kernel/random/boot_id", text, sizeof text);
  for (const char *at = text; *at; at++) {
    uint64_t digit;
    const char one[2] = {*at, 0}, *place = one;
    if (!contprof_parse_hex(&place, &digit))
      continue;
    boot[0] = boot[0] << 4 | boot[1] >> 60;
    boot[1] = boot[1] << 4 | digit;
  }
}

static struct contprof_owner self = {
    .magic = CONTPROF_OWNER_MAGIC, .size = sizeof self, .state = CONTPROF_OWNER_COUNTING};

// All but the boot may be another's in a forked child: a parent that unshared its namespace has
// children in the new one. The boot is known from the parent also in a sandbox.
void contprof_owner_look(void) {
  char link[64];
  self.pid = contprof_pid();
  self.since = contprof_boot_clock();
  self.pid_namespace = 0;
  if (contprof_read_link("/proc/self/ns/pid", link, sizeof link) > 0) {
    const char *at = strchr(link, '[');
    if (at++)
      self.pid_namespace = contprof_parse_decimal(&at);
  }
  if (!self.boot[0] && !self.boot[1])
    read_boot_id(self.boot);
}

const struct contprof_owner *contprof_owner_self(void) {
  return &self;
}

// Magic, Version, BinaryIdsSize and the number of data records come first in both versions. Variant
// bits are above the version's low half. Sizes come from a file, so each is bounded.
uint64_t contprof_owner_offset(const uint64_t head[4]) {
  uint32_t version = (uint32_t)head[1];
  if (head[0] != CONTPROF_RAW_MAGIC || head[2] > UINT32_MAX || head[3] > UINT32_MAX)
    return 0;
  if (version == 8)
    return 88 + head[2] + head[3] * 48;
  if (version == 10)
    return 128 + head[2] + head[3] * 64;
  return 0;
}

static bool is_sound(const struct contprof_owner *owner) {
  return memcmp(owner->magic, CONTPROF_OWNER_MAGIC, sizeof owner->magic) == 0 &&
         owner->size == sizeof *owner && owner->pid > 0 && owner->pid <= INT_MAX &&
         (owner->state == CONTPROF_OWNER_COUNTING || owner->state == CONTPROF_OWNER_RELEASED);
}

static bool read_record(int fd, uint64_t at, struct contprof_owner *owner) {
  return contprof_read_at(fd, owner, sizeof *owner, at) == (int64_t)sizeof *owner &&
         is_sound(owner);
}

bool contprof_owner_read(int fd, uint64_t likely, struct contprof_owner *owner) {
  uint64_t head[4];
  if (read_record(fd, likely, owner))
    return true;
  if (contprof_read_at(fd, head, sizeof head, 0) != (int64_t)sizeof head)
    return false;
  uint64_t at = contprof_owner_offset(head);
  return at && read_record(fd, at, owner);
}

static bool same_world(const struct contprof_owner *owner) {
  return owner->boot[0] == self.boot[0] && owner->boot[1] == self.boot[1] &&
         owner->pid_namespace == self.pid_namespace;
}

// A process id has one process at a time: the one that has it now wrote the record if it had begun
// by then. So the record needs no start time, which would cost every start-up three system calls.
static bool had_begun(const struct process *process, const struct contprof_owner *owner) {
  return !process->start_time || !owner->since ||
         process->start_time * contprof_clock_tick() <= owner->since;
}

// Of itself a process asks /proc/self: /proc may be that of another PID namespace, where its own
// number is another process's.
bool contprof_owner_is_self(const struct contprof_owner *owner) {
  if (!same_world(owner) || owner->pid != self.pid)
    return false;
  struct process process = look_up("/proc/self/stat");
  return had_begun(&process, owner);
}

static bool proc_is_ours(void) {
  char link[24];
  const char *at = link;
  return contprof_read_link("/proc/self", link, sizeof link) > 0 &&
         contprof_parse_decimal(&at) == self.pid;
}

// A process that has ended keeps its number until its parent has asked for its status, which some
// never do. Its first thread may have ended alone.
bool contprof_owner_lives(const struct contprof_owner *owner) {
  char path[48];
  if (!same_world(owner) || owner->state != CONTPROF_OWNER_COUNTING ||
      !contprof_pid_exists(owner->pid))
    return false;
  if (!proc_is_ours())
    return true;
  contprof_decimal(path, "/proc/", owner->pid);
  strcat(path, "/stat");
  struct process process = look_up(path);
  if (process.state == 'Z' && process.threads <= 1)
    return false;
  return had_begun(&process, owner);
}
