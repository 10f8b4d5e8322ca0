// Large files of one build added side by side, against the same added one by one.
#include "made_sum.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILES = CONTPROF_RAW_TOGETHER, ODD = 3 }; // files; the one that is damaged
enum { PADDING = 70000 };                        // bytes

static char directory[] = "/tmp/contprof-test-XXXXXX";
static char paths[FILES][64];
static struct raw_bytes contents[FILES];

static void make(void) {
  cr_assert_not_null(mkdtemp(directory));
  for (int i = 0; i < FILES; i++)
    snprintf(paths[i], sizeof paths[i], "%s/%d.profraw", directory, i);
}

static void drop(void) {
  for (int i = 0; i < FILES; i++)
    unlink(paths[i]);
  rmdir(directory);
}

TestSuite(raw_together, .init = make, .fini = drop);

// Zero bytes may follow an image: so many that the file is opened in part.
static void write_file(int number) {
  static const uint8_t zeros[PADDING];
  FILE *file = fopen(paths[number], "wb");
  size_t size = contents[number].size;
  cr_assert(file && fwrite(contents[number].bytes, 1, size, file) == size &&
            fwrite(zeros, 1, PADDING, file) == PADDING && fclose(file) == 0);
}

// Different counts and bitmaps, whose places are those of the shape's own; values are the same.
static void fill(struct raw_bytes like) {
  struct contprof_raw_head head;
  struct contprof_file_view file = {.path = "t", .bytes = like.bytes, .size = like.size};
  cr_assert(contprof_raw_take_head(&file, &head));
  for (int i = 0; i < FILES; i++) {
    contents[i] = like;
    for (uint64_t j = 0; j < head.image.counters.size; j += head.image.counter_size)
      contents[i].bytes[head.image.counters.base + j] = (uint8_t)((uint64_t)i * 37 % (j + 7));
    for (uint64_t j = 0; j < head.image.bitmap.size; j++)
      contents[i].bytes[head.image.bitmap.base + j] = (uint8_t)(1 << i);
    write_file(i);
  }
}

static bool add_alone(struct made_sum *made, int number, uint64_t weight) {
  struct contprof_raw_head head;
  struct contprof_file_view file;
  contprof_error_clear(&error);
  cr_assert(contprof_file_open(paths[number], &file, &error));
  bool added =
      contprof_raw_take_head(&file, &head) &&
      contprof_raw_sum_add(made->sum, made->share, &file, &head, weight, &made->into, &lock);
  contprof_file_close(&file);
  return added;
}

// What was read with the head is not to be looked at again.
static void spoil(const struct contprof_file_view *file, const struct contprof_raw_head *head) {
  uint64_t from = head->image.data.base;
  memset((uint8_t *)file->bytes + from, 0xee, file->held - from);
}

// Files whose head tells that they are no raw profile at all are not among those added together.
static void add_together(struct made_sum *made, uint64_t weight, bool added[FILES],
                         void (*meanwhile)(void)) {
  struct contprof_file_view files[FILES] = {{0}};
  struct contprof_raw_head heads[FILES];
  struct contprof_raw_part parts[FILES];
  int number[FILES];
  size_t count = 0;
  for (int i = 0; i < FILES; i++) {
    contprof_error_clear(&error);
    added[i] = false;
    cr_assert(contprof_file_open_part(paths[i], 1, &files[i], &error));
    cr_assert(contprof_file_is_part(&files[i]));
    if (contprof_raw_take_head(&files[i], &heads[i])) {
      parts[count] = (struct contprof_raw_part){.file = &files[i], .head = &heads[i]};
      number[count++] = i;
      spoil(&files[i], &heads[i]);
    }
  }
  if (meanwhile)
    meanwhile();
  contprof_raw_sum_add_together(made->sum, made->share, parts, count, weight, &made->into, &lock);
  for (size_t i = 0; i < count; i++)
    added[number[i]] = parts[i].added;
  for (int i = 0; i < FILES; i++)
    contprof_file_close(&files[i]);
}

static void finish(struct made_sum *made) {
  struct contprof_merge_report report = {0};
  contprof_raw_sum_flush(made->sum, made->share, &report);
}

