#!/bin/sh
# What contprof merge does beyond summing: failure modes, a least share of good inputs, the report,
# outputs by build, functions chosen by name, the progress line.
. "$(dirname "$0")/lib.sh"

merge() {
  "$CONTPROF" merge "$@"
}

# good_and_bad: a.proftext and b.proftext are good, cut.profraw and "missing" are not.
good_and_bad() {
  printf 'main\n1\n1\n5\nfile.c:helper\n2\n1\n6\n' >a.proftext
  printf 'main\n1\n1\n7\n' >b.proftext
  printf '\201rforpl\377' >cut.profraw
}

failure_modes() {
  good_and_bad
  expect_status 1 merge -o out cut.profraw a.proftext 2>said
  expect_status 0 merge --failure-mode=all -o out cut.profraw a.proftext 2>said
  expect_status 1 merge --failure-mode=all -o none cut.profraw missing 2>said
  [ ! -e none ] || die "a merge that failed has written something"
  expect_status 0 merge --failure-mode=warn --text -o empty cut.profraw missing 2>said
  expect_text said '^contprof: warning: 2 of 2 inputs skipped'
  expect_empty empty
  profdata "$NEWEST" merge --failure-mode=warn --text -o stock cut.profraw 2>said
  expect_empty stock
  expect_status 2 merge --failure-mode=never -o out a.proftext 2>said
  expect_text said 'expected any, all or warn'
}

least_share() {
  good_and_bad
  expect_status 0 merge --failure-mode=all --min-valid=66 -o out a.proftext b.proftext missing 2>said
  expect_status 1 merge --failure-mode=all --min-valid=67% -o not a.proftext b.proftext missing 2>said
  expect_text said '^contprof: error: 2 of 3 inputs are good, which is less than the 67 %'
  expect_status 1 merge --failure-mode=warn --min-valid=1 -o not missing 2>said
  [ ! -e not ] || die "a merge that failed has written something"
  expect_status 2 merge --min-valid=101 -o out a.proftext 2>said
  expect_status 2 merge --min-valid= -o out a.proftext 2>said
}

