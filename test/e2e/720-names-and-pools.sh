#!/bin/sh
# Names among real processes: many at once under one name, in one pool, of several builds; process ids
# that come again; and whatever else may have a pool's names. The sums are exact, and no file is lost.
. "$(dirname "$0")/namespace-lib.sh"
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

AT_ONCE=12

# at_once PATTERN STEPS: that many processes, all counting before the first of them ends.
at_once() {
  rm -rf go here-*
  pids=
  for i in $(seq $AT_ONCE); do
    LLVM_PROFILE_FILE=$1 start "$TEST_DIR/steps" "work $i; run touch here-$i; wait go; work $i; $2"
    pids="$pids $PID"
  done
  wait_for 60 all_here
  touch go
  for pid in $pids; do
    wait_end "$pid"
  done
}

all_here() {
  [ "$(find . -name 'here-*' | wc -l)" = $AT_ONCE ]
}

SUM=$((AT_ONCE * (AT_ONCE + 1)))

one_name() {
  at_once x.profraw kill 2>complaints
  expect_no_text complaints contprof
  expect_files $AT_ONCE
  expect "sum" $SUM "$(counted work ./*.profraw)"
  expect_no_temporaries
}

# Twice as many, then short ones, three at a time: no more files than ever ran at once.
one_pool() {
  at_once "$1" kill 2>complaints
  expect_no_text complaints contprof
  expect_files $AT_ONCE
  expect "sum" $SUM "$(counted work ./*.profraw)"
  at_once "$1" _exit
  expect_files $AT_ONCE
  expect "sum, counted on" $((2 * SUM)) "$(counted work ./*.profraw)"
  for i in 1 2 3 4 5; do
    for j in 1 2 3; do
      LLVM_PROFILE_FILE=$1 start "$TEST_DIR/steps" "work 1000; kill"
      eval "pid_$j=\$PID"
    done
    wait_end "$pid_1"
    wait_end "$pid_2"
    wait_end "$pid_3"
  done
  expect_files $AT_ONCE
  expect "sum of short ones" $((2 * SUM + 15000)) "$(counted work ./*.profraw)"
  expect_no_temporaries
}

