#!/bin/sh
# Values of the kind that LLVM 19 added: the vtables that virtual calls went through.
. "$(dirname "$0")/lib.sh"

llvm=$NEWEST

write_program() {
  cat >virtual.cpp <<'END'
#include <csignal>
static volatile int sink;
struct Shape {
  virtual int area() const = 0;
  virtual int corners() const { return 0; }
  virtual ~Shape() {}
};
struct Circle : Shape {
  int area() const override { return sink + 3; }
};
struct Square : Shape {
  int area() const override { return sink + 4; }
  int corners() const override { return 4; }
};
struct Never : Shape {
  int area() const override { return sink + 5; }
};
__attribute__((noinline)) int measure(const Shape *shape) { return shape->area(); }
int main(int argc, char **argv) {
  static Circle circle;
  static Square square;
  static Never never;
  const Shape *volatile shapes[] = {&circle, &square, &never};
  for (int i = 0; i < 900; i++)
    sink = measure(shapes[i % 3 == 0]);
  if (argc > 5)
    sink = measure(shapes[2]);
  return **argv && argc > 1 ? raise(SIGKILL) : 0;
}
END
  flags="-O2 -fprofile-generate -mllvm -enable-vtable-value-profiling -mllvm -pgo-instrument-entry"
}

vtables_of() {
  profdata "$llvm" show --function=measure --ic-targets --show-vtables "$1" |
    sed -n 's/^	\[ *[0-9]*, *\([^,]*\), *\([1-9][0-9]*\) \].*/\1 \2/p' | sort
}

vtables_of_a_clean_end() {
  write_program
  # shellcheck disable=SC2086 # a list of flags
  stockxx "$llvm" $flags virtual.cpp -o stock
  # shellcheck disable=SC2086
  cxx "$llvm" $flags -fprofile-continuous="$mode" virtual.cpp -o ours
  run_stock stock.profraw ./stock
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./ours kill
  vtables_of stock.profraw >wanted.txt
  vtables_of ours.profraw >got.txt
  expect_text wanted.txt '_ZTV6Circle 600'
  expect_same "vtables" wanted.txt got.txt
  # Merged, they are what they are of stock's. (LLVM 19's merge keeps only hashes of vtables' names.)
  profdata "$llvm" merge -o stock.profdata stock.profraw
  vtables_of stock.profdata >wanted.txt
  profdata "$llvm" merge -o theirs.profdata ours.profraw 2>warnings
  expect_empty warnings
  "$CONTPROF" merge -o merged.profdata ours.profraw
  for file in theirs.profdata merged.profdata; do
    vtables_of $file >got.txt
    expect_same "vtables in $file" wanted.txt got.txt
  done
  stockxx "$llvm" -O2 -Werror -fprofile-use=merged.profdata -c virtual.cpp -o used.o
}

for mode in $MODES; do
  check "clang $llvm $mode: vtables" vtables_of_a_clean_end
done
