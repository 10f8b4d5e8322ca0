#!/bin/sh
# contprof overlap against stock llvm-profdata overlap: the same text for raw, indexed and text
# profiles of stock programs.
. "$(dirname "$0")/lib.sh"

# same_overlap N OPTION... BASE TEST
same_overlap() {
  overlap_llvm=$1
  shift
  profdata "$overlap_llvm" overlap "$@" >stock.txt
  "$CONTPROF" overlap "$@" >ours.txt
  expect_text ours.txt "^Program level:"
  expect_same "overlap $*" stock.txt ours.txt
}

each_option() {
  for options in "" "--function=a" "--value-cutoff=1" "-value-cutoff=100 -function=main" \
    "--instr --similarity-cutoff=1"; do
    # shellcheck disable=SC2086 # a list of options
    same_overlap "$1" $options "$2" "$3"
  done
}

# program_of N KIND SOURCE...: a stock build.
program_of() {
  program_llvm=$1
  program_kind=$2
  shift 2
  # shellcheck disable=SC2046 # a list of flags
  stock "$program_llvm" -O2 $(instrumentation "$program_kind") "$@" -o program
}

# Each form of one profile with each form of the other.
each_form() {
  for profile in base test; do
    profdata "$1" merge -o $profile.profdata $profile.profraw
    profdata "$1" merge --text -o $profile.proftext $profile.profraw
  done
  for form in profraw profdata proftext; do
    each_option "$1" base.profraw test.$form
    each_option "$1" base.$form test.profdata
  done
}

# Another argument, other counts; values that the base has not seen, too.
two_runs() {
  program_of "$1" plain-ir "$PROGRAMS/targets.c"
  run_stock "$PWD/base.profraw" ./program 77
  run_stock "$PWD/test.profraw" ./program 3001
  each_form "$1"
  same_overlap "$1" --value-cutoff=1 base.profraw test.profdata
  expect_text ours.txt "IndirectCall profile overlap: [1-9]"
  sed '1,/^Program level/d' ours.txt >program.txt
  expect_no_text program.txt "Edge profile overlap: 100.000%"
}

# Functions that the base lacks, and those whose hash is another there.
two_programs() {
  program_of "$1" "$2" -DBUILD=1 "$PROGRAMS/two_builds.c" "$PROGRAMS/ending.c"
  run_stock "$PWD/base.profraw" ./program exit
  program_of "$1" "$2" -DBUILD=1 -DSHAPE "$PROGRAMS/two_builds.c" "$PROGRAMS/ending.c"
  run_stock "$PWD/shape.profraw" ./program exit
  program_of "$1" "$2" "$PROGRAMS/calls.c" "$PROGRAMS/ending.c"
  run_stock "$PWD/test.profraw" ./program exit
  each_form "$1"
  same_overlap "$1" base.profraw shape.profraw
  expect_text ours.txt "# of functions mismatch: 1"
  profdata "$1" merge -o both.profdata base.profraw test.profraw
  same_overlap "$1" --function=e base.profraw both.profdata
  expect_text ours.txt "# of functions only in test_profile: [1-9]"
  expect_text ours.txt "Function: the_end"
}

context_sensitive() {
  program_of "$1" plain-ir "$PROGRAMS/calls.c" "$PROGRAMS/ending.c"
  run_stock "$PWD/first.profraw" ./program exit
  profdata "$1" merge -o first.profdata first.profraw
  stock "$1" -O2 -fprofile-use=first.profdata -fcs-profile-generate "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/base.profraw" ./program exit
  profdata "$1" merge -o base.profdata first.profraw base.profraw
  profdata "$1" merge -o test.profdata first.profraw --weighted-input=5,base.profraw
  for options in "" --cs "--cs --value-cutoff=20"; do
    # shellcheck disable=SC2086 # a list of options
    same_overlap "$1" $options base.profdata test.profdata
  done
}

vtables() {
  stockxx 19 -O2 -c "$PROGRAMS/ending.c" -x c -o ending.o
  stockxx 19 -O2 -fprofile-generate -Xclang -mllvm -Xclang -enable-vtable-value-profiling \
    "$PROGRAMS/shapes.cpp" "$PROGRAMS/more_shapes.cpp" ending.o -o program
  run_stock "$PWD/base.profraw" ./program exit
  profdata 19 merge -o base.profdata base.profraw
  same_overlap 19 --value-cutoff=1 base.profdata base.profdata
  expect_text ours.txt "VTable profile overlap: 100.000%"
}

# llvm-profdata ends before this line is out of its buffer.
without_counts() {
  printf 'main\n1\n2\n0\n0\n' >zero.proftext
  printf 'main\n1\n2\n3\n0\n' >some.proftext
  "$CONTPROF" overlap zero.proftext some.proftext >said
  expect "the base" "Sum of edge counts for profile zero.proftext is 0." "$(cat said)"
  "$CONTPROF" overlap -o out.txt some.proftext zero.proftext
  expect_same "the test" said out.txt
}

# The text is llvm-profdata's; that it means nothing is said beside it.
of_two_kinds() {
  printf 'main\n1\n1\n3\n' >frontend.proftext
  (echo :ir && cat frontend.proftext) >ir.proftext
  "$CONTPROF" overlap frontend.proftext ir.proftext -o out.txt 2>said
  expect_text said 'warning: ir.proftext is from IR instrumentation, frontend.proftext from front-end'
  for each in frontend ir; do
    "$CONTPROF" overlap $each.proftext $each.proftext -o out.txt 2>said
    expect_empty said
  done
}

command_lines() {
  printf 'main\n1\n2\n3\n0\n' >some.proftext
  "$CONTPROF" overlap some.proftext some.proftext -o out.txt
  cp some.proftext copy.proftext
  "$CONTPROF" overlap some.proftext - <copy.proftext | sed 's/: -$/: some.proftext/' >piped.txt
  expect_same "standard input" out.txt piped.txt
  printf 'cut' >cut.proftext
  expect_status 1 "$CONTPROF" overlap -o bad.txt some.proftext cut.proftext 2>said
  expect_text said '^contprof: error: cut.proftext: '
  [ ! -e bad.txt ] || die "an output file was left"
  expect_status 2 "$CONTPROF" overlap some.proftext
  expect_status 2 "$CONTPROF" overlap some.proftext some.proftext some.proftext
  expect_status 2 "$CONTPROF" overlap --value-cutoff=x some.proftext some.proftext
  expect_status 2 "$CONTPROF" overlap --counts some.proftext some.proftext
}

for llvm in $LLVMS; do
  check "two runs with value sites, clang $llvm" two_runs "$llvm"
  for kind in frontend plain-ir; do
    check "two programs, clang $llvm, $kind" two_programs "$llvm" $kind
  done
  check "context-sensitive profiles, clang $llvm" context_sensitive "$llvm"
done
check "vtables" vtables
check "a profile without counts" without_counts
check "profiles of two kinds" of_two_kinds
check "bad files and wrong command lines" command_lines
