# For tests of the life of a process: builds of test/programs/steps.c and what to ask of their files.
# Sourced after lib.sh.
# shellcheck shell=sh
# shellcheck disable=SC2154 # llvm and mode are the script's

# Builds $TEST_DIR/steps for $llvm and $mode.
build_steps() {
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" "$PROGRAMS/steps.c" \
    -o "$TEST_DIR/steps"
}

# with_each_build FUNCTION: for all LLVMs and modes, with $name for the reports.
with_each_build() {
  for llvm in $LLVMS; do
    for mode in $MODES; do
      name="clang $llvm $mode"
      build_steps
      "$1"
    done
  done
}

# steps STEPS: runs them; its lines on stderr go to `complaints`. In the background, so that the shell
# does not add "Killed" to them.
steps() {
  # shellcheck disable=SC2086 # words
  $RUN "$TEST_DIR/steps" "$1" 2>complaints &
  steps_status=0
  wait $! 2>/dev/null || steps_status=$?
  [ -z "$RUN" ] || sed -i '/^qemu: uncaught target signal/d' complaints
  return $steps_status
}

# expect_steps STATUS STEPS
expect_steps() {
  got=0
  steps "$2" || got=$?
  expect "status" "$1" "$got"
}

# counted FUNCTION FILE...: how often it was entered, by all of these together.
counted() {
  function=$1
  shift
  profdata "$llvm" merge -o counted.profdata "$@"
  stock_counts "$llvm" counted.profdata >counted.txt
  function_count counted.txt "$function"
}

# expect_work N FILE
expect_work() {
  expect "work in $2" "$1" "$(counted work "$2")"
}

pid_of() {
  cat "pid-$1"
}

# expect_ended LABEL STATUS: as the parent of that child saw it.
expect_ended() {
  expect "status of $1" "$2" "$(cat "status-$1")"
}

# expect_files N: profiles in this directory.
expect_files() {
  expect "files" "$1" "$(find . -name '*.profraw' | wc -l)"
}

# What no run may leave behind.
expect_no_temporaries() {
  expect "temporary files" "" "$(find . -name '*.tmp')"
}

# expect_complaint PATTERN: one line of the runtime, and it says that.
expect_complaint() {
  expect "lines on stderr" 1 "$(wc -l <complaints)"
  expect_text complaints "^contprof: .*$1"
}

# skipped NAME REASON: a check that this machine has no facility for.
skipped() {
  ok "$1 (skipped: $2)"
}
