#include "image_match.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

struct contprof_images contprof_images_open(const struct contprof_image *images, size_t count) {
  char **real_paths = contprof_need(calloc(count ? count : 1, sizeof *real_paths));
  for (size_t i = 0; i < count; i++)
    real_paths[i] = realpath(images[i].path, NULL);
  return (struct contprof_images){images, count, real_paths};
}

void contprof_images_close(struct contprof_images *images) {
  for (size_t i = 0; i < images->count; i++)
    free(images->real_paths[i]);
  free(images->real_paths);
  *images = (struct contprof_images){0};
}

// A build-id in a recording has at most 20 bytes; perf before 5.12 kept no size and filled up with
// zeros (tools/perf/util/build-id.c).
static bool same_build_id(const struct contprof_image *image,
                          const struct contprof_perf_mmap *map) {
  size_t size = image->build_id_size;
  size_t common = size < map->build_id_size ? size : map->build_id_size;
  if (!common || memcmp(image->build_id, map->build_id, common) != 0)
    return false;
  for (size_t i = common; i < map->build_id_size; i++)
    if (map->build_id[i])
      return false;
  return size <= CONTPROF_BUILD_ID_MAX ? common == size : common == CONTPROF_BUILD_ID_MAX;
}

static size_t start_of_component(const char *path, size_t end) {
  while (end && path[end - 1] != '/')
    end--;
  return end;
}

// How many components of two paths are the same, from the last one on; one more for equal paths.
static size_t common_components(const char *a, size_t a_end, const char *b, size_t b_end) {
  size_t common = 0;
  while (a_end && b_end) {
    size_t a_start = start_of_component(a, a_end), b_start = start_of_component(b, b_end);
    size_t length = a_end - a_start;
    if (!length || length != b_end - b_start || memcmp(a + a_start, b + b_start, length) != 0)
      return common;
    common++;
    a_end = a_start ? a_start - 1 : 0;
    b_end = b_start ? b_start - 1 : 0;
  }
  return common + (common && a_end == b_end);
}

// The kernel appends " (deleted)" to the path of a file that is gone or has been replaced
// (fs/d_path.c).
static size_t length_without_deleted(const char *path) {
  static const char deleted[] = " (deleted)";
  size_t length = strlen(path), tail = sizeof deleted - 1;
  return length > tail && !memcmp(path + length - tail, deleted, tail) ? length - tail : length;
}

// [vdso], [vsyscall], //anon, //toolong: no file's name. Nor is an empty one.
static bool is_no_file(const char *path) {
  return !*path || *path == '[' || !strncmp(path, "//", 2);
}

static size_t likeness_to(const char *path, size_t length, const char *of) {
  return of ? common_components(path, length, of, strlen(of)) : 0;
}

// How well the map's path fits to the image: 0 not at all, else the number of last components that
// are the same.
static size_t likeness(const struct contprof_images *images, size_t i, const char *path) {
  if (is_no_file(path))
    return 0;
  size_t length = length_without_deleted(path);
  size_t as_given = likeness_to(path, length, images->images[i].path);
  size_t real = likeness_to(path, length, images->real_paths[i]);
  return as_given > real ? as_given : real;
}

static void set_mismatch(struct contprof_match *match, enum contprof_mismatch why) {
  match->where = CONTPROF_WHERE_MISMATCH;
  match->why = why;
}

// The image whose path is most like the map's among those of the map's build-id (`proven`) or among
// all. Without a likeness the first one does if it is proven. Of two that are equally like, neither
// is known to be the one, unless both are the same build.
static struct contprof_match most_like(const struct contprof_images *images,
                                       const struct contprof_perf_mmap *map, bool proven) {
  struct contprof_match match = {.where = CONTPROF_WHERE_OTHER};
  size_t best = 0;
  for (size_t i = 0; i < images->count; i++) {
    if (proven && !same_build_id(&images->images[i], map))
      continue;
    size_t like = likeness(images, i, map->path);
    if (like > best || (proven && match.where == CONTPROF_WHERE_OTHER))
      match = (struct contprof_match){.where = CONTPROF_WHERE_HERE, .image = i, .proven = proven};
    else if (like && like == best && !proven)
      set_mismatch(&match, CONTPROF_MISMATCH_NAME);
    best = like > best ? like : best;
  }
  return match;
}

// Containers may have different files at one path, of which perf's table of build-ids then has
// several, without a word which process has which.
struct contprof_match contprof_image_match(const struct contprof_images *images,
                                           const struct contprof_perf_mmap *map) {
  struct contprof_match match = most_like(images, map, true);
  bool proven = match.where == CONTPROF_WHERE_HERE;
  if (!proven)
    match = most_like(images, map, false);
  if (match.where != CONTPROF_WHERE_HERE)
    return match;
  if (map->of_several)
    set_mismatch(&match, CONTPROF_MISMATCH_NAME);
  else if (!proven && map->build_id_size && images->images[match.image].build_id_size)
    set_mismatch(&match, CONTPROF_MISMATCH_BUILD_ID);
  return match;
}

static const struct contprof_segment *first_code(const struct contprof_image *image) {
  const struct contprof_segment *first = NULL;
  for (size_t i = 0; i < image->segment_count; i++) {
    const struct contprof_segment *segment = &image->segments[i];
    if (segment->executable && (!first || segment->address < first->address))
      first = segment;
  }
  return first;
}

