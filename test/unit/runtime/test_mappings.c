// What /proc/self/maps says of a file that is mapped twice.
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/mappings.h"

Test(mappings, found_by_another_mapping) {
  int fd = memfd_create("mapped", 0), other = memfd_create("mapped", 0);
  cr_assert_eq(ftruncate(fd, 1 << 16), 0);
  cr_assert_eq(ftruncate(other, 1 << 16), 0);
  cr_assert_not(contprof_is_mapped(fd));
  void *tail = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096 * 8);
  cr_assert_not(contprof_is_mapped(fd), "not from its start");
  char *first = mmap(NULL, 1 << 16, PROT_READ, MAP_SHARED, fd, 0);
  cr_assert(contprof_is_mapped(fd));
  cr_assert_not(contprof_is_mapped(other));
  cr_assert_eq(contprof_mapped_elsewhere(first), 0);
  char *second = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  cr_assert_eq(contprof_mapped_elsewhere(second), (uintptr_t)first);
  cr_assert_eq(contprof_mapped_elsewhere(first), (uintptr_t)second);
  munmap(tail, 4096);
  cr_assert(contprof_is_mapped(-1), "what can't be found out");
}

// A path in /proc/self/maps longer than what is read at once.
Test(mappings, behind_a_long_name) {
  char directory[] = "/tmp/contprof-unit.XXXXXX", part[256];
  cr_assert_not_null(mkdtemp(directory));
  memset(part, 'd', 255);
  part[255] = 0;
  cr_assert_eq(chdir(directory), 0);
  for (int i = 0; i < 12; i++) {
    cr_assert_eq(mkdir(part, 0755), 0);
    cr_assert_eq(chdir(part), 0);
  }
  int fd = open(part, O_CREAT | O_RDWR, 0600);
  cr_assert_eq(ftruncate(fd, 1 << 16), 0);
  char *first = mmap(NULL, 1 << 16, PROT_READ, MAP_SHARED, fd, 0);
  char *second = mmap(NULL, 1 << 16, PROT_READ, MAP_SHARED, fd, 0);
  cr_assert_eq(contprof_mapped_elsewhere(first), (uintptr_t)second);
  cr_assert_eq(contprof_mapped_elsewhere(second), (uintptr_t)first);
  cr_assert_eq(unlink(part), 0);
  for (int i = 0; i < 12; i++)
    cr_assert(chdir("..") == 0 && rmdir(part) == 0);
  cr_assert_eq(rmdir(directory), 0);
}
