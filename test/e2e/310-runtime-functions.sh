#!/bin/sh
# The functions that programs call, on the live file: written profiles stay across resets, a new name
# takes the counts along, also to another file system, and with every descriptor closed.
. "$(dirname "$0")/lib.sh"

resets() {
  LLVM_PROFILE_FILE=$1 expect_killed "$renames" "$2" reset >said 2>complaints
  expect_said_files "$llvm"
  expect "files" 4 "$(find . -name '*.profraw' | wc -l)"
}

moves() {
  LLVM_PROFILE_FILE=old.profraw expect_killed "$renames" "$1" move "$2" >said 2>complaints
  expect_said_files "$llvm"
  [ ! -e old.profraw ] || die "the old name is still there"
}

moves_away() {
  away=$(mktemp -d /dev/shm/contprof-test.XXXXXX)
  status=0
  (moves "$1" "$away/new.profraw") || status=$?
  rm -r "$away"
  return $status
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
renames=$TEST_DIR/renames
for llvm in $LLVMS; do
  for mode in $MODES; do
    cc "$llvm" -O2 -fprofile-instr-generate "-fprofile-continuous=$mode" "$PROGRAMS/renames.c" \
      ending.o -o renames
    for fds in open closed; do
      name="clang $llvm $mode, descriptors $fds"
      check "$name: reset after write" resets name.profraw $fds
      check "$name: reset after write, %p" resets name-%p.profraw $fds
      check "$name: new name" moves $fds sub/new-%p.profraw
      check "$name: new name on another file system" moves_away $fds
    done
  done
done
