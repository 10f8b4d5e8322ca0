// opens HOW TIMES PATH...: opens each shared object, calls its part_a once, with 3 calls of its
// leaf, and closes it; TIMES times over. Then once more, left open.
#include "ending.h"
#include "known.h"

#include <dlfcn.h>
#include <stdlib.h>

static void *call_part(const char *path) {
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  void (*part)(unsigned) = (void (*)(unsigned))dlsym(object, "part_a");
  part(3);
  return object;
}

KEEP void open_and_close(const char *path) {
  dlclose(call_part(path));
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  unsigned times = (unsigned)atoi(argv[2]);
  for (unsigned i = 0; i < times; i++)
    for (int object = 3; object < argc; object++)
      open_and_close(argv[object]);
  for (int object = 3; object < argc; object++)
    call_part(argv[object]);
  SAY_CALLS(open_and_close, times * (unsigned)(argc - 3));
  SAY_CALLS(part_a, times + 1);
  SAY_CALLS(part_a_leaf, 3 * (times + 1));
  the_end(argv[1]);
}
