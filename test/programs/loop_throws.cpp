// Exceptions thrown out of loops whose number of rounds is known, through frames that catch them
// and ones that don't.
#include "ending.h"

#include <cstdio>
#include <stdexcept>
#include <vector>

static volatile unsigned sink;

struct Notes {
  ~Notes() {
    sink += 1;
  }
};

__attribute__((noinline)) static void check(unsigned n, unsigned worst) {
  if (n == worst)
    throw std::runtime_error("worst");
  sink += n;
}

// Nothing here catches.
__attribute__((noinline)) static unsigned sum(const std::vector<unsigned> &numbers,
                                              unsigned worst) {
  unsigned odd = 0;
  for (std::size_t i = 0; i < numbers.size(); i++) {
    odd += numbers[i] & 1;
    if (numbers[i] % 10 == 3)
      check(numbers[i], worst);
  }
  return odd;
}

// A landing pad outside the loop, and one inside.
__attribute__((noinline)) static unsigned cleans(const unsigned *from, unsigned n, unsigned worst) {
  Notes notes;
  unsigned caught = 0;
  for (unsigned i = 0; i < n; i++) {
    if (from[i] % 2)
      caught ^= i;
    try {
      if (from[i] % 10 == 7)
        check(from[i], 27);
    } catch (const std::exception &) {
      caught++;
    }
    if (from[i] % 10 == 3)
      check(from[i], worst);
  }
  return caught;
}

template <typename Work> static int catches(Work work) {
  int caught = 0;
  for (unsigned worst = 0; worst < 40; worst++)
    try {
      sink += work(worst);
    } catch (const std::exception &) {
      caught++;
    }
  return caught;
}

int main(int argc, char **argv) {
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i < 100; i++)
    numbers.push_back(i * 37 % 100);
  int caught = catches([&](unsigned worst) { return sum(numbers, worst); });
  caught += catches([&](unsigned worst) { return cleans(numbers.data(), 100, worst); });
  std::printf("%d %d\ncalls main 1\n", argc, caught);
  the_end(argv[1]);
}
