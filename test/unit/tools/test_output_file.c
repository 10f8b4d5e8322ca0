#include "tools/base/output_file.h"

#include "tools/base/file_view.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/contprof-test-XXXXXX";
static struct contprof_error error;

static void enter(void) {
  cr_assert_not_null(mkdtemp(directory));
  cr_assert_eq(chdir(directory), 0);
  umask(022);
  contprof_error_clear(&error);
}

static void leave(void) {
  DIR *entries = opendir(".");
  for (struct dirent *entry; (entry = readdir(entries));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
      remove(entry->d_name);
  closedir(entries);
  cr_assert_eq(rmdir(directory), 0);
}

static bool write_text(const char *path, const char *text) {
  return contprof_output_write(path, text, strlen(text), &error);
}

static bool holds(const char *path, const char *text) {
  struct contprof_file_view view = {0};
  if (!contprof_file_open(path, &view, &error))
    return false;
  bool same = view.size == strlen(text) && memcmp(view.bytes, text, view.size) == 0;
  contprof_file_close(&view);
  return same;
}

static unsigned file_count(void) {
  DIR *entries = opendir(".");
  unsigned count = 0;
  for (struct dirent *entry; (entry = readdir(entries));)
    count += entry->d_name[0] != '.';
  closedir(entries);
  return count;
}

static mode_t mode_of(const char *path) {
  struct stat status;
  cr_assert_eq(stat(path, &status), 0);
  return status.st_mode & 07777;
}

TestSuite(output_file, .init = enter, .fini = leave);

Test(output_file, creates_with_the_usual_mode) {
  cr_assert(write_text("out", "abc"), "%s", error.message);
  cr_assert(holds("out", "abc"));
  cr_assert_eq(mode_of("out"), 0644);
  cr_assert_eq(file_count(), 1);
}

Test(output_file, replaces_and_keeps_the_mode) {
  cr_assert(write_text("out", "old"));
  cr_assert_eq(chmod("out", 0600), 0);
  int before = open("out", O_RDONLY);
  cr_assert(write_text("out", "new and longer"));
  char text[4] = "";
  cr_assert_eq(read(before, text, 3), 3);
  cr_assert_str_eq(text, "old", "who has the old file open still sees it whole");
  cr_assert(holds("out", "new and longer"));
  cr_assert_eq(mode_of("out"), 0600);
  cr_assert_eq(file_count(), 1);
  close(before);
}

// The name that it has in between is no longer than is allowed, either.
Test(output_file, replaces_a_file_of_the_longest_name) {
  char place[PATH_MAX], name[NAME_MAX + 2] = "";
  memset(name, 'a', NAME_MAX);
  cr_assert(write_text(name, "old"), "%s", error.message);
  cr_assert(contprof_output_check(name, place, &error));
  cr_assert(write_text(name, "new"), "%s", error.message);
  cr_assert(holds(name, "new"));
  cr_assert_eq(file_count(), 1);
  name[NAME_MAX] = 'a';
  cr_assert_not(contprof_output_check(name, place, &error));
  cr_assert_not(write_text(name, "too long"));
  cr_assert_eq(file_count(), 1);
}

Test(output_file, follows_a_symbolic_link) {
  cr_assert(write_text("target", "old"));
  cr_assert_eq(symlink("target", "link"), 0);
  cr_assert(write_text("link", "new"));
  cr_assert(holds("target", "new"));
  char target[16] = "";
  cr_assert_eq(readlink("link", target, sizeof target - 1), 6);
}

Test(output_file, writes_to_devices) {
  cr_assert(write_text("/dev/null", "abc"), "%s", error.message);
  struct stat status;
  cr_assert_eq(stat("/dev/null", &status), 0);
  cr_assert(S_ISCHR(status.st_mode));
}

Test(output_file, names_the_path_it_cannot_write) {
  cr_assert_not(write_text("no/such/directory", "abc"));
  cr_assert_eq(error.code, CONTPROF_NOT_FOUND);
  cr_assert_str_eq(error.file, "no/such/directory");
  contprof_error_clear(&error);
  cr_assert_not(write_text(".", "abc"));
  cr_assert_eq(error.code, CONTPROF_IO);
  cr_assert_eq(file_count(), 0);
}

Test(output_file, reports_a_full_device) {
  cr_assert_not(write_text("/dev/full", "abc"));
  cr_assert_eq(error.code, CONTPROF_IO);
}

// Puts `size` bytes, the first eight of them last.
static bool write_bit_by_bit(const char *path, size_t size, bool ok) {
  struct contprof_output output;
  struct contprof_byte_writer bytes = {.outlet =
                                           contprof_output_begin(&output, path, true, &error)};
  for (size_t i = 0; i < size / 8; i++) {
    contprof_put_u64(&bytes, i ? i : UINT64_MAX);
    contprof_byte_writer_hand_on(&bytes);
  }
  cr_assert_eq(bytes.gone > 0, bytes.outlet && size > 1 << 20);
  contprof_patch_u64(&bytes, 0, 0);
  ok = contprof_output_end(&output, &bytes, ok);
  contprof_byte_writer_free(&bytes);
  return ok;
}

static bool counts_up(const char *path, size_t size) {
  struct contprof_file_view view;
  cr_assert(contprof_file_open(path, &view, &error), "%s", error.message);
  bool good = view.size == size;
  for (uint64_t i = 0; good && i < size / 8; i++)
    good = memcmp(view.bytes + i * 8, &i, 8) == 0;
  contprof_file_close(&view);
  return good;
}

static int entries(void) {
  DIR *entry_list = opendir(".");
  int count = 0;
  while (readdir(entry_list))
    count++;
  closedir(entry_list);
  return count - 2;
}

Test(output_file, writes_large_ones_bit_by_bit) {
  for (size_t size = 8; size < 6 << 20; size = size * 8 + 8) {
    cr_assert(write_bit_by_bit("out", size, true), "%s", error.message);
    cr_assert(counts_up("out", size), "%zu", size);
    cr_assert_eq(entries(), 1);
  }
}

Test(output_file, leaves_nothing_of_a_large_one_that_failed) {
  cr_assert(write_text("out", "old"));
  cr_assert_not(write_bit_by_bit("out", 5 << 20, false));
  cr_assert(holds("out", "old"));
  cr_assert_eq(entries(), 1);
  cr_assert_not(write_bit_by_bit("none/out", 5 << 20, true));
  cr_assert_eq(error.code, CONTPROF_NOT_FOUND);
}

Test(output_file, keeps_all_of_what_cannot_be_replaced) {
  struct contprof_output output;
  cr_assert_null(contprof_output_begin(&output, "-", true, &error));
  cr_assert_null(contprof_output_begin(&output, "/dev/null", true, &error));
  cr_assert_null(contprof_output_begin(&output, "/dev/stdout", true, &error));
  cr_assert(write_bit_by_bit("/dev/null", 5 << 20, true));
}

// In the midst of writing. A kernel with a file system that has no nameless files can't do it.
static void be_killed_writing(const char *path) {
  static const uint8_t bytes[4 << 20];
  struct contprof_output output;
  struct contprof_byte_writer writer = {.outlet =
                                            contprof_output_begin(&output, path, true, &error)};
  for (int i = 0; i < 3; i++) {
    contprof_put_bytes(&writer, bytes, sizeof bytes);
    contprof_byte_writer_hand_on(&writer);
  }
  if (output.fd >= 0 && writer.gone >= sizeof bytes)
    raise(SIGKILL);
  _exit(1);
}

static void kill_writer(const char *path) {
  int status;
  pid_t child = fork();
  if (!child)
    be_killed_writing(path);
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

Test(output_file, a_killed_process_leaves_nothing) {
  int fd = open(".", O_TMPFILE | O_WRONLY, 0600);
  if (fd < 0)
    cr_skip_test("no nameless files in /tmp");
  close(fd);
  kill_writer("new");
  cr_assert_eq(file_count(), 0);
  cr_assert(write_text("old", "kept"));
  kill_writer("old");
  cr_assert_eq(file_count(), 1);
  cr_assert(holds("old", "kept"));
}
