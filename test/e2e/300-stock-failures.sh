#!/bin/sh
# What LLVM's own continuous mode gets wrong, case by case in the order of our list, each with every
# LLVM and in both modes. The right counts are those of a stock build without continuous mode that
# ends in good order. Lines that begin with # say what stock's continuous mode makes of the same case
# here; they are for the reader, not judged.
# shellcheck disable=SC2086 # lists of flags

# In a mount namespace of its own, for the small file system; without root, in a user namespace too.
if [ -z "${CONTPROF_TEST_NAMESPACE:-}" ]; then
  export CONTPROF_TEST_NAMESPACE=1
  [ "$(id -u)" = 0 ] && exec unshare -m sh "$0"
  exec unshare -rm sh "$0"
fi

. "$(dirname "$0")/lib.sh"

FRONTEND=-fprofile-instr-generate
IR=-fprofile-generate
CONTINUOUS="-mllvm -runtime-counter-relocation" # stock's; with %c in the file's name

ours() {
  cc "$llvm" -O2 "-fprofile-continuous=$mode" "$@"
}

right() {
  stock "$llvm" -O2 "$@"
}

# count_of FUNCTION FILE
count_of() {
  stock_counts "$llvm" "$2" >count_of.txt
  function_count count_of.txt "$1"
}

# sum_of FUNCTION RAW...: by stock llvm-profdata.
sum_of() {
  summed=$1
  shift
  profdata "$llvm" merge -o sum_of.profdata "$@"
  count_of "$summed" sum_of.profdata
}

# in_stock WHAT COMMAND...: what the command says of stock's continuous mode, once for each LLVM.
in_stock() {
  [ "$mode" = segment ] || return 0
  in_stock_what=$1
  shift
  in_stock_said=$("$@" 2>&1 | tail -n 1) || true
  echo "# clang $llvm's continuous mode, $in_stock_what: $in_stock_said" >&5
}

expect_one_line() {
  [ "$(wc -l <complaints)" = 1 ] || die "not one line of complaint: $(cat complaints)"
  expect_text complaints "^contprof: .*$1"
}

# --- value sites ----------------------------------------------------------------------------------

# Without the values never seen, the unused slots of a live file; and without the shares, which depend
# on how many are listed.
values() {
  profdata "$llvm" show --all-functions --ic-targets --memop-sizes "$1" |
    awk '/^  [^ ]/ { name = $1 } /^\t\[/ && $0 !~ / 0 \] / { sub(/ \(.*/, ""); print name, $0 }' |
    sort
}

stock_values() {
  right $IR $CONTINUOUS "$PROGRAMS/targets.c" -o continuous
  run_stock stock%c.profraw ./continuous 1000
  profdata "$llvm" show --ic-targets stock.profraw
}

value_sites() {
  right $IR "$PROGRAMS/targets.c" -o stock
  run_stock stock-exit.profraw ./stock 1000
  ours $IR "$PROGRAMS/targets.c" "$TEST_DIR/last.o" -o ours
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./ours 1000
  values stock-exit.profraw >wanted.txt
  values ours.profraw >got.txt
  expect_text wanted.txt twice
  expect_same "values" wanted.txt got.txt
  in_stock "value sites" stock_values
}

# --- a loop that never ends -----------------------------------------------------------------------

progress() {
  od -A n -t u8 progress | tr -d ' '
}

has_progress() {
  [ "$(progress)" -gt "$1" ]
}

# loop_count RAW: the largest counter of `serve`.
loop_count() {
  stock_counts "$llvm" "$1" | awk '$0 == "  serve:" { here = 1; next }
    here && /Block counts:/ { gsub(/[^0-9 ]/, ""); for (i = 1; i <= NF; i++) if ($i > n) n = $i
      print n + 0; exit }'
}

# kill_in_the_loop PROGRAM PATTERN
kill_in_the_loop() {
  rm -f progress
  LLVM_PROFILE_FILE=$2 start "$1" serve progress
  wait_for 20 test -s progress
  wait_for 20 has_progress 1000
  kill_hard "$PID"
}

stock_loop() {
  right $IR $CONTINUOUS "$PROGRAMS/endless.c" -o continuous
  kill_in_the_loop ./continuous stock%c.profraw
  echo "$(loop_count stock.profraw) of $(progress)"
}

