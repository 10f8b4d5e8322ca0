#!/bin/sh
# Profiles that stock tools made, cut to every length and with each field of the header changed: a
# profile or a message, never a crash, an endless loop or memory without bounds (512 MB of addresses).
. "$(dirname "$0")/lib.sh"

CUT=$BUILD/test/fuzz/cut_everywhere

# survives FILE...
survives() {
  timeout 120 "$CUT" "$@" >said 2>&1 || die "$(tail -n 5 said)"
  expect "files" $# "$(grep -c ': cut [1-9][0-9]*, good [0-9]*; changed [1-9]' said)"
}

# A file that is cut inside its data is none: of these many lengths hardly any is a profile.
few_are_good() {
  awk '{ cut = $3; good = $5; if (good + 0 > cut / 10) { print; bad = 1 } } END { exit bad }' said ||
    die "too many of the cut files were taken for whole ones"
}

# golden N FLAG...: a.profraw, a.profdata and a.proftext of clang N.
golden() {
  golden_llvm=$1
  shift
  stock "$golden_llvm" -O2 "$@" "$PROGRAMS/targets.c" -o program
  LLVM_PROFILE_FILE=$PWD/a.profraw ./program 77 >said
  profdata "$golden_llvm" merge -o a.profdata a.profraw
  profdata "$golden_llvm" merge --text -o a.proftext a.profraw
}

stock_profiles() {
  # shellcheck disable=SC2046 # a list of flags
  golden "$1" $(instrumentation "$2") -Wl,--build-id=0x0123
  survives a.profraw a.profdata
  few_are_good
  survives a.proftext
}

conditions() {
  stock "$NEWEST" -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc \
    "$PROGRAMS/conditions.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
  profdata "$NEWEST" merge -o a.profdata a.profraw
  survives a.profraw a.profdata
  few_are_good
}

traces() {
  stock "$NEWEST" -O1 -fprofile-generate -mllvm -pgo-temporal-instrumentation "$@" \
    "$PROGRAMS/in_order.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
  profdata "$NEWEST" merge -o a.profdata a.profraw
  profdata "$NEWEST" merge --text -o a.proftext a.profraw
  survives a.profraw a.profdata a.proftext
}

live_file() {
  cc "$NEWEST" -O2 -fprofile-continuous -fprofile-generate "$PROGRAMS/targets.c" -o program
  LLVM_PROFILE_FILE=$PWD/live.profraw ./program 77 >said
  survives live.profraw
}

for llvm in $LLVMS; do
  for kind in ir frontend; do
    check "clang $llvm, $kind" stock_profiles "$llvm" $kind
  done
done
check "MC/DC" conditions
check "temporal traces" traces
check "temporal traces, single bytes" traces -mllvm -pgo-block-coverage
check "a live file" live_file
