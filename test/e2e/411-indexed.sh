#!/bin/sh
# The indexed profiles contprof writes, for each LLVM: shown, used and reported on by stock tools as
# are llvm-profdata's own.
. "$(dirname "$0")/lib.sh"

ALL="--all-functions --counts --ic-targets --memop-sizes --detailed-summary --binary-ids --showcs"

# Functions come in the hash table's order, which before LLVM 19 follows from llvm-profdata's own
# containers: the lines are compared sorted, each behind its function's name.
shown() {
  # shellcheck disable=SC2086 # a list of options
  profdata "$1" show $ALL "$2" >shown_all.txt
  # shellcheck disable=SC2086
  profdata "$1" show ${ALL% --showcs} "$2" >>shown_all.txt
  awk '/^  [^ ]/ { name = $0 } /^[^ \t]/ { name = "" } { print name "|" $0 }' shown_all.txt | sort
}

# same_shown N RAW...
same_shown() {
  shown_llvm=$1
  shift
  profdata "$shown_llvm" merge -o stock.profdata "$@"
  "$CONTPROF" merge --llvm="$shown_llvm" -o ours.profdata "$@"
  shown "$shown_llvm" stock.profdata >stock.txt
  shown "$shown_llvm" ours.profdata >ours.txt
  expect_same "what llvm-profdata-$shown_llvm shows" stock.txt ours.txt
}

# From 19 on llvm-profdata's own order is one of sorted names, so that the bytes are the same too.
same_profile() {
  same_shown "$@"
  if [ "$1" = 19 ]; then
    cmp stock.profdata ours.profdata
  fi
}

build() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" -O2 $(instrumentation "$2") "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
}

ir() {
  build "$1" ir
  same_profile "$1" a.profraw
  stock "$1" -O2 -Werror -fprofile-use=ours.profdata -c "$PROGRAMS/calls.c" -o ours.o
  stock "$1" -O2 -Werror -fprofile-use=stock.profdata -c "$PROGRAMS/calls.c" -o stock.o
  cmp stock.o ours.o
}

frontend() {
  build "$1" frontend
  same_profile "$1" a.profraw
  stock "$1" -O2 -Werror -fprofile-instr-use=ours.profdata -c "$PROGRAMS/calls.c" -o ours.o
  stock "$1" -O2 -Werror -fprofile-instr-use=stock.profdata -c "$PROGRAMS/calls.c" -o stock.o
  cmp stock.o ours.o
  cov "$1" show ./program -instr-profile=ours.profdata "$PROGRAMS/calls.c" >lines.txt
  expect_lines "$PROGRAMS/calls.c" lines.txt
}

values() {
  stock "$1" -O2 -fprofile-generate "$PROGRAMS/targets.c" -o program
  run_stock "$PWD/a.profraw" ./program 77
  run_stock "$PWD/b.profraw" ./program 300
  same_profile "$1" a.profraw
  same_profile "$1" a.profraw b.profraw
  stock "$1" -O2 -Werror -fprofile-use=ours.profdata -c "$PROGRAMS/targets.c" -o ours.o
}

context_sensitive() {
  build "$1" ir
  same_profile "$1" a.profraw
  stock "$1" -O2 -fprofile-use=ours.profdata -fcs-profile-generate "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/cs.profraw" ./program exit
  same_profile "$1" a.profraw cs.profraw
}

# Two programs whose static functions have one name and different bodies, and so hashes.
one_name_twice() {
  echo 'int f(int a) { return a; } int main(void) { return f(0); }' >one.c
  echo 'int f(int a) { return a ? a : 0; } int main(void) { return f(0); }' >two.c
  for program in one two; do
    stock "$1" -fprofile-instr-generate $program.c -o $program
    run_stock "$PWD/$program.profraw" ./$program
  done
  same_profile "$1" one.profraw two.profraw
}

mcdc() {
  stock 19 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc "$PROGRAMS/conditions.c" \
    "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
  same_profile 19 a.profraw
  cov 19 show --show-mcdc ./program -instr-profile=ours.profdata "$PROGRAMS/conditions.c" >ours.txt
  cov 19 show --show-mcdc ./program -instr-profile=stock.profdata "$PROGRAMS/conditions.c" >stock.txt
  expect_text ours.txt 'MC/DC Coverage'
  expect_same "llvm-cov's report" stock.txt ours.txt
  expect_status 1 "$CONTPROF" merge --llvm=16 -o old.profdata a.profraw 2>said
  expect_text said "can't carry MC/DC bitmaps"
}

for llvm in $LLVMS; do
  check "IR, clang $llvm" ir "$llvm"
  check "frontend, clang $llvm" frontend "$llvm"
  check "value sites of two runs, clang $llvm" values "$llvm"
  check "context-sensitive functions, clang $llvm" context_sensitive "$llvm"
  check "one name with two hashes, clang $llvm" one_name_twice "$llvm"
done
check "MC/DC bitmaps" mcdc
