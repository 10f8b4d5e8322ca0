// The second translation unit of pass_forms.cpp.
#include "pass_forms.hpp"

int other_file(int count) {
  std::vector<int> values;
  for (int i = 0; i < count; i++)
    values.push_back(maximum(i, count - i));
  int total = sum_of(values);
  for (int i = 0; i < count; i++) {
    try {
      total += may_throw(i);
    } catch (int thrown) {
      total -= thrown;
    }
    total += make_shape(i)->area();
  }
  return total;
}
