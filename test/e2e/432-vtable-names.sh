#!/bin/sh
# The names of vtables (LLVM 19): read from raw, indexed and text profiles, kept when asked for, shown.
. "$(dirname "$0")/lib.sh"

llvm=$NEWEST

merge() {
  "$CONTPROF" merge "$@"
}

# build NUMBER: ./program of that many classes besides their base.
build() {
  {
    echo 'struct Shape { virtual int area() = 0; virtual ~Shape() {} };'
    echo 'static volatile int sink;'
    for i in $(seq "$1"); do
      echo "struct Shape$i : Shape { int area() override { return sink + $i; } };"
    done
    echo '__attribute__((noinline)) int measure(Shape *shape) { return shape->area(); }'
    echo 'int main(int argc, char **) {'
    echo 'for (int i = 0; i < 50 * argc; i++) {'
    for i in $(seq "$1"); do
      echo "static Shape$i shape$i; if (i % $i == 0) sink = measure(&shape$i);"
    done
    echo '} }'
  } >virtual.cpp
  stockxx "$llvm" -O2 -fprofile-generate -mllvm -enable-vtable-value-profiling virtual.cpp -o program
  for run in 1 2; do
    # shellcheck disable=SC2046 # so many arguments
    LLVM_PROFILE_FILE=$run.profraw ./program $(seq $run)
  done
}

show_vtables() {
  profdata "$llvm" show --all-functions --show-vtables --ic-targets "$1" >stock.txt
  "$CONTPROF" show --all-functions --show-vtables --ic-targets "$1" >ours.txt
  expect_same "show $1" stock.txt ours.txt
}

# One name: byte for byte.
one_vtable() {
  build 1
  for keep in "" --keep-vtable-symbols; do
    # shellcheck disable=SC2086 # an option or none
    {
      profdata "$llvm" merge $keep -o stock.profdata 1.profraw 2.profraw
      merge $keep -o ours.profdata 1.profraw 2.profraw
      profdata "$llvm" merge --text $keep -o stock.proftext 1.profraw 2.profraw
      merge --text $keep -o ours.proftext 1.profraw 2.profraw
    }
    cmp stock.profdata ours.profdata
    expect_same "text $keep" stock.proftext ours.proftext
    for file in ours.profdata ours.proftext; do
      show_vtables $file
    done
  done
  expect_text ours.proftext '^_ZTV6Shape1:250$'
  show_vtables 1.profraw
}

# Several: the section holds them in another order, and says the same.
several_vtables() {
  build 7
  profdata "$llvm" merge --keep-vtable-symbols -o stock.profdata 1.profraw 2.profraw
  merge --keep-vtable-symbols -o ours.profdata 1.profraw 2.profraw
  for who in stock ours; do
    profdata "$llvm" show --all-functions --show-vtables $who.profdata >$who.txt
    profdata "$llvm" merge --text --keep-vtable-symbols -o $who.proftext $who.profdata
  done
  expect_same "shown" stock.txt ours.txt
  expect_same "as text" stock.proftext ours.proftext
  expect_text ours.proftext '^_ZTV6Shape7:'
  merge --keep-vtable-symbols -o again.profdata ours.proftext
  merge --keep-vtable-symbols -o from-stock.profdata stock.profdata
  cmp ours.profdata from-stock.profdata
  merge --text --keep-vtable-symbols -o again.proftext again.profdata
  expect_same "again" ours.proftext again.proftext
  show_vtables ours.profdata
  show_vtables 2.profraw
}

# The fast way of many files keeps them as the general way does.
many_files() {
  build 3
  merge --keep-vtable-symbols -o two.profdata 1.profraw 2.profraw
  merge --keep-vtable-symbols -o four.profdata 1.profraw 2.profraw 1.profraw 2.profraw 1.profraw 2.profraw
  merge --keep-vtable-symbols -o wanted.profdata two.profdata --weighted-input=2,two.profdata
  cmp wanted.profdata four.profdata
}

lost_names() {
  printf 'main\n1\n1\n1\n1\n2\n1\n1\n_ZTV1A:5\n' >a.proftext
  expect_status 1 merge --keep-vtable-symbols --llvm=16 -o out a.proftext 2>said
  expect_text said "can't carry vtable values, which main has"
}

check "one vtable" one_vtable
check "several vtables" several_vtables
check "many files" many_files
check "lost names" lost_names