# Two builds of one program, and another program, all at the same time in one pool.
several_builds() {
  for build in a b; do
    cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" "-Dwork=work_$build" \
      "$PROGRAMS/steps.c" -o $build
  done
  for i in 1 2 3; do
    LLVM_PROFILE_FILE=p/%m.profraw ./a "work 10; fork x; work 1; kill; kill" 2>/dev/null &
    LLVM_PROFILE_FILE=p/%m.profraw ./b "work 100; fork x; work 2; kill; kill" 2>/dev/null &
    LLVM_PROFILE_FILE=p/%m.profraw "$TEST_DIR/steps" "work 1000; fork x; work 3; kill; kill" 2>/dev/null &
    wait
  done
  expect "builds" 3 "$(ls p | sed 's/_[0-9]*.profraw//' | sort -u | wc -l)"
  [ "$(ls p | wc -l)" -le 6 ] || die "more files than ran at once: $(ls p)"
  for raw in p/*; do
    stock_counts "$llvm" "$raw" >counts.txt
    expect "functions named work in $raw" 1 "$(grep -c '^  work' counts.txt)"
  done
  for signature in $(ls p | sed 's/_[0-9]*.profraw//' | sort -u); do
    for function in work_a work_b work; do
      echo "$function $(counted $function p/"${signature}"_*)" >>sums
    done
  done
  grep -E ' [0-9]' sums | sort >got
  printf 'work 3009\nwork_a 33\nwork_b 306\n' >wanted
  expect_same "sums" wanted got
}

# Each name of the pool has something else: another build's profile, part of a profile, nothing in it, a
# directory, a FIFO, a socket. All of it stays.
pool_of_obstacles() {
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 1; kill"
  pool=$(the_profile)
  pool=${pool%0.profraw}
  mv "${pool}0.profraw" own
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" "$PROGRAMS/calls.c" \
    "$TEST_DIR/ending.o" -o calls
  LLVM_PROFILE_FILE=other.raw ./calls exit >said
  cp other.raw "${pool}0.profraw"
  head -c 300 own >"${pool}1.profraw"
  touch "${pool}2.profraw"
  mkdir "${pool}3.profraw"
  mkfifo "${pool}4.profraw"
  cp own "${pool}5.profraw"
  echo more >>"${pool}5.profraw"
  ls -l >before
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 10; kill"
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 100; kill"
  expect_empty complaints
  expect_work 110 "${pool}6.profraw"
  cmp other.raw "${pool}0.profraw"
  expect "sizes" "300 0" "$(stat -c %s "${pool}1.profraw" "${pool}2.profraw" | tr '\n' ' ' | sed 's/ $//')"
  [ -d "${pool}3.profraw" ] && [ -p "${pool}4.profraw" ]
  expect_files 7
}

# A profile that comes into the pool at exit takes a place of its own: those there keep their counts.
pool_at_exit() {
  LLVM_PROFILE_FILE=d/x-%m.profraw expect_steps 137 "work 1; kill"
  LLVM_PROFILE_FILE=d/x-%m.profraw steps "work 10; run mv d e && touch d; fork b; work 100; run rm d && mv e d; exit; kill" || true
  expect_complaint "not a directory; this process counts in memory"
  expect "files" 2 "$(find d -name '*.profraw' | wc -l)"
  expect "all" 111 "$(counted work d/*.profraw)"
  LLVM_PROFILE_FILE=d/x-%m.profraw at_once "d/x-%m.profraw" kill
  expect "files" $AT_ONCE "$(find d -name '*.profraw' | wc -l)"
  expect "all" $((111 + SUM)) "$(counted work d/*.profraw)"
}

# Two users of one directory, where neither may write the other's files.
pool_of_two_users() {
  mkdir -m 1777 p
  for i in 1 2; do
    for user in 1234 65534; do
      LLVM_PROFILE_FILE=$PWD/p/%m.profraw as_user "$user" "$TEST_DIR/steps" "work 5; exit" 2>complaints
      expect_empty complaints
    done
  done
  expect "files" 2 "$(ls p | wc -l)"
  expect "sum" 20 "$(counted work p/*)"
}

# A file that came with holes (from a copy) is filled up before it is counted into.
pool_file_with_holes() {
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "kill"
  raw=$(the_profile)
  cp --sparse=always "$raw" sparse
  mv sparse "$raw"
  before=$(stat -c %b "$raw")
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 10; kill"
  expect_work 10 "$raw"
  size=$(($(stat -c %s "$raw") / 512))
  [ "$(stat -c %b "$raw")" -ge $size ] || die "$before blocks became $(stat -c %b "$raw") of $size"
}

# zero FILE OFFSET SIZE
zero() {
  dd if=/dev/zero of="$1" bs=1 seek="$2" count="$3" conv=notrunc 2>dd.log
}

# After a power cut, parts of a file may be zeros that were not on the disk yet. Such a file is left as
# it is, or it would have no values ever again; the record of its owner names another boot then.
pool_file_of_another_boot() {
  cc "$llvm" -O1 -fprofile-generate -mllvm -pgo-instrument-entry "-fprofile-continuous=$mode" \
    "$PROGRAMS/targets.c" "$TEST_DIR/ending.o" -o targets
  LLVM_PROFILE_FILE=x-%m.profraw ./targets exit >said
  raw=$(the_profile)
  record=$(grep -obUa contprof "$raw" | head -n 1 | cut -d : -f 1)
  zero "$raw" $((record + 40)) 16
  LLVM_PROFILE_FILE=x-%m.profraw ./targets exit >said
  # Counted on: all of it had been on the disk.
  expect "file" "$raw" "$(the_profile)"
  stock_counts "$llvm" "$raw" >counts.txt
  expect "main" 2 "$(function_count counts.txt main)"
  size=$(stat -c %s "$raw")
  zero "$raw" $((record + 40)) 16
  # The value data: 24 bytes of sizes, 8 a site, 24 a slot.
  zero "$raw" $((size - 592)) 592
  cp "$raw" damaged
  LLVM_PROFILE_FILE=x-%m.profraw ./targets exit >said 2>complaints
  expect_empty complaints
  cmp "$raw" damaged
  stock_counts "$llvm" "${raw%0.profraw}1.profraw" >counts.txt
  expect "main" 1 "$(function_count counts.txt main)"
}

# The owner record has a hash of the data records. Where another runtime left none, the records
# themselves are looked at, and those of another build are left alone.
pool_file_without_hash() {
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 1; kill"
  raw=$(the_profile)
  record=$(grep -obUa contprof "$raw" | head -n 1 | cut -d : -f 1)
  zero "$raw" $((record + 56)) 8
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 10; kill"
  expect_work 11 "$(the_profile)"
  zero "$raw" $((record + 56)) 8
  zero "$raw" $((record - 16)) 16 # numbers of counters and sites in both versions
  cp "$raw" damaged
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 100; kill"
  expect_empty complaints
  cmp "$raw" damaged
  expect_work 100 "${raw%0.profraw}1.profraw"
}

# A name as long as the file system allows, which its temporary name must not be longer than.
longest_name() {
  name=$(printf %0247d 0).profraw
  for work in 1 10; do
    LLVM_PROFILE_FILE=$name expect_steps 137 "work $work; kill"
    expect_empty complaints
    expect_work $work "$name"
  done
  expect_files 1
  expect_no_temporaries
}

# The same process id comes again, after the first has been killed.
pid_again() {
  cat >again.sh <<'EOF'
for work in 1 10 100; do
  echo 99 >/proc/sys/kernel/ns_last_pid
  LLVM_PROFILE_FILE=$1 "$2" "work $work; leave_pid p$work; kill"
done
exit 0
EOF
  for pattern in a-%p.profraw b.profraw c-%m.profraw; do
    unshare -p -f --mount-proc sh again.sh $pattern "$TEST_DIR/steps" 2>/dev/null
    expect "id" "100 100 100" "$(cat pid-p1 pid-p10 pid-p100 | tr '\n' ' ' | sed 's/ $//')"
  done
  expect_files 5
  expect_work 1 a-100.profraw
  expect_work 10 a-100.2.profraw
  expect_work 100 a-100.3.profraw
  expect_work 100 b.profraw
  expect "pool" 111 "$(counted work c-*.profraw)"
}

# Containers: each of them has a process 1, all of them live, and all write to one directory.
same_pid_at_once() {
  for pattern in a-%p.profraw b.profraw c-%m.profraw; do
    rm -rf go here-*
    pids=
    for i in 1 2 3; do
      LLVM_PROFILE_FILE=$pattern start unshare -p -f "$@" --kill-child "$TEST_DIR/steps" \
        "leave_pid $i; work $i; run touch here-$i; wait go; work 10; exit"
      pids="$pids $PID"
    done
    for i in 1 2 3; do
      wait_for 30 test -e here-$i
    done
    touch go
    for pid in $pids; do
      wait_end "$pid"
      expect "status" 0 "$STATUS"
    done
    expect "ids" "1 1 1" "$(cat pid-1 pid-2 pid-3 | tr '\n' ' ' | sed 's/ $//')"
    expect "sum" 36 "$(counted work "${pattern%%[-.]*}"*.profraw)"
  done
  expect_files 9
  expect "names" "a-1.2.profraw a-1.3.profraw a-1.profraw b-1.2.profraw b-1.profraw b.profraw" \
    "$(ls [ab]*.profraw | tr '\n' ' ' | sed 's/ $//')"
}

# The owner of a pool's file has ended, but nobody has asked for its status yet: the file is free.
ended_but_not_waited_for() {
  LLVM_PROFILE_FILE=x-%m.profraw start sh -c "'$TEST_DIR/steps' 'work 1; leave_pid z; kill' & exec sleep 60"
  wait_for 20 test -s pid-z
  wait_for 20 grep -q 'State:.Z' "/proc/$(pid_of z)/status"
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 10; kill"
  expect_work 11 "$(the_profile)"
}

one_build() {
  check "$name: one name" one_name
  check "$name: one pool" one_pool x-%m.profraw
  check "$name: several builds in one pool" several_builds
  check "$name: a pool of obstacles" pool_of_obstacles
  check "$name: a pool at exit" pool_at_exit
  check "$name: a file with holes" pool_file_with_holes
  check "$name: a file of another boot" pool_file_of_another_boot
  check "$name: a file without a hash" pool_file_without_hash
  check "$name: the longest name" longest_name
  check "$name: ended, not waited for" ended_but_not_waited_for
  if has_users; then
    check "$name: a pool of two users" pool_of_two_users
  else
    skipped "$name: a pool of two users" "this user can't become another"
  fi
  if has_pids; then
    check "$name: a process id comes again" pid_again
    check "$name: one id several times at once, /proc of its own" same_pid_at_once --mount-proc
    check "$name: one id several times at once, /proc of another" same_pid_at_once
  else
    skipped "$name: process ids" "no process ids of its own to be had"
  fi
}

chmod 755 "$TEST_DIR"
stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
with_each_build one_build
