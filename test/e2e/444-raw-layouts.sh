#!/bin/sh
# Raw profiles of 32-bit and big-endian programs: what this machine's programs wrote, laid out so
# (raw_layouts.py), and read by stock llvm-profdata beside contprof.
. "$(dirname "$0")/lib.sh"

ALL="--all-functions --counts --ic-targets --memop-sizes --binary-ids --detailed-summary"

# Indexed profiles say nothing of the program's layout: each is that of the layout here.
same_profile() {
  "$CONTPROF" merge --llvm="$1" -o wanted.profdata a.profraw 2>said
  "$CONTPROF" merge --llvm="$1" -o ours.profdata "$2" 2>said
  cmp wanted.profdata ours.profdata
}

# LLVM 14 and 16 find no function at the addresses in big-endian value data.
each_layout() {
  for layout in "little 8" "little 4" "big 8" "big 4"; do
    # shellcheck disable=SC2086 # words
    python3 "$E2E/raw_layouts.py" a.profraw other.profraw $layout
    same_profile "$1" other.profraw
    case $1,$layout in 14,big* | 16,big*) [ -z "$2" ] || continue ;; esac
    # shellcheck disable=SC2086 # a list of options
    profdata "$1" show $ALL other.profraw >stock.txt
    # shellcheck disable=SC2086
    "$CONTPROF" show $ALL other.profraw >ours.txt
    [ "$1" != 14 ] || sed -i '/account for/d' stock.txt ours.txt # fewer cutoffs there
    expect_same "shown, $layout" stock.txt ours.txt
    profdata "$1" merge --text -o stock.txt other.profraw
    "$CONTPROF" merge --text -o ours.txt other.profraw
    expect_same "text, $layout" stock.txt ours.txt
    [ "$1" != 19 ] || profdata 19 merge -o stock.profdata other.profraw
    [ "$1" != 19 ] || cmp stock.profdata ours.profdata
  done
}

# of N VALUES SOURCE FLAG...
of() {
  layouts_llvm=$1
  has_values=$2
  shift 2
  stockxx "$layouts_llvm" -O2 "$@" -o program
  run_stock "$PWD/a.profraw" ./program 77
  each_layout "$layouts_llvm" "$has_values"
}

# Virtual calls, two kinds at one place.
write_virtual() {
  cat >virtual.cpp <<'END'
struct Shape { virtual int area() = 0; virtual ~Shape() {} };
static volatile int sink;
struct Dot : Shape { int area() override { return sink; } };
struct Square : Shape { int area() override { return sink + 1; } };
__attribute__((noinline)) int measure(Shape *shape) { return shape->area(); }
int main() {
  static Dot dot;
  static Square square;
  for (int i = 0; i < 50; i++)
    sink = measure(i % 3 ? static_cast<Shape *>(&dot) : &square);
}
END
}

vtables() {
  write_virtual
  of "$1" values virtual.cpp -fprofile-generate -mllvm -enable-vtable-value-profiling
}

for llvm in $LLVMS; do
  check "clang $llvm: values" of "$llvm" values -x c "$PROGRAMS/targets.c" -fprofile-generate
  check "clang $llvm: frontend" of "$llvm" '' -x c "$PROGRAMS/targets.c" -fprofile-instr-generate
done
check "single bytes" of "$NEWEST" '' -x c "$PROGRAMS/targets.c" -fprofile-instr-generate \
  -fcoverage-mapping -mllvm -enable-single-byte-coverage
check "MC/DC" of "$NEWEST" '' -x c "$PROGRAMS/three_conditions.c" -fprofile-instr-generate \
  -fcoverage-mapping -fcoverage-mcdc
check "temporal traces" of "$NEWEST" values -x c "$PROGRAMS/targets.c" -fprofile-generate \
  -mllvm -pgo-temporal-instrumentation
check "vtables" vtables "$NEWEST"
