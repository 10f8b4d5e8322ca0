// With locals_two.cpp, a program that has what is hard to tell apart by name: a local function of the
// same name in either file, and a function with a long name. `locals HERE THERE LONG` calls them that
// often.
#include <stdlib.h>

#define KEEP __attribute__((noinline))

static volatile unsigned long sink;

KEEP static void work(unsigned n) {
  sink += n * 3;
}

void there(unsigned n);

template <typename First, typename Second> struct PairOfTwoTypesWithALongName {
  First first;
  Second second;

  KEEP void add(unsigned n) { sink += n; }
};

template <typename Type>
using Nested = PairOfTwoTypesWithALongName<PairOfTwoTypesWithALongName<Type, const Type *>,
                                           PairOfTwoTypesWithALongName<Type *, Type **>>;

int main(int argc, char **argv) {
  Nested<Nested<Nested<Nested<unsigned long long>>>> nested;
  if (argc < 4)
    return 2;
  for (int i = 0; i < atoi(argv[1]); i++)
    work(i);
  for (int i = 0; i < atoi(argv[2]); i++)
    there(i);
  for (int i = 0; i < atoi(argv[3]); i++)
    nested.add(i);
  return sink == 1;
}
