#!/bin/sh
# contprof_rotate under threads that count as fast as they can: hundreds of files, which together
# hold every increment, each exactly once, and each of which is a valid profile.
. "$(dirname "$0")/lib.sh"

ROUNDS=60

build() {
  # shellcheck disable=SC2046,SC2086 # lists of flags
  cc "$llvm" $flags $(instrumentation "$kind") "-fprofile-continuous=$mode" -pthread \
    "$PROGRAMS/rotates.c" "$TEST_DIR/ending.o" -o rotates
}

# expect_sum FILE...: together they hold what the program said.
expect_sum() {
  expect_empty complaints
  stock_merged_counts "$llvm" counts.txt "$@"
  expect_calls said counts.txt
}

# The targets of indirect calls: one in each thread's function, counted as often as that.
expect_targets() {
  profdata "$llvm" show --all-functions --ic-targets stock_merged.profdata |
    sed -n 's/.*\(target_[0-9]\), *\([0-9]*\) .*/calls \1 \2/p' | sort >targets.txt
  grep '^calls target_' said | sort >wanted.txt
  expect_same "targets" wanted.txt targets.txt
}

rotates() {
  build
  LLVM_PROFILE_FILE=$PWD/files/r-%p.profraw expect_killed ./rotates $ROUNDS >said 2>complaints
  expect "files" $((ROUNDS + 1)) "$(find files -type f | wc -l)"
  expect_sum files/*
  [ "$kind" != ir ] || expect_targets
}

# To another name, which is then taken, and back; and in a pool, whose files are not taken up again.
rotates_to() {
  build
  LLVM_PROFILE_FILE=$PWD/files/$1 expect_killed ./rotates 20 "$2" >said 2>complaints
  expect "files" 21 "$(find . -name '*.profraw' | wc -l)"
  # shellcheck disable=SC2046 # a list of files without spaces
  expect_sum $(find . -name '*.profraw')
}

stock $NEWEST -fPIC -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for mode in $MODES; do
    # An update of several instructions, as for AArch64, may be interrupted in the midst of them.
    for kind in $([ -n "$TARGET" ] || echo frontend ir); do
      for flags in -O0 -O2; do
        check "clang $llvm $kind $mode $flags: nothing lost, nothing twice" rotates
      done
    done
    kind=ir flags="-O2 -fprofile-update=atomic"
    check "clang $llvm $kind $mode: atomic" rotates
  done
  mode=auto kind=frontend flags="-O2${TARGET:+ -fprofile-update=atomic}"
  check "clang $llvm: two names in turn" rotates_to one.profraw "two/%h.profraw"
  check "clang $llvm: a pool" rotates_to %m.profraw %2m.profraw
done
