#!/bin/sh
# The live file while it grows by a thread's counters: a valid profile after each instruction, whether
# the module has value sites or not, and whether its names are compressed or not. And what is made of
# a file in a pool whose process was killed in the middle of that.
. "$(dirname "$0")/lib.sh"

build_grows() {
  # shellcheck disable=SC2086 # lists of flags
  cc "$llvm" -O1 $flags -fprofile-continuous -fprofile-update=sharded -pthread "$PROGRAMS/grows.c" \
    -o grows
}

watch_it() {
  mkdir states
  LLVM_PROFILE_FILE=$1 "$TEST_DIR/single_steps" "$2" states ./grows >said
  number=$(awk '/^states/ { print $2 }' said)
  [ "$number" -gt 20 ] || die "only $number states"
}

# merge refuses all where it refuses one.
each_state() {
  build_grows
  watch_it live.profraw live.profraw
  stock_merged_counts "$llvm" counts.txt states/*.profraw
  expect "calls in $number states" $((7 * number)) "$(function_count counts.txt work)"
  "$CONTPROF" merge -o ours.profdata states/*.profraw
  "$CONTPROF" show --all-functions --counts ours.profdata >ours.txt
  expect_same_functions "contprof's sum" counts.txt ours.txt
}

# Each state is what some process may have left behind. The next one adopts it, and adds its own; only
# some of them, since each takes a process.
adopted() {
  build_grows
  LLVM_PROFILE_FILE=pool/%m.profraw "$TEST_DIR/runs_through" ./grows
  name=$(basename "$(the_profile pool)")
  watch_it live.profraw live.profraw
  for at in $(seq 1 $((number / 12 + 1)) $((number - 1))); do
    cp "states/$at.profraw" "pool/$name"
    LLVM_PROFILE_FILE=pool/%m.profraw "$TEST_DIR/runs_through" ./grows
    expect "files, state $at" 1 "$(find pool -name '*.profraw' | wc -l)"
    stock_merged_counts "$llvm" counts.txt "pool/$name"
    expect "calls, state $at" 14 "$(function_count counts.txt work)"
  done
}

stock $NEWEST -O1 "$PROGRAMS/single_steps.c" -o single_steps
cat >runs_through.c <<'END'
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv) {
  signal(SIGTRAP, SIG_IGN);
  return argc < 2 || execv(argv[1], argv + 1);
}
END
stock $NEWEST runs_through.c -o runs_through
for llvm in $LLVMS; do
  flags="-fprofile-instr-generate -fcoverage-mapping"
  check "clang $llvm, names: valid at each instruction" each_state
  flags="-fprofile-instr-generate -mllvm -enable-name-compression=false"
  check "clang $llvm, plain names: valid at each instruction" each_state
  flags="-fprofile-generate -mllvm -pgo-instrument-entry"
  check "clang $llvm, values: valid at each instruction" each_state
  flags="-fprofile-instr-generate"
  check "clang $llvm, names: adopted when half done" adopted
  flags="-fprofile-generate -mllvm -pgo-instrument-entry"
  check "clang $llvm, values: adopted when half done" adopted
done
