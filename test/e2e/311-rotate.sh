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

# Updates of several instructions, as stock clang makes them at -O0: what a stopped thread brings over
# may be too much, but no increment is lost.
none_lost() {
  stock "$llvm" -O0 -fprofile-instr-generate -mllvm -runtime-counter-relocation \
    -I"$BUILD/lib/contprof/include" -c "$PROGRAMS/rotates.c" -o rotates.o
  cc "$llvm" -fprofile-continuous rotates.o "$TEST_DIR/ending.o" -pthread -o rotates
  LLVM_PROFILE_FILE=$PWD/files/r-%p.profraw expect_killed ./rotates $ROUNDS >said 2>complaints
  expect_empty complaints
  stock_merged_counts "$llvm" counts.txt files/*
  grep '^calls ' said >calls
  while read -r _ function count; do
    got=$(function_count counts.txt "$function")
    [ "$got" -ge "$count" ] || die "$function: $got, but $count were counted"
  done <calls
}

files_made() {
  [ "$(find files -name '*.profraw' 2>/dev/null | wc -l)" -ge "$1" ]
}

# SIGKILL at some moment of a rotation: each file is valid, and nothing else is left but, at the very
# moment of naming, a temporary name.
killed_while_it_rotates() {
  build
  for round in 1 2 3 4 5 6 7 8; do
    rm -rf files
    LLVM_PROFILE_FILE=$PWD/files/r-%p.profraw start ./rotates 1000000 2>complaints
    wait_for 30 files_made $((round * 3))
    kill_hard "$PID"
    expect_empty complaints
    profdata "$llvm" merge --failure-mode=any -o merged.profdata files/*.profraw 2>warnings
    expect_empty warnings
    [ "$(find files -name '*.tmp' | wc -l)" -le 1 ]
  done
}

# A shared object's calls act on its own profile alone.
of_a_shared_object() {
  cat >part.c <<'END'
#include <contprof.h>
#include <stdio.h>
static volatile int sink;
__attribute__((noinline)) void in_part(void) { sink++; }
int part(void) {
  in_part();
  int error = contprof_rotate("part-%p.profraw");
  in_part(), in_part();
  puts(contprof_filename());
  return error;
}
END
  cat >host.c <<'END'
#include <contprof.h>
#include <stdio.h>
int part(void);
int main(void) {
  int error = part();
  puts(contprof_filename());
  return error;
}
END
  cc "$llvm" -O2 -fPIC -shared -fprofile-continuous -fprofile-instr-generate part.c -o libpart.so
  cc "$llvm" -O2 -fprofile-continuous -fprofile-instr-generate host.c ./libpart.so -o host
  LLVM_PROFILE_FILE=host.profraw $RUN ./host >said
  expect_text said "^$PWD/part-[0-9]*-libpart.so.profraw\$"
  expect_text said "^$PWD/host.profraw\$"
  stock_counts "$llvm" host-libpart.so.profraw >counts.txt
  expect "before" 1 "$(function_count counts.txt in_part)"
  stock_counts "$llvm" part-*-libpart.so.profraw >counts.txt
  expect "after" 2 "$(function_count counts.txt in_part)"
}

# The three hundredth file finds its name as fast as the second.
names_are_found_at_once() {
  cat >many.c <<'END'
#include <contprof.h>
int main(void) {
  for (int i = 0; i < 300; i++)
    if (contprof_rotate(0) != 0)
      return 1;
  return 0;
}
END
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" many.c -o many
  LLVM_PROFILE_FILE=x/%p.profraw strace -f -qq -o calls.txt -e trace=linkat,renameat2 ./many
  expect "files" 301 "$(find x -name '*.profraw' | wc -l)"
  [ "$(wc -l <calls.txt)" -le 1000 ] || die "$(wc -l <calls.txt) attempts to give 301 files a name"
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
  check "clang $llvm: a shared object's profile" of_a_shared_object
  [ -n "$TARGET" ] || check "clang $llvm: objects of stock clang -O0" none_lost
done
llvm=$NEWEST
for mode in $MODES; do
  check "clang $llvm $mode: killed while it rotates" killed_while_it_rotates
  [ -z "$TARGET" ] || continue # the emulator makes calls of its own
  if strace -o /dev/null true 2>strace.log; then
    check "clang $llvm $mode: three hundred files" names_are_found_at_once
  else
    ok "clang $llvm $mode: three hundred files (skipped: strace can't trace here)"
  fi
done
