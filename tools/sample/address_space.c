// The rules stand in docs/address-spaces.md, with their sources.
#include "address_space.h"

#include "../base/arena.h"
#include "../base/memory.h"
#include "address_claims.h"
#include "image_match.h"

#include <stdlib.h>
#include <string.h>

struct process {
  int32_t pid;
  bool used;                      // this slot of the table
  struct contprof_map_list *maps; // a share of it; owned
};

struct mismatch {
  enum contprof_mismatch why;
  struct contprof_perf_mmap map; // its path is in the arena
};

struct contprof_spaces {
  struct contprof_images images;
  struct process *processes; // hash table of process_slots (a power of two); owned
  size_t process_slots;
  size_t process_count;
  struct contprof_map_list *kernel; // owned
  struct contprof_claims claims;    // of all processes, kept once `claiming`
  bool claiming;                    // a sample has not told its process
  bool mapped;                      // a process's map has been seen
  bool *assumed;                    // of each image; owned
  struct mismatch *mismatches;      // of each image the first one; owned
  struct contprof_arena arena;      // of their paths
  struct contprof_map_range hit;    // the last answer; an empty range: none
  int32_t hit_pid;                  // whose that is
};

enum { FIRST_SLOTS = 64 };

struct contprof_spaces *contprof_spaces_new(const struct contprof_image *images, size_t count) {
  struct contprof_spaces *spaces = contprof_need(calloc(1, sizeof *spaces));
  spaces->images = contprof_images_open(images, count);
  spaces->process_slots = FIRST_SLOTS;
  spaces->processes = contprof_need(calloc(FIRST_SLOTS, sizeof *spaces->processes));
  spaces->assumed = contprof_need(calloc(count + 1, sizeof *spaces->assumed));
  spaces->mismatches = contprof_need(calloc(count + 1, sizeof *spaces->mismatches));
  return spaces;
}

void contprof_spaces_free(struct contprof_spaces *spaces) {
  if (!spaces)
    return;
  for (size_t i = 0; i < spaces->process_slots; i++)
    contprof_map_list_drop(spaces->processes[i].maps);
  contprof_map_list_drop(spaces->kernel);
  contprof_claims_free(&spaces->claims);
  contprof_images_close(&spaces->images);
  contprof_arena_free(&spaces->arena);
  free(spaces->processes);
  free(spaces->assumed);
  free(spaces->mismatches);
  free(spaces);
}

// --- processes by PID ---------------------------------------------------------------------------

// The slot of a PID, or the free one that it would get.
static struct process *slot_of(const struct contprof_spaces *spaces, int32_t pid) {
  size_t mask = spaces->process_slots - 1;
  size_t i = ((uint32_t)pid * UINT32_C(0x9e3779b1)) >> 7 & mask; // Knuth's multiplicative hash
  while (spaces->processes[i].used && spaces->processes[i].pid != pid)
    i = (i + 1) & mask;
  return &spaces->processes[i];
}

static void grow(struct contprof_spaces *spaces) {
  struct process *old = spaces->processes;
  size_t old_slots = spaces->process_slots;
  spaces->process_slots *= 2;
  spaces->processes = contprof_need(calloc(spaces->process_slots, sizeof *old));
  for (size_t i = 0; i < old_slots; i++)
    if (old[i].used)
      *slot_of(spaces, old[i].pid) = old[i];
  free(old);
}

// The process, made if need be. Holds until the next one is made.
static struct process *process_of(struct contprof_spaces *spaces, int32_t pid) {
  struct process *process = slot_of(spaces, pid);
  if (process->used)
    return process;
  if (spaces->process_count >= spaces->process_slots / 2) {
    grow(spaces);
    process = slot_of(spaces, pid);
  }
  spaces->process_count++;
  *process = (struct process){.pid = pid, .used = true};
  return process;
}

// --- changes ------------------------------------------------------------------------------------

typedef void change_claim(struct contprof_claims *claims, const struct contprof_map_range *range);

// Adds or takes back what a list claims between `start` and `end`.
static void change_claims(struct contprof_spaces *spaces, const struct contprof_map_list *list,
                          uint64_t start, uint64_t end, change_claim *change) {
  if (!spaces->claiming || !list)
    return;
  for (size_t i = contprof_map_list_seek(list, start);
       i < list->count && list->ranges[i].start < end; i++) {
    struct contprof_map_range part = list->ranges[i];
    part.start = part.start > start ? part.start : start;
    part.end = part.end < end ? part.end : end;
    change(&spaces->claims, &part);
  }
}

