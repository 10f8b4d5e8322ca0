#include "shapes.h"

int more_shapes(int n) {
  std::vector<int> areas;
  for (int i = 1; i <= n; i++)
    areas.push_back(Square(i).area());
  return largest(areas) + checked(n * 7 + 1);
}