endless_loop() {
  ours $IR "$PROGRAMS/endless.c" -o endless
  kill_in_the_loop ./endless ours.profraw
  told=$(progress)
  counted=$(loop_count ours.profraw)
  [ "$counted" -ge "$told" ] && [ "$counted" -le $((told + 1)) ] ||
    die "counted $counted, told $told"
  in_stock "killed in while (!stop)" stock_loop
}

# --- shared objects -------------------------------------------------------------------------------

# two_parts COMMAND FLAG...
two_parts() {
  parts_with=$1
  shift
  for part in a b; do
    "$parts_with" $FRONTEND "$@" -fPIC -shared -DPART=$part "$PROGRAMS/part.c" -o libpart_$part.so
  done
  "$parts_with" $FRONTEND "$@" "$PROGRAMS/two_parts.c" "$TEST_DIR/ending.o" -L. -lpart_a -lpart_b \
    "-Wl,-rpath,$PWD" -o two_parts
}

# An object's mode is what its driver finds right for it.
ours_by_itself() {
  mode=auto ours "$@"
}

stock_two_objects() {
  mkdir continuous
  cd continuous
  two_parts right $CONTINUOUS
  LLVM_PROFILE_FILE=all%c.profraw ./two_parts exit >said
  echo "$(profdata "$llvm" show --all-functions all.profraw | grep -c '^  part_') of 4 functions"
}

