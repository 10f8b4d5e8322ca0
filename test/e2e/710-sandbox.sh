#!/bin/sh
# Processes that can open nothing any more: in seccomp's modes, in another root, without their rights, on
# read-only file systems. They count on; their children do what is possible, and one line says what is
# not.
. "$(dirname "$0")/namespace-lib.sh"
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

# Nothing but read, write and the end is allowed; the kernel kills for anything else.
strict() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 0 "work 1; sandbox strict; work 10; raw_exit"
  expect_empty complaints
  expect_work 11 "$(the_profile)"
  LLVM_PROFILE_FILE=y-%p.profraw expect_steps 137 "work 2; sandbox strict; work 20; kill"
  expect_empty complaints
  expect_work 22 "$(find . -name 'y-*.profraw')"
}

# The child counts in its memory, and its parent undisturbed in the file.
no_files() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; sandbox files; work 10
    fork b; work 100; raise; fork c; work 1000; kill; exit 4; work 10000; exit 5"
  expect_complaint "can't create \".*\": operation not permitted; this process counts in memory"
  expect_work 10011 "$(the_profile)"
}

# Not even memory: the child's counts are in its parent's file.
no_mappings() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; sandbox maps; work 10
    fork b; work 100; raise; exit 4; work 1000; exit 5"
  expect_complaint "can't leave the parent's file for \".*\": operation not permitted; this process counts there"
  expect_work 1111 "$(the_profile)"
}

# A directory that is the root after `chroot jail`, with nothing in it.
jail() {
  mkdir -m 755 jail
  chmod 777 .
}

another_root() {
  jail
  chmod 555 jail
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; chroot jail; $1; work 10
    fork b; work 100; exit; _Fork c; work 1000; kill; exit 5"
  expect_complaint "can't create \".*/x-[0-9]*.profraw\": (permission denied|operation not permitted); this process"
  expect_work 1011 "$(the_profile)"
  expect "in the jail" "" "$(ls jail)"
}

# The directory is there in the new root as well; /proc is not.
place_in_another_root() {
  jail
  mkdir -p "jail$PWD"
  chmod 777 "jail$PWD"
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; chroot jail; $1; work 10
    fork b; work 100; _exit; exit 5"
  expect_empty complaints
  expect_files 2
  expect_no_temporaries
  expect_work 11 x-*.profraw
  expect_work 100 "jail$PWD/x-$(pid_of b).profraw"
}

without_rights() {
  mkdir -m 755 d
  chmod 755 .
  LLVM_PROFILE_FILE=d/x-%p.profraw expect_steps 5 "work 1; user 65534; work 10; fork b; work 100; exit; exit 5"
  expect_complaint "can't create \".*\": permission denied; this process counts in memory"
  expect_work 11 d/x-*.profraw
}

# The root file system is read-only, a volume is not.
read_only_root() {
  # shellcheck disable=SC2016 # of the inner shell
  expect_status 5 unshare -m sh -uc '
    mount -o remount,bind,ro /
    touch ../x 2>/dev/null && exit 1
    LLVM_PROFILE_FILE=$PWD/x-%p.profraw "$1" "work 1; chdir /; fork b; work 10; _exit; exit" || exit 2
    volume=$PWD
    cd ..
    LLVM_PROFILE_FILE=y-%p.profraw "$1" "work 100; exit 5" 2>"$volume/heard"' sh "$TEST_DIR/steps"
  cat heard >complaints
  expect_complaint "can't create \".*/y-[0-9]*.profraw\": read-only file system; counting in memory"
  expect_files 2
  expect "work" 11 "$(counted work x-*.profraw)"
}

one_build() {
  check "$name: seccomp, strict" strict
  check "$name: seccomp, no files" no_files
  check "$name: seccomp, no files and no mappings" no_mappings
  if has_users; then
    check "$name: chroot and another user" another_root "user 65534"
    check "$name: chroot with a place for it" place_in_another_root "user 65534"
    check "$name: rights dropped" without_rights
  else
    skipped "$name: chroot and rights dropped" "this user can't become another"
  fi
  if [ -n "$read_only" ]; then
    check "$name: read-only root" in_volume size=4m read_only_root
  else
    skipped "$name: read-only root" "no file systems can be mounted here"
  fi
}

read_only=
mkdir probe
chmod 755 "$TEST_DIR"
if mounted tmpfs probe && unshare -m mount -o remount,bind,ro / 2>/dev/null; then
  umount probe
  read_only=yes
fi
with_each_build one_build
