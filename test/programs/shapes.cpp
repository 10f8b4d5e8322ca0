// C++: templates, inline functions in two objects, virtual calls, lambdas, exceptions thrown
// through instrumented frames.
#include "shapes.h"

#include "ending.h"

#include <cstdio>
#include <functional>
#include <map>
#include <memory>

static int catches(int n) {
  int caught = 0;
  for (int i = 1; i <= n; i++) {
    try {
      checked(i);
    } catch (int) {
      caught++;
    }
  }
  return caught;
}

static int throws_through_a_template() {
  try {
    return static_cast<int>(largest(std::vector<std::string>()).size());
  } catch (const std::exception &) {
    return -1;
  }
}

extern "C" __attribute__((noinline)) int sum_of_areas(int n) {
  std::map<int, std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < n; i++)
    shapes[i] = std::make_unique<Square>(i);
  int sum = 0;
  std::function<void(const Shape &)> add = [&sum](const Shape &shape) { sum += shape.area(); };
  for (const auto &shape : shapes)
    add(*shape.second);
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  int sum = 0;
  for (int i = 1; i <= 20; i++)
    sum += sum_of_areas(i) + more_shapes(i);
  std::printf("sum %d caught %d none %d\n", sum, catches(100), throws_through_a_template());
  std::printf("calls sum_of_areas 20\ncalls main 1\n");
  the_end(argv[1]);
}
