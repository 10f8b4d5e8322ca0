#!/bin/sh
# Signals, forks and jumps at the worst moments, that must not end the program, nor leave the runtime's
# locks taken for ever: signals whose handlers fork in the middle of
# the runtime's functions, a shared object that is closed while other threads fork, and handlers that
# jump out of a count.
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

# In all files together the handler has run as often as it says: none of its runs, in any of the
# processes, is lost or counted twice.
a_fork_within() {
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" \
    "$PROGRAMS/interrupted_calls.c" "$TEST_DIR/ending.o" -o interrupted
  for call in "$@"; do
    mkdir "$call"
    (cd "$call" && expect_killed ../interrupted "$call" >said 2>complaints)
    expect_empty "$call/complaints"
    [ "$call" = reset ] || expect "$call: handler" "$(awk '{ print $3 }' "$call/said")" \
      "$(counted on_signal "$call"/*.profraw)"
  done
}

an_object_closed_beside_forks() {
  cc "$llvm" -O1 -fprofile-instr-generate -fprofile-continuous -fPIC -shared -DPART=a \
    "$PROGRAMS/part.c" -o part.so
  stock "$llvm" "$PROGRAMS/forks_beside_opens.c" -ldl -pthread -o opens
  export LLVM_PROFILE_FILE="$PWD/x/%p.profraw"
  # shellcheck disable=SC2086 # words
  expect_status 0 timeout -s KILL 60 $RUN ./opens ./part.so 600 >said 2>complaints
  expect_empty complaints
  expect "part_a" 600 "$(counted part_a x/*.profraw)"
}

a_jump_out_of_a_count() {
  cc "$llvm" -O1 -fprofile-generate -mllvm -pgo-instrument-entry "-fprofile-continuous=$mode" \
    "$PROGRAMS/jumps_away.c" "$TEST_DIR/ending.o" -o jumps
  LLVM_PROFILE_FILE=before.profraw expect_killed ./jumps >said 2>complaints
  expect_empty complaints
  stock_counts "$llvm" after.profraw >counts.txt
  expect_calls said counts.txt
}

# A stack of its own for handlers, of the traditional size: 8 KiB, half of which may be the kernel's.
a_fork_in_a_small_stack() {
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" \
    "$PROGRAMS/small_signal_stack.c" "$TEST_DIR/ending.o" -o small
  for pattern in %p.profraw '' x.profraw %m.profraw; do
    mkdir d
    (cd d && LLVM_PROFILE_FILE=$pattern expect_killed ../small 4096 >said 2>complaints)
    expect_empty d/complaints
    expect "files" 2 "$(find d -name '*.profraw' | wc -l)"
    expect "in the child" 3 "$(counted in_child d/*.profraw)"
    rm -r d
  done
}

one_build() {
  check "$name: a fork within a function of the runtime" a_fork_within rotate snapshot reset rename sync
  check "$name: a fork in a handler's small stack" a_fork_in_a_small_stack
  check "$name: a jump out of a count" a_jump_out_of_a_count
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  check "clang $llvm: an object closed while threads fork" an_object_closed_beside_forks
  for mode in $MODES; do
    name="clang $llvm $mode"
    one_build
  done
done
