// The rules stand in docs/address-spaces.md, with their sources.
#include "address_space.h"

#include "../base/arena.h"
#include "../base/memory.h"
#include "address_claims.h"
#include "image_match.h"
#include "pid_map.h"
#include "seen_files.h"

#include <stdlib.h>
#include <string.h>

struct mismatch {
  enum contprof_mismatch why;
  struct contprof_perf_mmap map; // its path is in the arena
};

struct contprof_spaces {
  struct contprof_images images;
  struct contprof_map_nodes nodes;        // of the processes' trees
  struct contprof_pid_map processes;      // their trees, by PID: a share of each
  struct contprof_map_nodes kernel_nodes; // of the next one
  struct contprof_map_node *kernel;       // its tree
  struct contprof_claims claims;          // all that is in `nodes`, kept once `claiming`
  bool claiming;                          // a sample has not told its process
  bool mapped;                            // a process's map has been seen
  bool *assumed;                          // of each image; owned
  struct mismatch *mismatches;            // of each image the first one; owned
  struct contprof_arena arena;            // of their paths
  struct contprof_seen_files *seen;       // or NULL; not owned
  struct contprof_map_range hit;          // the last answer; an empty range: none
  int32_t hit_pid;                        // whose that is
};

struct contprof_spaces *contprof_spaces_new(const struct contprof_image *images, size_t count) {
  struct contprof_spaces *spaces = contprof_need(calloc(1, sizeof *spaces));
  spaces->images = contprof_images_open(images, count);
  spaces->assumed = contprof_need(calloc(count + 1, sizeof *spaces->assumed));
  spaces->mismatches = contprof_need(calloc(count + 1, sizeof *spaces->mismatches));
  return spaces;
}

void contprof_spaces_free(struct contprof_spaces *spaces) {
  if (!spaces)
    return;
  contprof_map_nodes_free(&spaces->nodes);
  contprof_map_nodes_free(&spaces->kernel_nodes);
  contprof_pid_map_free(&spaces->processes);
  contprof_claims_free(&spaces->claims);
  contprof_images_close(&spaces->images);
  contprof_arena_free(&spaces->arena);
  free(spaces->assumed);
  free(spaces->mismatches);
  free(spaces);
}

void contprof_spaces_note_files(struct contprof_spaces *spaces, struct contprof_seen_files *seen) {
  spaces->seen = seen;
}

// --- changes ------------------------------------------------------------------------------------

static struct contprof_map_node *maps_of(const struct contprof_spaces *spaces, int32_t pid) {
  const union contprof_pid_value *process = contprof_pid_map_find(&spaces->processes, pid);
  return process ? process->pointer : NULL;
}

// Gives a process other maps, of which it gets a share; NULL: none.
static void set_maps(struct contprof_spaces *spaces, int32_t pid, struct contprof_map_node *maps) {
  struct contprof_map_node *before = maps_of(spaces, pid);
  if (maps)
    contprof_pid_map_need(&spaces->processes, pid)->pointer = contprof_map_tree_share(maps);
  else
    contprof_pid_map_remove(&spaces->processes, pid);
  contprof_map_tree_drop(&spaces->nodes, before);
}

static void put(struct contprof_spaces *spaces, const struct contprof_perf_event *event,
                const struct contprof_map_range *range) {
  if (event->kernel) {
    contprof_map_tree_put(&spaces->kernel_nodes, &spaces->kernel, range);
    return;
  }
  union contprof_pid_value *process = contprof_pid_map_need(&spaces->processes, event->pid);
  struct contprof_map_node *maps = process->pointer;
  contprof_map_tree_put(&spaces->nodes, &maps, range);
  process->pointer = maps;
}

static void note_mismatch(struct contprof_spaces *spaces, const struct contprof_match *match,
                          const struct contprof_perf_mmap *map) {
  struct mismatch *first = &spaces->mismatches[match->image];
  if (first->why)
    return;
  bool named = match->where == CONTPROF_WHERE_MISMATCH;
  *first = (struct mismatch){named ? match->why : CONTPROF_MISMATCH_SEGMENTS, *map};
  first->map.path = contprof_arena_string(&spaces->arena, map->path, strlen(map->path));
}

static uint64_t at_most(uint64_t number, uint64_t most) {
  return number < most ? number : most;
}

