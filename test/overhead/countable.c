// Work for `./run bench overhead`: tight loops whose trip counts are known on entry. The worst that
// counting can be: a loop body of two instructions, and code that is vectorised when it doesn't
// count.
//
//     countable ROUNDS
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 4096 };

static uint32_t values[LENGTH];

static uint32_t sum(const uint32_t *numbers, int length) {
  uint32_t total = 0;
  for (int i = 0; i < length; i++)
    total += numbers[i];
  return total;
}

static void mix(uint32_t *numbers, int length, uint32_t salt) {
  for (int i = 0; i < length; i++)
    numbers[i] = numbers[i] * 2654435761u + salt;
}

// Rows and columns: an outer loop whose count is known, too.
static uint32_t corner(const uint32_t *numbers, int rows, int columns) {
  uint32_t largest = 0;
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++)
      if (numbers[row * columns + column] > largest)
        largest = numbers[row * columns + column];
  return largest;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  uint32_t total = 0;
  for (int round = 0; round < rounds; round++) {
    mix(values, LENGTH, (uint32_t)round);
    total ^= sum(values, LENGTH) + corner(values, 64, LENGTH / 64);
  }
  printf("%08x\n", total);
}
