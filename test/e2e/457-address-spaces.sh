#!/bin/sh
# Recordings written for the purpose, a rule of docs/address-spaces.md each: what contprof counts, from
# perf.data and from its text, against the samples that the script says were taken in the binary. What
# llvm-profgen makes of the table's rows is printed beside it.
. "$(dirname "$0")/lib.sh"

TWO=$ROOT/test/data/sampled/two
TWO_ID=e17691677440f351fee26afaf0311769551c2d23
WRITE=$BUILD/test/recordings/write_recording
BASE=0x55aa00000000
OTHER_BASE=0x563300000000

# --- what recordings are made of --------------------------------------------------------------------

# stacks PID FROM TO COUNT [WORD...]: samples with 16 branches each, so 15 ranges.
stacks() {
  stacks_branch=$2'>'$3
  printf 'sample %d %s' "$1" "$3"
  printf " $stacks_branch%.0s" 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
  stacks_count=$4
  shift 4
  echo " times=$stacks_count $*"
}

hex() {
  printf '0x%x' $(($1))
}

# loop1 PID BASE COUNT [WORD...]: samples in two's functions.
loop1() {
  loop_pid=$1 loop_base=$2 loop_count=$3
  shift 3
  stacks "$loop_pid" "$(hex $((loop_base + 0x1156)))" "$(hex $((loop_base + 0x1140)))" "$loop_count" "$@"
}

loop2() {
  loop_pid=$1 loop_base=$2 loop_count=$3
  shift 3
  stacks "$loop_pid" "$(hex $((loop_base + 0x118e)))" "$(hex $((loop_base + 0x1170)))" "$loop_count" "$@"
}

# two_map PID BASE [WORD...]
two_map() {
  map_pid=$1 map_base=$2
  shift 2
  echo "mmap $map_pid $(hex $((map_base + 0x1000))) 0x1000 0x1000 /home/u/two $*"
}

other_map() {
  echo "mmap $1 $(hex $(($2 + 0x1000))) 0x1000 0x1000 /bin/other"
}

# --- what is expected of them -----------------------------------------------------------------------

ours() {
  ours_out=$1
  shift
  "$CONTPROF" sample --binary="$TWO" --format=text -o "$ours_out" "$@" 2>ours_said
}

# `LOOP1 LOOP2`: samples, as the lines of their bodies tell.
samples_in() {
  awk '/^[^ ]/ { sub(/:.*/, ""); name = $0; next } $1 == "1.1:" { count[name] = $2 }
    END { print count["loop1"] / 15, count["loop2"] / 15 }' "$1"
}

# expect_samples LOOP1 LOOP2 ARGUMENT...
expect_samples() {
  wanted_samples="$1 $2"
  shift 2
  rm -f out
  ours out "$@" || [ "$wanted_samples" = "0 0" ] || die "$(cat ours_said)"
  [ -e out ] || : >out
  expect "samples in loop1 and loop2 ($*)" "$wanted_samples" "$(samples_in out)"
}

# recorded LOOP1 LOOP2 <SCRIPT: from perf.data, file and stream, and from perf script's text of it.
recorded() {
  cat >script
  "$WRITE" script perf.data
  expect_samples "$1" "$2" --perfdata=perf.data
  (echo stream && cat script) | "$WRITE" - - >stream
  expect_samples "$1" "$2" --perfdata=- <stream
  perf script -i perf.data -F pid,ip,brstack --show-mmap-events --show-task-events >printed 2>perf_said
  expect_samples "$1" "$2" --perfscript=printed
  expect_samples "$1" "$2" --perfdata=perf.data
}

# without_pids LOOP1 LOOP2: the same, printed without PIDs.
without_pids() {
  perf script -i perf.data -F ip,brstack --show-mmap-events --show-task-events >printed 2>perf_said
  expect_samples "$1" "$2" --perfscript=printed
}

# What llvm-profgen-19 makes of the last recording.
beside() {
  llvm-profgen-19 --binary="$TWO" --perfdata=perf.data --format=text -o beside >beside_said 2>&1 || : >beside
  echo "$1: right: $wanted_samples; llvm-profgen-19: $(samples_in beside)" >>"$TEST_DIR/table"
}

# --- the table of others' wrong answers ---------------------------------------------------------------

two_at_once() {
  recorded 100 100 <<END
exec 1001 two
$(two_map 1001 $BASE)
$(loop1 1001 $BASE 20)
exec 1002 two
$(two_map 1002 $OTHER_BASE)
$(loop2 1002 $OTHER_BASE 50)
$(loop1 1001 $BASE 80)
$(loop2 1002 $OTHER_BASE 50)
END
  beside "two PIDs at once"
  without_pids 100 100
}