// The part of a map, from `from` on, that stands in one segment of its image. The map's part of the
// file ends at 2^64-1; of what lies behind that there is no file.
static struct contprof_map_range part_of(const struct contprof_spaces *spaces,
                                         const struct contprof_match *match,
                                         const struct contprof_perf_mmap *map, uint64_t from) {
  struct contprof_perf_mmap in_file = *map;
  in_file.size = at_most(map->size, UINT64_MAX - map->file_offset);
  if (from - map->start < in_file.size)
    return contprof_image_part(&spaces->images.images[match->image], match, &in_file, from);
  return (struct contprof_map_range){
      .start = from, .end = map->start + map->size, .where = CONTPROF_WHERE_MISMATCH};
}

static void put_map(struct contprof_spaces *spaces, const struct contprof_perf_event *event) {
  struct contprof_perf_mmap map = event->mmap;
  map.path = map.path ? map.path : "";
  map.size = at_most(map.size, UINT64_MAX - map.start); // the last address is none
  struct contprof_match match = event->kernel ? contprof_kernel_match(&spaces->images, &map)
                                              : contprof_image_match(&spaces->images, &map);
  spaces->mapped |= !event->kernel;
  uint64_t end = map.start + map.size;
  for (uint64_t from = map.start; from < end;) {
    struct contprof_map_range range = {.start = from, .end = end, .where = match.where};
    if (match.where == CONTPROF_WHERE_OTHER && spaces->seen)
      range.image = contprof_seen_files_add(spaces->seen, &map);
    if (match.where == CONTPROF_WHERE_HERE)
      range = part_of(spaces, &match, &map, from);
    if (range.where == CONTPROF_WHERE_MISMATCH) {
      range.image = (uint32_t)match.image;
      note_mismatch(spaces, &match, &map);
    }
    put(spaces, event, &range);
    from = range.end;
  }
}

// FORK with pid == ppid starts a thread. One that perf has made up for a process that ran before
// the recording (PERF_RECORD_MISC_FORK_EXEC) is followed by that process's own maps.
static void fork_process(struct contprof_spaces *spaces, const struct contprof_perf_event *event) {
  if (event->pid == event->parent || event->synthesised)
    return;
  set_maps(spaces, event->pid, maps_of(spaces, event->parent));
}

void contprof_spaces_event(struct contprof_spaces *spaces,
                           const struct contprof_perf_event *event) {
  if (event->kind == CONTPROF_PERF_SAMPLE || event->kind == CONTPROF_PERF_LOST ||
      event->kind == CONTPROF_PERF_COMM)
    return;
  spaces->hit = (struct contprof_map_range){0};
  if (event->kind == CONTPROF_PERF_MMAP)
    put_map(spaces, event);
  else if (event->kind == CONTPROF_PERF_FORK)
    fork_process(spaces, event);
  else
    set_maps(spaces, event->pid, NULL);
}

// --- answers ------------------------------------------------------------------------------------

static void claim(void *context, const struct contprof_map_range *range, bool more) {
  struct contprof_claims *claims = context;
  if (more)
    contprof_claims_add(claims, range);
  else
    contprof_claims_remove(claims, range);
}

// Of what processes share there is one claim, which is enough: it counts whether there is one.
static void start_claiming(struct contprof_spaces *spaces) {
  spaces->claiming = true;
  contprof_map_nodes_watch(&spaces->nodes, claim, &spaces->claims);
}

static struct contprof_map_range range_or(const struct contprof_map_range *range,
                                          enum contprof_where otherwise) {
  return range ? *range : (struct contprof_map_range){.where = otherwise};
}

// What is known of a kernel address: its text is the kernel's, whatever the process.
static struct contprof_map_range kernel_range(const struct contprof_spaces *spaces,
                                              uint64_t address) {
  struct contprof_map_range range =
      range_or(contprof_map_tree_find(spaces->kernel, address), CONTPROF_WHERE_KERNEL);
  if (range.where == CONTPROF_WHERE_OTHER)
    range.where = CONTPROF_WHERE_KERNEL;
  return range;
}

