// A shared object for the victim to load: guest_X_run(n) enters guest_X_step n times. -DGUEST=X.
#define JOIN2(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN2(a, b, c)

static volatile unsigned long sink;

__attribute__((noinline)) void JOIN(guest_, GUEST, _step)(void) {
  sink++;
}

__attribute__((noinline)) void JOIN(guest_, GUEST, _run)(unsigned times) {
  for (unsigned i = 0; i < times; i++)
    JOIN(guest_, GUEST, _step)();
}
