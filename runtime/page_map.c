#include "page_map.h"

#include <fcntl.h>
#include <stdint.h>

#include "platform.h"

// Of a page's entry, by the kernel's Documentation/admin-guide/mm/pagemap.rst.
#define PRESENT (UINT64_C(1) << 63)
#define SWAPPED (UINT64_C(1) << 62)
#define OF_FILE (UINT64_C(1) << 61) // or shared memory

enum { ENTRIES = 512 }; // read at a time

// The process's own copy of the page. One that has no entry was never touched.
static bool is_copy(uint64_t entry) {
  return (entry & SWAPPED) || (entry & (PRESENT | OF_FILE)) == PRESENT;
}

static bool all_untouched(int fd, uint64_t page, uint64_t count) {
  uint64_t entries[ENTRIES];
  size_t size = count * sizeof *entries;
  if (contprof_read_at(fd, entries, size, page * sizeof *entries) != (int64_t)size)
    return false;
  for (uint64_t i = 0; i < count; i++)
    if (is_copy(entries[i]))
      return false;
  return true;
}

// Under an emulator the addresses may be others than the kernel's. A page that surely is a copy
// tells: that of a variable which has just been written.
static bool tells_the_truth(int fd, uint64_t page_size) {
  uint64_t entry = 0;
  volatile char written = 1;
  uint64_t page = (uintptr_t)&written / page_size;
  return contprof_read_at(fd, &entry, sizeof entry, page * sizeof entry) == sizeof entry &&
         is_copy(entry);
}

bool contprof_pages_untouched(const char *start, const char *end) {
  uint64_t size = contprof_page_size(), count;
  uint64_t page = (uintptr_t)start / size, last = (uintptr_t)end / size;
  int fd = contprof_open_following("/proc/self/pagemap", O_RDONLY, 0);
  if (fd < 0)
    return false;
  bool untouched = tells_the_truth(fd, size);
  for (; untouched && page < last; page += count) {
    count = last - page < ENTRIES ? last - page : ENTRIES;
    untouched = all_untouched(fd, page, count);
  }
  contprof_close(fd);
  return untouched;
}
