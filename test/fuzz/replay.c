// replay DIRECTORY: gives a fuzz target each file of the directory, as an ordinary test.
#include "fuzz_profile.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int read_entry(const char *directory, const char *name) {
  struct contprof_file_view file;
  struct contprof_error error;
  char *path;
  contprof_error_clear(&error);
  if (*name == '.')
    return 0;
  if (asprintf(&path, "%s/%s", directory, name) < 0 || !contprof_file_open(path, &file, &error)) {
    fprintf(stderr, "can't read %s\n", name);
    exit(1);
  }
  LLVMFuzzerTestOneInput(file.bytes, file.size);
  contprof_file_close(&file);
  free(path);
  return 1;
}

int main(int argc, char **argv) {
  DIR *directory = argc == 2 ? opendir(argv[1]) : NULL;
  int inputs = 0;
  if (!directory)
    return 2;
  for (struct dirent *entry; (entry = readdir(directory));)
    inputs += read_entry(argv[1], entry->d_name);
  closedir(directory);
  printf("%d inputs\n", inputs);
  return inputs == 0;
}
