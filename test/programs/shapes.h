// Shared by shapes.cpp and more_shapes.cpp: both instantiate and inline the same functions, of
// which the linker keeps one with its counters.
#ifndef CONTPROF_TEST_SHAPES_H
#define CONTPROF_TEST_SHAPES_H

#include <stdexcept>
#include <string>
#include <vector>

template <typename T> __attribute__((noinline)) T largest(const std::vector<T> &values) {
  if (values.empty())
    throw std::invalid_argument("no values");
  T best = values.front();
  for (const T &value : values)
    if (best < value)
      best = value;
  return best;
}

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

struct Square : Shape {
  explicit Square(int side) : side(side) {}
  int area() const override {
    return side * side;
  }
  int side;
};

inline int checked(int n) {
  if (n % 7 == 0)
    throw n;
  return n;
}

int more_shapes(int n);

#endif
