#include "torn_mapping.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Thread_local struct contprof_torn_mapping *mappings; // of this thread
static uintptr_t page_size;

static struct contprof_torn_mapping *find(uintptr_t address) {
  struct contprof_torn_mapping *mapping = mappings;
  while (mapping && address - (uintptr_t)mapping->bytes >= mapping->size)
    mapping = mapping->next;
  return mapping;
}

// From the page that is missing on: what a file loses, it loses at its end. Whoever looked goes on
// with the zeros. A mapping that is not ours is a fault of the program's, which ends by it, as it
// does by a signal that somebody sent: that one would not come again by itself.
static void take_away(int signal, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  uintptr_t address = (uintptr_t)info->si_addr & -page_size;
  struct contprof_torn_mapping *mapping = find((uintptr_t)info->si_addr);
  if (!mapping || mmap((void *)address, (uintptr_t)mapping->bytes + mapping->size - address,
                       PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(signal, &by_default, NULL);
    raise(signal);
  } else {
    mapping->torn = 1;
  }
  errno = saved;
}

static void prepare(void) {
  struct sigaction action = {.sa_sigaction = take_away, .sa_flags = SA_SIGINFO};
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  sigaction(SIGBUS, &action, NULL);
}

bool contprof_torn_mapping_begin(struct contprof_torn_mapping *mapping, int fd, off_t offset,
                                 size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare);
  void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, offset);
  if (bytes == MAP_FAILED)
    return false;
  *mapping = (struct contprof_torn_mapping){.bytes = bytes, .size = size, .next = mappings};
  mappings = mapping;
  return true;
}

void contprof_torn_mapping_end(struct contprof_torn_mapping *mapping) {
  struct contprof_torn_mapping **place = &mappings;
  if (!mapping->bytes)
    return;
  while (*place != mapping)
    place = &(*place)->next;
  *place = mapping->next;
  munmap((void *)mapping->bytes, mapping->size);
  mapping->bytes = NULL;
}
