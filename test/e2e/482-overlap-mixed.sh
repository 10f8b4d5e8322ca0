#!/bin/sh
# contprof overlap of an instrumented and a sampled profile: shares of function heat, as they are
# defined; which function is hot on one side; which profile is of what kind, in each form.
. "$(dirname "$0")/lib.sh"

COMBINING=$ROOT/test/combining

# canary N KIND: canary.profraw and its text
canary() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" -O1 $(instrumentation "$2") "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/canary.profraw" ./program exit
  profdata "$1" merge --text -o canary.proftext canary.profraw
  profdata "$1" merge -o canary.profdata canary.profraw
}

# overlap BASE TEST: the percentage.
overlap() {
  "$CONTPROF" overlap "$1" "$2" >said
  sed -n 's/^Overlap of function heat.*: \(.*%\)$/\1/p' said
}

alike() {
  canary "$1" "$2"
  python3 "$COMBINING/text_profiles.py" like canary.proftext 5000 >fleet.prof
  expect "the same" 100.000% "$(overlap canary.profraw fleet.prof)"
  expect_no_text said '^Hot in'
  python3 "$COMBINING/text_profiles.py" like canary.proftext 5000 leaf=300 main=0.001 >fleet.prof
  wanted=$(python3 "$COMBINING/text_profiles.py" overlap canary.proftext fleet.prof)
  for form in profraw profdata proftext; do
    expect "$form" "$wanted" "$(overlap canary.$form fleet.prof)"
    expect "$form second" "$wanted" "$(overlap fleet.prof canary.$form)"
  done
  sed -n '/^Hot in the samples/,$p' said >hot
  expect_text hot '% +[0-9.]+%  leaf$'
  sed -n '/^Hot in the counts/,/^Hot in the samples/p' said >hot
  expect_text hot '% +[0-9.]+%  main$'
}

# The forms of a sample profile, as stock's writers have them.
each_form() {
  canary "$1" ir
  python3 "$COMBINING/text_profiles.py" like canary.proftext 5000 leaf=300 >fleet.prof
  wanted=$(overlap canary.profdata fleet.prof)
  for form in binary extbinary; do
    profdata "$1" merge --sample --$form -o fleet.$form fleet.prof
    expect "$form" "$wanted" "$(overlap canary.profdata fleet.$form)"
  done
  profdata "$1" merge --sample --extbinary --use-md5 -o fleet.md5 fleet.prof
  expect "hashes" "$wanted" "$(overlap canary.profdata fleet.md5)"
}

nothing_in_common() {
  printf '%s\n' main 1 1 50 '' >canary.proftext
  printf '%s\n' other:50:5 ' 1: 50' >fleet.prof
  expect "nothing in common" 0.000% "$(overlap canary.proftext fleet.prof)"
  expect_text said 'only in the counts: 1, with 100.000% of their heat'
  expect_text said 'only in the samples: 1, with 100.000% of their heat'
  printf '%s\n' main 1 1 0 '' >canary.proftext
  "$CONTPROF" overlap canary.proftext fleet.prof >said
  expect_text said '^canary.proftext has no counts.$'
}

for llvm in $LLVMS; do
  check "alike and not, clang $llvm ir" alike "$llvm" ir
  check "alike and not, clang $llvm frontend" alike "$llvm" frontend
  check "forms of samples, clang $llvm" each_form "$llvm"
done
check "nothing in common" nothing_in_common
