#!/bin/sh
# Where there is no room for a file (a full disk, none of its inodes, a quota, a limit), or something is
# in its way: one line, the program's work and status unharmed, nothing half-made left behind.
. "$(dirname "$0")/namespace-lib.sh"
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

# Takes all room that is left.
fill() {
  cat /dev/zero >filler 2>/dev/null || true
}

only_the_filler() {
  expect "what is there" "complaints filler" "$(ls -A | tr '\n' ' ' | sed 's/ $//')"
}

full_at_start() {
  fill
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; exit 5"
  expect_complaint "can't create \".*\": no space left on device; counting in memory"
  only_the_filler
}

# There is room again at exit.
full_for_a_time() {
  fill
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; run rm filler; work 10; exit 5"
  expect_complaint "no space left on device; counting in memory"
  expect_work 11 "$(the_profile)"
  expect_no_temporaries
}

# What is counted into has its blocks; only children find no room.
full_later() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1
    run cat /dev/zero >filler 2>/dev/null || true; work 10; raise; fork b; work 100; exit 4
    run rm filler; fork c; work 1000; kill; exit 5"
  expect_complaint "no space left on device; this process counts in memory"
  expect_files 2
  expect "all" 1011 "$(counted work x-*.profraw)"
  expect "handler" 1 "$(counted on_signal x-*.profraw)"
  expect_no_temporaries
}

# A pool's file is counted on, unless what it lacks can't be had.
pool_on_a_full_disk() {
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 1; kill"
  raw=$(the_profile)
  : >complaints
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "run cat /dev/zero >filler 2>/dev/null || true; work 10; kill"
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 100; kill"
  expect_empty complaints
  rm filler
  expect_work 111 "$raw"
  fallocate --punch-hole --offset 0 --length 4096 "$raw" 2>/dev/null
  fill
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 1000; kill"
  expect_complaint "no space left on device; counting in memory"
}

no_inodes() {
  while touch "many-$(ls | wc -l)" 2>/dev/null; do :; done
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; exit 5"
  expect_complaint "no space left on device; counting in memory"
  expect "profiles" "" "$(find . -name 'x-*')"
}

# The room that a user may have is used up.
quota() {
  chmod 777 .
  LLVM_PROFILE_FILE=x.profraw as_user 65534 "$TEST_DIR/steps" "work 1; exit 5" 2>complaints || got=$?
  expect "status" 5 "$got"
  expect_complaint "can't create \".*\": disk quota exceeded; counting in memory"
  expect "files" complaints "$(ls -A)"
}

# The same answer of the kernel, given to a child.
quota_for_a_child() {
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 5 "work 1; sandbox quota; fork b; work 10; exit 4; work 100; exit 5"
  expect_complaint "can't create \".*\": disk quota exceeded; this process counts in memory"
  expect_work 101 "$(the_profile)"
  expect_no_temporaries
}

# Below a limit that a part of the file would fit under, and none.
file_size_limit() {
  for blocks in 0 1; do
    (
      ulimit -f $blocks
      LLVM_PROFILE_FILE=x-%p.profraw "$TEST_DIR/steps" "work 1; exit 5" 2>&1 || echo "status $?"
    ) | cat >said
    grep contprof said >complaints
    expect_complaint "can't create \".*\": file too large; counting in memory"
    expect_text said '^status 5$'
    expect_files 0
    expect_no_temporaries
  done
}

missing_directories() {
  LLVM_PROFILE_FILE=a/b//c/../d/x-%p.profraw expect_steps 137 "work 1; fork b; work 10; _exit; kill"
  expect_empty complaints
  expect "all" 11 "$(counted work a/b/d/x-*.profraw)"
  mkdir -m 555 closed
  LLVM_PROFILE_FILE=$PWD/closed/d/x.profraw expect_steps_of_a_user 5 "work 1; exit 5"
  expect_complaint "can't create \".*/closed/d/x.profraw\": permission denied; counting in memory"
  expect "in it" "" "$(ls -A closed)"
}

# expect_steps_of_a_user STATUS STEPS: of one who is not root.
expect_steps_of_a_user() {
  got=0
  if [ "$(id -u)" != 0 ]; then
    "$TEST_DIR/steps" "$2" 2>complaints || got=$?
  else
    as_user 65534 "$TEST_DIR/steps" "$2" 2>complaints || got=$?
  fi
  expect "status" "$1" "$got"
}