fork_without_maps() {
  recorded 10 200 <<END
exec 2001 two
$(two_map 2001 $BASE)
$(loop1 2001 $BASE 10)
fork 2001 2002
fork 2002 2003
$(loop2 2002 $BASE 100)
exit 2001
$(loop2 2003 $BASE 100)
END
  beside "fork, children without maps"
}

child_execs() {
  recorded 100 0 <<END
exec 3001 two
$(two_map 3001 $BASE)
fork 3001 3002
exec 3002 other
$(other_map 3002 $BASE)
$(loop2 3002 $BASE 100)
$(loop1 3001 $BASE 100)
END
  beside "child execs another program"
}

one_pid_execs() {
  recorded 100 0 <<END
exec 3001 two
$(two_map 3001 $BASE)
$(loop1 3001 $BASE 100)
exec 3001 other
$(other_map 3001 $BASE)
$(loop2 3001 $BASE 100)
END
  beside "one PID execs another program, same addresses"
  without_pids 100 0
}

pid_reused() {
  recorded 100 0 <<END
exec 3001 two
$(two_map 3001 $BASE)
$(loop1 3001 $BASE 100)
exit 3001
exec 4000 other
$(other_map 4000 $BASE)
fork 4000 3001
$(loop2 3001 $BASE 100)
END
  beside "PID reused"
}

# On another CPU's buffer, which perf wrote first.
samples_before_their_map() {
  recorded 100 0 <<END
$(loop1 3001 $BASE 100 @5000000)
$(two_map 3001 $BASE @1000)
exec 3001 two @500
round
END
  beside "samples stand in the file before their MMAP2"
}

# --- processes ----------------------------------------------------------------------------------------

pid_reused_while_live() {
  recorded 0 100 <<END
$(two_map 1 $BASE)
$(two_map 2 $OTHER_BASE)
fork 2 1
$(loop1 1 $BASE 100)
$(loop2 1 $OTHER_BASE 100)
END
  expect_text ours_said '100 in no known map'
}

exit_and_exec_of_a_pid() {
  recorded 10 20 <<END
$(two_map 1 $BASE)
$(loop1 1 $BASE 10)
exit 1
exec 1 two
$(two_map 1 $OTHER_BASE)
$(loop1 1 $BASE 10)
$(loop2 1 $OTHER_BASE 20)
END
}

threads() {
  recorded 40 20 <<END
$(two_map 1 $BASE)
thread 1 2
thread 1 3
$(loop1 1 $BASE 10 tid=2)
exit 1 tid=3
$(loop1 1 $BASE 10)
exit 1
$(loop1 1 $BASE 20 tid=2)
$(two_map 1 $OTHER_BASE tid=2)
$(loop2 1 $OTHER_BASE 20 tid=2)
exit 1 tid=2
$(loop1 1 $BASE 10)
END
}

# What ran before the recording: made-up forks, whose maps follow.
synthesised() {
  recorded 10 20 <<END
comm 1 two @0 no-id
fork 9 1 synthesised @0 no-id
$(two_map 1 $BASE @0 no-id)
fork 1 2 synthesised @0 no-id
$(two_map 2 $OTHER_BASE @0 no-id)
$(loop1 1 $BASE 10)
$(loop2 2 $OTHER_BASE 20)
END
  loop1 2 $BASE 10 >>script # text does not tell that the fork was made up
  "$WRITE" script perf.data
  expect_samples 10 20 --perfdata=perf.data
  expect_text ours_said '10 in no known map'
}

late_map() {
  recorded 10 0 <<END
$(other_map 2 $BASE)
$(loop1 1 $BASE 5)
$(two_map 1 $BASE)
$(loop1 1 $BASE 10)
END
  expect_text ours_said '5 in no known map'
}

# A server's children, each with a life of its own.
many_forks() {
  {
    echo exec 1 two
    two_map 1 $BASE
    awk -v one="$(loop1 0 $BASE 1)" 'BEGIN {
      for (pid = 2; pid < 5002; pid++) print "fork 1", pid
      for (pid = 2; pid < 5002; pid++) { line = one; sub(/^sample 0/, "sample " pid, line); print line }
      for (pid = 2; pid < 5002; pid++) print "exit", pid }'
    loop2 1 $BASE 10
  } >script
  "$WRITE" script perf.data
  expect_samples 5000 10 --perfdata=perf.data
}

# --- maps ---------------------------------------------------------------------------------------------

overlapped_in_part() {
  recorded 10 0 <<END
$(two_map 1 $BASE)
mmap 1 $(hex $((BASE + 0x1160))) 0x100 0 /bin/other
$(loop1 1 $BASE 10)
$(loop2 1 $BASE 20)
END
  expect_text ours_said '20 in other files'
}