// perf gives the kernel's text as one map, [kernel.kallsyms]_text
// (tools/perf/util/synthetic-events.c, perf_event__synthesize_kernel_mmap). A vmlinux file is told
// by where it is linked to.
struct contprof_match contprof_kernel_match(const struct contprof_images *images,
                                            const struct contprof_perf_mmap *map) {
  static const char kernel[] = "[kernel.kallsyms]";
  struct contprof_match match = {.where = CONTPROF_WHERE_OTHER};
  if (strncmp(map->path, kernel, sizeof kernel - 1) != 0)
    return match;
  for (size_t i = 0; i < images->count && match.where != CONTPROF_WHERE_HERE; i++) {
    const struct contprof_image *image = &images->images[i];
    const struct contprof_segment *code = first_code(image);
    if (!code || !contprof_is_kernel_address(code->address))
      continue;
    bool proven = same_build_id(image, map);
    match = (struct contprof_match){
        .where = CONTPROF_WHERE_HERE, .image = i, .proven = proven, .kernel = true};
    if (!proven && image->build_id_size && map->build_id_size)
      set_mismatch(&match, CONTPROF_MISMATCH_BUILD_ID);
  }
  return match;
}

// Whether some of the segment's bytes are in the map's part of the file.
static bool is_in_map(const struct contprof_segment *segment,
                      const struct contprof_perf_mmap *map) {
  if (segment->file_offset >= map->file_offset)
    return segment->file_size && segment->file_offset - map->file_offset < map->size;
  return map->file_offset - segment->file_offset < segment->file_size;
}

struct part {
  const struct contprof_segment *segment; // that a byte of the file is in, or NULL
  uint64_t next;                          // where in the file the next one begins; UINT64_MAX: none
};

// Of the segments that `wanted` lets through, the last that begins at or before byte `offset`; else
// the first one after it, whose page holds that byte, too.
static struct part part_at(const struct contprof_image *image, const struct contprof_perf_mmap *map,
                           bool executable, uint64_t offset) {
  const struct contprof_segment *before = NULL, *after = NULL, *second = NULL;
  for (size_t i = 0; i < image->segment_count; i++) {
    const struct contprof_segment *segment = &image->segments[i];
    if ((executable && !segment->executable) || !is_in_map(segment, map))
      continue;
    if (segment->file_offset <= offset) {
      if (!before || segment->file_offset > before->file_offset)
        before = segment;
    } else if (!after || segment->file_offset < after->file_offset) {
      second = after;
      after = segment;
    } else if (!second || segment->file_offset < second->file_offset) {
      second = segment;
    }
  }
  const struct contprof_segment *next = before ? after : second;
  return (struct part){before ? before : after, next ? next->file_offset : UINT64_MAX};
}

// The last code before the map's part of the file. Files are mapped to the end of a page, and tools
// that write maps by hand go further.
static const struct contprof_segment *code_before(const struct contprof_image *image,
                                                  uint64_t offset) {
  const struct contprof_segment *before = NULL;
  for (size_t i = 0; i < image->segment_count; i++) {
    const struct contprof_segment *segment = &image->segments[i];
    if (segment->executable && segment->file_offset <= offset &&
        (!before || segment->file_offset > before->file_offset))
      before = segment;
  }
  return before;
}

static uint64_t slide_of(const struct contprof_segment *segment,
                         const struct contprof_perf_mmap *map) {
  return segment->address - segment->file_offset + map->file_offset - map->start;
}

// True if a binary with fixed addresses would not stand where it is linked to.
static bool moves(const struct contprof_image *image, const struct contprof_segment *segment,
                  const struct contprof_perf_mmap *map) {
  return !image->position_independent && segment && slide_of(segment, map);
}

// The segment around byte `offset` of the file: one of code, else another one that the map has
// bytes of; else, where addresses are fixed, code that goes on there.
static struct part choose_part(const struct contprof_image *image,
                               const struct contprof_perf_mmap *map, uint64_t offset) {
  struct part part = part_at(image, map, true, offset);
  if (!part.segment)
    part = part_at(image, map, false, offset);
  if (image->position_independent || (part.segment && !moves(image, part.segment, map)))
    return part;
  const struct contprof_segment *code = code_before(image, offset);
  return code && !moves(image, code, map) ? (struct part){code, part.next} : part;
}

static struct contprof_map_range kernel_part(const struct contprof_image *image,
                                             struct contprof_map_range range) {
  range.slide = first_code(image)->address - range.start;
  return range;
}

struct contprof_map_range contprof_image_part(const struct contprof_image *image,
                                              const struct contprof_match *match,
                                              const struct contprof_perf_mmap *map, uint64_t from) {
  struct contprof_map_range range = {.start = from,
                                     .end = map->start + map->size,
                                     .image = (uint32_t)match->image,
                                     .where = CONTPROF_WHERE_HERE};
  if (match->kernel)
    return kernel_part(image, range);
  uint64_t offset = map->file_offset + (from - map->start);
  struct part part = choose_part(image, map, offset);
  if (!part.segment || (moves(image, part.segment, map) && !match->proven))
    range.where = CONTPROF_WHERE_MISMATCH;
  else
    range.slide = slide_of(part.segment, map);
  if (part.next - offset < range.end - from)
    range.end = from + (part.next - offset);
  return range;
}
