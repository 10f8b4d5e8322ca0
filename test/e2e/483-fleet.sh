#!/bin/sh
# Counts of a canary and recordings of a fleet that do not simply fit: a stripped binary with separate
# debug information, two builds, functions that the canary lacks, local functions of one name, long
# names; and a recording by the clock of this machine.
. "$(dirname "$0")/lib.sh"

COMBINING=$ROOT/test/combining
FOR_SAMPLES="-g -fdebug-info-for-profiling -funique-internal-linkage-names"

sources() {
  echo "$PROGRAMS/locals_one.cpp $PROGRAMS/locals_two.cpp"
}

# canary N KIND FLAG...: raw profiles in canary/, of 2000 calls of work of the first file, 2000 of the
# second, 500 of the long name.
canary() {
  canary_llvm=$1
  canary_kind=$2
  shift 2
  # shellcheck disable=SC2046 # lists
  stockxx "$canary_llvm" -O1 $(instrumentation "$canary_kind") "$@" $(sources) -o instrumented
  mkdir canary
  run_stock "$PWD/canary/1.profraw" ./instrumented 2000 2000 500
}

# fleet N OUT FLAG...
fleet() {
  fleet_llvm=$1
  fleet_out=$2
  shift 2
  # shellcheck disable=SC2046,SC2086 # lists
  stockxx "$fleet_llvm" -O1 $FOR_SAMPLES -Wl,--build-id "$@" $(sources) -o "$fleet_out"
}

recording() {
  python3 "$COMBINING/tell_recording.py" "$@" >told
  "$BUILD/test/recordings/write_recording" told fleet.data
}

combine() {
  "$CONTPROF" combine --instr=canary "$@" -o out.profdata --explain >said
}

# expect_raised PATTERN: that function, and no other.
expect_raised() {
  grep '^raised: ' said >raised || die "$(cat said)"
  expect "functions raised" 1 "$(grep -c . raised)"
  expect_text raised "^raised: $1$"
}

# `work` of the second file is hot in the fleet.
second_work() {
  recording "$1=/srv/program" main=2000 _ZL4work#1=2000 _ZL4work#2=400000 there=2000 3add=500
}

local_functions() {
  canary "$1" ir
  fleet "$1" program
  second_work program
  combine --sample=fleet.data --binary=program
  expect_raised '.*locals_two.cpp[:;]_ZL4workj'
}

# Front-end instrumentation names the file without its directory, of which the hash is made.
frontend_local_functions() {
  canary "$1" frontend
  fleet "$1" program
  second_work program
  combine --sample=fleet.data --binary=program
  expect "ambiguous names" 2 "$(grep -c '^ambiguous: _ZL4workj.__uniq' said)"
  expect_no_text said '^raised'
}

# Without hashes in the fleet the two are one name, and nobody can tell.
plain_local_functions() {
  canary "$1" ir
  fleet "$1" program -fno-unique-internal-linkage-names
  second_work program
  combine --sample=fleet.data --binary=program
  expect_text said '^ambiguous: _ZL4workj$'
  expect_no_text said '^raised'
}

# The other way round: the canary has hashes, too.
hashes_on_both_sides() {
  canary "$1" ir -funique-internal-linkage-names
  fleet "$1" program
  second_work program
  combine --sample=fleet.data --binary=program
  expect_raised '.*_ZL4workj.__uniq.[0-9]*'
}

stripped() {
  canary "$1" ir
  fleet "$1" program
  second_work program
  mkdir elsewhere .debug
  objcopy --only-keep-debug program elsewhere/program.debug
  cp program whole
  strip program
  expect_status 1 combine --sample=fleet.data --binary=program 2>complaints
  expect_text complaints 'what was stripped off it'
  combine --sample=fleet.data --binary=program --debug-binary=elsewhere/program.debug
  cp out.profdata separate.profdata
  expect_raised '.*locals_two.cpp[:;]_ZL4workj'
  objcopy --add-gnu-debuglink=elsewhere/program.debug program
  mv elsewhere/program.debug .debug
  combine --sample=fleet.data --binary=program
  cmp separate.profdata out.profdata
  combine --sample=fleet.data --binary=whole
  cmp separate.profdata out.profdata
}

# both_builds N KIND: a canary of each build, with counts of that kind, and the fleet's binaries.
both_builds() {
  canary "$1" "$2"
  # shellcheck disable=SC2046
  stockxx "$1" -O1 -DSECOND_BUILD $(instrumentation "$2") $(sources) -o instrumented
  run_stock "$PWD/canary/2.profraw" ./instrumented 2000 2000 500
  fleet "$1" first
  fleet "$1" second -DSECOND_BUILD
}

