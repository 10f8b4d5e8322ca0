#!/bin/sh
# What a program and its children have around them stays as it was: environment, descriptors; a program
# with more rights than its caller believes nothing of it; no symbolic link is followed; standard error
# is spoken to only while it is that.
. "$(dirname "$0")/namespace-lib.sh"
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"

# The program's own environment, and that of a program it executes, of its child's and a spawned one's.
environment() {
  cat >prints.c <<'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static void print(void) {
  for (char **each = environ; *each; each++)
    puts(*each);
  fflush(stdout);
}
int main(int argc, char **argv) {
  print();
  if (argc > 1)
    return 0;
  if (fork() == 0) {
    print();
    return 0;
  }
  while (wait(0) > 0) {
  }
  execl("/proc/self/exe", argv[0], "last", (char *)0);
}
EOF
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" prints.c -o prints
  for i in 1 2 3; do
    printf 'B=2\nLLVM_PROFILE_FILE=%s/%s\nTMPDIR=/x\n' "$PWD" '%p-%m%c.profraw'
  done >wanted
  env -i B=2 "LLVM_PROFILE_FILE=$PWD/%p-%m%c.profraw" TMPDIR=/x ./prints >got 2>complaints
  expect_empty complaints
  expect_same "environment" wanted got
}

# descriptors STEPS: the numbers that a program it ends up in has, as one that contprof does not know of.
descriptors() {
  sh -c 'exec /bin/ls /proc/self/fd' >wanted
  LLVM_PROFILE_FILE=x-%p.profraw expect_steps 0 "$1" >got
  expect_empty complaints
  expect_same "descriptors" wanted got
}

# A program owned by another user, who has chosen `%t/x.profraw` when building it.
more_rights() {
  chmod 777 .
  mkdir -m 777 chosen
  cc "$llvm" -O1 "-fprofile-instr-generate=%t/x.profraw" "-fprofile-continuous=$mode" \
    "$PROGRAMS/steps.c" -o raised
  chown 1234 raised
  chmod 4755 raised
  got=0
  LLVM_PROFILE_FILE=$PWD/chosen/y.profraw TMPDIR=$PWD/chosen \
    as_user 65534 ./raised "work 1; fork b; work 2; _exit; exit 5" 2>complaints || got=$?
  expect "status" 5 "$got"
  expect_complaint "can't use the profile name \"%t/x.profraw\": TMPDIR is not set; the default name is used"
  expect "files where the caller chose" "" "$(ls chosen)"
  expect_files 2
  expect "owner" 1234 "$(stat -c %u "raised-$(pid_of b).profraw")"
  expect "all" 3 "$(counted work raised-*.profraw)"
  LLVM_PROFILE_FILE=z.profraw TMPDIR=$PWD/chosen as_user 1234 ./raised "work 1; exit"
  expect "its owner's choice" 1 "$(counted work z.profraw)"
}

# link_in_the_way NAME PATTERN: to a file that is there, and to one that is not.
link_in_the_way() {
  for target in precious missing; do
    rm -f "$1" complaints
    echo precious >precious
    ln -s "$target" "$1"
    LLVM_PROFILE_FILE=$2 expect_steps 5 "work 1; exit 5"
    expect_complaint "can't create \".*\": is a symbolic link; counting in memory"
    expect "the link's target" precious "$(cat precious)"
    [ -h "$1" ] && [ ! -e missing ]
    expect_files 1
  done
  expect_no_temporaries
}

# The place is free only when the profile is written at exit, and then there is a link.
link_at_exit() {
  echo precious >precious
  touch d
  LLVM_PROFILE_FILE=d/x.profraw expect_steps 5 "work 1; run rm d && mkdir d && ln -s ../precious d/x.profraw; exit 5"
  expect_text complaints '^contprof: can.t create .*not a directory; counting in memory'
  expect_text complaints '^contprof: can.t write .*is a symbolic link; the profile is lost'
  expect "the link's target" precious "$(cat precious)"
  expect "beside it" x.profraw "$(ls -A d)"
}

# In a pool a link is passed by, whether it leads to a file that could be adopted or not.
link_in_a_pool() {
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 1; kill"
  pool=$(the_profile)
  mkdir elsewhere
  mv "$pool" elsewhere/target
  ln -s elsewhere/target "$pool"
  cp elsewhere/target before
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 10; kill"
  LLVM_PROFILE_FILE=x-%m.profraw expect_steps 137 "work 100; kill"
  expect_empty complaints
  cmp before elsewhere/target
  expect_files 2
  expect_work 110 "${pool%_0.profraw}_1.profraw"
}

