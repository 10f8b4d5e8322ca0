// Needs no library, so that it can be built for a processor of which there is none here.
typedef int function(int);

volatile int sink;

static int half(int n) {
  return n / 2 + 1;
}

__attribute__((noinline)) int odd(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i % 3 ? half(i) : -i;
  return sum;
}

__attribute__((noinline)) int pick(int n) {
  switch (n & 7) {
  case 0:
    return odd(n);
  case 1:
    return n * 3;
  case 2:
    return half(n) + 7;
  case 3:
    return n & 64 ? odd(n / 2) : 5;
  case 5:
    return pick(n / 2);
  default:
    return -n;
  }
}

__attribute__((noinline)) int call(function *callee, int n) {
  return callee(n) + 1;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < argc * 100; i++)
    sink += call(i & 1 ? odd : pick, i);
  return 0;
}
