// C: loops, switches, recursion, indirect calls, inlining, several counters in one block, memory
// intrinsics beside counters. What it counts depends on nothing outside it.
#include <stdio.h>
#include <string.h>

typedef int (*operation)(int);

static inline int twice(int value) {
  return value > 10 ? value : value * 2;
}
static int half(int value) {
  return value & 1 ? -value : value / 2;
}
static inline __attribute__((always_inline)) int add_one(int value) {
  return value % 3 ? value + 1 : value + 4;
}
__attribute__((noinline)) static int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int collatz(long value) {
  int steps = 0;
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    steps++;
  }
  return steps;
}

static int choose(int key, int value) {
  switch (key) {
  case 0:
    return twice(value);
  case 1:
    return half(value);
  case 2:
    return add_one(value);
  case 3:
    return fibonacci(value % 12);
  case 4:
  case 5:
    return value > 50 ? key : value;
  default:
    return -1;
  }
}

static void clear(char *bytes, int size) {
  for (int i = 0; i < size; i++)
    bytes[i] = 0;
  for (int i = 0; i < size && bytes[i] == 0; i += 7)
    bytes[i] = (char)i;
}

static int matrix(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j && i % 2)
        continue;
      sum += i * j;
      if (sum > 1000000)
        break;
    }
  return sum;
}

int main(void) {
  static const operation operations[] = {half, fibonacci, twice};
  char bytes[300], copy[300];
  long total = 0;
  for (int i = 0; i < 1000; i++) {
    total += choose(i % 8, i % 97);
    total += operations[i % 3](i % 15);
    clear(bytes, i % 300);
    memcpy(copy, bytes, (size_t)(i % 300));
  }
  for (long value = 1; value < 300; value++)
    total += collatz(value);
  total += matrix(40);
  printf("%ld %d\n", total, copy[7]);
  return 0;
}
