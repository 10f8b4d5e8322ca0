// What a merge can't be faster than: opens, reads and closes the files that a list names, in so
// many threads, each with one buffer, as contprof merge does, and does nothing with them.
//
// read_files THREADS LIST
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 64, MOST_FILES = 1 << 20, AT_ONCE = 192 << 10 }; // files; bytes

static char *paths[MOST_FILES];
static size_t path_count;
static atomic_size_t next;
static atomic_bool failed;

static void read_one(const char *path, char *buffer) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got;
  while ((got = fd < 0 ? -1 : read(fd, buffer, AT_ONCE)) > 0)
    ;
  if (got < 0)
    failed = true;
  if (fd >= 0)
    close(fd);
}

static void *work(void *argument) {
  char *buffer = malloc(AT_ONCE);
  (void)argument;
  for (size_t index; buffer && (index = next++) < path_count;)
    read_one(paths[index], buffer);
  free(buffer);
  return NULL;
}

static int read_list(const char *list) {
  char line[4096];
  FILE *file = fopen(list, "r");
  while (file && path_count < MOST_FILES && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    paths[path_count++] = strdup(line);
  }
  return file && fclose(file) == 0;
}

int main(int argc, char **argv) {
  pthread_t threads[MOST_THREADS];
  int count = argc == 3 ? atoi(argv[1]) : 0, started = 0;
  if (count < 1 || count > MOST_THREADS || !read_list(argv[2])) {
    fprintf(stderr, "usage: read_files THREADS LIST\n");
    return 2;
  }
  while (started < count && pthread_create(&threads[started], NULL, work, NULL) == 0)
    started++;
  for (int i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  return failed || started < count;
}