# Where a file must have a temporary name (without /proc), the name is foreseen and a link put there.
link_of_temporary_name() {
  echo precious >precious
  mkdir -p "jail$PWD"
  for i in 1 2 3 4; do
    ln -s "$PWD/precious" "jail$PWD/x.profraw.$i.0.tmp"
    ln -s "$PWD/missing" "jail$PWD/x.profraw.$i.1.tmp"
  done
  LLVM_PROFILE_FILE=x.profraw unshare -p -f "$TEST_DIR/steps" \
    "work 1; leave_pid a; chroot jail; fork b; work 10; _exit; exit" 2>complaints
  expect_empty complaints
  expect "first process" 1 "$(pid_of a)"
  expect "the links' target" precious "$(cat precious)"
  [ ! -e missing ]
  expect_work 10 "jail$PWD/x.profraw"
  expect "links" 8 "$(find jail -type l | wc -l)"
  expect "all" 9 "$(find jail ! -type d | wc -l)"
}

# A daemon's own file under number 2 gets no line of ours; what it names standard error itself does.
standard_error_taken() {
  cat >reopens_stderr.c <<'EOF'
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct rlimit none = {3, 3};
  int flags = O_CREAT | O_RDWR | (argc > 2 ? O_APPEND : 0);
  close(2);
  if (open(argv[1], flags, 0600) != 2 || write(2, "precious\n", 9) != 9)
    return 1;
  setrlimit(RLIMIT_NOFILE, &none);
  if (fork() == 0)
    _exit(0);
  return wait(0) < 0;
}
EOF
  cc "$llvm" -O1 -fprofile-instr-generate "-fprofile-continuous=$mode" reopens_stderr.c -o reopens
  LLVM_PROFILE_FILE=x-%p.profraw ./reopens database
  expect "database" precious "$(cat database)"
  LLVM_PROFILE_FILE=x-%p.profraw ./reopens log append
  expect_text log '^contprof: .*too many open files'
  expect_files 2
}

# A name with line breaks, and one that leaves no room for the reason, still make one whole line.
awkward_names() {
  touch d
  LLVM_PROFILE_FILE=$(printf 'd/a\nb\033c.profraw') expect_steps 5 "exit 5"
  expect_complaint 'd/a.b.c.profraw": not a directory; counting in memory'
  long=$(printf '%0900d' 0)
  LLVM_PROFILE_FILE=d/$long/$long/$long.profraw expect_steps 5 "exit 5"
  expect_complaint '000\.\.\.000.*": not a directory; counting in memory.*$'
  LLVM_PROFILE_FILE=$long.profraw expect_steps 5 "exit 5"
  expect_complaint '": file name too long; counting in memory'
  LLVM_PROFILE_FILE=$long$long$long$long$long expect_steps 5 "exit 5"
  expect_complaint "can't use the profile name .*: file name too long; the default name is used"
  expect_files 1
}

tmpdir() {
  mkdir t
  TMPDIR=$PWD/t LLVM_PROFILE_FILE=%t/x.profraw expect_steps 0 "work 3; exit"
  expect_empty complaints
  expect_work 3 t/x.profraw
  unset TMPDIR
  LLVM_PROFILE_FILE=%t/x.profraw expect_steps 0 "work 4; exit"
  expect_complaint "TMPDIR is not set"
  expect_work 4 "$(the_profile)"
}

one_build() {
  check "$name: environment" environment
  check "$name: descriptors, exec" descriptors "work 1; exec /bin/ls /proc/self/fd"
  check "$name: descriptors, fork and exec" descriptors "fork b; exec /bin/ls /proc/self/fd; exit"
  check "$name: descriptors, exec in a pool counted on" pool_then_descriptors
  check "$name: descriptors, posix_spawn" descriptors "spawn exec /bin/ls /proc/self/fd; exit"
  check "$name: symbolic link in the way" link_in_the_way x.profraw x.profraw
  check "$name: symbolic link at exit" link_at_exit
  check "$name: symbolic link in a pool" link_in_a_pool
  check "$name: standard error taken" standard_error_taken
  check "$name: awkward names" awkward_names
  check "$name: %t" tmpdir
  if has_users; then
    check "$name: more rights than its caller" more_rights
  else
    skipped "$name: more rights than its caller" "this user can't become another"
  fi
  if has_pids; then
    check "$name: symbolic link of a temporary name" link_of_temporary_name
  else
    skipped "$name: symbolic link of a temporary name" "no process ids of its own to be had"
  fi
}

pool_then_descriptors() {
  LLVM_PROFILE_FILE=%m.profraw expect_steps 137 "work 1; kill"
  sh -c 'exec /bin/ls /proc/self/fd' >wanted
  LLVM_PROFILE_FILE=%m.profraw expect_steps 0 "work 1; exec /bin/ls /proc/self/fd" >got
  expect_same "descriptors" wanted got
}

chmod 755 "$TEST_DIR"
with_each_build one_build
