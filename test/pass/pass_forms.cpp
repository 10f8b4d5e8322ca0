// C++: comdat functions shared with pass_forms_2.cpp, templates, virtual calls, lambdas, exceptions
// through several frames with clean-ups, static initialisers, local statics.
// No std::string: libstdc++ declares its instantiation extern, so that its functions are counted
// where they are inlined and nowhere else, which may differ from build to build.
#include "pass_forms.hpp"

#include <cstdio>
#include <memory>
#include <stdexcept>

static int before_main = sum_of(std::vector<int>{1, 2, 3, 4});

struct guard {
  int *depth;
  explicit guard(int *d) : depth(d) {
    ++*depth;
  }
  ~guard() {
    if (*depth > 2)
      *depth -= 1;
    else
      --*depth;
  }
};

static int risky(int value, int *depth) {
  guard inside(depth);
  if (value % 5 == 0)
    throw std::out_of_range("five");
  if (value % 7 == 0)
    throw value;
  return value > 100 ? risky(value - 100, depth) : value;
}

static int caught(int value) {
  int depth = 0;
  try {
    guard outside(&depth);
    std::vector<int> digits(1, value % 10);
    return risky(value, &depth) + sum_of(digits);
  } catch (const std::exception &) {
    return -1;
  } catch (int seven) {
    return seven > 50 ? 50 : seven;
  }
}

static int choose_at_throw(int value) {
  int result = 0;
  for (int i = 0; i < value; i++) {
    try {
      result += i % 2 ? may_throw<int>(i) : may_throw<long>(i);
    } catch (...) {
      result += 1000;
    }
  }
  return result;
}

int main() {
  long total = before_main;
  std::vector<std::unique_ptr<shape>> shapes;
  for (int i = 0; i < 60; i++)
    shapes.push_back(make_shape(i));
  for (const auto &each : shapes)
    total += each->area();
  for (int i = 0; i < 400; i++)
    total += caught(i);
  total += choose_at_throw(90);
  auto add = [&total](int value) { total += value > 3 ? value : 0; };
  for (int i = 0; i < 10; i++)
    add(i);
  total += maximum(3, 9) + static_cast<long>(maximum(2.5, 1.5)) + other_file(25);
  std::printf("%ld\n", total);
  return 0;
}
