// Random events, and after each of them every address of every process against a model that keeps
// one entry for each page of each process and knows no sharing, no ranges and no caches.
#include "recorded_events.h"

#include "tools/base/mt19937.h"

enum { PIDS = 9, PAGES = 40, PAGE = 0x1000, ROUNDS = 6000, FILES = 4 };

// What a page holds; where == UNMAPPED: nothing.
struct page {
  enum contprof_where where;
  size_t image;
  uint64_t own; // address of the page in the ELF file
};

static struct page model[PIDS][PAGES];
static struct contprof_mt19937 dice;
static const uint64_t BASE = 0x7f0000000000;

static const struct contprof_segment code_first[] = {{0, 0, 40 * PAGE, true}};
static const struct contprof_segment code_later[] = {{0, 0, 4 * PAGE, false},
                                                     {0x24000, 4 * PAGE, 40 * PAGE, true}};
static const struct contprof_image images[] = {
    {.path = "/a/first", SEGMENTS(code_first), .position_independent = true},
    {.path = "/a/later", SEGMENTS(code_later), .position_independent = true},
};
static const char *const files[FILES] = {"/a/first", "/b/later (deleted)", "/bin/other", "//anon"};

static uint32_t below(uint32_t most) {
  return contprof_mt19937_below(&dice, most);
}

static struct page page_of(uint32_t file, uint64_t file_page) {
  if (file > 1)
    return (struct page){.where = CONTPROF_WHERE_OTHER};
  uint64_t own = file ? 0x24000 + (file_page - 4) * PAGE : file_page * PAGE;
  return (struct page){CONTPROF_WHERE_HERE, file, own};
}

static void change_map(struct contprof_spaces *spaces, int32_t pid) {
  uint32_t file = below(FILES), first = below(PAGES), count = 1 + below(PAGES - first);
  uint32_t file_page = 4 + below(4);
  if (count > 12)
    count = 12;
  feed_map(spaces, pid + 100,
           map_of(files[file], BASE + first * PAGE, count * PAGE, file_page * PAGE));
  for (uint32_t i = 0; i < count; i++)
    model[pid][first + i] = page_of(file, file_page + i);
}

static void clear(int32_t pid) {
  for (int i = 0; i < PAGES; i++)
    model[pid][i] = (struct page){.where = CONTPROF_WHERE_UNMAPPED};
}

static void change(struct contprof_spaces *spaces) {
  int32_t pid = (int32_t)below(PIDS), other = (int32_t)below(PIDS);
  switch (below(8)) {
  case 0:
    feed(spaces, CONTPROF_PERF_EXEC, pid + 100);
    clear(pid);
    break;
  case 1:
    feed(spaces, CONTPROF_PERF_EXIT, pid + 100);
    clear(pid);
    break;
  case 2:
  case 3:
    feed_fork(spaces, pid + 100, other + 100); // of itself: a thread
    memmove(model[pid], model[other], sizeof model[pid]);
    break;
  default:
    change_map(spaces, pid);
  }
}

static void expect_page(struct contprof_spaces *spaces, int32_t pid, int page,
                        const struct page *wanted) {
  uint64_t address = BASE + (uint64_t)page * PAGE + below(PAGE);
  struct contprof_place place = contprof_spaces_resolve(spaces, pid, address);
  cr_assert_eq(place.where, wanted->where);
  if (wanted->where != CONTPROF_WHERE_HERE)
    return;
  cr_assert_eq(place.image, wanted->image);
  cr_assert_eq(place.address, wanted->own + address % PAGE);
}

// What all processes say of a page.
static struct page agreed(int page) {
  struct page all = {.where = CONTPROF_WHERE_UNMAPPED};
  for (int pid = 0; pid < PIDS; pid++) {
    const struct page *one = &model[pid][page];
    if (one->where == CONTPROF_WHERE_UNMAPPED)
      continue;
    if (all.where == CONTPROF_WHERE_UNMAPPED)
      all = *one;
    else if (one->where != all.where || one->image != all.image || one->own != all.own)
      return (struct page){.where = CONTPROF_WHERE_AMBIGUOUS};
  }
  return all;
}

Test(address_space_model, answers_as_the_plain_model) {
  struct contprof_spaces *spaces = contprof_spaces_new(images, 2);
  for (int pid = 0; pid < PIDS; pid++)
    clear(pid);
  change_map(spaces, 0);
  for (int round = 0; round < ROUNDS; round++) {
    change(spaces);
    for (int pid = 0; pid < PIDS; pid++)
      for (int page = 0; page < PAGES; page++)
        expect_page(spaces, pid + 100, page, &model[pid][page]);
    for (int page = 0; page < PAGES && round > ROUNDS / 4; page++) {
      struct page wanted = agreed(page);
      expect_page(spaces, CONTPROF_NO_PID, page, &wanted);
    }
  }
  contprof_spaces_free(spaces);
}