# field FILE EXPRESSION: of the parsed report.
field() {
  python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

report() {
  good_and_bad
  stock "$NEWEST" -fprofile-instr-generate -Wl,--build-id=0xfeed01 "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o program
  for i in 1 2 3 4; do
    run_stock "$PWD/$i.profraw" ./program exit
  done
  odd=$(printf 'a"\\\n\377\303\244.profraw')
  cp cut.profraw "$odd"
  expect_status 0 merge --failure-mode=all --report=report.json -o out 1.profraw 2.profraw \
    --weighted-input=3,3.profraw 4.profraw a.proftext cut.profraw missing "$odd" 2>said
  expect "inputs" 8 "$(field report.json 'len(r["inputs"])')"
  expect "merged" 5 "$(field report.json 'r["merged"]')"
  expect "skipped" 3 "$(field report.json 'r["skipped"]')"
  functions=$(profdata "$NEWEST" show out | sed -n 's/^Total functions: //p')
  expect "functions" "$functions" "$(field report.json 'r["functions"]')"
  for i in 1 2 3 4; do
    ids=$(field report.json "[i['build_ids'] for i in r['inputs'] if i['path'] == '$i.profraw']")
    expect "build-ids of $i" "[['feed01']]" "$ids"
  done
  expect "the last input, a weighted one" 3.profraw "$(field report.json 'r["inputs"][-1]["path"]')"
  weighted=$(field report.json '[i["weight"] for i in r["inputs"] if i["path"] == "3.profraw"]')
  expect "weight" "[3]" "$weighted"
  python3 - <<'END'
import json
inputs = {entry["path"]: entry for entry in json.load(open("report.json"))["inputs"]}
cut, missing = inputs["cut.profraw"], inputs["missing"]
assert not cut["merged"] and cut["section"] == "header" and cut["offset"] == 8, cut
assert not missing["merged"] and "No such file" in missing["reason"], missing
assert 'a"\\\n\ufffd\u00e4.profraw' in inputs, inputs.keys()
END
  expect_status 1 merge --report=failed.json -o none a.proftext cut.profraw 2>said
  expect "merged, of a merge that fails" 1 "$(field failed.json 'r["merged"]')"
  expect_status 1 merge --report=no/such/dir.json -o out a.proftext 2>said
  expect_text said 'no/such/dir.json'
}

by_build() {
  for build in aa bb; do
    stock "$NEWEST" -fprofile-instr-generate -Wl,--build-id=0x$build$build "$PROGRAMS/calls.c" \
      "$PROGRAMS/ending.c" -o $build
    for i in 1 2 3; do
      run_stock "$PWD/$build-$i.profraw" ./$build exit
    done
    "$CONTPROF" merge -o wanted-$build.profdata $build-*.profraw
  done
  printf 'main\n1\n1\n5\n' >text.proftext
  expect_status 0 merge --by-build --llvm=19 -o all.profdata aa-1.profraw bb-1.profraw \
    bb-2.profraw text.proftext aa-2.profraw aa-3.profraw bb-3.profraw
  expect "the outputs" "all.aaaa.profdata all.bbbb.profdata all.no-build-id.profdata" \
    "$(echo all.*)"
  for build in aa bb; do
    "$CONTPROF" merge --llvm=19 -o wanted.profdata $build-*.profraw
    cmp wanted.profdata all.$build$build.profdata
  done
  expect_status 1 merge --by-build -o all.profdata all.aaaa.profdata wanted.profdata \
    aa-1.profraw missing 2>said
  profdata 19 merge -o two.profdata aa-1.profraw bb-1.profraw
  expect_status 0 merge --failure-mode=all --by-build -o again two.profdata aa-1.profraw 2>said
  expect_text said 'two.profdata: has the counts of 2 builds'
  [ -s again.aaaa ] || die "no file for the build: $(ls)"
  expect_status 2 merge --by-build aa-1.profraw 2>said
}

# The same command again: what it wrote the last time lies in the directory and is no input; named
# itself, it is.
not_its_own_output() {
  mkdir fleet
  printf 'main\n1\n1\n5\n' >fleet/a.proftext
  for round in 1 2 3; do
    merge --text -o fleet/all.proftext fleet
    expect_text fleet/all.proftext '^5$'
    (cd fleet && merge --text -o ./all.proftext .)
    expect_text fleet/all.proftext '^5$'
    echo "round $round"
  done
  merge --text -o fleet/all.proftext fleet fleet/all.proftext
  expect_text fleet/all.proftext '^10$'
}

outputs_by_build_are_no_inputs() {
  mkdir fleet
  stock "$NEWEST" -fprofile-instr-generate -Wl,--build-id=0xabcd "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/fleet/a.profraw" ./program exit
  for round in 1 2 3; do
    merge --by-build -o fleet/all.profdata fleet
    profdata "$NEWEST" show --all-functions --counts fleet/all.abcd.profdata >$round.txt
  done
  expect_same "the third time" 1.txt 3.txt
}

# by_name OPTION...: as llvm-profdata keeps and drops them.
by_name() {
  merge --text -o ours.proftext "$@" a.profraw 2>ours.said
  profdata "$NEWEST" merge --text -o stock.proftext "$@" a.profraw 2>stock.said
  expect_same "the functions kept by $*" stock.proftext ours.proftext
  expect_same "what is said of $*" stock.said ours.said
}

functions_by_name() {
  stock "$NEWEST" -fprofile-instr-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
  by_name --function=main
  by_name '--function=^(leaf|never)$'
  by_name --no-function=e
  by_name --function=e --no-function=le
  by_name --function=nothing_matches_this
  expect_status 2 merge '--function=(' -o out a.profraw 2>said
  expect_text said 'function=\('
}

# On a terminal alone, and only when the work takes its time: the second input is a pipe that has
# nothing to say for a while.
progress_line() {
  good_and_bad
  mkfifo slow
  start sh -c 'sleep 2; cat a.proftext >slow'
  script -qec "$CONTPROF merge --text -o out b.proftext slow b.proftext" terminal >/dev/null
  expect_text terminal '\[#+ *\] [23] of 3 inputs'
  expect_text out '^19$'
  start sh -c 'sleep 2; cat a.proftext >slow'
  "$CONTPROF" merge --text -o out b.proftext slow 2>said
  expect_empty said
}

check "failure modes" failure_modes
check "a least share of good inputs" least_share
check "the report" report
check "one output for each build" by_build
check "not its own output" not_its_own_output
check "outputs by build are no inputs" outputs_by_build_are_no_inputs
check "functions by name" functions_by_name
check "the progress line" progress_line