split_by_mprotect() {
  recorded 10 20 <<END
$(two_map 1 $BASE)
mmap 1 $(hex $((BASE + 0x1000))) 0x160 0x1000 /home/u/two prot=rwx
mmap 1 $(hex $((BASE + 0x1160))) 0xea0 0x1160 /home/u/two
$(loop1 1 $BASE 10)
$(loop2 1 $BASE 20)
END
}

no_files() {
  recorded 10 0 <<END
$(two_map 1 $BASE)
mmap 1 0x7fff00001000 0x1000 0 [vdso]
mmap 1 0x7ffe00001000 0x1000 0x7ffe00001000 //anon
mmap 1 0x7ffd00001000 0x1000 0x7ffd00001000 /memfd:jit deleted
$(loop2 1 0x7fff00000000 10)
$(loop2 1 0x7ffe00000000 10)
$(loop2 1 0x7ffd00000000 10)
$(loop1 1 $BASE 10)
END
  expect_text ours_said '30 in other files'
  without_pids 10 0
}

maps_of_data() {
  recorded 10 0 <<END
$(two_map 1 $BASE)
mmap 1 $(hex $((BASE + 0x1000))) 0x1000 0x2000 /home/u/two prot=r
$(loop1 1 $BASE 10)
END
}

kernel_and_user() {
  recorded 10 0 <<END
mmap -1 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text kernel
$(two_map 1 $BASE)
$(loop1 1 $BASE 10)
$(stacks 1 0xffffffff81000156 0xffffffff81000140 7)
END
  expect_text ours_said '7 in the kernel'
}

# --- files --------------------------------------------------------------------------------------------

renamed_and_deleted() {
  recorded 30 10 <<END
mmap 1 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /var/lib/containers/overlay/merged/two
mmap 2 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /home/u/two deleted
mmap 3 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /two
$(loop1 1 $BASE 10)
$(loop1 2 $BASE 20)
$(loop2 3 $BASE 10)
END
}

# The text of a recording has no build-ids: from the file alone.
found_by_build_id() {
  cat >script <<END
mmap 1 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /app/server build-id=$TWO_ID
mmap 2 $(hex $((OTHER_BASE + 0x1000))) 0x1000 0x1000 /app/table
build-id /app/table $TWO_ID
$(loop1 1 $BASE 10)
$(loop2 2 $OTHER_BASE 20)
END
  "$WRITE" script perf.data
  expect_samples 10 20 --perfdata=perf.data
}

another_build() {
  cat >script <<END
mmap 1 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /app/two build-id=00112233445566778899aabbccddeeff00112233
mmap 2 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /app/server build-id=$TWO_ID
$(loop1 1 $BASE 100)
$(loop2 2 $BASE 20)
END
  "$WRITE" script perf.data
  expect_samples 0 20 --perfdata=perf.data
  expect_text ours_said '100 in another build'
  expect_text ours_said 'warning: 83% of the samples are not in the profile'
  expect_text ours_said '/app/two'
  expect_text ours_said '00112233445566778899aabbccddeeff00112233'
}

