#!/bin/sh
# Options of contprof show beside those of 410: the text form, cutoffs, flags with an argument;
# against stock llvm-profdata show.
. "$(dirname "$0")/lib.sh"

# same_show N OPTION... FILE
same_show() {
  show_llvm=$1
  shift
  profdata "$show_llvm" show "$@" >stock.txt
  "$CONTPROF" show "$@" >ours.txt
  expect_same "show $*" stock.txt ours.txt
}

each_option() {
  for options in "--text --all-functions" "-text -function=a" "--text --all-functions --showcs" \
    "--text" "--text --covered" "--text --value-cutoff=20 --list-below-cutoff" \
    "--text --topn=3 --detailed-summary" \
    "--detailed-summary --detailed-summary-cutoffs=500000,10,999999" \
    "--detailed-summary-cutoffs=500000" \
    "--detailed-summary-cutoffs=990000 -detailed-summary-cutoffs=1000,2000 -detailed-summary" \
    "--all-functions=true --counts=1 --ic-targets=false" "--all-functions --ic-targets" \
    "--function=main --memop-sizes" "--all-functions=0 --covered=False"; do
    # shellcheck disable=SC2086 # a list of options
    same_show "$1" $options "$2"
  done
}

each_form() {
  profdata "$1" merge -o program.profdata program.profraw
  profdata "$1" merge --text -o program.proftext program.profraw
  for form in profraw profdata proftext; do
    each_option "$1" program.$form
  done
}

program_of() {
  stock "$@" -o program
  run_stock "$PWD/program.profraw" ./program 1
  each_form "$1"
}

# Values in the order of the file; a name without a counter.
values_in_order() {
  printf '%s\n' main 1 1 9 1 0 1 2 rare:3 often:500 rare 1 1 3 often 1 1 7 >order.proftext
  for options in "--ic-targets --all-functions" "--text --all-functions" \
    "--binary-ids --all-functions"; do
    # shellcheck disable=SC2086 # a list of options
    same_show 19 $options order.proftext
    expect_text ours.txt "rare"
  done
}

# A text names call targets itself, whether or not it has them as functions.
targets_elsewhere() {
  printf '%s\n' :ir caller 5 1 10 1 0 2 2 a_library:7 other.c:static:3 1 callee:4 '' callee 6 1 4 \
    >names.proftext
  profdata "$NEWEST" show --ic-targets --all-functions names.proftext >stock.txt
  "$CONTPROF" show --ic-targets --all-functions names.proftext >ours.txt
  cmp stock.txt ours.txt
  expect_text ours.txt 'other\.c:static'
}

accepted_and_refused() {
  printf 'main\n1\n2\n3\n0\n' >some.proftext
  "$CONTPROF" show --instr --show-format=text --hot-func-list --show-prof-sym-list \
    --show-sec-info-only some.proftext >got.txt
  "$CONTPROF" show some.proftext >wanted.txt
  expect_same "without effect" wanted.txt got.txt
  for options in --json --show-format=json "-o some.proftext"; do
    # shellcheck disable=SC2086 # a list of options
    expect_status 1 profdata 19 show $options some.proftext
    # shellcheck disable=SC2086
    expect_status 1 "$CONTPROF" show $options some.proftext
  done
  expect_text some.proftext "^main$"
  for options in --show-format=none --text=maybe --detailed-summary-cutoffs=5,x \
    --detailed-summary-cutoffs=1000000 --memory; do
    expect_status 2 "$CONTPROF" show $options some.proftext
  done
  "$CONTPROF" show --all-functions --function=main some.proftext 2>said >got.txt
  expect_text said "--function is ignored"
}

for llvm in $LLVMS; do
  check "a program with value sites, clang $llvm" \
    program_of "$llvm" -O1 -fprofile-generate "$PROGRAMS/targets.c"
  check "front-end instrumentation, clang $llvm" \
    program_of "$llvm" -O1 -fprofile-instr-generate "$PROGRAMS/targets.c"
done
check "the order of values" values_in_order
check "call targets of a text" targets_elsewhere
check "what is accepted, and what refused" accepted_and_refused

# LLVM's tools take no abbreviations; here one could be of an option that only contprof has.
no_abbreviations() {
  printf 'main\n1\n2\n3\n0\n' >some.proftext
  cp some.proftext kept
  for options in "merge -rep kept" "merge --repor=kept" "show --count" "overlap --func=a"; do
    # shellcheck disable=SC2086 # a verb and its options
    expect_status 2 "$CONTPROF" $options some.proftext 2>said
    expect_text said "is not an option of"
  done
  expect_same "a file named to it" some.proftext kept
}

check "no abbreviations of options" no_abbreviations
