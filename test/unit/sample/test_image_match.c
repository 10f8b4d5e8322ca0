// Which binary a map is of, and where in it.
#include "recorded_events.h"

#include "tools/sample/image_match.h"

static struct contprof_match match(const struct contprof_image *images, size_t count,
                                   struct contprof_perf_mmap map) {
  struct contprof_images opened = contprof_images_open(images, count);
  struct contprof_match found = contprof_image_match(&opened, &map);
  contprof_images_close(&opened);
  return found;
}

static struct contprof_perf_mmap with_id(struct contprof_perf_mmap map,
                                         const struct contprof_image *of, uint8_t size) {
  memcpy(map.build_id, of->build_id, size);
  map.build_id_size = size;
  return map;
}

static struct contprof_image named(const char *path, uint8_t id) {
  struct contprof_image image = pie;
  image.path = path;
  memset(image.build_id, id, sizeof image.build_id);
  image.build_id_size = id ? 20 : 0;
  return image;
}

static void expect_match(const struct contprof_image *images, size_t count,
                         struct contprof_perf_mmap map, enum contprof_where where, size_t image) {
  struct contprof_match found = match(images, count, map);
  cr_expect_eq(found.where, where, "%s: %d", map.path, found.where);
  if (where != CONTPROF_WHERE_OTHER)
    cr_expect_eq(found.image, image, "%s: image %zu", map.path, found.image);
}

static void expect_path(const char *path, enum contprof_where where) {
  struct contprof_image image = named("build/two", 0);
  expect_match(&image, 1, map_of(path, 0x1000, 0x1000, 0), where, 0);
}

Test(image_match, names_are_matched_by_their_last_component) {
  expect_path("/srv/two", CONTPROF_WHERE_HERE);
  expect_path("two", CONTPROF_WHERE_HERE);
  expect_path("build/two", CONTPROF_WHERE_HERE);
  expect_path("/srv/two (deleted)", CONTPROF_WHERE_HERE);
  expect_path("/srv/twotwo", CONTPROF_WHERE_OTHER);
  expect_path("/srv/two2", CONTPROF_WHERE_OTHER);
  expect_path("/two/", CONTPROF_WHERE_OTHER);
  expect_path("/srv/wo", CONTPROF_WHERE_OTHER);
  expect_path("//anon", CONTPROF_WHERE_OTHER);
  expect_path("//toolong", CONTPROF_WHERE_OTHER);
  expect_path("[two]", CONTPROF_WHERE_OTHER);
  expect_path("", CONTPROF_WHERE_OTHER);
  expect_path(" (deleted)", CONTPROF_WHERE_OTHER);
}

Test(image_match, special_names_are_no_files) {
  struct contprof_image image = named("//anon", 0);
  expect_match(&image, 1, map_of("//anon", 0x1000, 0x1000, 0), CONTPROF_WHERE_OTHER, 0);
}

Test(image_match, the_longest_likeness_decides) {
  struct contprof_image images[] = {named("/x/b/two", 0), named("a/two", 0), named("/b/two", 0)};
  expect_match(images, 3, map_of("/srv/a/two", 0, 1, 0), CONTPROF_WHERE_HERE, 1);
  expect_match(images, 3, map_of("/x/b/two", 0, 1, 0), CONTPROF_WHERE_HERE, 0);
  expect_match(images, 3, map_of("/b/two", 0, 1, 0), CONTPROF_WHERE_HERE, 2);
}

Test(image_match, a_name_of_several_is_of_none) {
  struct contprof_image images[] = {named("/a/two", 0), named("/b/two", 0), named("/c/one", 0)};
  expect_match(images, 3, map_of("/srv/two", 0, 1, 0), CONTPROF_WHERE_MISMATCH, 0);
  cr_expect_eq(match(images, 3, map_of("/srv/two", 0, 1, 0)).why, CONTPROF_MISMATCH_NAME);
  expect_match(images, 3, map_of("/srv/b/two", 0, 1, 0), CONTPROF_WHERE_HERE, 1);
}

Test(image_match, a_build_id_decides_before_the_name) {
  struct contprof_image images[] = {named("/a/two", 1), named("/b/one", 2)};
  struct contprof_perf_mmap map = with_id(map_of("/a/two", 0, 1, 0), &images[1], 20);
  expect_match(images, 2, map, CONTPROF_WHERE_HERE, 1);
  cr_expect(match(images, 2, map).proven);
  map.path = "/overlay/diff/server";
  expect_match(images, 2, map, CONTPROF_WHERE_HERE, 1);
  map.path = "//toolong";
  expect_match(images, 2, map, CONTPROF_WHERE_HERE, 1);
}

Test(image_match, of_one_build_under_two_names_the_name_decides) {
  struct contprof_image images[] = {named("/a/one", 1), named("/a/two", 1)};
  expect_match(images, 2, with_id(map_of("/srv/two", 0, 1, 0), images, 20), CONTPROF_WHERE_HERE, 1);
  expect_match(images, 2, with_id(map_of("/srv/six", 0, 1, 0), images, 20), CONTPROF_WHERE_HERE, 0);
}

