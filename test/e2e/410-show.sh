#!/bin/sh
# contprof show against stock llvm-profdata show, on raw and indexed profiles of stock programs.
. "$(dirname "$0")/lib.sh"

ALL="--all-functions --counts --ic-targets --memop-sizes --detailed-summary --binary-ids --topn=5"

# The named differences (docs/show.md), and no others: the order of values that a site has seen
# equally often; and what LLVM 14 leaves out, fewer cutoffs and the ids of indexed profiles.
normal() {
  awk '/^\t\[/ { print > "values"; next } { flush(); print } END { flush() }
    function flush() { close("values"); system("[ ! -f values ] || { sort values; rm values; }")
      fflush() }' |
    if [ "$1" = 14 ]; then
      sed -E -e '/ account for ([1-7]0?|99\.9999) percentage /d' -e '/^Binary IDs: $/d'
    else
      cat
    fi
}

# same_text N OPTION... FILE
same_text() {
  text_llvm=$1
  shift
  profdata "$text_llvm" show "$@" >stock_raw.txt
  "$CONTPROF" show "$@" >ours_raw.txt
  normal "$text_llvm" <stock_raw.txt >stock.txt
  normal "$text_llvm" <ours_raw.txt >ours.txt
  expect_same "show $*" stock.txt ours.txt
}

# each_option N FILE
each_option() {
  for options in "$ALL" "" "--counts --function=e" "--topn=1" "--topn=1000" "--covered" \
    "--value-cutoff=30 --all-functions" "--value-cutoff=30 --list-below-cutoff" "--showcs" \
    "-all-functions -counts"; do
    # shellcheck disable=SC2086 # a list of options
    same_text "$1" $options "$2"
  done
}

both_formats() {
  run_stock "$PWD/raw.profraw" ./program "${2:-exit}"
  profdata "$1" merge -o indexed.profdata raw.profraw
  each_option "$1" raw.profraw
  each_option "$1" indexed.profdata
}

c_program() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" -O2 $(instrumentation "$2") -Wl,--build-id "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" \
    -o program
  both_formats "$1"
}

value_program() {
  stock "$1" -O2 -fprofile-generate "$PROGRAMS/targets.c" -o program
  both_formats "$1" 77
  expect_text ours.txt "Functions shown"
}

cxx_program() {
  stock "$1" -O1 -c "$PROGRAMS/ending.c" -o ending.o
  # shellcheck disable=SC2046 # a list of flags
  stockxx "$1" -O1 $(instrumentation "$2") "$PROGRAMS/shapes.cpp" "$PROGRAMS/more_shapes.cpp" \
    ending.o -o program
  both_formats "$1"
}

kinds_of_coverage() {
  stock 19 -O1 "$@" "$PROGRAMS/conditions.c" "$PROGRAMS/ending.c" -o program
  both_formats 19
}

context_sensitive() {
  stock "$1" -O2 -fprofile-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/first.profraw" ./program exit
  profdata "$1" merge -o first.profdata first.profraw
  stock "$1" -O2 -fprofile-use=first.profdata -fcs-profile-generate "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o program
  both_formats "$1"
  profdata "$1" merge -o indexed.profdata raw.profraw first.profdata
  each_option "$1" indexed.profdata
}

several_files() {
  run_stock "$PWD/raw.profraw" ../program exit
  cp raw.profraw again.profraw
  "$CONTPROF" show raw.profraw >one.txt
  { echo raw.profraw: && cat one.txt && echo again.profraw: && cat one.txt; } >wanted.txt
  "$CONTPROF" show raw.profraw again.profraw >got.txt
  expect_same "two files" wanted.txt got.txt
  "$CONTPROF" show -o written.txt raw.profraw
  expect_same "-o" one.txt written.txt
  "$CONTPROF" show - <raw.profraw >got.txt
  expect_same "standard input" one.txt got.txt
}

bad_files() {
  run_stock "$PWD/raw.profraw" ../program exit
  head -c 100 raw.profraw >cut.profraw
  expect_status 1 "$CONTPROF" show -o out.txt cut.profraw 2>said
  expect_text said '^contprof: error: cut.profraw: .* at offset [0-9]+: '
  [ ! -e out.txt ] || die "an output file was left"
  expect_status 1 "$CONTPROF" show cut.profraw raw.profraw >got.txt 2>said
  expect_text got.txt "Total functions"
  expect_status 1 "$CONTPROF" show missing.profraw 2>said
  expect_text said 'missing.profraw: .*No such file'
  expect_status 1 "$CONTPROF" show . 2>said
  expect_text said '^contprof: error: [.] is a directory: .*contprof merge'
  ln -s raw.profraw link
  cp raw.profraw as_it_was
  for verb in "show raw.profraw" "overlap as_it_was raw.profraw" "overlap ./raw.profraw as_it_was"; do
    # shellcheck disable=SC2086 # words
    expect_status 1 "$CONTPROF" $verb -o link 2>said
    expect_text said '-o link would replace the input .*raw.profraw: give another name$'
    cmp raw.profraw as_it_was
  done
  expect_status 2 "$CONTPROF" show
  expect_status 2 "$CONTPROF" show --topn=many raw.profraw
  expect_status 2 "$CONTPROF" show --no-such-option raw.profraw
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    check "a C program, clang $llvm, $kind" c_program "$llvm" "$kind"
    check "a C++ program, clang $llvm, $kind" cxx_program "$llvm" "$kind"
  done
  check "value sites, clang $llvm" value_program "$llvm"
  check "context-sensitive profiles, clang $llvm" context_sensitive "$llvm"
done
check "MC/DC bitmaps" kinds_of_coverage -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
check "single-byte coverage" kinds_of_coverage -fprofile-instr-generate -fcoverage-mapping \
  -mllvm -enable-single-byte-coverage=true
check "function entry coverage" kinds_of_coverage -fprofile-generate \
  -mllvm -pgo-function-entry-coverage
stock 19 -fprofile-instr-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
check "several files, an output file, standard input" several_files
check "bad files and wrong command lines" bad_files
