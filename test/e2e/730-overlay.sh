#!/bin/sh
# On overlayfs, where containers live, stat(2) and /proc/self/maps disagree on the device of a file:
# names, pools, forks and reloaded modules are as elsewhere.
. "$(dirname "$0")/namespace-lib.sh"
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

# in_overlay FUNCTION ARG...: in a directory of an overlay over two tmpfs, where what is below is on
# another one than what is written. By itself, for the sake of `set -e`.
in_overlay() {
  make_overlay
  set +e
  (
    set -e
    cd overlay/here
    "$@"
  )
  overlay_status=$?
  set -e
  umount -l overlay lower upper
  return "$overlay_status"
}

make_overlay() {
  mkdir lower upper overlay
  mounted tmpfs lower size=4m && mounted tmpfs upper size=8m
  mkdir lower/here upper/over upper/work
  cp "$TEST_DIR/old.profraw" lower/here/old.profraw
  mount -t overlay -o "lowerdir=$PWD/lower,upperdir=$PWD/upper/over,workdir=$PWD/upper/work" none overlay ||
    mount -t overlay -o \
      "lowerdir=$PWD/lower,upperdir=$PWD/upper/over,workdir=$PWD/upper/work,userxattr" none overlay
}

names() {
  LLVM_PROFILE_FILE=x.profraw start "$TEST_DIR/steps" "work 1; run touch ready; pause"
  wait_for 20 test -e ready
  LLVM_PROFILE_FILE=x.profraw expect_steps 137 "work 10; kill"
  expect_work 1 x.profraw
  kill_hard "$PID"
  expect_files 3
  expect "both" 11 "$(counted work x*.profraw)"
  LLVM_PROFILE_FILE=old.profraw expect_steps 137 "work 100; kill" # in the layer below: replaced
  expect_work 100 old.profraw
  LLVM_PROFILE_FILE=y-%p.profraw expect_steps 0 "work 1; exec $TEST_DIR/steps exit"
  expect "before exec and after it" 2 "$(find . -name 'y-*' | wc -l)"
}

pools() {
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 1; fork b; work 10; kill; fork c; work 100; close_all; kill; kill"
  expect_files 3
  mv old.profraw "$(find . -name 'x-*_0.profraw')" # of the layer below, of the same build
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 1000; kill"
  expect_empty complaints
  expect "all" 2112 "$(counted work x-*.profraw)"
  expect_no_temporaries
}

# A hundred times, also while another thread runs and the mapping has to stay.
reloaded_module() {
  # shellcheck disable=SC2086 # none or one word
  LLVM_PROFILE_FILE=host-%p.profraw "$TEST_DIR/reopens" "$TEST_DIR/libcounted.so" 100 $1 >said
  expect "what is left in the process" "more mappings: 0
more descriptors: 0" "$(cat said)"
  expect "counted" 100 "$(counted counted host-*.profraw)"
  expect "files" 1 "$(find . -name 'host-*' | wc -l)"
}

one_build() {
  cc "$llvm" -O2 -fPIC -shared -fprofile-instr-generate -fprofile-continuous counted.c -o libcounted.so
  rm -f old.profraw
  LLVM_PROFILE_FILE=$TEST_DIR/old.profraw "$TEST_DIR/steps" "work 1002; exit"
  check "$name: names" in_overlay names
  check "$name: pools" in_overlay pools
  check "$name: a reloaded module" in_overlay reloaded_module ""
  check "$name: a reloaded module beside a thread" in_overlay reloaded_module thread
}

has_overlay() {
  [ "$CONTPROF_NAMESPACE" = yes ] || return 1
  mkdir probe
  (cd probe && make_overlay) 2>/dev/null || return 1
  umount -l probe/overlay probe/lower probe/upper
}

echo 'static volatile int sink; void counted(void) { sink++; }' >counted.c
stock $NEWEST "$PROGRAMS/reopens.c" -o reopens -ldl -lpthread
touch old.profraw
if has_overlay; then
  with_each_build one_build
else
  skipped "overlayfs" "none can be mounted here"
fi
