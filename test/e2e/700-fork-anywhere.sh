#!/bin/sh
# fork from many threads at once, nested, in a small stack, under signals, where no process can be made,
# and where the file system has begun to fail: each process has its own counts, in its own file where
# one can be had.
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

from_many_threads() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-update=atomic "-fprofile-continuous=$mode" \
    "$PROGRAMS/many_forks.c" "$TEST_DIR/ending.o" -pthread -o many_forks
  expect_killed ./many_forks kill 2>complaints
  expect_empty complaints
  expect "processes" 97 "$(find . -name 'said-*' | wc -l)"
  expect_files 97
  expect_no_temporaries
  for said in $(find . -name 'said-*' | sed 's|./said-||' | sort -n | sed -n '1p;2p;30p;60p;$p'); do
    stock_counts "$llvm" "many_forks-$said.profraw" >counts.txt
    expect_calls "said-$said" counts.txt
  done
  expect "sum" "$(cat said-* | awk '{ n += $3 } END { print n }')" "$(counted work ./*.profraw)"
}

# What a child's handler counts is in the child's file, from the first signal on: none of it in its
# parent's, which is the first.
under_signals() {
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" "$PROGRAMS/signalled_forks.c" \
    "$TEST_DIR/ending.o" -o signalled
  expect_killed ./signalled 2>complaints
  expect_empty complaints
  expect "processes" 26 "$(find . -name 'said-*' | wc -l)"
  parent=$(find . -name 'said-*' | sed 's|./said-||' | sort -n | head -n 1)
  stock_counts "$llvm" "signalled-$parent.profraw" >counts.txt
  expect_calls "said-$parent" counts.txt
  expect "sum" "$(cat said-* | awk '{ n += $3 } END { print n }')" \
    "$(counted on_signal signalled-*.profraw)"
}

nested() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 6 "leave_pid a; work 1
    fork b; work 2; fork c; work 3; fork d; work 4; kill; work 30; abort; work 20; _exit 5; work 10; exit 6"
  expect_empty complaints
  expect_ended d 137
  expect_ended c 134
  expect_ended b 5
  expect_work 11 "x-$(pid_of a).profraw"
  expect_work 22 "x-$(pid_of b).profraw"
  expect_work 33 "x-$(pid_of c).profraw"
  expect_work 4 "x-$(pid_of d).profraw"
}

in_a_small_stack() {
  LLVM_PROFILE_FILE=x-%p.profraw steps "work 1; thread_fork b; work 2; _exit; work 10"
  expect_empty complaints
  expect_work 2 "x-$(pid_of b).profraw"
  expect_files 2
}

# The parent gets no child, and nothing is left of the attempt.
no_process_to_be_had() {
  chmod 1777 .
  LLVM_PROFILE_FILE=$PWD/x-%p.profraw $unprivileged $RUN "$TEST_DIR/steps" \
    "work 1; processes 0; fork_in_vain; fork_in_vain; work 2; exit" 2>complaints
  expect_empty complaints
  expect_work 3 "$(the_profile)"
}

# The directory goes: it is made again.
directory_removed() {
  LLVM_PROFILE_FILE=d/x-%p.profraw steps "work 1; run rm -r d; fork b; work 2; kill; work 1; exit"
  expect_empty complaints
  expect_work 2 "d/x-$(pid_of b).profraw"
}

# The way is barred while the child starts. Its profile is there at the end if that is over by then.
way_barred_for_a_time() {
  LLVM_PROFILE_FILE=d/x-%p.profraw steps "work 1; run mv d e && touch d
    fork b; work 2; fork c; work 3; exit; run rm d && mkdir d; work 4; exit
    run rm -r d && touch d; fork k; work 100; kill; work 5; exit"
  expect "lines on stderr" 2 "$(grep -c 'not a directory; this process counts in memory' complaints)"
  expect "lines on stderr" 2 "$(wc -l <complaints)"
  expect "files" 1 "$(find . -name '*.profraw' | wc -l)"
  expect_work 6 e/*.profraw
}

# A parent that could have no file has children that can.
way_free_again() {
  touch d
  LLVM_PROFILE_FILE=d/x-%p.profraw steps "work 1; run rm d
    fork b; work 2; fork c; work 3; raise; kill; raise; work 4; kill; work 5; exit" 
  expect_complaint "not a directory; counting in memory"
  expect "files" 3 "$(find d -name '*.profraw' | wc -l)"
  expect_work 6 "d/x-$(pid_of b).profraw"
  expect_work 3 "d/x-$(pid_of c).profraw"
  expect "all" 15 "$(counted work d/*.profraw)"
  expect "handler" 2 "$(counted on_signal d/*.profraw)"
}

limit_on_file_sizes() {
  LLVM_PROFILE_FILE=x-%p.profraw $RUN "$TEST_DIR/steps" "work 1; fork b; work 2; file_size 100
    fork c; work 4; exit; exit; work 8; exit" 2>&1 | cat >complaints
  expect_complaint "file too large; this process counts in memory"
  expect_ended c 0
  expect_files 2
  expect_work 2 "x-$(pid_of b).profraw"
}

# Lines that find no room in a file, or no reader, don't end the program.
no_one_to_hear() {
  LLVM_PROFILE_FILE=x-%p.profraw steps "file_size 20; fork b; work 4; exit; exit"
  expect_ended b 0
  LLVM_PROFILE_FILE=y-%p.profraw $RUN "$TEST_DIR/steps" \
    "file_size 100; wait gone; fork c; work 4; exit; exit" 2>&1 | {
    exec <&-
    touch gone
    wait_for 20 test -e status-c
  }
  expect_ended c 0
}

no_descriptor_left() {
  LLVM_PROFILE_FILE=x-%p.profraw steps "work 1; fork b; work 2; files 3; fork c; work 4; exit; exit; exit"
  expect_complaint "too many open files; this process counts in memory"
  expect_files 2
}

# A child in a pool counts into a file of its own, and the next one counts on in it.
in_a_pool() {
  LLVM_PROFILE_FILE=x-%m.profraw steps "work 1; fork b; work 2; kill; fork c; work 4; kill
    fork d; work 8; fork e; work 16; kill; kill; exit"
  expect_files 3
  expect "all" 31 "$(counted work ./*.profraw)"
}

one_build() {
  check "$name: nested" nested
  check "$name: under signals" under_signals
  check "$name: in a thread with a small stack" in_a_small_stack
  check "$name: no process to be had" no_process_to_be_had
  check "$name: directory removed" directory_removed
  check "$name: way barred for a time" way_barred_for_a_time
  check "$name: way free again" way_free_again
  check "$name: limit on file sizes" limit_on_file_sizes
  check "$name: no one to hear" no_one_to_hear
  check "$name: no descriptor left" no_descriptor_left
  check "$name: in a pool" in_a_pool
  check "$name: from many threads" from_many_threads
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
unprivileged=
[ "$(id -u)" != 0 ] || unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 "$TEST_DIR"
kind=frontend
with_each_build one_build