# Nobody may write the file of that name, which has to stay.
permission_denied() {
  chmod 755 .
  echo precious >x.profraw
  chmod 444 x.profraw
  LLVM_PROFILE_FILE=x.profraw expect_steps_of_a_user 5 "work 1; exit 5"
  expect_complaint "can't create \".*\": permission denied; counting in memory"
  expect "what is there" precious "$(cat x.profraw)"
}

# in_the_way WHY: what has been put under the name x.profraw is not touched, in either pattern.
in_the_way() {
  kind=$(stat -c %F x.profraw)
  LLVM_PROFILE_FILE=x.profraw expect_steps 5 "work 1; raise; exit 5"
  expect_complaint "can't create \".*/x.profraw\": $1; counting in memory"
  expect "kind" "$kind" "$(stat -c %F x.profraw)"
  expect "what is there" "complaints x.profraw" "$(ls -A | grep -v written | tr '\n' ' ' | sed 's/ $//')"
}

directory_in_the_way() {
  mkdir x.profraw
  in_the_way "is a directory"
}

socket_in_the_way() {
  LLVM_PROFILE_FILE=/dev/null steps "socket x.profraw; exit"
  in_the_way "is not a regular file"
}

device_in_the_way() {
  mknod x.profraw b 7 250
  in_the_way "is not a regular file"
}

# Someone waits to write into the FIFO: for its reader, which the program is not.
fifo_in_the_way() {
  mkfifo x.profraw
  start sh -c 'echo for the reader >x.profraw; touch written'
  in_the_way "is not a regular file"
  [ ! -e written ]
  expect "what the reader gets" "for the reader" "$(cat x.profraw)"
}

# What others may do to a live file, and contprof's own tools with it as input or output: the process
# goes on unharmed in the file that was its own.
others_and_the_file() {
  LLVM_PROFILE_FILE=x.profraw start "$TEST_DIR/steps" \
    "work 1; run touch ready; wait go; work 10; raise; run touch done; wait end; work 100; kill"
  wait_for 20 test -e ready
  ln x.profraw kept
  stock_counts "$llvm" x.profraw >/dev/null
  our_counts x.profraw >/dev/null
  "$CONTPROF" merge -o x.profraw x.profraw
  touch go
  wait_for 20 test -e done
  expect_work 11 kept
  mv kept moved
  rm x.profraw
  touch end
  wait_end "$PID"
  expect "status" 137 "$STATUS"
  expect_work 111 moved
}

no_profile() {
  for name in /dev/null /dev/full; do
    LLVM_PROFILE_FILE=$name expect_steps 5 "work 1; fork b; exit; exit 5"
    expect_empty complaints
  done
  expect_files 0
}

on_small_file_systems() {
  check "$name: full at start" in_volume size=64k full_at_start
  check "$name: full for a time" in_volume size=64k full_for_a_time
  check "$name: full later" in_volume size=128k full_later
  check "$name: a pool on a full disk" in_volume size=128k pool_on_a_full_disk
  check "$name: no inodes" in_volume size=1m,nr_inodes=20 no_inodes
}

one_build() {
  if [ -n "$can_mount" ]; then
    on_small_file_systems
  else
    skipped "$name: full file systems" "none can be mounted here"
  fi
  if [ -n "$has_quota" ]; then
    check "$name: quota" in_volume size=1m,usrquota,usrquota_block_hardlimit=4k quota
  else
    skipped "$name: quota of a file system" "this kernel's tmpfs has none, or this user can't set one"
  fi
  check "$name: quota for a child" quota_for_a_child
  check "$name: limit on file sizes" file_size_limit
  if [ "$(id -u)" != 0 ] || has_users; then
    check "$name: missing directories" missing_directories
    check "$name: permission denied" permission_denied
  else
    skipped "$name: permission denied" "this user can't become another"
  fi
  check "$name: directory in the way" directory_in_the_way
  check "$name: socket in the way" socket_in_the_way
  check "$name: FIFO in the way" fifo_in_the_way
  if mknod block b 7 250 2>/dev/null; then
    rm block
    check "$name: device in the way" device_in_the_way
  else
    skipped "$name: device in the way" "none can be made here"
  fi
  check "$name: what others do to the file" others_and_the_file
  check "$name: no profile wanted" no_profile
}

chmod 755 "$TEST_DIR"
mkdir probe
can_mount= has_quota=
if mounted tmpfs probe; then
  umount probe
  can_mount=yes
fi
if has_users && mounted tmpfs probe size=1m,usrquota,usrquota_block_hardlimit=4k; then
  umount probe
  has_quota=yes
fi
with_each_build one_build