// Whichever of the path's build-ids the map has been given.
Test(image_match, of_several_files_at_one_path_none_is_known) {
  struct contprof_image image = named("/a/two", 1), other = named("/a/two", 2);
  for (int i = 0; i < 2; i++) {
    struct contprof_perf_mmap map = with_id(map_of("/app/two", 0, 1, 0), i ? &other : &image, 20);
    map.of_several = true;
    expect_match(&image, 1, map, CONTPROF_WHERE_MISMATCH, 0);
    cr_expect_eq(match(&image, 1, map).why, CONTPROF_MISMATCH_NAME);
  }
}

Test(image_match, another_build_id_is_a_mismatch) {
  struct contprof_image image = named("/a/two", 1), other = named("/a/two", 2);
  expect_match(&image, 1, with_id(map_of("/a/two", 0, 1, 0), &other, 20), CONTPROF_WHERE_MISMATCH,
               0);
  expect_match(&image, 1, with_id(map_of("/a/one", 0, 1, 0), &other, 20), CONTPROF_WHERE_OTHER, 0);
}

Test(image_match, without_both_build_ids_the_name_is_believed) {
  struct contprof_image image = named("/a/two", 0), other = named("/a/two", 2);
  expect_match(&image, 1, with_id(map_of("/a/two", 0, 1, 0), &other, 20), CONTPROF_WHERE_HERE, 0);
  expect_match(&other, 1, map_of("/a/two", 0, 1, 0), CONTPROF_WHERE_HERE, 0);
  cr_expect_not(match(&other, 1, map_of("/a/two", 0, 1, 0)).proven);
}

Test(image_match, build_ids_of_other_sizes) {
  struct contprof_image image = named("/a/two", 7);
  image.build_id_size = 16; // MD5, UUID
  struct contprof_perf_mmap map = with_id(map_of("/a/six", 0, 1, 0), &image, 16);
  expect_match(&image, 1, map, CONTPROF_WHERE_HERE, 0);
  map.build_id_size = 20; // filled up with zeros
  expect_match(&image, 1, map, CONTPROF_WHERE_HERE, 0);
  map.build_id[19] = 1;
  expect_match(&image, 1, map, CONTPROF_WHERE_OTHER, 0);
  map.build_id_size = 8; // a part of one proves nothing
  expect_match(&image, 1, map, CONTPROF_WHERE_OTHER, 0);
  image.build_id_size = 32; // perf keeps the first 20 bytes
  expect_match(&image, 1, with_id(map, &image, 20), CONTPROF_WHERE_HERE, 0);
}

// --- where in it --------------------------------------------------------------------------------

// The ELF file's own address of what `address` of the map holds.
static uint64_t own_address(const struct contprof_image *image, struct contprof_perf_mmap map,
                            uint64_t address) {
  struct contprof_match found = match(image, 1, map);
  cr_assert_eq(found.where, CONTPROF_WHERE_HERE);
  for (uint64_t from = map.start; from < map.start + map.size;) {
    struct contprof_map_range part = contprof_image_part(image, &found, &map, from);
    cr_assert_eq(part.start, from);
    cr_assert_gt(part.end, from);
    if (part.end > address)
      return part.where == CONTPROF_WHERE_HERE ? address + part.slide : UINT64_MAX;
    from = part.end;
  }
  return UINT64_MAX;
}

static const struct contprof_image lld = {
    .path = "/a/two", SEGMENTS(lld_segments), .position_independent = true};

Test(image_match, code_that_begins_within_a_page) {
  // Linux maps the page that the segment begins in: offset 0 at address 0x1000.
  struct contprof_perf_mmap map = map_of("/a/two", 0x55aa00001000, 0x2000, 0);
  cr_expect_eq(own_address(&lld, map, 0x55aa000015c0), 0x15c0);
  cr_expect_eq(own_address(&lld, map, 0x55aa00002fdf), 0x2fdf);
}

Test(image_match, pages_of_64_kib) {
  static const struct contprof_segment segments[] = {
      {0, 0, 0x8f4, false}, {0x108f4, 0x8f4, 0x12345, true}, {0x32c39, 0x12c39, 0x100, false}};
  struct contprof_image image = {
      .path = "/a/two", SEGMENTS(segments), .position_independent = true};
  struct contprof_perf_mmap map = map_of("/a/two", 0xaaaa00010000, 0x20000, 0);
  cr_expect_eq(own_address(&image, map, 0xaaaa000108f4), 0x108f4);
  cr_expect_eq(own_address(&image, map, 0xaaaa0001ffff), 0x1ffff);
  cr_expect_eq(own_address(&image, map, 0xaaaa00022c38), 0x22c38);
}

Test(image_match, a_map_within_a_segment) {
  struct contprof_perf_mmap map = map_of("/a/two", 0x55aa00002000, 0x1000, 0x1000);
  cr_expect_eq(own_address(&lld, map, 0x55aa00002010), 0x2010);
}

