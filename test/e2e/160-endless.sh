#!/bin/sh
# `while (!stop)` loops, read while they run and killed while they run: what the program has told of
# its progress is in the file, to the last step.
. "$(dirname "$0")/lib.sh"

build_endless() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" "$PROGRAMS/endless.c" \
    -o endless
}

progress() {
  od -A n -t u8 progress | tr -d ' '
}

has_progress() {
  [ "$(progress)" -gt "$1" ]
}

# How often the loop of FUNCTION has run: the largest of its counters.
loop_count() {
  stock_counts "$llvm" "$1" | awk -v name="  $2:" '$0 == name { here = 1; next }
    here && /Block counts:/ { gsub(/[^0-9 ]/, ""); for (i = 1; i <= NF; i++) if ($i > n) n = $i
      print n + 0; exit }'
}

# The file may be one step ahead of what the program has told.
expect_near() {
  [ "$2" -ge "$1" ] && [ "$2" -le $(($1 + 1)) ] || die "counted $2, told $1"
}

counts_while_running() {
  build_endless
  start ./endless "$loop" progress
  wait_for 20 test -s progress
  wait_for 20 has_progress 1000
  before=$(loop_count "endless-$PID.profraw" "$loop")
  [ "$before" -ge 1000 ] || die "while running: counted $before"
  wait_for 20 has_progress "$((before + 1000))"
  after=$(loop_count "endless-$PID.profraw" "$loop")
  [ "$after" -gt "$before" ] || die "has not grown beyond $before"
  kill_hard "$PID"
  expect_near "$(progress)" "$(loop_count "endless-$PID.profraw" "$loop")"
}

# Frontend instrumentation counts the call as well.
calls_from_the_loop() {
  build_endless
  start ./endless serve progress
  wait_for 20 test -s progress
  wait_for 20 has_progress 1000
  kill_hard "$PID"
  stock_counts "$llvm" "endless-$PID.profraw" >counts.txt
  expect_near "$(progress)" "$(function_count counts.txt step)"
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    for opt in -O0 -O2 -O3; do
      for mode in $MODES; do
        for loop in spin serve; do
          check "clang $llvm $kind $opt $mode: while (!stop), $loop" counts_while_running
        done
        check "clang $llvm $kind $opt $mode: calls from the loop" calls_from_the_loop
      done
    done
  done
done
