#!/bin/sh
# Merging is associative and commutative: any grouping and any order of the inputs, over intermediate
# profiles of either form, give the same bytes. Sums that are cut, weights, values and bitmaps too.
. "$(dirname "$0")/lib.sh"

merge() {
  "$CONTPROF" merge "$@" 2>>warnings
}

# The 24 orders of four.
orders() {
  for a in 1 2 3 4; do
    for b in 1 2 3 4; do
      for c in 1 2 3 4; do
        d=$((10 - a - b - c))
        [ $a = $b ] || [ $b = $c ] || [ $a = $c ] || echo "$a $b $c $d"
      done
    done
  done
}

# one_way FORM A B C D: flat, and the three shapes of a tree over inputs in that order.
one_way() {
  form=$1
  shift
  merge -o flat.profdata "$@"
  cmp whole.profdata flat.profdata
  merge $form -o ab "$1" "$2"
  merge $form -o cd "$3" "$4"
  merge -o tree.profdata ab cd
  cmp whole.profdata tree.profdata
  merge $form -o abc ab "$3"
  merge -o tree.profdata abc "$4"
  cmp whole.profdata tree.profdata
  merge $form -o bcd "$2" cd
  merge -o tree.profdata "$1" bcd
  cmp whole.profdata tree.profdata
}

# every_way FORM...: over the inputs 1.in to 4.in.
every_way() {
  merge -o whole.profdata 1.in 2.in 3.in 4.in
  for form in "$@"; do
    orders | while read -r a b c d; do
      one_way "$form" $a.in $b.in $c.in $d.in
    done
  done
}

# Four runs of a program with values at its sites; one of them 2^60 times, so that sums are cut; raw,
# indexed and text inputs among them.
values_and_cut_sums() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" -O2 $(instrumentation ir) -Wl,--build-id=none "$PROGRAMS/targets.c" -o program
  for run in 1:10 2:77 3:300 4:5; do
    LLVM_PROFILE_FILE=$PWD/${run%:*}.in ./program "${run#*:}" >said
  done
  profdata "$1" merge --text -o text 3.in
  mv text 3.in
  merge -o heavy --weighted-input=1152921504606846976,2.in
  mv heavy 2.in
  every_way "" --text
  expect_text warnings 'counts reached the largest'
  profdata "$NEWEST" show --counts --all-functions whole.profdata >shown
  expect_text shown 18446744073709551613
}

bitmaps() {
  stock "$NEWEST" -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -Wl,--build-id=none \
    "$PROGRAMS/three_conditions.c" -o program # text has no build-ids
  for run in 1 2 3 4; do
    # shellcheck disable=SC2046 # so many arguments
    LLVM_PROFILE_FILE=$PWD/$run.in ./program $(seq $run)
  done
  every_way "" --text
  merge --text -o one 1.in
  merge --text -o all whole.profdata
  [ "$(grep -c '^0x' one)" = "$(grep -c '^0x' all)" ]
  ! cmp -s one all
}

# Two builds, one without an id: the version that the ids need is that of the whole.
build_ids() {
  for id in 0xab none; do
    # shellcheck disable=SC2046 # a list of flags
    stock "$NEWEST" -O2 $(instrumentation ir) -Wl,--build-id=$id "$PROGRAMS/targets.c" -o $id
  done
  for run in 1:10 2:77; do
    LLVM_PROFILE_FILE=$PWD/${run%:*}.in ./0xab "${run#*:}" >said
    LLVM_PROFILE_FILE=$PWD/$((2 + ${run%:*})).in ./none "${run#*:}" >said
  done
  every_way ""
  profdata "$NEWEST" show --binary-ids whole.profdata >shown
  expect_text shown '^ab$'
}

# A site with more values than an indexed profile has room for, 255, keeps the hottest: of the whole,
# if it is merged at once. Text holds as many.
many_values() {
  for file in 1 2; do
    {
      printf ':ir\nmain\n1\n1\n1\n1\n1\n1\n200\n'
      seq -f "%.0f:$file" $((file * 1000)) $((file * 1000 + 199))
    } >$file.in
  done
  merge -o whole.profdata 1.in 2.in
  "$CONTPROF" show --memop-sizes --all-functions whole.profdata >shown
  expect "values kept" 255 "$(grep -c '^	\[ ' shown)"
  expect "of the second file" 200 "$(grep -c ', [ 0-9]*2 \]' shown)"
  merge -o turned.profdata 2.in 1.in
  cmp whole.profdata turned.profdata
}

for llvm in $LLVMS; do
  check "clang $llvm: values, and sums that are cut" values_and_cut_sums "$llvm"
done
check "bitmaps" bitmaps
check "build-ids" build_ids
check "more values than there is room for" many_values