// The segment of an image whose own addresses hold `address`, as a range.
static struct contprof_map_range own_range(const struct contprof_image *image, size_t index,
                                           uint64_t address) {
  for (size_t i = 0; i < image->segment_count; i++) {
    const struct contprof_segment *segment = &image->segments[i];
    if (segment->executable && address >= segment->address &&
        address - segment->address < segment->file_size)
      return (struct contprof_map_range){.start = segment->address,
                                         .end = segment->address + segment->file_size,
                                         .image = (uint32_t)index,
                                         .where = CONTPROF_WHERE_HERE};
  }
  return (struct contprof_map_range){.where = CONTPROF_WHERE_UNMAPPED};
}

// Without any map, addresses are taken as the images' own, as llvm-profgen takes them.
static struct contprof_map_range assumed_range(struct contprof_spaces *spaces, uint64_t address) {
  struct contprof_map_range found = {.where = CONTPROF_WHERE_UNMAPPED};
  for (size_t i = 0; i < spaces->images.count; i++) {
    struct contprof_map_range own = own_range(&spaces->images.images[i], i, address);
    if (own.where != CONTPROF_WHERE_HERE)
      continue;
    if (found.where != CONTPROF_WHERE_UNMAPPED)
      return (struct contprof_map_range){.where = CONTPROF_WHERE_AMBIGUOUS};
    found = own;
  }
  if (found.where == CONTPROF_WHERE_HERE)
    spaces->assumed[found.image] = true;
  if (spaces->images.count > 1) // others may begin or end within the segment
    found = (struct contprof_map_range){
        .start = address, .end = address + 1, .image = found.image, .where = found.where};
  return found;
}

static struct contprof_map_range look_up(struct contprof_spaces *spaces, int32_t pid,
                                         uint64_t address) {
  if (contprof_is_kernel_address(address))
    return kernel_range(spaces, address);
  if (!spaces->mapped)
    return assumed_range(spaces, address);
  if (pid != CONTPROF_NO_PID)
    return range_or(contprof_map_tree_find(maps_of(spaces, pid), address), CONTPROF_WHERE_UNMAPPED);
  if (!spaces->claiming)
    start_claiming(spaces);
  return contprof_claims_find(&spaces->claims, address);
}

struct contprof_place contprof_spaces_resolve(struct contprof_spaces *spaces, int32_t pid,
                                              uint64_t address) {
  const struct contprof_map_range *hit = &spaces->hit;
  if (pid != spaces->hit_pid || address - hit->start >= hit->end - hit->start) {
    spaces->hit = look_up(spaces, pid, address);
    spaces->hit_pid = pid;
  }
  if (hit->where != CONTPROF_WHERE_HERE)
    return (struct contprof_place){.where = hit->where, .image = hit->image};
  return (struct contprof_place){
      .where = hit->where, .image = hit->image, .address = address + hit->slide};
}

// As a map of that page of the file would have it. If another build was mapped, it is that one's.
struct contprof_place contprof_spaces_in_file(struct contprof_spaces *spaces, const char *path,
                                              uint64_t offset) {
  enum { PAGE = 4096 };
  const struct contprof_perf_mmap map = {
      .start = PAGE, .size = PAGE, .file_offset = offset / PAGE * PAGE, .path = path};
  struct contprof_match match = contprof_image_match(&spaces->images, &map);
  struct contprof_place place = {.where = match.where, .image = match.image};
  if (match.where == CONTPROF_WHERE_OTHER && spaces->seen)
    place.image = contprof_seen_files_add(spaces->seen, &map);
  if (match.where != CONTPROF_WHERE_HERE)
    return place;
  uint64_t at = map.start + offset % PAGE;
  match.proven = true; // fixed addresses are no matter here
  struct contprof_map_range range =
      contprof_image_part(&spaces->images.images[match.image], &match, &map, at);
  place.where = spaces->mismatches[match.image].why ? CONTPROF_WHERE_MISMATCH : range.where;
  place.address = at + range.slide;
  return place;
}

bool contprof_spaces_assumed(const struct contprof_spaces *spaces, size_t image) {
  return spaces->assumed[image];
}

enum contprof_mismatch contprof_spaces_mismatch(const struct contprof_spaces *spaces, size_t image,
                                                const struct contprof_perf_mmap **map) {
  const struct mismatch *mismatch = &spaces->mismatches[image];
  *map = mismatch->why ? &mismatch->map : NULL;
  return mismatch->why;
}