// Several rounds, since a sum is used again after files that were not added. Returns whether the
// odd one was.
static bool check(const struct raw_bytes *like, uint64_t weight, int rounds) {
  struct contprof_file_view first = view_of(like);
  struct made_sum one, all;
  bool added[FILES];
  make_sum(&one, &first);
  make_sum(&all, &first);
  cr_assert(one.sum && all.sum);
  for (int round = 0; round < rounds; round++) {
    add_together(&all, weight, added, NULL);
    for (int i = 0; i < FILES; i++)
      cr_assert_eq(added[i], add_alone(&one, i, weight), "file %d", i);
  }
  finish(&one);
  finish(&all);
  check_same(&one.into, &all.into);
  free_sum(&one);
  free_sum(&all);
  free((void *)first.bytes);
  return added[ODD];
}

static struct raw_bytes shape(unsigned version, bool coverage, bool no_values) {
  struct raw_bytes raw = {
      .version = version, .pointer_size = 8, .coverage = coverage, .no_values = no_values};
  raw_put_image(&raw);
  return raw;
}

Test(raw_together, adds_what_one_by_one_adds) {
  for (unsigned version = 8; version <= 10; version++)
    for (int kind = 0; kind < 4; kind++) {
      struct raw_bytes like = shape(version, kind & 1, kind & 2);
      fill(like);
      cr_assert(check(&like, 1, 2));
      cr_assert(check(&like, 5, 2));
      cr_assert(check(&like, UINT64_MAX / 100, 2)); // sums are cut
    }
}

// Bytes of one file, all bits of which change: what is no good is not added, and adds nothing.
Test(raw_together, one_that_is_damaged_leaves_nothing) {
  struct raw_bytes like = shape(10, false, false);
  int good = 0, bad = 0;
  fill(like);
  for (size_t at = 0; at < like.size; at += at < 128 ? 1 : 3) {
    contents[ODD].bytes[at] ^= 0xff;
    write_file(ODD);
    if (check(&like, 1, 1))
      good++;
    else
      bad++;
    contents[ODD].bytes[at] ^= 0xff;
  }
  cr_assert(good > 0 && bad > good, "%d good, %d bad", good, bad);
}

static size_t left; // bytes

static void shrink(void) {
  cr_assert_eq(truncate(paths[ODD], (off_t)left), 0);
}

// After its size was looked at: at each byte of counters and bitmap, and of what is behind them.
Test(raw_together, one_that_shrinks_meanwhile_leaves_nothing) {
  struct raw_bytes like = shape(9, false, false);
  struct contprof_file_view first = view_of(&like);
  bool added[FILES];
  fill(like);
  for (left = 64; left < like.size; left += 5) {
    struct made_sum one, all;
    write_file(ODD);
    make_sum(&one, &first);
    make_sum(&all, &first);
    add_together(&all, 1, added, shrink);
    for (int i = 0; i < FILES; i++) {
      cr_assert_eq(added[i], i != ODD, "file %d, %zu bytes left", i, left);
      cr_assert(i == ODD || add_alone(&one, i, 1));
    }
    finish(&one);
    finish(&all);
    check_same(&one.into, &all.into);
    free_sum(&one);
    free_sum(&all);
  }
  free((void *)first.bytes);
}

static atomic_bool stop;

// Gives and takes the highest byte of the file's first count.
static void *flicker(void *highest) {
  volatile uint8_t *byte = highest;
  while (!atomic_load(&stop))
    *byte ^= 0x10;
  return NULL;
}

static void check_credible(const struct contprof_profile *profile) {
  for (size_t i = 0; i < profile->function_count; i++)
    for (uint32_t j = 0; j < profile->functions[i]->counter_count; j++)
      cr_assert_lt(profile->functions[i]->counters[j], CONTPROF_COUNT_CREDIBLE);
}

// A count that is none when it is added, and is one when it is looked for, as often as not.
Test(raw_together, a_count_that_comes_and_goes_leaves_nothing) {
  struct raw_bytes like = shape(10, false, false);
  struct contprof_file_view first = view_of(&like);
  struct contprof_raw_head head;
  struct made_sum all;
  bool added[FILES];
  pthread_t thread;
  fill(like);
  cr_assert(contprof_raw_take_head(&first, &head));
  int fd = open(paths[ODD], O_RDWR);
  uint8_t *bytes = mmap(NULL, like.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  cr_assert(bytes != MAP_FAILED);
  cr_assert_eq(pthread_create(&thread, NULL, flicker, bytes + head.image.counters.base + 7), 0);
  make_sum(&all, &first);
  for (int round = 0; round < 200; round++)
    add_together(&all, 1, added, NULL);
  finish(&all);
  check_credible(&all.into);
  free_sum(&all);
  atomic_store(&stop, true);
  pthread_join(thread, NULL);
  munmap(bytes, like.size);
  close(fd);
  free((void *)first.bytes);
}
