// C++ whose code runs at odd times: exceptions from one module into another, destructors of static
// and of thread-local objects, exit handlers registered before main. `lifetimes [OBJECT]`: with the
// library, -DLIBRARY, linked or opened; exits in good order.
#include "known.h"

#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>
#include <thread>

extern "C" {

typedef int library_function(int);

#ifdef LIBRARY

static volatile int sink;

KEEP void library_at_exit() {
  sink = sink + 1;
}

KEEP void library_at_thread_end() {
  sink = sink + 1;
}

KEEP void library_unwound() {
  sink = sink + 1;
}
}

struct at_exit {
  ~at_exit() {
    library_at_exit();
  }
};

struct at_thread_end {
  int used = 0;
  ~at_thread_end() {
    library_at_thread_end();
  }
};

struct unwound {
  ~unwound() {
    library_unwound();
  }
};

static at_exit of_module;
static thread_local at_thread_end of_thread;

extern "C" KEEP int library_work(int n) {
  unwound here;
  of_thread.used++;
  if (n % 2)
    throw std::runtime_error("odd");
  return n;
}

#else

extern "C" int library_work(int n);

static volatile int sink;

KEEP void program_handler() {
  sink = sink + 1;
}

KEEP void program_at_exit() {
  sink = sink + 1;
}

KEEP void program_caught() {
  sink = sink + 1;
}

__attribute__((constructor(101))) static void early() {
  atexit(program_handler);
}
}

struct program_exit {
  ~program_exit() {
    program_at_exit();
  }
};

static program_exit of_program;
static library_function *work;

static void use_library(int times) {
  for (int n = 0; n < times; n++)
    try {
      work(n);
    } catch (const std::exception &) {
      program_caught();
    }
}

static library_function *open_library(const char *path) {
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = object ? dlsym(object, "library_work") : nullptr;
  if (!symbol) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return reinterpret_cast<library_function *>(symbol);
}

int main(int argc, char **argv) {
#ifdef LINKED
  (void)argc, (void)argv;
  work = library_work;
#else
  if (argc != 2)
    return 2;
  work = open_library(argv[1]);
#endif
  use_library(10);
  for (int i = 0; i < 3; i++)
    std::thread(use_library, 10).join();
  SAY_CALLS(library_work, 40);
  SAY_CALLS(library_unwound, 40);
  SAY_CALLS(library_at_thread_end, 4);
  SAY_CALLS(library_at_exit, 1);
  SAY_CALLS(program_caught, 20);
  SAY_CALLS(program_at_exit, 1);
  SAY_CALLS(program_handler, 1);
  return 0;
}

#endif
