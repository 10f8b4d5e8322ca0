#!/bin/sh
# `./run bench overhead` works: on its kernels, with next to no work, every measure is there and is of
# what it says.
. "$(dirname "$0")/lib.sh"

BENCH_PLACE=$TEST_DIR/bench
export BENCH_PLACE CONTPROF_BUILD="$BUILD"
RESULTS=$TEST_DIR/results.json

bench() {
  BENCH_LLVM=$NEWEST "$ROOT/test/bench/overhead" --brief --program=until-stopped,recursive \
    --variant=exact,relocation,segment --rounds=4 --compile-rounds=1 --json="$RESULTS"
}

# rows WHERE WHAT: for each build's row that Python finds WHERE true of, WHAT.
rows() {
  all_rows "r['variant'] != 'least' and ($1)" "$2"
}

all_rows() {
  python3 -c "
import json
for r in json.load(open('$RESULTS'))['rows']:
  if $1: print($2)"
}

has_every_measure() {
  rows "True" "r['program'], r['kind'], r['variant']" | sort >got
  for program in recursive until-stopped; do
    for variant in "frontend plain" "frontend relocation" "frontend segment" "frontend static" \
      "ir exact" "ir plain" "ir relocation" "ir segment" "ir static"; do
      echo "$program $variant"
    done
  done | sort >wanted
  expect_same "rows" wanted got
  rows "any(r.get(m, 0) <= 0 for m in ('instructions', 'seconds', 'text', 'compile_seconds',
    'instructions_over_static', 'seconds_over_static', 'text_over_static',
    'compile_seconds_over_static'))" "r" >incomplete
  expect_empty incomplete
  expect "rows with noise" 4 "$(rows "r.get('noise', -1) >= 0" 1 | wc -l)"
  expect "rows with work of a runtime" 14 "$(rows "r['in_runtime'] > 1000" 1 | wc -l)"
}

runs_are_alike() {
  expect "rows with the plain program's output" 18 "$(rows "r['same_output']" 1 | wc -l)"
  expect "rows with the same counts" 14 "$(rows "r.get('other_counts') == 0" 1 | wc -l)"
  frontend="r['program'] == 'until-stopped' and r['kind'] == 'frontend' and 'functions' in r"
  expect "functions of until-stopped" 3 "$(rows "$frontend" "r['functions']" | sort -u)"
}

# The ratio is that of the figures, and those are of the program that the row names: the same as in a
# build of our own but for what start-up takes in another directory.
figures_are_right() {
  stock $NEWEST -O2 -fprofile-instr-generate "$ROOT/test/overhead/recursive.c" -o program
  env -i PATH=/usr/bin:/bin LLVM_PROFILE_FILE=counted.profraw valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out \
    ./program 20 >said
  total=$(sed -n 's/^\(totals\|summary\): *\([0-9]*\).*/\2/p' callgrind.out | head -n 1)
  here="r['program'] == 'recursive' and r['kind'] == 'frontend'"
  measured=$(rows "$here and r['variant'] == 'static'" "r['instructions']")
  ours=$(rows "$here and r['variant'] == 'segment'" "r['instructions']")
  ratio=$(rows "$here and r['variant'] == 'segment'" "r['instructions_over_static']")
  awk -v a="$total" -v b="$measured" 'BEGIN { exit !(a / b < 1.02 && b / a < 1.02) }' ||
    die "callgrind counts $total here, and the bench $measured"
  expect "ratio" "$(awk -v a="$ours" -v b="$measured" 'BEGIN { printf "%.3f", a / b }')" \
    "$(printf '%.3f' "$ratio")"
  profdata $NEWEST merge -o counted.profdata counted.profraw
  counts=$(profdata $NEWEST show --all-functions --counts counted.profdata | grep -E '(Function|Block) count' |
    grep -oE '[0-9]+' | awk '{ sum += $1 } END { print sum }')
  plain=$(rows "$here and r['variant'] == 'plain'" "r['instructions']")
  expect "the least" "$((plain + counts))" "$(all_rows "$here and r['variant'] == 'least'" "r['instructions']")"
}

# A program that puts out something else than the uninstrumented one makes the bench fail. Measured
# anew, since the program is not the one that the bench has built.
other_output_is_seen() {
  cell=$BENCH_PLACE/cells/$NEWEST-O2/frontend-segment/recursive
  printf 'int main(void) { return puts("7 7") < 0; }\n' |
    cc $NEWEST -fprofile-instr-generate -fprofile-continuous -include stdio.h -x c - -o "$cell/program"
  sed -i 's/"program": "/&0/' "$cell/notes.json"
  expect_status 1 bench >out 2>&1
  expect_text out 'recursive, clang 19 -O2 frontend segment: the program puts out something else'
  expect_text out 'recursive, clang 19 -O2 frontend segment: .* of .* functions have other counts'
}

# What cannot be measured fails the bench, and the rest is measured all the same.
failure_is_seen() {
  cell=$BENCH_PLACE/cells/$NEWEST-O2/frontend-segment/until-stopped
  printf 'int main(void) { return 3; }\n' | stock $NEWEST -x c - -o "$cell/program"
  sed -i 's/"program": "/&0/' "$cell/notes.json"
  expect_status 1 bench >out 2>&1
  expect_text out 'until-stopped, clang 19 -O2 frontend segment: .*status 3'
  expect_text out 'contprof, segment .* FAILS$'
  expect "rows of what works" 17 "$(rows "'instructions' in r" 1 | wc -l)"
}

check "bench overhead: runs" bench
check "bench overhead: every measure" has_every_measure
check "bench overhead: same output, same counts" runs_are_alike
check "bench overhead: the figures are those of the programs" figures_are_right
check "bench overhead: sees a program that does something else" other_output_is_seen
check "bench overhead: sees a program that fails" failure_is_seen
