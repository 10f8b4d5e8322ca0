#!/bin/sh
# Recordings made here, of processes that run side by side, fork, execute others, load objects, end
# their first thread, run in containers: contprof counts each sample where perf script says it was.
. "$(dirname "$0")/lib.sh"
. "$E2E/steps-lib.sh"
. "$E2E/perf-lib.sh"

two_at_once() {
  build_spins spins "$@"
  record two sh -c './spins a=60 & ./spins b=60 & wait'
  expect_as_perf_says two spins spin_a spin_b
}

# The linker gives the far section a segment of its own, at another distance of address and offset.
two_segments_of_code() {
  build_spins spins "$@" '-DSPIN_B_SECTION=".far"' -Wl,--section-start=.far=0x8000000
  expect "segments of code" 2 "$(readelf -lW spins | grep -c 'LOAD.* R E ')"
  record far sh -c './spins a=60 b=60 & ./spins b=60 & wait'
  expect_as_perf_says far spins spin_a spin_b
}

forking_server() {
  build_spins spins
  record server ./spins a=40 forks=6 b=15 a=10
  expect_as_perf_says server spins spin_a spin_b
}

# Each child loads the object after the fork, so at a place of its own.
children_load_objects() {
  build_spins spins
  stock "$NEWEST" -O1 -g -shared -fPIC "$PROGRAMS/spin_plugin.c" -o plugin.so
  record loads ./spins forks=4 b=15 load=./plugin.so:15
  expect_as_perf_says loads spins spin_b
  expect_as_perf_says loads plugin.so spin_plugin
}

# Two programs of one source in turn, in one process and in its children.
exec_chain() {
  build_spins first "$@"
  build_spins second "$@" -O2 -fno-inline
  record chain ./first a=40 forks=2 exec=./second b=20 exec=./first b=20 exec=./second a=20
  expect_as_perf_says chain first spin_a spin_b
  expect_as_perf_says chain second spin_a spin_b
}

# The address space lives as long as any thread.
first_thread_ends() {
  build_spins spins
  record threads ./spins a=40 thread b=40 thread b=20
  expect_as_perf_says threads spins spin_a spin_b
}

# Processes that ran before the recording, whose forks and maps perf makes up. The command gives it its
# time, and is not recorded.
attached() {
  build_spins spins
  start ./spins say a=100000 >said_pids
  one=$PID
  start ./spins say b=100000 >said_pids_too
  two=$PID
  wait_for 60 grep -q . said_pids
  wait_for 60 grep -q . said_pids_too
  RECORD_FLAGS="-p $one,$two" record attached ./spins b=60
  kill_hard "$one"
  kill_hard "$two"
  expect_as_perf_says attached spins spin_a spin_b
}

whole_machine() {
  build_spins spins
  start ./spins say a=100000 >said_pids
  one=$PID
  wait_for 60 grep -q . said_pids
  RECORD_FLAGS=-a record all ./spins forks=2 b=60
  kill_hard "$one"
  expect_as_perf_says all spins spin_a spin_b
}

chosen_pids() {
  build_spins spins
  record pids ./spins say forks=3 say a=40 >said_pids
  # shellcheck disable=SC2046 # a list
  set -- $(cat said_pids)
  expect "processes" 4 $#
  truth_by_symbols pids spins "$PWD/spins" wanted --pid="$2,$4"
  ip_counts spins got --perfdata=pids.data --pid="$2,$4"
  expect_same "two of three children" wanted got
  expect_functions got spins spin_a
  expect_text got.said '[1-9][0-9]* samples of other processes'
}

# The kernel tells the path as "... (deleted)".
deleted_file() {
  build_spins spins
  mkdir gone
  cp spins gone/spins
  # shellcheck disable=SC2016 # for that shell
  record gone sh -c 'exec 3<gone/spins; rm gone/spins; exec /proc/self/fd/3 a=60'
  truth_by_maps gone spins "$PWD/gone/spins (deleted)" wanted
  ip_counts spins got --perfdata=gone.data
  expect_same "addresses" wanted got
  expect_functions got spins spin_a
}

