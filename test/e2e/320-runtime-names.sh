#!/bin/sh
# Names that are taken, that can't be, and pools: no count is lost to another process, and what is in
# the way is neither followed nor harmed.
. "$(dirname "$0")/lib.sh"

leaf_of() {
  stock_counts "$llvm" "$1" >counts.txt
  function_count counts.txt leaf
}

living_then_dead() {
  LLVM_PROFILE_FILE=one.profraw start "$calls" wait >said 2>complaints
  wait_for 20 grep -q ready said
  LLVM_PROFILE_FILE=one.profraw expect_killed "$calls" kill >said2
  expect "files beside a living process's" 2 "$(find . -name '*.profraw' | wc -l)"
  kill_hard "$PID"
  for raw in one*.profraw; do
    expect "leaf in $raw" 34 "$(leaf_of "$raw")"
  done
  rm one-*.profraw
  LLVM_PROFILE_FILE=one.profraw expect_killed "$calls" kill >said
  expect "a dead one's is replaced" 34 "$(leaf_of "$(the_profile)")"
}

pool() {
  for i in 1 2 3 4 5 6 7 8 9 10; do
    LLVM_PROFILE_FILE=pool-$1.profraw $RUN "$calls" _exit >/dev/null &
    LLVM_PROFILE_FILE=pool-$1.profraw $RUN "$calls" _exit >/dev/null &
    LLVM_PROFILE_FILE=pool-$1.profraw $RUN "$calls" _exit >/dev/null
    wait
  done
  [ "$(find . -name '*.profraw' | wc -l)" -le 3 ] || die "more files than ran at once: $(ls)"
  "$CONTPROF" merge -o sum.profdata ./*.profraw
  expect "sum" $((34 * 30)) "$(leaf_of sum.profdata)"
}

# blocked PATTERN: one line, the program's work and status unharmed.
blocked() {
  LLVM_PROFILE_FILE=$1 $RUN "$calls" exit >said 2>complaints
  grep -q '^calls main 1' said
  [ "$(wc -l <complaints)" -le 1 ] || die "complaints: $(cat complaints)"
  expect_text complaints '^contprof: '
}

link_in_the_way() {
  echo precious >target
  ln -s target way.profraw
  blocked way.profraw
  expect "the link's target" precious "$(cat target)"
}

directory_in_the_way() {
  mkdir way.profraw
  blocked way.profraw
  [ -d way.profraw ]
}

fifo_in_the_way() {
  mkfifo way.profraw
  blocked way.profraw
  [ -p way.profraw ]
}

name_too_long() {
  blocked "$(printf '%0300d' 0).profraw"
}

small_limit() {
  said=$(ulimit -f 0 && LLVM_PROFILE_FILE=x.profraw $RUN "$calls" exit 2>&1)
  printf '%s\n' "$said" >said
  expect_text said '^contprof: .*file too large'
  grep -q '^calls main 1' said
  expect "files" 0 "$(find . -name '*.profraw' | wc -l)"
}

nothing_wanted() {
  LLVM_PROFILE_FILE=/dev/null $RUN "$calls" exit >said 2>complaints
  expect_empty complaints
  expect "files" 0 "$(find . -name '*.profraw' | wc -l)"
}

killed_at_any_moment() {
  for i in $(seq 100); do
    LLVM_PROFILE_FILE=d/k.profraw $RUN "$calls" wait >/dev/null 2>&1 &
    pid=$!
    sleep "0.00$((i % 10))"
    kill -KILL $pid
    wait $pid 2>/dev/null || true
    [ ! -e d/k.profraw ] || stock_counts "$llvm" d/k.profraw >/dev/null
  done
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
calls=$TEST_DIR/calls
# A program is not replaced by its profile, though other files are.
name_of_the_program() {
  cp "$calls" itself
  LLVM_PROFILE_FILE=itself $RUN ./itself exit >said 2>complaints
  expect_text complaints "can't create .*itself\": is a program that runs; counting in memory"
  cmp "$calls" itself
}

for llvm in $LLVMS; do
  cc "$llvm" -O2 -fprofile-instr-generate -fprofile-continuous "$PROGRAMS/calls.c" ending.o -o calls
  name="clang $llvm"
  check "$name: name of a living process, of a dead one" living_then_dead
  check "$name: pool %m" pool %m
  check "$name: pool %4m" pool %4m
  check "$name: symbolic link in the way" link_in_the_way
  check "$name: directory in the way" directory_in_the_way
  check "$name: FIFO in the way" fifo_in_the_way
  check "$name: name too long" name_too_long
  check "$name: RLIMIT_FSIZE" small_limit
  check "$name: /dev/null" nothing_wanted
  [ -n "$TARGET" ] || check "$name: the name of the program" name_of_the_program
done
check "killed at a hundred moments" killed_at_any_moment