# Each build's samples come from its own processes; the canary ran both.
two_builds() {
  both_builds "$1" frontend
  recording first=/srv/first main=4000 _ZL4work#1=2000 _ZL4work#2=2000 there=100000 3add=500 -- \
    second=/srv/second main=4000 _ZL4work#1=2000 _ZL4work#2=2000 there=300000 3add=500
  "$CONTPROF" sample --perfdata=fleet.data --binary=first -o first.prof --binary=second -o second.prof \
    >sampled 2>&1 || die "$(cat sampled)"
  combine --sample=first.prof --sample=second.prof --tolerance=4
  expect_raised '_Z5therej'
  expect_text said 'in the first of 2 shapes'
  expect_text said 'sampled: .* 400000 in all'
}

# One command from a fleet's raw files and recordings to one profile: two canaries' builds, two recordings
# of two builds, in directories; as in steps.
one_command() {
  both_builds "$1" ir
  fleet "$1" third -DSECOND_BUILD -Wl,--defsym=third=0
  mkdir recorded
  recording first=/srv/first main=4000 _ZL4work#1=2000 _ZL4work#2=2000 there=100000 3add=500
  mv fleet.data recorded/perf.data
  recording first=/srv/first main=40 there=500 -- second=/srv/second main=4000 _ZL4work#1=2000 \
    _ZL4work#2=2000 there=300000 3add=500
  mv fleet.data recorded/perf.data.2
  "$CONTPROF" sample --perfdata=recorded/perf.data --binary=first -o 1.prof --populate-profile-symbol-list 2>said
  "$CONTPROF" sample --perfdata=recorded/perf.data.2 --binary=first -o 2.prof --binary=second -o 3.prof \
    --populate-profile-symbol-list 2>said
  profdata "$1" merge --sample --extbinary -o steps.prof 1.prof 2.prof 3.prof
  combine --sample=steps.prof --tolerance=4
  expect_raised '_Z5therej'
  expect_text said 'sampled: .* 400500 in all'
  mv out.profdata steps.profdata
  mv said steps.said
  combine --sample=recorded --binary=second --binary=third --binary=first --tolerance=4 2>complaints
  expect_same "what --explain says" steps.said said
  cmp steps.profdata out.profdata
  expect_text complaints 'third has no samples in any of the recordings'
  expect "binaries told of" 1 "$(grep -c 'no samples in' complaints)"
  supplement="--suppl-min-size-threshold=0 --instr-prof-cold-threshold=100000"
  # shellcheck disable=SC2086 # a list of options
  "$CONTPROF" merge --llvm="$1" --supplement-instr-with-sample=steps.prof $supplement -o steps.profdata canary \
    2>said
  # shellcheck disable=SC2086
  "$CONTPROF" merge --llvm="$1" --supplement-instr-with-sample=recorded/perf.data --binary=first --binary=second \
    --supplement-instr-with-sample=recorded/perf.data.2 $supplement -o out.profdata canary 2>said
  cmp steps.profdata out.profdata
  # shellcheck disable=SC2086
  profdata "$1" merge -o merged.profdata canary/*.profraw && profdata "$1" merge \
    --supplement-instr-with-sample=steps.prof $supplement -o stock.profdata merged.profdata
  for whose in stock out; do
    stock_counts "$1" $whose.profdata >$whose.txt
  done
  expect_same_functions "supplemented" stock.txt out.txt
  expect_status 2 "$CONTPROF" combine --instr=canary --sample=recorded --binary=first --binary=second \
    --debug-binary=first -o out 2>complaints
  expect_text complaints 'goes with one --binary'
}

# The canary's build lacks a function, and has one that the fleet's has no more.
removed() {
  canary "$1" ir
  "$CONTPROF" merge --no-function='there|3add' -o less.profdata canary 2>/dev/null
  fleet "$1" program
  recording program=/srv/program main=2000 _ZL4work#1=2000 _ZL4work#2=2000 there=400000 3add=500
  "$CONTPROF" combine --instr=less.profdata --sample=fleet.data --binary=program -o out.profdata \
    --explain >said
  expect_text said '^not in the counts: _Z5therej$'
  expect_text said '^not in the counts: _ZN27Pair.{80,}$'
  "$CONTPROF" merge -o whole.profdata less.profdata
  cmp whole.profdata out.profdata
}

long_names() {
  canary "$1" "$2"
  fleet "$1" program
  recording program=/srv/program main=2000 _ZL4work#1=2000 _ZL4work#2=2000 there=2000 3add=100000
  combine --sample=fleet.data --binary=program
  expect_raised '_ZN27Pair.{80,}3addE.*'
}

# One command from raw files and a recording to a supplemented profile: as llvm-profdata from the two
# profiles that it takes.
supplemented() {
  canary "$1" ir
  fleet "$1" program
  second_work program
  "$CONTPROF" sample --perfdata=fleet.data --binary=program -o fleet.prof --format=text >sampled 2>&1
  profdata "$1" merge -o merged.profdata canary/1.profraw
  supplement="--suppl-min-size-threshold=0 --instr-prof-cold-threshold=100000"
  # shellcheck disable=SC2086 # a list of options
  profdata "$1" merge --supplement-instr-with-sample=fleet.prof $supplement -o stock.profdata merged.profdata
  # shellcheck disable=SC2086
  "$CONTPROF" merge --llvm="$1" --supplement-instr-with-sample=fleet.data --binary=program $supplement \
    -o ours.profdata canary 2>/dev/null
  for whose in merged stock ours; do
    stock_counts "$1" $whose.profdata >$whose.txt
  done
  expect_same_functions "supplemented" stock.txt ours.txt
  [ "$1" = 14 ] || ! cmp -s merged.txt ours.txt || die "nothing was supplemented"
}

bad_recordings() {
  canary "$1" ir
  fleet "$1" program
  second_work program
  expect_status 2 "$CONTPROF" combine --instr=canary --sample=fleet.data -o out 2>complaints
  expect_text complaints 'with --binary=FILE'
  expect_status 1 "$CONTPROF" combine --instr=canary --sample=fleet.data --binary=instrumented -o out 2>complaints
  expect_text complaints 'instrumented: it has no debug information'
  echo 'int main(void) { return 0; }' | "clang-$1" -g -xc - -o other
  expect_status 1 "$CONTPROF" combine --instr=canary --sample=fleet.data --binary=other -o out 2>complaints
  expect_text complaints 'no samples of other'
  expect_status 2 "$CONTPROF" merge --supplement-instr-with-sample=fleet.data -o out canary 2>complaints
  [ ! -e out ] || die "what failed has written something"
}

# By the clock: the fleet spends its time in what the canary hardly ran.
recorded_here() {
  canary "$1" ir
  fleet "$1" program
  perf record -q -e cpu-clock:u -F 2000 -o fleet.data -- ./program 1000 200000000 1000 >perf_said 2>&1 ||
    die "$(cat perf_said)"
  "$CONTPROF" overlap canary/1.profraw fleet.data >/dev/null 2>&1 && die "a recording is no profile"
  combine --sample=fleet.data --binary=program
  expect_text said '^scale: '
  expect_text said 'sampled: [1-9]'
  stockxx "$1" -O2 -fprofile-use=out.profdata -c "$PROGRAMS/locals_two.cpp" -o used.o
  # Its samples count once each there; its periods, each some 500000, would make all of them sure.
  "$CONTPROF" sample --perfdata=fleet.data --binary=program --sample-period=1 --populate-profile-symbol-list \
    -o fleet.prof 2>said
  "$CONTPROF" combine --instr=canary --sample=fleet.prof --text -o fleet.prof.text 2>said
  "$CONTPROF" combine --instr=canary --sample=fleet.data --binary=program --text \
    -o fleet.data.text 2>said
  expect_same "samples counted once" fleet.prof.text fleet.data.text
}

for llvm in $LLVMS; do
  check "local functions, clang $llvm ir" local_functions "$llvm"
  check "a stripped binary, clang $llvm" stripped "$llvm"
  check "two builds, clang $llvm" two_builds "$llvm"
  check "one command from raw files and recordings, clang $llvm" one_command "$llvm"
  check "one command to a supplemented profile, clang $llvm" supplemented "$llvm"
done
check "local functions, frontend" frontend_local_functions $NEWEST
check "local functions without hashes" plain_local_functions $NEWEST
check "local functions with hashes on both sides" hashes_on_both_sides $NEWEST
check "functions that the canary lacks" removed $NEWEST
check "long names, ir" long_names $NEWEST ir
check "long names, frontend" long_names $NEWEST frontend
check "recordings that can't be used" bad_recordings $NEWEST
if perf record -q -e cpu-clock:u -o "$TEST_DIR/probe.data" -- true >/dev/null 2>&1; then
  check "a recording of this machine" recorded_here $NEWEST
else
  ok "a recording of this machine # SKIP perf record is not permitted here"
fi