renamed_file() {
  build_spins spins
  cp spins another-name
  RECORD_FLAGS=--buildid-mmap
  record renamed ./another-name a=60
  truth_by_maps renamed spins "$PWD/another-name" wanted
  ip_counts spins got --perfdata=renamed.data
  expect_same "addresses" wanted got
  expect_functions got spins spin_a
}

# Two containers, each with its file system, in which the program has a path that is none outside.
containers() {
  build_spins spins
  mkdir inside
  # shellcheck disable=SC2016 # for that shell
  RECORD_FLAGS=--buildid-mmap record boxes sh -c 'for work in a=60 b=60; do
    unshare -Urpfm --mount-proc sh -c "mount -t tmpfs none inside && cp spins inside/app &&
      exec inside/app $work" & done; wait'
  [ ! -e inside/app ]
  truth_by_maps boxes spins "$PWD/inside/app" wanted
  ip_counts spins got --perfdata=boxes.data
  expect_same "addresses" wanted got
  expect_functions got spins spin_a spin_b
}

# Another build at the recorded path: perf has kept the id of the one that ran.
rebuilt_since() {
  build_spins spins -Wl,--build-id
  record rebuilt ./spins a=60
  build_spins spins -Wl,--build-id -O2
  truth_by_maps rebuilt spins "$PWD/spins" wanted
  expect_status 1 "$CONTPROF" sample --binary=spins --perfdata=rebuilt.data -o none 2>said
  [ ! -e none ]
  expect_text said 'in another build'
  expect_text said "$(perf buildid-list -i rebuilt.data | awk -v path="$PWD/spins" '$2 == path { print $1 }')"
}

# All samples of a recording are accounted for: counted, or not counted for a reason.
all_accounted_for() {
  build_spins spins
  # shellcheck disable=SC2016 # for that shell
  record sum sh -c './spins a=30; i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done'
  ip_counts spins got --perfdata=sum.data
  all=$(perf script -i sum.data -F ip 2>/dev/null | grep -c .)
  counted=$(sed -n 's/.* \([0-9]*\) samples counted; .*/\1/p' got.said)
  elsewhere=$(sed -n 's/.* \([0-9]*\) in other files.*/\1/p' got.said)
  reasons=$(sed 's/.*not counted: //;s/contprof: warning.*//' got.said | grep -oE '[0-9]+ [a-z]' |
    awk '{ sum += $1 } END { print sum }')
  expect "samples" "$all" $((counted + reasons))
  [ "$elsewhere" -gt 20 ] || die "of the shell there are $elsewhere"
  expect_text got.said 'warning: [0-9]*% of the samples are not in the profile'
}

if ! may_record; then
  skipped "live recordings" "perf can't record here: $(tail -n 1 may_record.said)"
  exit 0
fi
check "two processes at once, PIE" two_at_once -fPIE -pie
check "two processes at once, fixed addresses" two_at_once -fno-pie -no-pie
check "two processes at once, lld" two_at_once -fPIE -pie -fuse-ld=lld
check "two segments of code" two_segments_of_code -fPIE -pie
check "two segments of code, fixed addresses" two_segments_of_code -fno-pie -no-pie
check "a forking server" forking_server
check "children that load objects" children_load_objects
check "an exec chain" exec_chain
check "an exec chain, fixed addresses" exec_chain -fno-pie -no-pie
check "the first thread ends" first_thread_ends
check "processes that ran before" attached
if perf record -q -a -e cpu-clock:u -o may.data true >/dev/null 2>&1; then
  check "a whole machine" whole_machine
else
  skipped "a whole machine" "perf can't record it"
fi
check "chosen PIDs" chosen_pids
check "a deleted file" deleted_file
check "a binary rebuilt since" rebuilt_since
check "all samples accounted for" all_accounted_for
if perf record -q --buildid-mmap -e cpu-clock:u -o may.data true >/dev/null 2>&1; then
  check "a renamed file" renamed_file
  if unshare -Urpfm --mount-proc mount -t tmpfs none /mnt 2>/dev/null; then
    check "two containers" containers
  else
    skipped "two containers" "no namespaces to be had"
  fi
else
  skipped "files with other names" "perf or this kernel records no build-ids with maps"
fi
