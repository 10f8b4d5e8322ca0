// Code of many shapes for a made-up profile: loops that are unrolled, inlined templates and
// lambdas, virtual calls, recursion, a switch, exceptions.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace {
template <typename T> struct Grid {
  T cells[64];
  T &at(int x, int y) {
    return cells[(y & 7) * 8 + (x & 7)];
  }
  template <typename F> T fold(F f) {
    T sum = 0;
    for (int y = 0; y < 8; y++)
      for (int x = 0; x < 8; x++)
        sum = f(sum, at(x, y));
    return sum;
  }
};

struct Shape {
  virtual ~Shape() {}
  virtual int area(int n) const = 0;
};
struct Square : Shape {
  int area(int n) const override {
    return n * n;
  }
};
struct Bar : Shape {
  int area(int n) const override {
    int sum = 0;
    for (int i = 0; i < n; i++)
      sum += i % 3 ? i : -i;
    return sum;
  }
};

int depth(int n) {
  return n < 2 ? n : depth(n - 1) + depth(n - 2) + 1;
}

__attribute__((noinline)) int choose(int n) {
  switch (n % 7) {
  case 0:
    return depth(n & 7);
  case 1:
    return n * 3;
  case 2:
    return n / 5 + 1;
  case 3:
    if (n > 100)
      throw std::runtime_error("too much");
    return n;
  case 4:
    return depth(3);
  default:
    return -n;
  }
}
} // namespace

int total;

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  Grid<int> grid = {};
  const Shape *shapes[] = {new Square, new Bar};
  for (int i = 0; i < rounds; i++) {
    try {
      grid.at(i, i >> 3) += choose(i);
    } catch (const std::exception &e) {
      total++;
    }
    total += grid.fold([](int a, int b) { return a + (b & 1 ? b : 2); });
    total += shapes[i & 1]->area(i & 15);
  }
  std::printf("%d\n", total);
}
