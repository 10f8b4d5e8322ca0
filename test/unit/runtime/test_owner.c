// The owner record: what is read from files that are ours, another's, damaged or absurd, and whom
// it names.
#include <criterion/criterion.h>

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/owner.h"

enum { HEADER_8 = 88, RECORD_8 = 48, HEADER_10 = 128, RECORD_10 = 64, IDS = 32, FUNCTIONS = 3 };

static struct contprof_owner this_process(void) {
  contprof_owner_look();
  return *contprof_owner_self();
}

static int file_of(const void *bytes, size_t size) {
  int fd = memfd_create("owner", 0);
  cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
  return fd;
}

// A raw profile of `version` with a record of this process where it belongs, cut to `size` bytes.
static int profile(uint64_t version, const struct contprof_owner *owner, size_t size) {
  char bytes[1024] = {0};
  uint64_t head[4] = {CONTPROF_RAW_MAGIC, version, IDS, FUNCTIONS};
  size_t at = (uint32_t)version == 8 ? HEADER_8 + IDS + FUNCTIONS * RECORD_8
                                     : HEADER_10 + IDS + FUNCTIONS * RECORD_10;
  memcpy(bytes, head, sizeof head);
  memcpy(bytes + at, owner, sizeof *owner);
  return file_of(bytes, size);
}

static bool is_read(int fd, struct contprof_owner *owner) {
  bool read = contprof_owner_read(fd, 0, owner);
  close(fd);
  return read;
}

// A record of this process, changed in one way, is not taken for one.
#define REFUSED(change)                                                                            \
  do {                                                                                             \
    struct contprof_owner owner = this_process(), got;                                             \
    change;                                                                                        \
    cr_assert_not(is_read(profile(10, &owner, 1024), &got), #change);                              \
  } while (0)

Test(owner, of_this_process) {
  struct contprof_owner self = this_process();
  cr_assert_eq(self.pid, (uint64_t)getpid());
  cr_assert_neq(self.since, 0);
  cr_assert_neq(self.pid_namespace, 0);
  cr_assert_neq(self.boot[0], 0);
  cr_assert_eq(self.state, CONTPROF_OWNER_COUNTING);
  cr_assert_geq(contprof_thread_count(), 1);
}

Test(owner, read_from_both_versions) {
  struct contprof_owner self = this_process(), got;
  cr_assert(is_read(profile(8, &self, 1024), &got));
  cr_assert_arr_eq(&got, &self, sizeof self);
  cr_assert(is_read(profile(10, &self, 1024), &got));
  cr_assert_arr_eq(&got, &self, sizeof self);
  cr_assert(is_read(profile(UINT64_C(0xff) << 56 | 8, &self, 1024), &got), "variant bits");
}

Test(owner, not_read_from_other_files) {
  struct contprof_owner self = this_process(), got;
  cr_assert_not(is_read(file_of("", 0), &got), "empty");
  cr_assert_not(is_read(file_of("some text that is longer than a header", 38), &got), "text");
  cr_assert_not(is_read(profile(9, &self, 1024), &got), "a version that contprof does not write");
  cr_assert_not(is_read(profile(10, &self, HEADER_10 + IDS + FUNCTIONS * RECORD_10 + 63), &got),
                "cut within the record");
  cr_assert(is_read(profile(10, &self, HEADER_10 + IDS + FUNCTIONS * RECORD_10 + 64), &got));
  cr_assert_not(is_read(-1, &got), "no file");
}

Test(owner, absurd_sizes) {
  uint64_t sound[4] = {CONTPROF_RAW_MAGIC, 10, IDS, FUNCTIONS};
  cr_assert_eq(contprof_owner_offset(sound), HEADER_10 + IDS + FUNCTIONS * RECORD_10);
  uint64_t most[4] = {CONTPROF_RAW_MAGIC, 8, UINT32_MAX, UINT32_MAX};
  cr_assert_eq(contprof_owner_offset(most), 88 + 49 * (uint64_t)UINT32_MAX);
  uint64_t ids[4] = {CONTPROF_RAW_MAGIC, 10, UINT64_MAX - 100, FUNCTIONS};
  cr_assert_eq(contprof_owner_offset(ids), 0);
  uint64_t functions[4] = {CONTPROF_RAW_MAGIC, 10, IDS, UINT64_C(1) << 58};
  cr_assert_eq(contprof_owner_offset(functions), 0);
  uint64_t magic[4] = {__builtin_bswap64(CONTPROF_RAW_MAGIC), 10, IDS, FUNCTIONS};
  cr_assert_eq(contprof_owner_offset(magic), 0);
}

// kill(2) means more than one process by 0 and by negative numbers.
Test(owner, unsound_records) {
  REFUSED(owner.magic[0] = 'C');
  REFUSED(owner.size = 0);
  REFUSED(owner.size = 72);
  REFUSED(owner.state = 0);
  REFUSED(owner.state = 3);
  REFUSED(owner.pid = 0);
  REFUSED(owner.pid = UINT64_MAX);
  REFUSED(owner.pid = UINT64_C(1) << 32 | (uint64_t)getpid());
}

Test(owner, names_a_process) {
  const struct contprof_owner self = this_process();
  struct contprof_owner other = self;
  cr_assert(contprof_owner_is_self(&other));
  cr_assert(contprof_owner_lives(&other));
  other.since = 1; // nanosecond after the start of the machine, by one that had this number before
  cr_assert_not(contprof_owner_is_self(&other));
  cr_assert_not(contprof_owner_lives(&other));
  other = self;
  other.boot[1] ^= 1;
  cr_assert_not(contprof_owner_is_self(&other));
  cr_assert_not(contprof_owner_lives(&other));
  other = self;
  other.pid_namespace++;
  cr_assert_not(contprof_owner_lives(&other));
  other = self;
  other.state = CONTPROF_OWNER_RELEASED;
  cr_assert(contprof_owner_is_self(&other));
  cr_assert_not(contprof_owner_lives(&other));
}

// The child has written its record into shared memory, and then waits, ends, is waited for.
Test(owner, of_a_child_until_it_ends) {
  struct contprof_owner *child =
      mmap(NULL, sizeof *child, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  siginfo_t ended;
  int said[2];
  char byte;
  cr_assert_eq(pipe(said), 0);
  pid_t pid = fork();
  if (pid == 0) {
    *child = this_process();
    write(said[1], "", 1);
    for (;;)
      pause();
  }
  cr_assert_eq(read(said[0], &byte, 1), 1);
  contprof_owner_look();
  cr_assert_eq(child->pid, (uint64_t)pid);
  cr_assert(contprof_owner_lives(child));
  kill(pid, SIGKILL);
  cr_assert_eq(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), 0);
  cr_assert_not(contprof_owner_lives(child), "ended, but not waited for");
  cr_assert_eq(waitpid(pid, NULL, 0), pid);
  cr_assert_not(contprof_owner_lives(child));
}
