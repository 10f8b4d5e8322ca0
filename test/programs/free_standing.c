// A program without a C library, for any machine: loops, switches, calls of all kinds. Never run.
typedef int operation(int);

static inline int twice(int x) {
  return x * 2;
}

__attribute__((noinline)) int add(int x) {
  return twice(x) + 1;
}

__attribute__((noinline)) int halve(int x) {
  return x < 0 ? -(-x / 2) : x / 2;
}

operation *volatile choice = add;

__attribute__((noinline)) int tail(int x) {
  return choice(x ^ 5);
}

int walk(const unsigned char *text) {
  int state = 0;
  for (; *text; text++)
    switch (*text & 7) {
    case 0:
      state += add(state);
      break;
    case 1:
      state = halve(state);
      break;
    case 2:
      state ^= choice(*text);
      break;
    case 5:
      __atomic_fetch_add(&state, tail(3), __ATOMIC_SEQ_CST);
      break;
    case 6:
      if (state & 0x100)
        __builtin_trap();
      break;
    default:
      state -= twice(state) + *text;
    }
  return state;
}

void _start(void) {
  for (;;)
    walk((const unsigned char *)"whatever");
}
