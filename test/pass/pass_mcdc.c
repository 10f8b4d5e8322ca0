// Decisions of several conditions, for MC/DC bitmaps, in a loop and in an inlined function.
#include <stdio.h>

static inline int in_range(int value, int low, int high) {
  return (value >= low && value <= high) || value == -1;
}

static int decide(int a, int b, int c, int d) {
  if ((a && b) || (c && !d))
    return 1;
  while (a > 3 && (b || c)) {
    a--;
    if (in_range(a, b, d) || (c > 2 && d > 2))
      b--;
  }
  return a || b ? 2 : 3;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 16; i++)
    sum += decide(i & 1 ? 5 : 0, i & 2, i & 4, i & 8);
  printf("%d\n", sum);
  return 0;
}