// Gives a process another list, of which it gets a share.
static void set_maps(struct contprof_spaces *spaces, struct process *process,
                     struct contprof_map_list *maps) {
  contprof_map_list_share(maps);
  change_claims(spaces, process->maps, 0, UINT64_MAX, contprof_claims_remove);
  contprof_map_list_drop(process->maps);
  process->maps = maps;
  change_claims(spaces, process->maps, 0, UINT64_MAX, contprof_claims_add);
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

static void put(struct contprof_spaces *spaces, struct contprof_map_list **list, bool claims,
                const struct contprof_map_range *range) {
  if (claims)
    change_claims(spaces, *list, range->start, range->end, contprof_claims_remove);
  contprof_map_list_put(list, range);
  if (claims)
    change_claims(spaces, *list, range->start, range->end, contprof_claims_add);
}

// A map's end, and that of its part of the file, are at most 2^64-1.
static struct contprof_perf_mmap within_addresses(const struct contprof_perf_mmap *map) {
  struct contprof_perf_mmap within = *map;
  uint64_t start = map->start > map->file_offset ? map->start : map->file_offset;
  if (within.size > UINT64_MAX - start)
    within.size = UINT64_MAX - start;
  if (!within.path)
    within.path = "";
  return within;
}

static void put_map(struct contprof_spaces *spaces, const struct contprof_perf_event *event) {
  struct contprof_perf_mmap map = within_addresses(&event->mmap);
  struct contprof_map_list **list =
      event->kernel ? &spaces->kernel : &process_of(spaces, event->pid)->maps;
  struct contprof_match match = event->kernel ? contprof_kernel_match(&spaces->images, &map)
                                              : contprof_image_match(&spaces->images, &map);
  spaces->mapped |= !event->kernel;
  uint64_t end = map.start + map.size;
  for (uint64_t from = map.start; from < end;) {
    struct contprof_map_range range = {.start = from, .end = end, .where = match.where};
    if (match.where == CONTPROF_WHERE_HERE)
      range = contprof_image_part(&spaces->images.images[match.image], &match, &map, from);
    if (range.where == CONTPROF_WHERE_MISMATCH) {
      range.image = (uint32_t)match.image;
      note_mismatch(spaces, &match, &map);
    }
    put(spaces, list, !event->kernel, &range);
    from = range.end;
  }
}

// FORK with pid == ppid starts a thread. One that perf has made up for a process that ran before
// the recording (PERF_RECORD_MISC_FORK_EXEC) is followed by that process's own maps.
static void fork_process(struct contprof_spaces *spaces, const struct contprof_perf_event *event) {
  if (event->pid == event->parent || event->synthesised)
    return;
  struct process *child = process_of(spaces, event->pid);
  set_maps(spaces, child, slot_of(spaces, event->parent)->maps);
}

void contprof_spaces_event(struct contprof_spaces *spaces,
                           const struct contprof_perf_event *event) {
  if (event->kind == CONTPROF_PERF_SAMPLE || event->kind == CONTPROF_PERF_LOST)
    return;
  spaces->hit = (struct contprof_map_range){0};
  if (event->kind == CONTPROF_PERF_MMAP)
    put_map(spaces, event);
  else if (event->kind == CONTPROF_PERF_FORK)
    fork_process(spaces, event);
  else
    set_maps(spaces, process_of(spaces, event->pid), NULL);
}

// --- answers ------------------------------------------------------------------------------------

static void start_claiming(struct contprof_spaces *spaces) {
  spaces->claiming = true;
  for (size_t i = 0; i < spaces->process_slots; i++)
    change_claims(spaces, spaces->processes[i].maps, 0, UINT64_MAX, contprof_claims_add);
}

static struct contprof_map_range range_or(const struct contprof_map_range *range,
                                          enum contprof_where otherwise) {
  return range ? *range : (struct contprof_map_range){.where = otherwise};
}

// What is known of a kernel address: its text is the kernel's, whatever the process.
static struct contprof_map_range kernel_range(const struct contprof_spaces *spaces,
                                              uint64_t address) {
  struct contprof_map_range range =
      range_or(contprof_map_list_find(spaces->kernel, address), CONTPROF_WHERE_KERNEL);
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
    return range_or(contprof_map_list_find(slot_of(spaces, pid)->maps, address),
                    CONTPROF_WHERE_UNMAPPED);
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
    return (struct contprof_place){.where = hit->where};
  return (struct contprof_place){
      .where = hit->where, .image = hit->image, .address = address + hit->slide};
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
