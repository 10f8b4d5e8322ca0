#!/bin/sh
# contprof-mpi merge writes what contprof merge writes, whatever the number of ranks: files of one build,
# whose counts are added by MPI_Reduce, and of several, whose profiles go up a tree; values, bitmaps,
# weights, directories, traces, and each option that bears on it.
. "$(dirname "$0")/lib.sh"
. "$E2E/mpi-lib.sh"

# build_of LLVM PROGRAM FLAG...: a program with values at its sites.
build_of() {
  llvm=$1
  program=$2
  shift 2
  # shellcheck disable=SC2046 # a list of flags
  stock "$llvm" $(instrumentation ir) "$PROGRAMS/targets.c" "$@" -o "$program"
}

# runs PROGRAM FIRST LAST: its runs FIRST to LAST, each with another argument, into PROGRAM-N.in.
runs() {
  for run in $(seq "$2" "$3"); do
    LLVM_PROFILE_FILE=$PWD/$1-$run.in "./$1" $((run * run * 7)) >said
  done
}

one_build() {
  build_of "$1" program -O2
  runs program 1 6
  same 4 program-*.in
  is_reduced 4 -o out program-*.in || die "not added up by MPI_Reduce"
}

numbers_of_ranks() {
  build_of "$NEWEST" program -O2
  runs program 1 6
  for count in 1 2 3 5 8; do
    same $count program-*.in
  done
}

# Each input is read by one rank, and no rank reads all.
parts() {
  build_of "$NEWEST" program -O2
  runs program 1 6
  readers 3 -o out program-*.in
  for run in 1 2 3 4 5 6; do
    echo "1 program-$run.in"
  done >wanted
  expect_same "how often each is read" wanted opened
  for rank in 0 1 2; do
    expect "inputs of rank $rank" 2 "$(grep -c '\.in"' opened.$rank)"
  done
}

# Two builds with other functions and shapes beside each other, raw, indexed and text, with weights,
# one file of each build on a rank where the others have none.
several_builds() {
  build_of "$NEWEST" a -O2 -Wl,--build-id
  build_of "$NEWEST" b -O2 -Wl,--build-id -Dapply=applied -Dnever=once
  runs a 1 5
  runs b 1 5
  profdata 14 merge a-1.in -o a-old.profdata 2>said || profdata "$NEWEST" merge a-1.in -o a-old.profdata
  profdata "$NEWEST" merge --text b-2.in -o b-text.proftext
  same 4 a-*.in b-*.in --weighted-input=1000,b-3.in
  ! is_reduced 4 -o out a-*.in b-*.in || die "profiles of two builds were added up as one's"
  same 3 b-4.in a-old.profdata b-text.proftext a-2.in a-3.in --weighted-input=7,a-4.in b-5.in
  same 3 --llvm=19 a-1.in a-2.in b-1.in b-2.in a-3.in b-3.in # with build-ids, in their order
  same 2 --text --sparse a-1.in b-1.in a-2.in b-2.in
  same 4 --function=appl --no-function=applied a-1.in b-1.in a-2.in b-2.in
  printf 'twice thrice\nthrice once\n' >names
  same 3 --remapping-file=names a-*.in b-*.in
}

directories() {
  build_of "$NEWEST" a -O2
  build_of "$NEWEST" b -O2 -Dapply=applied
  runs a 1 3
  runs b 1 3
  mkdir -p fleet/deep
  for run in 1 2 3; do
    mv a-$run.in fleet/a-$run.profraw
    mv b-$run.in fleet/deep/b-$run.profraw
  done
  same 3 --weighted-input=3,fleet fleet
  find fleet -name '*.profraw' | sort >list
  same 2 --input-files=list
  rm -rf one all
  mkdir one all
  "$CONTPROF" merge --by-build -o one/of.profdata fleet
  ranks 4 merge --by-build -o all/of.profdata fleet
  expect "outputs" 2 "$(find all -name 'of.*.profdata' | wc -l)"
  diff -r one all
}

# Standard input and pipes are read once, by rank 0.
streams() {
  build_of "$NEWEST" program -O2
  runs program 1 4
  "$CONTPROF" merge -o wanted program-*.in
  # shellcheck disable=SC2086 # words
  timeout 120 $MPIRUN -n 3 "$BUILD/bin/contprof-mpi" merge -o out program-1.in - program-[34].in \
    <program-2.in
  cmp wanted out
}

