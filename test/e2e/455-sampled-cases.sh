#!/bin/sh
# Recordings of several processes of one binary, with the right answers of test/data/sampled/README.md,
# from perf.data and from its text; each process alone also as llvm-profgen counts it. What llvm-profgen
# makes of the whole is printed beside it.
. "$(dirname "$0")/lib.sh"

DATA=$ROOT/test/data/sampled
TWO=$DATA/two

ours() {
  ours_out=$1
  shift
  "$CONTPROF" sample --binary="$TWO" --format=text -o "$ours_out" "$@"
}

theirs() {
  theirs_out=$1
  shift
  llvm-profgen-19 --binary="$TWO" --format=text -o "$theirs_out" "$@"
}

# `FUNCTION LINE COUNT` lines of a profile's body samples, but those that are 0.
bodies() {
  awk '/^[^ ]/ { sub(/:.*/, ""); name = $0; next } $2 + 0 { sub(/:/, ""); print name, $1, $2 }' "$1" | sort
}

right_bodies() {
  case $1 in
    conc | seq) printf '%s\n' "loop1 1.1 1500" "loop1 1.3 1500" "loop2 1.1 1500" "loop2 1.2 1500" "loop2 1.3 1500" ;;
    fork) printf '%s\n' "loop1 1.1 150" "loop1 1.3 150" "loop2 1.1 3000" "loop2 1.2 3000" "loop2 1.3 3000" ;;
    exec) printf '%s\n' "loop1 1.1 1500" "loop1 1.3 1500" ;;
  esac
}

# The whole right text of conc and seq.
right_text() {
  cat <<'END'
loop2:48000:0
 0: 0
 1: 0
 1.1: 1500
 1.2: 1500
 1.3: 1500
 2: 0
loop1:36000:0
 0: 0
 1: 0
 1.1: 1500
 1.3: 1500
 2: 0
END
}

is_right() {
  right_bodies "$1" >wanted
  bodies out >got
  expect_same "body samples" wanted got
  case $1 in
    conc | seq)
      right_text >wanted
      expect_same "text" wanted out
      ;;
  esac
}

right_from_data() {
  ours out --perfdata="$DATA/$1.data"
  is_right "$1"
  ours out --perfdata=- <"$DATA/$1.data"
  is_right "$1"
}

# right_from_printed CASE FIELDS
right_from_printed() {
  perf script -i "$DATA/$1.data" -F "$2" --show-mmap-events --show-task-events >printed 2>perf_said
  ours out --perfscript=printed
  is_right "$1"
}

right_from_text() {
  ours out --perfscript="$DATA/$2"
  is_right "$1"
}

# What llvm-profgen counts of each process when it sees nothing but its map and its samples; merged.
as_each_process_alone() {
  set --
  perf script -i "$DATA/$the_case.data" -F pid,ip,brstack --show-mmap-events >printed 2>perf_said
  awk '{ print $1 }' printed | sort -u >pids
  while read -r pid; do
    ! grep -q "^ *$pid .*/bin/other" printed || continue
    { grep "MMAP2 $pid/.*/two$" printed || grep 'MMAP2.*/two$' printed; } | sed 's/.*PERF_RECORD/PERF_RECORD/' >"$pid.script"
    awk -v pid="$pid" '$1 == pid && !/PERF_RECORD/ { sub(/^ *[0-9]+/, ""); print }' printed >>"$pid.script"
    theirs "$pid.prof" --perfscript="$pid.script"
    set -- "$@" "$pid.prof"
  done <pids
  profdata 19 merge --sample --text -o wanted "$@"
  ours out --perfdata="$DATA/$the_case.data"
  profdata 19 merge --sample --text -o got out
  expect_same "processes one by one" wanted got
}

# The README's table of what others make of it: printed, wrong where it is known to be.
llvm_profgen_beside() {
  theirs beside --perfdata="$DATA/$1.data" 2>/dev/null || true
  printf '# %s: right: %s; llvm-profgen-19: %s\n' "$1" "$(right_bodies "$1" | tr '\n' ',')" \
    "$(bodies beside | tr '\n' ',')"
}

# One of two processes is lost: why this project has address spaces.
llvm_profgen_loses_one() {
  theirs beside --perfdata="$DATA/conc.data"
  expect_text beside '^loop1:7200:0$'
}

for the_case in conc fork exec; do
  check "$the_case.data" right_from_data "$the_case"
  check "$the_case.data as text" right_from_printed "$the_case" pid,ip,brstack
  check "$the_case.data as text with more fields" right_from_printed "$the_case" comm,pid,tid,time,event,ip,brstack
  check "$the_case.data, each process alone by llvm-profgen" as_each_process_alone
  llvm_profgen_beside "$the_case"
done
check "conc, text with PIDs" right_from_text conc conc.pid.perfscript
check "conc, text without PIDs" right_from_text conc conc.perfscript
check "conc.data printed without PIDs" right_from_printed conc ip,brstack
check "seq, text without PIDs" right_from_text seq seq.perfscript
check "llvm-profgen-19 loses a process" llvm_profgen_loses_one
