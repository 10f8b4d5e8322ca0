#include "shadow_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "mappings.h"
#include "module.h"
#include "owner.h"
#include "platform.h"

// What the link puts behind the counters: see shadow.c.
extern CONTPROF_HIDDEN char contprof_behind_counters[];

// Names of memory that stands at a window without an image: for a module that has not started, and
// for one that is gone. /proc/self/maps shows them.
#define NAME_OF_ALL "contprof-window"
static const char name_early[] = NAME_OF_ALL "-early", name_left[] = NAME_OF_ALL "-left";

struct range {
  uint64_t start, end; // addresses
};

static char *window;       // of this module; NULL while there is none
static bool early;         // it may hold counts from before the module's start
static char *ready_window; // the next image's counters, mapped; NULL if not wanted
static char *ready_place;  // the same for the static counters

// Whole pages with the counters from `start` to `end`.
static struct range pages_of(const char *start, const char *end) {
  uint64_t page = contprof_page_size(), first = (uintptr_t)start & ~(page - 1);
  return (struct range){first, first + contprof_mapped_size((uintptr_t)end - first, page)};
}

static struct range own_pages(void) {
  return pages_of(contprof_module.image.counters, contprof_module.image.counters_end);
}

static uint64_t own_size(void) {
  struct range pages = own_pages();
  return pages.end - pages.start;
}

static struct range window_of(struct range pages) {
  return (struct range){pages.start + CONTPROF_SHADOW_BIAS, pages.end + CONTPROF_SHADOW_BIAS};
}

bool contprof_window_in_place_possible(const struct contprof_image *image) {
  struct range pages = own_pages();
  return (uintptr_t)image->counters == pages.start &&
         ((uintptr_t)image->counters_end == pages.end ||
          (uintptr_t)contprof_behind_counters == pages.end);
}

// What the kernel keeps free at address 0 is less than this.
bool contprof_window_is_canonical(uintptr_t counters) {
  return counters >= (uintptr_t)-CONTPROF_SHADOW_BIAS + (UINT64_C(1) << 20);
}

// ---- What stands at a window

static bool overlaps(const struct contprof_mapping *mapping, const struct range *range) {
  return mapping->start < range->end && mapping->end > range->start;
}

static bool has_name(const struct contprof_mapping *mapping, const char *name) {
  static const char directory[] = "/memfd:";
  size_t length = sizeof directory - 1;
  return strncmp(mapping->path, directory, length) == 0 &&
         strncmp(mapping->path + length, name, strlen(name)) == 0;
}