# MC/DC bitmaps.
bitmaps() {
  stock "$NEWEST" -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc \
    "$PROGRAMS/three_conditions.c" -o program
  for run in 1 2 3 4 5 6; do
    # shellcheck disable=SC2046 # so many arguments
    LLVM_PROFILE_FILE=$PWD/$run.in ./program $(seq $run)
  done
  same 4 [1-6].in
  is_reduced 4 -o out [1-6].in || die "not added up by MPI_Reduce"
  "$CONTPROF" merge --text -o one.text 1.in
  "$CONTPROF" merge --text -o all.text out
  ! cmp -s one.text all.text
}

# Names of vtables, which come along; those of two programs differ.
vtables() {
  for classes in 2 3; do
    {
      echo 'struct Shape { virtual int area() = 0; virtual ~Shape() {} };'
      echo 'static volatile int sink;'
      for i in $(seq $classes); do
        echo "struct Shape$classes$i : Shape { int area() override { return sink + $i; } };"
      done
      echo '__attribute__((noinline)) int measure(Shape *shape) { return shape->area(); }'
      echo 'int main(int argc, char **) { for (int i = 0; i < 50 * argc; i++) {'
      for i in $(seq $classes); do
        echo "static Shape$classes$i shape$i; if (i % $i == 0) sink = measure(&shape$i);"
      done
      echo '} }'
    } >virtual.cpp
    stockxx "$NEWEST" -O2 -fprofile-generate -mllvm -enable-vtable-value-profiling virtual.cpp -o of$classes
    runs of$classes 1 3
  done
  same 3 --keep-vtable-symbols of2-*.in
  same 4 --keep-vtable-symbols of2-*.in of3-*.in
  "$CONTPROF" merge --text --keep-vtable-symbols -o text all/out.profdata
  expect_text text _ZTV7Shape33
}

# Few traces are kept as they come; of more than the sample holds, chance decides in the inputs' order.
traces() {
  stock "$NEWEST" -O1 -fprofile-generate -mllvm -pgo-temporal-instrumentation "$PROGRAMS/targets.c" \
    -o program
  runs program 1 6
  same 3 program-*.in
  same 3 --temporal-profile-trace-reservoir-size=4 program-*.in
  same 3 --temporal-profile-trace-reservoir-size=1 program-*.in
  same 3 --temporal-profile-max-trace-length=2 program-*.in
}

# More values at a site than an indexed profile has room for: the hottest of all ranks'.
many_values() {
  for file in 1 2 3 4; do
    {
      printf ':ir\nmain\n1\n1\n1\n1\n1\n1\n200\n'
      seq -f "%.0f:$file" $((file * 150)) $((file * 150 + 199))
    } >$file.in
  done
  same 4 1.in 2.in 3.in 4.in
}

# All else is built, and says so, where there is no MPI.
without_mpi() {
  cmake -S "$ROOT" -B tree -G Ninja -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCONTPROF_UNIT_TESTS=OFF >configured
  expect_text configured 'contprof-mpi is left out'
  ninja -C tree -t targets all >listed
  expect_text listed '^bin/contprof:'
  expect_no_text listed 'contprof-mpi'
}

# The words and the status of rank 0 alone.
command_lines() {
  expect_status 0 ranks 2 merge --help >help
  "$CONTPROF" merge --help >wanted
  expect_same "help" wanted help
  expect_status 2 ranks 2 merge --failure-mode=never x 2>said
  expect "errors" 1 "$(grep -c '^contprof: error: ' said)"
  expect_status 2 ranks 2 show x 2>said
  expect_text said '^contprof: error: show is not a verb of contprof-mpi'
}

for llvm in $LLVMS; do
  check "clang $llvm: files of one build" one_build "$llvm"
done
check "any number of ranks, more than files too" numbers_of_ranks
check "each input is read by one rank" parts
check "files of several builds and formats, weights, names" several_builds
check "directories, lists, an output for each build" directories
check "standard input" streams
check "bitmaps" bitmaps
check "names of vtables" vtables
check "temporal traces" traces
check "more values than there is room for" many_values
check "command lines" command_lines
check "without MPI" without_mpi
