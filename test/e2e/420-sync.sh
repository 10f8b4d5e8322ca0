#!/bin/sh
# contprof sync: which files and directories are brought to stable storage, in which order, once and
# periodically; what is said of those that fail. A preloaded fsync says what it was called for.
. "$(dirname "$0")/lib.sh"

SYNC_LOG=log
export SYNC_LOG

sync_logged() {
  SYNC_LOG=$PWD/log LD_PRELOAD=$TEST_DIR/sync_log.so "$CONTPROF" sync "$@"
}

make_tree() {
  mkdir -p tree/b/c tree/a
  : >tree/one.profraw
  : >tree/b/two.profraw
  : >tree/b/c/three.profraw
  : >tree/b/c/merged.profdata
  : >tree/other
}

files_before_their_directories() {
  make_tree
  sync_logged tree >said 2>&1
  expect_empty said
  for name in tree/one.profraw tree/b/two.profraw tree/b/c/three.profraw tree/a tree/b tree/b/c tree; do
    expect "times $name" 1 "$(grep -cx "fsync $PWD/$name" log)"
  done
  expect "all" 7 "$(grep -c . log)"
  for name in tree/b/c/three.profraw tree/b/c; do
    sed "\\|^fsync $PWD/$(dirname $name)\$|,\$d" log | grep -qx "fsync $PWD/$name" ||
      die "$name came after its directory"
  done
}

# A file named by itself, with its directory; a link to a directory; the current directory.
named_otherwise() {
  make_tree
  ln -s tree link
  sync_logged tree/b/two.profraw
  expect "of a file" "fsync $PWD/tree/b/two.profraw
fsync $PWD/tree/b" "$(cat log)"
  rm log
  sync_logged link
  expect "through a link" 7 "$(grep -c . log)"
  rm log
  (cd tree/b/c && SYNC_LOG=../../../log LD_PRELOAD=$TEST_DIR/sync_log.so "$CONTPROF" sync .)
  expect "here" 2 "$(grep -c . log)"
}

failures_are_named() {
  make_tree
  expect_status 1 env SYNC_FAILS=two.profraw SYNC_LOG="$PWD/log" LD_PRELOAD="$TEST_DIR/sync_log.so" \
    "$CONTPROF" sync nowhere tree >said 2>&1
  expect "said" "contprof: error: nowhere: can't find it: No such file or directory
contprof: error: $PWD/tree/b/two.profraw: can't bring it to stable storage: Input/output error" \
    "$(cat said)"
  expect "the others" 7 "$(grep -c . log)"
}

# A live file of a running process, found in a later round, and the end by each signal.
again_and_again() {
  mkdir tree
  start env SYNC_LOG="$PWD/log" LD_PRELOAD="$TEST_DIR/sync_log.so" "$CONTPROF" sync --every=0.05 tree \
    >said 2>&1
  sync=$PID
  wait_for 20 grep -qx "fsync $PWD/tree" log
  LLVM_PROFILE_FILE=$PWD/tree/p.profraw start "$TEST_DIR/endless"
  wait_for 20 grep -qx "fsync $PWD/tree/p.profraw" log
  rounds=$(grep -c p.profraw log)
  wait_for 20 sh -c "[ \$(grep -c p.profraw log) -gt $((rounds + 2)) ]"
  kill_hard "$PID"
  kill "-$1" "$sync"
  wait_end "$sync"
  expect "status" 0 "$STATUS"
  expect_empty said
  stock_counts $NEWEST tree/p.profraw >counts.txt
}

ends_with_what_failed() {
  mkdir tree
  start "$CONTPROF" sync --every=0.05 tree later >said 2>&1
  wait_for 20 grep -q "later: can't find it" said
  mkdir later
  kill -TERM "$PID"
  wait_end "$PID"
  expect "status" 1 "$STATUS"
}

wrong_command_lines() {
  for wrong in "" "--every=0 ." "--every=-1 ." "--every=x ." "--every=nan ." "--every" "--other ."; do
    # shellcheck disable=SC2086 # words
    expect_status 2 "$CONTPROF" sync $wrong >said 2>&1
    expect_text said '^contprof: error: '
  done
  "$CONTPROF" sync --help >said
  expect_text said '^Usage: contprof sync'
  "$CONTPROF" help >said
  expect_text said '^  sync '
}

stock $NEWEST -shared -fPIC "$PROGRAMS/sync_log.c" -o sync_log.so -ldl
echo 'int main(void) { for (volatile unsigned n = 0;; n++) ; }' >endless.c
cc $NEWEST -O1 -fprofile-continuous -fprofile-instr-generate endless.c -o endless
check "files, then their directories" files_before_their_directories
check "files, links and the current directory" named_otherwise
check "what fails is named, the others are done" failures_are_named
for signal in INT TERM HUP; do
  check "round after round, until SIG$signal" again_and_again $signal
done
check "a round that failed is told at the end" ends_with_what_failed
check "wrong command lines" wrong_command_lines