two_objects() {
  mkdir stock ours
  (cd stock && two_parts right && run_stock "$PWD/%m.profraw" ./two_parts exit)
  stock_merged_counts "$llvm" wanted.txt stock/*.profraw
  cd ours
  for part in a b; do
    ours_by_itself $FRONTEND -fPIC -shared -DPART=$part "$PROGRAMS/part.c" -o libpart_$part.so
  done
  ours $FRONTEND "$PROGRAMS/two_parts.c" "$TEST_DIR/ending.o" -L. -lpart_a -lpart_b \
    "-Wl,-rpath,$PWD" -o two_parts
  LLVM_PROFILE_FILE=all.profraw expect_killed ./two_parts kill >said
  cd ..
  expect "files" 3 "$(find ours -name '*.profraw' | wc -l)"
  stock_merged_counts "$llvm" got.txt ours/*.profraw
  expect_same_functions "every module's counts" wanted.txt got.txt
  in_stock "two objects under one name" stock_two_objects
}

COUNTED='static volatile int sink; void counted(void) { sink++; }'

stock_reopened() {
  right $FRONTEND $CONTINUOUS -fPIC -shared counted.c -o libcounted.so
  LLVM_PROFILE_FILE=stock%c.profraw "$TEST_DIR/reopens" ./libcounted.so 20 >said
  echo "$(count_of counted stock.profraw) of 20, $(tr '\n' ' ' <said)"
}

opened_twenty_times() {
  echo "$COUNTED" >counted.c
  right $FRONTEND -fPIC -shared counted.c -o libcounted.so
  LLVM_PROFILE_FILE=stock/%m.profraw "$TEST_DIR/reopens" ./libcounted.so 20 >said
  ours_by_itself $FRONTEND -fPIC -shared counted.c -o libcounted.so
  LLVM_PROFILE_FILE=ours.profraw "$TEST_DIR/$1" ./libcounted.so 20 >said
  expect "what is left in the process" "more mappings: 0
more descriptors: 0" "$(cat said)"
  stock_counts "$llvm" "$(the_profile stock)" >wanted.txt
  stock_counts "$llvm" ours-libcounted.so.profraw >got.txt
  expect_same "counts" wanted.txt got.txt
  expect "counted" 20 "$(function_count got.txt counted)"
}

# The host of the dlopens, as well in either mode.
dlopen_cycles() {
  ours $FRONTEND "$PROGRAMS/reopens.c" -ldl -lpthread -o "$TEST_DIR/reopens-$mode"
  opened_twenty_times reopens
  rm -r stock ours-libcounted.so.profraw
  opened_twenty_times "reopens-$mode"
  in_stock "dlopen, dlclose" stock_reopened
}

# --- several processes ----------------------------------------------------------------------------

CALLS=2000000

stock_fork() {
  right $FRONTEND $CONTINUOUS "$PROGRAMS/crowd.c" "$TEST_DIR/ending.o" -o continuous
  run_stock continuous-%p%c.profraw ./continuous exit 3 $CALLS </dev/null
  echo "$(sum_of work continuous-*.profraw) of $((4 * CALLS))"
}

fork_counts_apart() {
  right $FRONTEND "$PROGRAMS/crowd.c" "$TEST_DIR/ending.o" -o stock
  run_stock stock-%p.profraw ./stock exit 3 $CALLS </dev/null
  ours $FRONTEND "$PROGRAMS/crowd.c" "$TEST_DIR/ending.o" -o ours
  LLVM_PROFILE_FILE=ours-%p.profraw expect_killed ./ours kill 3 $CALLS </dev/null
  expect "files" 4 "$(find . -name 'ours-*.profraw' | wc -l)"
  for raw in ours-*.profraw; do
    expect "work in $raw" $CALLS "$(count_of work "$raw")"
  done
  expect "sum" "$(sum_of work stock-*.profraw)" "$(sum_of work ours-*.profraw)"
  in_stock "fork" stock_fork
}

stock_exec() {
  right $FRONTEND $CONTINUOUS "$PROGRAMS/execs.c" "$TEST_DIR/ending.o" -o continuous
  run_stock continuous-%p%c.profraw ./continuous exit exec
  echo "$(sum_of before continuous-*.profraw) of 10 before it"
}

exec_keeps_counts() {
  right $FRONTEND "$PROGRAMS/execs.c" "$TEST_DIR/ending.o" -o stock
  run_stock stock-%p.profraw ./stock exit stay
  ours $FRONTEND "$PROGRAMS/execs.c" "$TEST_DIR/ending.o" -o ours
  LLVM_PROFILE_FILE=ours-%p.profraw expect_killed ./ours kill exec
  expect "files" 2 "$(find . -name 'ours-*.profraw' | wc -l)"
  for function in before after; do
    expect $function "$(sum_of $function stock-*.profraw)" "$(sum_of $function ours-*.profraw)"
  done
  in_stock "exec of itself under %p" stock_exec
}

# at_once PATTERN PROGRAM HOW: four processes, which all count when all have started.
at_once() {
  mkfifo gate
  exec 3<>gate # both ways, or each end would wait for the other to be opened
  at_once_pids=
  for _ in 1 2 3 4; do
    LLVM_PROFILE_FILE=$1 start "$2" "$3" 0 $CALLS <gate 3>&-
    at_once_pids="$at_once_pids $PID"
  done
  [ "$3" = exit ] || wait_for 20 four_files
  exec 3>&-
  for each in $at_once_pids; do
    wait_end "$each"
  done
  rm gate
}

four_files() {
  [ "$(find pool -name '*.profraw' | wc -l)" = 4 ]
}

stock_pool() {
  right $FRONTEND $CONTINUOUS "$PROGRAMS/crowd.c" "$TEST_DIR/ending.o" -o continuous
  at_once continuous-%m%c.profraw ./continuous exit
  echo "$(sum_of work continuous-*.profraw) of $((4 * CALLS))"
}

concurrent_pool() {
  right $FRONTEND "$PROGRAMS/crowd.c" "$TEST_DIR/ending.o" -o stock
  at_once stock-%m.profraw ./stock exit
  ours $FRONTEND "$PROGRAMS/crowd.c" "$TEST_DIR/ending.o" -o ours
  at_once pool/%m.profraw ./ours kill
  stock_merged_counts "$llvm" wanted.txt stock-*.profraw
  stock_merged_counts "$llvm" got.txt pool/*.profraw
  expect "work" $((4 * CALLS)) "$(function_count got.txt work)"
  expect_same_functions "sum" wanted.txt got.txt
  in_stock "%m, processes at once" stock_pool
}

# early COMMAND COMMAND FLAG...: what compiles the shared object, and the program.
early() {
  early_object=$1 early_program=$2
  shift 2
  "$early_object" $FRONTEND "$@" -fPIC -shared -DLIBRARY "$PROGRAMS/early.c" -o libearly.so
  "$early_program" $FRONTEND "$@" "$PROGRAMS/early.c" "$TEST_DIR/ending.o" -L. -learly \
    "-Wl,-rpath,$PWD" -o early
}

early_twice() {
  mkdir stock ours
  (cd stock && early right right && for _ in 1 2; do run_stock "$PWD/%m.profraw" ./early exit; done)
  (cd ours && early ours_by_itself ours && export LLVM_PROFILE_FILE=%m.profraw &&
    for _ in 1 2; do expect_killed ./early kill; done) >said
  expect "files" 2 "$(find ours -name '*.profraw' | wc -l)"
  stock_merged_counts "$llvm" wanted.txt stock/*.profraw
  stock_merged_counts "$llvm" got.txt ours/*.profraw
  expect "first constructor" 2 "$(function_count got.txt program_first_constructor)"
  expect_same_functions "counts of two processes" wanted.txt got.txt
}

# --- second instance ------------------------------------------------------------------------------

answers() {
  [ "$(wc -c <"$1")" = "$2" ]
}

# beside PROGRAM HOW PATTERN: one process counts 100, another begins and counts 200, the first goes
# on to 300. The first's status is in $STATUS.
beside() {
  mkfifo input
  exec 3<>input
  LLVM_PROFILE_FILE=$3 start "$1" "$2" <input 3>&- >answers
  first=$PID
  printf x >&3
  wait_for 20 answers answers 1
  printf xx >input2
  LLVM_PROFILE_FILE=$3 "$1" "$2" <input2 3>&- >/dev/null 2>&1 || true
  printf xx >&3
  exec 3>&-
  wait_end "$first"
  rm input
}

stock_beside() {
  right $FRONTEND $CONTINUOUS "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o continuous
  beside ./continuous exit same%c.profraw
  echo "status of the first $STATUS, $(count_of step same.profraw 2>&1 | tail -n 1) of 500"
}

second_instance() {
  right $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o stock
  printf xxx | LLVM_PROFILE_FILE=first.raw ./stock exit >answers
  printf xx | LLVM_PROFILE_FILE=second.raw ./stock exit >answers
  ours $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o ours
  beside ./ours kill same.profraw
  expect "files" 2 "$(find . -name '*.profraw' | wc -l)"
  stock_counts "$llvm" first.raw >wanted.txt
  stock_counts "$llvm" same.profraw >got.txt
  expect_same "first" wanted.txt got.txt
  stock_counts "$llvm" second.raw >wanted.txt
  stock_counts "$llvm" same-*.profraw >got.txt
  expect_same "second" wanted.txt got.txt
  rm ./*.profraw
  in_stock "second instance, same name" stock_beside
}

# --- places that don't work -----------------------------------------------------------------------

# fill: leaves no room on the small file system.
fill() {
  find "$TEST_DIR/disk" -mindepth 1 -delete
  dd if=/dev/zero of="$TEST_DIR/disk/filler" bs=4k 2>/dev/null || true
}

stock_disk_full() {
  right $FRONTEND $CONTINUOUS "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o continuous
  fill
  printf x | LLVM_PROFILE_FILE=$TEST_DIR/disk/full%c.profraw ./continuous exit >/dev/null 2>&1
  echo "status $?, a file of $(wc -c <"$TEST_DIR/disk/full.profraw") bytes"
}

disk_full() {
  full=$TEST_DIR/disk/full.profraw
  right $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o stock
  printf xxx | LLVM_PROFILE_FILE=wanted.raw ./stock exit >answers
  ours $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o ours
  fill
  mkfifo input
  exec 3<>input
  LLVM_PROFILE_FILE=$full start ./ours exit <input 3>&- >answers 2>complaints
  printf xx >&3
  wait_for 20 answers answers 2
  expect_one_line "full\.profraw.*no space"
  expect "what is on the disk" filler "$(ls -A "$TEST_DIR/disk")"
  rm "$TEST_DIR/disk/filler"
  printf x >&3
  exec 3>&-
  wait_end "$PID"
  expect "status" 0 "$STATUS"
  expect_one_line "full\.profraw.*no space"
  stock_counts "$llvm" wanted.raw >wanted.txt
  stock_counts "$llvm" "$full" >got.txt
  expect_same "counts" wanted.txt got.txt
  in_stock "disk full" stock_disk_full
}

unwritable() {
  right $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o stock
  ours $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o ours
  : >plain
  for place in /proc/none/x.profraw plain/x.profraw; do
    printf xxx | LLVM_PROFILE_FILE=$place ./ours exit >answers 2>complaints
    expect "answers" xxx "$(cat answers)"
    expect_one_line "$place"
  done
}

# --- functions that programs call -----------------------------------------------------------------

stock_functions() {
  right $FRONTEND $CONTINUOUS "$PROGRAMS/functions.c" "$TEST_DIR/ending.o" -o continuous
  run_stock first%c.profraw ./continuous exit
  for raw in first second buffer; do
    printf '%s: %s; ' $raw "$(count_of leaf $raw.profraw 2>&1 | tail -n 1)"
  done
}

# Nothing under the first name, 25 calls under the second and in the buffer.
functions() {
  mkdir stock ours
  right $FRONTEND "$PROGRAMS/functions.c" "$TEST_DIR/ending.o" -o stock/functions
  ours $FRONTEND "$PROGRAMS/functions.c" "$TEST_DIR/ending.o" -o ours/functions
  (cd stock && run_stock first.profraw ./functions exit)
  (cd ours && LLVM_PROFILE_FILE=first.profraw expect_killed ./functions kill)
  for file in second buffer; do
    stock_counts "$llvm" stock/$file.profraw >wanted.txt
    stock_counts "$llvm" ours/$file.profraw >got.txt
    expect_same "$file" wanted.txt got.txt
    expect "leaf in $file" 25 "$(function_count got.txt leaf)"
  done
  [ ! -e stock/first.profraw ] && [ ! -e ours/first.profraw ]
  in_stock "reset, new name, buffer" stock_functions
}

# --- MC/DC ----------------------------------------------------------------------------------------

MCDC="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"

decisions() {
  profdata "$llvm" merge -o mcdc.profdata "$2"
  cov "$llvm" show --show-mcdc "$1" -instr-profile=mcdc.profdata
}

stock_mcdc() {
  right $MCDC $CONTINUOUS "$PROGRAMS/conditions.c" "$TEST_DIR/ending.o" -o continuous
  run_stock stock%c.profraw ./continuous exit
  decisions ./continuous stock.profraw | grep 'MC/DC Coverage for Decision'
}

mcdc() {
  # shellcheck disable=SC2086 # a list of flags
  same_as_stock "$llvm" cc "$mode" -O2 $MCDC "$PROGRAMS/conditions.c" "$TEST_DIR/ending.o"
  decisions stock/program stock/profile.raw >wanted.txt
  decisions ours/program ours/profile.raw >got.txt
  expect_text wanted.txt 'MC/DC Coverage for Decision: [1-9]'
  expect_same "MC/DC" wanted.txt got.txt
  in_stock "MC/DC" stock_mcdc
}

# --- merging --------------------------------------------------------------------------------------

# Fifty profiles of killed processes under raw/, the seventh cut off.
fifty_files() {
  ours $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o ours
  printf x >input
  for i in $(seq 10 59); do
    LLVM_PROFILE_FILE=raw/$i.profraw expect_killed ./ours kill <input >/dev/null
  done
  head -c 300 raw/16.profraw >cut.profraw
  mv cut.profraw raw/16.profraw
}

truncated_among_many() {
  fifty_files
  expect_status 1 "$CONTPROF" merge -o none.profdata raw 2>said
  expect_text said 'raw/16\.profraw: .* at offset [0-9]+: (cut short: )?[0-9]+ bytes wanted, [0-9]+ left'
  [ ! -e none.profdata ]
  "$CONTPROF" merge --failure-mode=all -o got.profdata raw 2>said
  expect_text said 'warning: raw/16\.profraw: .* at offset [0-9]+: (cut short: )?[0-9]+ bytes wanted, [0-9]+ left'
  expect_text said 'warning: 1 of 50 inputs skipped'
  in_stock "one truncated file of fifty" profdata "$llvm" merge -o none.profdata raw/*.profraw
  rm raw/16.profraw
  stock_merged_counts "$llvm" wanted.txt raw/*.profraw
  stock_counts "$llvm" got.profdata >got.txt
  expect_same_functions "the other forty-nine" wanted.txt got.txt
  expect "step" 4900 "$(function_count got.txt step)"
}

# set_step RAW BYTES: the file's first counter that is 100, that of `step`, gets these bytes, given as
# printf has them.
set_step() {
  at=$(od -A d -t u8 -v -w8 "$1" | awk '$2 == 100 { print $1 + 0; exit }')
  # shellcheck disable=SC2059 # octal
  printf "$2" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

# A count that stock takes for corruption: nothing else may suffer.
huge_count() {
  ours $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o ours
  printf x >input
  for file in a b; do
    LLVM_PROFILE_FILE=$file.profraw expect_killed ./ours kill <input >/dev/null
  done
  set_step a.profraw '\377\377\377\377\377\377\377\377'
  "$CONTPROF" merge -o got.profdata a.profraw b.profraw 2>said
  stock_counts "$llvm" got.profdata >got.txt
  expect "main" 2 "$(function_count got.txt main)"
  expect_no_text got.txt 'Function count: 99$'
  in_stock "a count beyond 2^56" profdata "$llvm" merge -o none.profdata a.profraw b.profraw
}

# Sums stop at the largest count, which is LLVM's, and say so.
huge_sum() {
  ours $FRONTEND "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o ours
  printf x >input
  LLVM_PROFILE_FILE=a.profraw expect_killed ./ours kill <input >/dev/null
  "$CONTPROF" merge -o got.profdata --weighted-input=400000000000000000,a.profraw 2>said
  expect_text said 'warning: .*step'
  stock_counts "$llvm" got.profdata >got.txt
  expect "main" 400000000000000000 "$(function_count got.txt main)"
  expect "step" 18446744073709551613 "$(function_count got.txt step)"
  [ "$llvm" != 14 ] || return 0 # which takes the two numbers above that for counts as well
  stock_merged_counts "$llvm" wanted.txt --weighted-input=400000000000000000,a.profraw
  expect_same_functions "sums" wanted.txt got.txt
}

build_id() {
  readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

both_binary_ids() {
  ours $FRONTEND -Wl,--build-id "$PROGRAMS/paced.c" "$TEST_DIR/ending.o" -o paced
  ours $FRONTEND -Wl,--build-id "$PROGRAMS/crowd.c" "$TEST_DIR/ending.o" -o crowd
  LLVM_PROFILE_FILE=paced.profraw expect_killed ./paced kill </dev/null
  LLVM_PROFILE_FILE=crowd.profraw expect_killed ./crowd kill 0 1 </dev/null
  cat paced.profraw crowd.profraw >both.profraw
  "$CONTPROF" merge "--llvm=$llvm" -o got.profdata both.profraw
  profdata "$llvm" show --binary-ids got.profdata >got.txt
  for program in paced crowd; do
    expect_text got.txt "$(build_id $program)"
  done
}

# --- the environment ------------------------------------------------------------------------------

environment_unchanged() {
  cat >prints.c <<'EOF'
#include <stdio.h>
extern char **environ;
int main(void) {
  for (char **each = environ; *each; each++)
    puts(*each);
}
EOF
  right prints.c -o prints
  env -i A=1 LLVM_PROFILE_FILE=x-%p.profraw B=2 ./prints >wanted.txt
  ours $FRONTEND prints.c -o prints
  env -i A=1 LLVM_PROFILE_FILE=x-%p.profraw B=2 ./prints >got.txt
  the_profile >/dev/null
  expect_same "environment" wanted.txt got.txt
}

exec 5>&1
mkdir disk
mount -t tmpfs -o size=64k none disk
stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
stock $NEWEST "$PROGRAMS/reopens.c" -o reopens -ldl -lpthread
cat >last.c <<'EOF'
#include <signal.h>
__attribute__((destructor)) static void last(void) { raise(SIGKILL); }
EOF
stock $NEWEST -c last.c -o last.o
for llvm in $LLVMS; do
  for mode in segment pointer; do
    name="clang $llvm $mode"
    check "$name: value sites" value_sites
    check "$name: killed in while (!stop), IR instrumentation" endless_loop
    check "$name: two instrumented shared objects, one name" two_objects
    check "$name: dlopen and dlclose twenty times" dlopen_cycles
    check "$name: fork" fork_counts_apart
    check "$name: exec of itself under %p" exec_keeps_counts
    check "$name: %m with concurrent processes" concurrent_pool
    check "$name: constructors that run early, second process" early_twice
    check "$name: second instance, same name" second_instance
    check "$name: disk full" disk_full
    check "$name: unwritable path" unwritable
    check "$name: reset_counters, set_filename, write_buffer" functions
    [ "$llvm" != $NEWEST ] || check "$name: MC/DC bitmap" mcdc
    check "$name: one truncated file among many" truncated_among_many
    check "$name: a count beyond 2^56" huge_count
    check "$name: a sum beyond 2^64" huge_sum
    [ "$llvm" = 14 ] || check "$name: binary ids of concatenated files" both_binary_ids
    check "$name: environment" environment_unchanged
  done
done
umount disk
