// Value sites whose values come equally often, in an order that is neither that of their sizes nor
// that of addresses: calls of twenty-four functions, of functions outside the program among its
// own, and copies of every range of sizes. Each at a site of its own.
#include <string.h>

int outside_one(int by), outside_two(int by);

static volatile int sink;
static char from[1024], to[1024];

#define ONE(n)                                                                                     \
  __attribute__((noinline)) static int target##n(int by) {                                         \
    return sink += by * n;                                                                         \
  }
ONE(1)
ONE(2)
ONE(3)
ONE(4)
ONE(5) ONE(6) ONE(7) ONE(8) ONE(9) ONE(10) ONE(11) ONE(12) ONE(13) ONE(14) ONE(15) ONE(16) ONE(17)
    ONE(18) ONE(19) ONE(20) ONE(21) ONE(22) ONE(23) ONE(24)

        static int (*volatile many[])(int) = {
            target17, target3,  target24, target8,  target1,  target12, target20, target6,
            target15, target22, target10, target2,  target19, target5,  target13, target23,
            target9,  target16, target4,  target21, target11, target7,  target18, target14};
static int (*volatile mixed[])(int) = {target5, outside_one, target2, outside_two, target9};
static volatile size_t sizes[] = {513, 5,   0,  129, 16, 2,   9, 512, 33, 7,   64,
                                  1,   257, 17, 4,   65, 128, 8, 32,  3,  256, 6};

__attribute__((noinline)) static void apply(int (*target)(int)) {
  target(1);
}

__attribute__((noinline)) static void call(int (*target)(int)) {
  target(2);
}

__attribute__((noinline)) static void copy(size_t size) {
  memcpy(to, from, size);
  sink = to[0];
}

__attribute__((noinline)) static void fill(size_t size) {
  memset(to, sink, size);
  sink = to[1];
}

int main(void) {
  for (int round = 0; round < 10; round++) {
    for (unsigned i = 0; i < sizeof many / sizeof *many; i++)
      apply(many[i]);
    for (unsigned i = 0; i < sizeof mixed / sizeof *mixed; i++)
      call(mixed[i]);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
      copy(sizes[i]);
    fill(sizes[round % 3]);
  }
  return 0;
}
