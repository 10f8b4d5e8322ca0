// clone_unloads OBJECT [COMMAND]: opens a part and calls it 3 times, then makes a child by a raw
// clone, which unloads the part; runs COMMAND, calls the part 4 times more and ends.
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int status;
  void *object = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  void (*part)(unsigned) = object ? (void (*)(unsigned))dlsym(object, "part_a") : NULL;
  if (!part)
    return 1;
  part(3);
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    dlclose(object);
    _exit(0);
  }
  if (child < 0 || waitpid((pid_t)child, &status, 0) != child || status)
    return 2;
  if (argc > 2 && system(argv[2]) != 0)
    return 3;
  part(4);
  _exit(0);
}
