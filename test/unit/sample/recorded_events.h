// Events and binaries for tests of address spaces, fed by hand.
#ifndef CONTPROF_TEST_RECORDED_EVENTS_H
#define CONTPROF_TEST_RECORDED_EVENTS_H

#include "tools/sample/address_space.h"

#include <criterion/criterion.h>
#include <string.h>

#define SEGMENTS(array) .segments = (array), .segment_count = sizeof(array) / sizeof(array)[0]

// A PIE as GNU ld makes it: headers, code, read-only data, data.
static const struct contprof_segment pie_segments[] = {
    {0x0, 0x0, 0x5e0, false},
    {0x1000, 0x1000, 0x209, true},
    {0x2000, 0x2000, 0x12c, false},
    {0x3e00, 0x2e00, 0x210, false},
};

// The same by lld: code begins in the file where the headers end, on the same page.
static const struct contprof_segment lld_segments[] = {
    {0x0, 0x0, 0x5c0, false},
    {0x15c0, 0x5c0, 0x1a20, true},
    {0x3fe0, 0x1fe0, 0x200, false},
};

static const struct contprof_image pie = {
    .path = "/home/u/two",
    .build_id = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
    .build_id_size = 20,
    SEGMENTS(pie_segments),
    .position_independent = true,
};

static inline struct contprof_perf_mmap map_of(const char *path, uint64_t start, uint64_t size,
                                               uint64_t file_offset) {
  return (struct contprof_perf_mmap){
      .start = start, .size = size, .file_offset = file_offset, .path = path};
}

static inline void feed_map(struct contprof_spaces *spaces, int32_t pid,
                            struct contprof_perf_mmap map) {
  struct contprof_perf_event event = {.kind = CONTPROF_PERF_MMAP, .pid = pid, .mmap = map};
  contprof_spaces_event(spaces, &event);
}

// The code of `pie` at the given base, in the way that its program is started.
static inline void feed_pie(struct contprof_spaces *spaces, int32_t pid, uint64_t base) {
  feed_map(spaces, pid, map_of("/home/u/two", base + 0x1000, 0x1000, 0x1000));
}

static inline void feed(struct contprof_spaces *spaces, enum contprof_perf_kind kind, int32_t pid) {
  struct contprof_perf_event event = {.kind = kind, .pid = pid};
  contprof_spaces_event(spaces, &event);
}

static inline void feed_fork(struct contprof_spaces *spaces, int32_t pid, int32_t parent) {
  struct contprof_perf_event event = {.kind = CONTPROF_PERF_FORK, .pid = pid, .parent = parent};
  contprof_spaces_event(spaces, &event);
}

static inline void expect_where(struct contprof_spaces *spaces, int32_t pid, uint64_t address,
                                enum contprof_where where) {
  struct contprof_place place = contprof_spaces_resolve(spaces, pid, address);
  cr_expect_eq(place.where, where, "PID %d, 0x%lx: %d, not %d", pid, (unsigned long)address,
               place.where, where);
}

static inline void expect_here(struct contprof_spaces *spaces, int32_t pid, uint64_t address,
                               size_t image, uint64_t own) {
  struct contprof_place place = contprof_spaces_resolve(spaces, pid, address);
  cr_expect_eq(place.where, CONTPROF_WHERE_HERE, "PID %d, 0x%lx: %d", pid, (unsigned long)address,
               place.where);
  cr_expect_eq(place.image, image, "PID %d, 0x%lx: image %zu", pid, (unsigned long)address,
               place.image);
  cr_expect_eq(place.address, own, "PID %d, 0x%lx: 0x%lx, not 0x%lx", pid, (unsigned long)address,
               (unsigned long)place.address, (unsigned long)own);
}

#endif
