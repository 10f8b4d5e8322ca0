// What pass_forms.cpp and pass_forms_2.cpp share: inline functions and templates, one copy of whose
// counters survives the link.
#ifndef PASS_FORMS_HPP
#define PASS_FORMS_HPP

#include <memory>
#include <vector>

inline int sum_of(const std::vector<int> &values) {
  int sum = 0;
  for (int value : values)
    sum += value % 2 ? value : -value;
  return sum;
}

template <typename T> T maximum(T left, T right) {
  return left > right ? left : right;
}

template <typename T> T may_throw(T value) {
  if (value % 9 == 4)
    throw value;
  return value > 20 ? value - 20 : value;
}

struct shape {
  virtual ~shape() = default;
  virtual int area() const = 0;
};

struct square : shape {
  int side;
  explicit square(int s) : side(s) {}
  int area() const override {
    return side > 5 ? side * side : 1;
  }
};

struct line : shape {
  int area() const override {
    return 0;
  }
};

inline std::unique_ptr<shape> make_shape(int number) {
  static int made = 0;
  made++;
  if (number % 3 == 0)
    return std::make_unique<line>();
  return std::make_unique<square>(number + made % 2);
}

int other_file(int count);

#endif
