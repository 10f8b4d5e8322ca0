#!/bin/sh
# The bench of samples, in small: it measures every case, and ends if a profile is not llvm-profgen's.
. "$(dirname "$0")/lib.sh"

every_case() {
  "$ROOT/test/bench/sample" --scale=0.01 --rounds=1 --directory="$PWD/inputs" --json="$PWD/sample.json" \
    >table.txt 2>log || die "$(cat log)"
  for title in "^perf.data, " "the same$" "of 13 stacks$" "^contprof, perf.data of" llvm-profgen \
    create_llvm_prof; do
    expect_text table.txt "$title"
  done
  python3 -c 'import json, sys
rows = json.load(open("sample.json"))["rows"]
sys.exit(not all(row["processor"] > 0 and row["kilobytes"] > 0 for row in rows))'
  # What was made is kept.
  "$ROOT/test/bench/sample" --scale=0.01 --rounds=1 --cases=repeated --directory="$PWD/inputs" \
    --json="$PWD/again.json" >table.txt 2>log || die "$(cat log)"
  ! grep making log || die "inputs were made again"
}

wrong_command_lines() {
  for option in --cases=none --rounds=0 --scale=0; do
    expect_status 2 "$ROOT/test/bench/sample" $option
  done
}

check "every case" every_case
check "wrong command lines" wrong_command_lines
