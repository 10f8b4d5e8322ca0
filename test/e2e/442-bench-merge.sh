#!/bin/sh
# The bench of merging, in small: it measures every case, and ends if a tool's result is another's.
. "$(dirname "$0")/lib.sh"

every_case() {
  "$ROOT/test/bench/merge" --scale=0.0005 --rounds=1 --threads=1 --directory="$PWD/inputs" \
    --json="$PWD/merge.json" >table.txt
  for title in "raw version 8$" "raw version 10$" "of one build" "of 2 builds" "of one function" \
    "^a text profile" "^show --topn=10" "^contprof, 1 files"; do
    expect_text table.txt "$title"
  done
  expect_text table.txt "^  reading -j1"
  for llvm in $LLVMS; do
    expect_text table.txt "llvm-profdata-$llvm"
  done
  python3 -c 'import json, sys
rows = json.load(open("merge.json"))["rows"]
sys.exit(not all(row["seconds"] > 0 and row["kilobytes"] > 0 for row in rows))'
  [ -z "$(ls inputs)" ] || die "inputs were left"
}

wrong_command_lines() {
  for option in --cases=none --llvm=12 --rounds=0; do
    expect_status 2 "$ROOT/test/bench/merge" $option
  done
}

check "every case" every_case
check "wrong command lines" wrong_command_lines