static bool is_same_file(const struct contprof_mapping *a, const struct contprof_mapping *b) {
  return a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

static bool is_whole(const struct contprof_mapping *mapping, const void *part) {
  return mapping->offset == 0 && is_same_file(mapping, part);
}

// The owner record of the live file that is mapped at `base`, if it is one. The kernel reads the
// memory: another thread may unmap it.
static bool read_owner(uint64_t base, struct contprof_owner *owner) {
  uint64_t head[4];
  int fd = contprof_open_following("/proc/self/mem", O_RDONLY, 0);
  if (fd < 0)
    return false;
  bool read = contprof_read_at(fd, head, sizeof head, base) == sizeof head;
  uint64_t at = read ? contprof_owner_offset(head) : 0;
  read = at && contprof_owner_read(fd, base + at, owner);
  contprof_close(fd);
  return read;
}

// Of a live file that this process has let go of, beside other threads, and left mapped; its module
// is gone, or this one's counters would not stand where that one's did. No name of the file would
// do: it had none yet when it was mapped.
static bool is_released(const struct contprof_mapping *mapping) {
  struct contprof_mapping whole;
  struct contprof_owner owner;
  if (!mapping->inode || !contprof_find_mapping(is_whole, mapping, &whole))
    return false;
  contprof_owner_look();
  return read_owner(whole.start, &owner) && contprof_owner_is_self(&owner) &&
         owner.state == CONTPROF_OWNER_RELEASED;
}

static bool is_foreign(const struct contprof_mapping *mapping, const void *range) {
  return overlaps(mapping, range) && !has_name(mapping, NAME_OF_ALL) && !is_released(mapping);
}

// ---- Placing memory

static char *map_named(const char *name, char *place, uint64_t size, int flags, int *error) {
  int fd = contprof_memory_file(name, size);
  if (fd < 0) {
    *error = -fd;
    return NULL;
  }
  char *mapped = contprof_map(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, error);
  contprof_close(fd);
  return mapped;
}

bool contprof_window_is_reserved(void) {
  return window != NULL;
}

static bool place_is_free(struct range range, int error) {
  return error == EEXIST && !contprof_find_mapping(is_foreign, &range, NULL);
}

// Shared, so that it can be mapped again when its place is taken.
bool contprof_window_reserve(bool prepared) {
  struct range range = window_of(own_pages());
  char *place = (char *)range.start, *mapped = place;
  int error = 0;
  if (window)
    return true;
  early = prepared;
  if (!prepared)
    mapped = contprof_map(place, own_size(), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, &error);
  if (mapped && mapped != place) // a kernel before 4.17 takes the address as a hint
    contprof_unmap(mapped, own_size());
  else if (mapped || place_is_free(range, error))
    window = place;
  return window != NULL;
}

bool contprof_window_prepare(char *start, char *end, bool bytes) {
  struct range range = window_of(pages_of(start, end));
  char *place = (char *)range.start;
  uint64_t size = range.end - range.start;
  int error = 0;
  char *mapped = map_named(name_early, place, size, MAP_FIXED_NOREPLACE, &error);
  if (mapped && mapped != place) {
    contprof_unmap(mapped, size);
    return false;
  }
  if (!mapped && place_is_free(range, error))
    mapped = map_named(name_early, place, size, MAP_FIXED, &error);
  if (mapped && bytes)
    memset(place, 0xff, size);
  return mapped != NULL;
}

// ---- The image's counters in their places

// The pages of an image that have its counters stand as far from them as the static ones do.
static uint64_t pages_in(const struct contprof_live *live) {
  return live->layout.counters - ((uintptr_t)contprof_module.image.counters - own_pages().start);
}

static char *counters_again(const struct contprof_live *live, int *error) {
  return contprof_map_again(live->base + pages_in(live), own_size(), error);
}

static void abandon_one(char **ready) {
  if (*ready)
    contprof_unmap(*ready, own_size());
  *ready = NULL;
}

void contprof_windows_abandon(void) {
  abandon_one(&ready_window);
  abandon_one(&ready_place);
}

int contprof_windows_make_ready(const struct contprof_live *next) {
  const struct contprof_image *image = &contprof_module.image;
  int error = 0;
  if (window)
    ready_window = counters_again(next, &error);
  if (!error && image->in_place)
    ready_place = counters_again(next, &error);
  if (error)
    contprof_windows_abandon();
  return -error;
}

static int turn_one(char **ready, char *place) {
  int error = *ready ? contprof_move_mapping(*ready, own_size(), place) : 0;
  if (!error)
    *ready = NULL;
  return error;
}

// What came to the window before the module's start.
static int turn_from_early(void) {
  int error = 0;
  char *before = contprof_map_again(window, own_size(), &error);
  error = turn_one(&ready_window, window);
  early = error != 0;
  if (before && !error)
    contprof_take_counts(before + ((uintptr_t)contprof_module.image.counters - own_pages().start));
  if (before)
    contprof_unmap(before, own_size());
  return error;
}

int contprof_windows_turn(void) {
  int error = early && ready_window ? turn_from_early() : turn_one(&ready_window, window);
  int place_error = turn_one(&ready_place, contprof_module.image.counters);
  contprof_windows_abandon();
  return error ? error : place_error;
}

// What threads count in between is lost; they would have to be in the module's code before it is
// loaded for everybody. So the time is kept short: the pages are ready when
// the counts are taken.
int contprof_window_settle(void) {
  struct contprof_image *image = &contprof_module.image;
  int error = 0;
  if (image->in_place)
    return 0;
  if (!contprof_window_in_place_possible(image)) {
    contprof_take_static_counts();
    return -EINVAL;
  }
  ready_place = counters_again(&contprof_module.live, &error);
  if (!ready_place)
    return -error;
  contprof_take_early_counts();
  error = turn_one(&ready_place, image->counters);
  contprof_windows_abandon();
  image->in_place = !error;
  return error;
}

static bool is_left(const struct contprof_mapping *mapping, const void *file_argument) {
  const struct contprof_mapping *file = file_argument;
  return is_same_file(mapping, file) && mapping->offset == pages_in(&contprof_module.live) &&
         mapping->start != (uintptr_t)window && mapping->start != own_pages().start;
}

static bool starts_at_base(const struct contprof_mapping *mapping, const void *base) {
  return mapping->start == (uintptr_t)base;
}

// Those of the same file at another place: the module was unloaded beside other threads, and has
// come back.
void contprof_windows_drop_left(void) {
  struct contprof_mapping file, left;
  if (contprof_find_mapping(starts_at_base, contprof_module.live.base, &file))
    while (contprof_find_mapping(is_left, &file, &left) &&
           contprof_unmap((void *)left.start, left.end - left.start) == 0)
      ;
}

void contprof_windows_leave(void) {
  struct contprof_image *image = &contprof_module.image;
  int error = 0;
  if (window)
    map_named(name_left, window, own_size(), MAP_FIXED, &error);
  if (image->in_place)
    contprof_map(image->counters, own_size(), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, &error);
  image->in_place = false;
}
