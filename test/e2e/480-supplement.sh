#!/bin/sh
# contprof merge --supplement-instr-with-sample against llvm-profdata's: of LLVM 19 the same bytes, of 14
# and 16 the same counts, the same summary in the file's header.
. "$(dirname "$0")/lib.sh"

COMBINING=$ROOT/test/combining

# Bytes of header and summary: LLVM 14's version 7 and those of the versions after.
head_size() {
  [ "$1" = 14 ] && echo 488 || echo 500
}

# same_supplemented N OPTION... INSTR: as stock does it, from sample.prof.
same_supplemented() {
  supplement_llvm=$1
  shift
  profdata "$supplement_llvm" merge --supplement-instr-with-sample=sample.prof -o stock.profdata "$@" \
    2>stock_said || die "$(cat stock_said)"
  "$CONTPROF" merge --llvm="$supplement_llvm" --supplement-instr-with-sample=sample.prof \
    -o ours.profdata "$@" 2>said
  for whose in stock ours; do
    profdata "$supplement_llvm" merge --text -o $whose.txt $whose.profdata
  done
  expect_same "supplemented, clang $supplement_llvm $*" stock.txt ours.txt
  if [ "$supplement_llvm" = $NEWEST ]; then
    cmp stock.profdata ours.profdata
  else
    cmp -n "$(head_size "$supplement_llvm")" stock.profdata ours.profdata
  fi
  expect "ambiguous names" "$(grep -c 'multiple promoted names' stock_said)" \
    "$(grep -c 'local functions of several files' said)"
}

options_of() {
  case $(($1 % 5)) in
    0) ;;
    1) echo --suppl-min-size-threshold=1 ;;
    2) echo --zero-counter-threshold=0.3 --suppl-min-size-threshold=2 ;;
    3) echo --instr-prof-cold-threshold=4294967295 --suppl-min-size-threshold=0 ;;
    4) echo --sparse --zero-counter-threshold=1 -suppl-min-size-threshold 3 --instr-prof-cold-threshold=1 ;;
  esac
}

generated() {
  changed=0
  for seed in 1 2 3 4 5 6 7 8 9 10; do
    made=$TEST_DIR/made-$seed # for the next LLVM, too
    [ -e "$made" ] || { mkdir "$made" && python3 "$COMBINING/make_profiles.py" $seed "$made/instr.proftext" "$made/sample.prof"; }
    cp "$made/instr.proftext" "$made/sample.prof" .
    # shellcheck disable=SC2046 # a list of options
    same_supplemented "$1" $(options_of $seed) instr.proftext
    profdata "$1" merge --text -o before.txt instr.proftext
    cmp -s before.txt ours.txt || changed=$((changed + 1))
  done
  [ $changed -ge 5 ] || die "only $changed of 10 were changed at all"
}

# One command from raw files, in a directory and weighted, to what stock needs two for.
raw_files() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" -O1 $(instrumentation "$2") -fno-inline "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  mkdir fleet
  for run in 1 2 3; do
    run_stock "$PWD/fleet/$run.profraw" ./program exit
  done
  profdata "$1" merge -o merged.profdata fleet/1.profraw fleet/2.profraw \
    --weighted-input=5,fleet/3.profraw
  profdata "$1" merge --text -o merged.proftext merged.profdata
  python3 "$COMBINING/text_profiles.py" like merged.proftext 1 main=100000 >sample.prof
  profdata "$1" merge --supplement-instr-with-sample=sample.prof --suppl-min-size-threshold=0 \
    --instr-prof-cold-threshold=100000000 -o stock.profdata merged.profdata
  mkdir two
  mv fleet/1.profraw fleet/2.profraw two
  "$CONTPROF" merge --llvm="$1" --supplement-instr-with-sample=sample.prof \
    --suppl-min-size-threshold=0 --instr-prof-cold-threshold=100000000 -o ours.profdata two \
    --weighted-input=5,fleet/3.profraw 2>said
  for whose in merged stock ours; do
    stock_counts "$1" $whose.profdata >$whose.txt
  done
  expect_same_functions "from raw files" stock.txt ours.txt
  ! cmp -s merged.txt ours.txt || die "nothing was supplemented"
}

# Without --llvm: marks need LLVM 16, whose clang takes them, and both forms of local names are known.
by_default() {
  printf '%s\n' :ir main 1 2 1000 2000 '' 'a.c:colon' 2 2 0 0 '' 'b.c;semicolon' 3 2 0 0 >instr.proftext
  printf '%s\n' main:100:10 ' 1: 100' colon:900:80 ' 1: 900' semicolon:900:80 ' 1: 900' >sample.prof
  "$CONTPROF" merge --supplement-instr-with-sample=sample.prof --suppl-min-size-threshold=1 -o out.profdata \
    instr.proftext
  expect "indexed version" 9 "$(od -An -j8 -N1 -tu1 out.profdata | tr -d ' ')"
  stock_counts $NEWEST out.profdata >counts.txt
  expect "functions marked as hot" 2 "$(grep -c PseudoHot counts.txt)"
}

bad_uses() {
  printf '%s\n' main 1 1 5 >instr.proftext
  expect_status 1 "$CONTPROF" merge --supplement-instr-with-sample=missing -o out instr.proftext 2>said
  expect_text said 'missing'
  expect_status 1 "$CONTPROF" merge --supplement-instr-with-sample=instr.proftext -o out instr.proftext 2>said
  for bad in --zero-counter-threshold=2 --zero-counter-threshold=x --suppl-min-size-threshold=-1 \
    --supplement-instr-with-sample= --binary=program; do
    expect_status 2 "$CONTPROF" merge $bad -o out instr.proftext 2>said
  done
  [ ! -e out ] || die "a merge that failed has written something"
}

for llvm in $LLVMS; do
  check "generated profiles, clang $llvm" generated "$llvm"
  check "raw files, clang $llvm ir" raw_files "$llvm" ir
  check "raw files, clang $llvm frontend" raw_files "$llvm" frontend
done
check "without --llvm" by_default
check "what can't be" bad_uses
