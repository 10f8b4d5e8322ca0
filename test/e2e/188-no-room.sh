#!/bin/sh
# Where the live file can't be: disk full, read-only, no such directory. The program does its work
# all the same, one line says why, no broken file stays, and where there is room at its end the
# counts are written then.

# In a mount namespace of its own, for the small file system; without root, in a user namespace too.
if [ -z "${CONTPROF_TEST_NAMESPACE:-}" ]; then
  export CONTPROF_TEST_NAMESPACE=1
  [ "$(id -u)" = 0 ] && exec unshare -m sh "$0"
  exec unshare -rm sh "$0"
fi

. "$(dirname "$0")/lib.sh"

build_calls() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$mode" "$PROGRAMS/calls.c" \
    "$TEST_DIR/ending.o" -o calls
}

# in_disk FUNCTION: with disk/, the small file system, empty and writable.
in_disk() {
  mount -o remount,rw "$TEST_DIR/disk"
  find "$TEST_DIR/disk" -mindepth 1 -delete
  ln -s "$TEST_DIR/disk" disk
  "$@"
}

expect_one_line() {
  [ "$(wc -l <complaints)" = 1 ] || die "not one line of complaint: $(cat complaints)"
  expect_text complaints "^contprof: .*$1"
}

# No profile that is not one.
expect_only_whole_files() {
  for raw in "$1"/*.profraw; do
    [ ! -e "$raw" ] || stock_counts "$llvm" "$raw" >/dev/null || die "$raw is broken"
  done
}

fill_disk() {
  dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null || true
}

full_disk() {
  build_calls
  ./calls exit >wanted
  rm ./*.profraw
  fill_disk
  LLVM_PROFILE_FILE=disk/full.profraw ./calls exit >said 2>complaints
  expect_same "what it says" wanted said
  expect_one_line full.profraw
  expect_only_whole_files disk
}

room_at_the_end() {
  build_calls
  fill_disk
  mkfifo input
  exec 3<>input # both ways, or each end would wait for the other to be opened
  LLVM_PROFILE_FILE=disk/later.profraw start ./calls stdin <input 3>&- >said 2>complaints
  wait_for 20 grep -q ready said
  rm disk/filler
  exec 3>&-
  wait_end "$PID"
  expect "status" 0 "$STATUS"
  expect_one_line later.profraw
  stock_counts "$llvm" disk/later.profraw >counts.txt
  expect_calls said counts.txt
}

read_only() {
  build_calls
  mount -o remount,ro "$TEST_DIR/disk"
  LLVM_PROFILE_FILE=disk/x.profraw ./calls exit >said 2>complaints
  grep -q '^calls main 1' said
  expect_one_line x.profraw
}

# Also when it is killed: nothing can be kept, but nothing is left behind either.
full_then_killed() {
  build_calls
  fill_disk
  LLVM_PROFILE_FILE=disk/x.profraw expect_killed ./calls kill >said 2>complaints
  expect_one_line x.profraw
  expect_only_whole_files disk
}

not_a_directory() {
  build_calls
  : >file
  LLVM_PROFILE_FILE=file/x.profraw ./calls exit >said 2>complaints
  grep -q '^calls main 1' said
  expect_one_line x.profraw
}

current_directory_gone() {
  build_calls
  program=$PWD/calls
  mkdir gone
  (cd gone && rmdir ../gone && "$program" exit) >said 2>complaints
  grep -q '^calls main 1' said
  expect "lines of complaint" 1 "$(wc -l <complaints)"
}

mkdir disk
mount -t tmpfs -o size=64k none disk
stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for mode in segment pointer; do
      name="clang $llvm $kind $mode"
      check "$name: disk full" in_disk full_disk
      check "$name: disk full, then killed" in_disk full_then_killed
      check "$name: disk full at the start, room at the end" in_disk room_at_the_end
      check "$name: read-only" in_disk read_only
      check "$name: a file where the directory should be" not_a_directory
      check "$name: current directory removed" current_directory_gone
    done
  done
done
umount disk