Test(image_match, several_segments_of_code_on_one_page) {
  static const struct contprof_segment segments[] = {
      {0x5800, 0x1800, 0x1000, true}, {0, 0, 0x400, false}, {0x2400, 0x400, 0x1400, true}};
  struct contprof_image image = {
      .path = "/a/two", SEGMENTS(segments), .position_independent = true};
  struct contprof_perf_mmap first = map_of("/a/two", 0x10002000, 0x2000, 0);
  cr_expect_eq(own_address(&image, first, 0x10002400), 0x2400);
  cr_expect_eq(own_address(&image, first, 0x100037ff), 0x37ff);
  struct contprof_perf_mmap second = map_of("/a/two", 0x10005000, 0x2000, 0x1000);
  cr_expect_eq(own_address(&image, second, 0x10005800), 0x5800);
  cr_expect_eq(own_address(&image, second, 0x100067ff), 0x67ff);
}

Test(image_match, a_map_of_data_is_of_its_segment) {
  struct contprof_perf_mmap map = map_of("/home/u/two", 0x55aa00003000, 0x1000, 0x2000);
  cr_expect_eq(own_address(&pie, map, 0x55aa00003e10), 0x3e10);
  map = map_of("/home/u/two", 0x55aa00002000, 0xe00, 0x2000);
  cr_expect_eq(own_address(&pie, map, 0x55aa00002100), 0x2100);
}

Test(image_match, a_map_of_what_is_no_segment_is_no_match) {
  struct contprof_perf_mmap map = map_of("/home/u/two", 0x55aa00000000, 0x1000, 0x100000);
  cr_expect_eq(own_address(&pie, map, 0x55aa00000010), UINT64_MAX);
}

Test(image_match, fixed_code_stands_at_its_address_alone) {
  static const struct contprof_segment segments[] = {{0x400000, 0, 0x8a8, true},
                                                     {0x600df0, 0xdf0, 0x234, false}};
  struct contprof_image image = {.path = "/a/two", SEGMENTS(segments)};
  struct contprof_perf_mmap map = map_of("/a/two", 0x400000, 0x1000, 0);
  cr_expect_eq(own_address(&image, map, 0x400010), 0x400010);
  map.start = 0x500000;
  cr_expect_eq(own_address(&image, map, 0x500010), UINT64_MAX);
  map = map_of("/a/two", 0x401000, 0x1000, 0x1000); // behind the code, where it would go on
  cr_expect_eq(own_address(&image, map, 0x401010), 0x401010);
  image.build_id_size = 20; // an emulator may put it elsewhere
  map = with_id(map_of("/a/two", 0x500000, 0x1000, 0), &image, 20);
  cr_expect_eq(own_address(&image, map, 0x500010), 0x400010);
}

// --- the kernel ---------------------------------------------------------------------------------

static const struct contprof_segment kernel_segments[] = {
    {0xffffffff82000000, 0x1200000, 0x100000, false},
    {0xffffffff81000000, 0x200000, 0xe00000, true}};

Test(image_match, a_vmlinux_is_the_kernels) {
  struct contprof_image images[] = {pie, {.path = "vmlinux", SEGMENTS(kernel_segments)}};
  struct contprof_images opened = contprof_images_open(images, 2);
  struct contprof_perf_mmap map =
      map_of("[kernel.kallsyms]_text", 0xffffffff9b000000, 0xe00000, 0xffffffff9b000000);
  struct contprof_match found = contprof_kernel_match(&opened, &map);
  cr_assert_eq(found.where, CONTPROF_WHERE_HERE);
  cr_expect_eq(found.image, 1);
  struct contprof_map_range part = contprof_image_part(&images[1], &found, &map, map.start);
  cr_expect_eq(part.slide + 0xffffffff9b000123, 0xffffffff81000123);
  map.path = "[guest.kernel.kallsyms]";
  cr_expect_eq(contprof_kernel_match(&opened, &map).where, CONTPROF_WHERE_OTHER);
  contprof_images_close(&opened);
}

Test(image_match, another_kernel_is_a_mismatch) {
  struct contprof_image image = {.path = "vmlinux", SEGMENTS(kernel_segments), .build_id_size = 20};
  struct contprof_images opened = contprof_images_open(&image, 1);
  struct contprof_perf_mmap map =
      with_id(map_of("[kernel.kallsyms]_text", 0xffffffff9b000000, 1, 0), &pie, 20);
  cr_expect_eq(contprof_kernel_match(&opened, &map).where, CONTPROF_WHERE_MISMATCH);
  contprof_images_close(&opened);
}

Test(image_match, a_process_that_maps_a_vmlinux_runs_no_kernel) {
  struct contprof_image image = {.path = "vmlinux", SEGMENTS(kernel_segments)};
  struct contprof_perf_mmap map = map_of("/boot/vmlinux", 0x10000, 0x1000, 0x200000);
  cr_expect_eq(own_address(&image, map, 0x10010), UINT64_MAX);
}
