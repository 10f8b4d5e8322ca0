// A program to be looked into: functions inlined into one another, one of them twice.
#include <stdio.h>

static inline int square(int x) {
  return x * x;
}

static inline int sum_of_squares(int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += i % 3 ? square(i) : square(-i) - 1;
  return sum;
}

__attribute__((noinline)) int outer(int count) {
  int sum = count > 10 ? sum_of_squares(count) : square(count);
  printf("%d\n", sum);
  return sum;
}

int main(int argc, char **argv) {
  return (void)argv, outer(argc * 7) == 5;
}
