#!/bin/sh
# The demonstration itself, with each LLVM; and that it leaves nothing behind, also when it is
# interrupted or a step fails.
. "$(dirname "$0")/lib.sh"

DEMO=$ROOT/docs/example/demo

# Nothing of the demonstration is left in TMPDIR, and no process runs from there.
expect_nothing_left() {
  left=$(find tmp -mindepth 1)
  expect "files left in TMPDIR" "" "$left"
  for exe in /proc/[0-9]*/exe; do
    case $(readlink "$exe" 2>/dev/null) in
      "$PWD"/tmp/*) die "a process is left: $exe" ;;
    esac
  done
}

runs_to_its_end() {
  mkdir tmp
  CONTPROF_CLANG=clang-$1 CONTPROF_BUILD=$BUILD TMPDIR=$PWD/tmp timeout 300 "$DEMO" >said 2>&1 || {
    cat said
    die "the demonstration failed"
  }
  expect_text said '^# Nothing is lost: '
  expect_text said '^# With the profile the server needs [0-9.]+ of plain -O2'
  expect_nothing_left
}

under_load() {
  grep -q 'kvload -d run' said
}

is_cleaned_up_after_a_signal() {
  mkdir tmp
  export CONTPROF_CLANG=clang-$NEWEST CONTPROF_BUILD="$BUILD" TMPDIR="$PWD/tmp"
  start "$DEMO" >said 2>&1
  wait_for 60 under_load
  kill -TERM "$PID"
  wait_end "$PID"
  expect "status after SIGTERM" 143 "$STATUS"
  expect_nothing_left
}

fails_loudly() {
  mkdir tmp
  status=0
  CONTPROF_CLANG=/nowhere/clang CONTPROF_BUILD=$BUILD TMPDIR=$PWD/tmp "$DEMO" >said 2>errors ||
    status=$?
  [ "$status" != 0 ] || die "a clang that is not there went unnoticed"
  expect_text errors '^demo: FAILED$'
  expect_nothing_left
}

for llvm in $LLVMS; do
  check "the demonstration, LLVM $llvm" runs_to_its_end "$llvm"
done
check "cleans up after a signal" is_cleaned_up_after_a_signal
check "fails loudly" fails_loudly
