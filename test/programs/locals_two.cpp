// See locals_one.cpp.
#define KEEP __attribute__((noinline))

static volatile unsigned long sink;

KEEP static void work(unsigned n) {
  sink += n * 5;
}

KEEP void there(unsigned n) {
  work(n);
#ifdef SECOND_BUILD
  if (n % 100 == 99)
    sink = 0;
#endif
}