# Of two containers, say: the table of build-ids has both files, and does not tell whose is which.
one_path_of_two_builds() {
  for order in "$TWO_ID 00112233445566778899aabbccddeeff00112233" "00112233445566778899aabbccddeeff00112233 $TWO_ID"; do
    cat >script <<END
$(two_map 1 $BASE)
mmap 2 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /app/two build-id=$TWO_ID
build-id /home/u/two ${order% *}
build-id /home/u/two ${order#* }
build-id /bin/other $TWO_ID
$(loop1 1 $BASE 10)
$(loop1 2 $BASE 5)
END
    "$WRITE" script perf.data
    expect_samples 5 0 --perfdata=perf.data
    expect_text ours_said '10 in another build'
    expect_text ours_said '/home/u/two was recorded, which may be .*/two or another'
  done
}

# Two binaries of one name: the longer likeness of paths decides, else nothing does.
two_of_one_name() {
  mkdir a b
  cp "$TWO" a/two
  cp "$TWO" b/two
  objcopy --remove-section=.note.gnu.build-id b/two
  objcopy --remove-section=.note.gnu.build-id a/two
  cat >script <<END
mmap 1 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /srv/b/two
mmap 2 $(hex $((BASE + 0x1000))) 0x1000 0x1000 /srv/two
$(loop1 1 $BASE 10)
$(loop2 2 $BASE 20)
END
  "$WRITE" script perf.data
  "$CONTPROF" sample --binary=a/two -o a.out --binary=b/two -o b.out --format=text --perfdata=perf.data 2>ours_said
  expect "samples of a/two" "0 0" "$(samples_in a.out)"
  expect "samples of b/two" "10 0" "$(samples_in b.out)"
  expect_text ours_said '20 in another build'
  expect_text ours_said '/srv/two was recorded, which may be a/two or another binary'
}

lost_records() {
  recorded 100 0 <<END
$(two_map 1 $BASE)
$(loop1 1 $BASE 100)
lost 17
lost-samples 4
END
  expect_samples 100 0 --perfdata=perf.data
  expect_text ours_said '21 lost'
}

# --- texts without PIDs or maps -------------------------------------------------------------------------

doubt_is_refused() {
  recorded 20 0 <<END
$(two_map 1 $BASE)
$(loop1 1 $BASE 10)
$(other_map 2 $BASE)
$(loop1 1 $BASE 10)
$(loop1 2 $BASE 10)
END
  perf script -i perf.data -F ip,brstack --show-mmap-events >printed 2>perf_said
  rm -f out
  expect_status 1 ours out --perfscript=printed
  [ ! -e out ] || die "there is an output"
  expect_text ours_said 'error: printed: 20 of 30 samples are without a PID'
  expect_text ours_said 'perf script -F pid'
}

# The kernel records the PID -1 of a task that has just ended.
ended_tasks() {
  cat >script <<END
$(two_map 1 $BASE)
$(other_map 2 $BASE)
$(loop1 1 $BASE 100)
$(loop1 -1 $BASE 8)
END
  "$WRITE" script perf.data
  expect_samples 100 0 --perfdata=perf.data
  expect_text ours_said '100 samples counted; not counted: 8 without a PID'
  perf script -i perf.data -F pid,ip,brstack --show-mmap-events --show-task-events >printed 2>perf_said
  expect_samples 100 0 --perfscript=printed
  expect_text ours_said '100 samples counted; not counted: 8 without a PID'
}

no_maps_at_all() {
  recorded 0 0 <<END
$(two_map 1 0)
$(loop1 2 0 10)
END
  perf script -i perf.data -F ip,brstack >printed 2>perf_said
  expect_samples 10 0 --perfscript=printed
  expect_text ours_said 'warning: .*map'
  perf script -i perf.data -F pid,ip,brstack >printed 2>perf_said
  expect_samples 10 0 --perfscript=printed
}

# --- large pages, by the addresses of samples -------------------------------------------------------------

# A binary for pages up to 64 KiB, as lld lays it out: code begins in the middle of a page of the file.
# The kernel maps whole pages of its own, from the file's page that the code begins in.
pages() {
  echo "const char table[90000] = {1};" >table.c
  stock "$NEWEST" -O1 -g -fPIE -pie -fuse-ld=lld -Wl,-z,max-page-size=65536 "$PROGRAMS/spins.c" table.c -o spins
  # shellcheck disable=SC2046 # offset and address
  set -- "$1" $(readelf -lW spins | awk '/LOAD/ && / R E / { print $2, $3, $5 }')
  from=$(($2 / $1 * $1)) end=$((($2 + $4 + $1 - 1) / $1 * $1)) slide=$(($3 - $2))
  [ $(($2 % 0x1000)) != 0 ] || die "code begins a page of the file"
  function=$(nm spins | awk '$3 == "spin_b" { print "0x" $1 }')
  printf 'event cycles:u sample=ip,tid,time,period\nmmap 1 %#x %#x %#x /a/spins\nsample 1 %#x times=9\n' \
    $((BASE + from + slide)) $((end - from)) "$from" $((BASE + function)) >script
  "$WRITE" script perf.data
  "$CONTPROF" sample --binary=spins --perfdata=perf.data --skip-symbolization --use-offset=false -o got
  printf '1\n%x-%x:9\n0\n' "$((function))" "$((function))" >wanted
  expect_same "pages of $1" wanted got
}

check "two PIDs at once" two_at_once
check "tasks that have just ended" ended_tasks
check "fork, children without maps" fork_without_maps
check "child execs another program" child_execs
check "one PID execs another program" one_pid_execs
check "PID reused" pid_reused
check "samples before their map" samples_before_their_map
sed 's/^/# /' "$TEST_DIR/table"
check "a live PID reused" pid_reused_while_live
check "exit, then exec of the PID" exit_and_exec_of_a_pid
check "threads" threads
check "processes that ran before" synthesised
check "a late map" late_map
check "five thousand children" many_forks
check "overlapped in part" overlapped_in_part
check "split by mprotect" split_by_mprotect
check "memory without a file" no_files
check "maps of data" maps_of_data
check "the kernel" kernel_and_user
check "renamed and deleted" renamed_and_deleted
check "found by build-id" found_by_build_id
check "another build" another_build
check "one path of two builds" one_path_of_two_builds
check "two binaries of one name" two_of_one_name
check "lost records" lost_records
check "no PIDs, and doubt" doubt_is_refused
check "no maps at all" no_maps_at_all
check "pages of 4 KiB" pages 4096
check "pages of 16 KiB" pages 16384
check "pages of 64 KiB" pages 65536
