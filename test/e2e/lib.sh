# The harness of the end-to-end tests, sourced first by each NNN-name.sh:
#
#   . "$(dirname "$0")/lib.sh"
#   counts_every_call() { cc "$1" -O2 -fprofile-continuous "$PROGRAMS/calls.c" -o calls && ... }
#   for llvm in $LLVMS; do check "calls, clang $llvm" counts_every_call "$llvm"; done
#
# A script runs in a directory of its own, removed at its end, and under `set -eu`. `check` runs a
# function in a subshell under `set -e`, in a fresh directory, and reports it; `ok` and `fail`
# report directly. A script that ends with another status than 0, or reports nothing, has failed.
# Nothing here sleeps for luck: wait_for polls a condition with a bound. Processes are stopped by
# PID, those of `start` when the check (or script) ends.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2030,SC2031,SC2154 # names for the scripts; one list a subshell
set -eu

E2E=${CONTPROF_E2E:-$(cd "$(dirname "$0")" && pwd)} # set by scripts of other directories
ROOT=$(cd "$E2E/../.." && pwd)
PROGRAMS=$ROOT/test/programs
BUILD=${CONTPROF_BUILD:-$ROOT/build} # the release tree under test
CONTPROF=$BUILD/bin/contprof
SOURCES=$ROOT/build/test-sources # Debian's source tarballs, kept between runs
LLVMS=${CONTPROF_LLVMS:-14 16 19} # each must be there: a missing one fails every test
NEWEST=19

# What programs are compiled for: this machine, in both modes, or in those of CONTPROF_MODES; or the
# target that test/long/run-all sets, with RUN the words that run such a program here, and the place
# of a stock profile runtime. With CONTPROF_MODES=shadow all that is compiled is, shared objects too.
TARGET=${CONTPROF_TARGET:-}
RUN=${CONTPROF_RUN:-}
STOCK_RESOURCES=${CONTPROF_STOCK_RESOURCES:-}
MODES=${CONTPROF_MODES:-segment pointer}
[ -z "$TARGET" ] || [ "$MODES" = shadow ] || MODES=pointer

# The names of profiles and the compiler come from the tests alone.
unset LLVM_PROFILE_FILE CONTPROF_CLANG CPATH C_INCLUDE_PATH LIBRARY_PATH LD_PRELOAD
LC_ALL=C
export LC_ALL
umask 022

TEST_DIR=$(mktemp -d "${TMPDIR:-/tmp}/contprof-test.XXXXXX")
STARTED=  # PIDs of `start`, of this shell
CASES=0   # how many checks this script has begun; numbers their directories

at_end() {
  end_status=$?
  stop_started
  cd /
  rm -rf "$TEST_DIR"
  exit "$end_status"
}
trap at_end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$TEST_DIR"

# --- reporting --------------------------------------------------------------------------------

ok() {
  printf 'ok - %s\n' "$1"
}

# fail NAME WHY: WHY may have several lines.
fail() {
  printf 'not ok - %s\n' "$1"
  printf '%s\n' "${2:-}" | tail -n 60 | sed 's/^/    /'
}

# check NAME FUNCTION ARG...
check() {
  check_name=$1
  shift
  CASES=$((CASES + 1))
  mkdir "$TEST_DIR/case-$CASES"
  set +e
  (
    STARTED=
    trap 'case_status=$?; stop_started; exit $case_status' EXIT
    cd "$TEST_DIR/case-$CASES"
    set -e
    "$@"
  ) >"$TEST_DIR/case-$CASES.log" 2>&1
  check_status=$?
  set -e
  if [ $check_status = 0 ]; then
    ok "$check_name"
  else
    fail "$check_name" "$(cat "$TEST_DIR/case-$CASES.log")"
  fi
  [ -n "${CONTPROF_KEEP:-}" ] || rm -rf "$TEST_DIR/case-$CASES"
}

# For use inside checks: says why, and ends the check.
die() {
  printf '%s\n' "$*"
  exit 1
}

# --- expectations, each ends the check with both sides shown ------------------------------------

# expect WHAT WANTED GOT
expect() {
  [ "$2" = "$3" ] || die "$1: expected '$2', got '$3'"
}

# expect_same WHAT WANTED-FILE GOT-FILE
expect_same() {
  diff -u "$2" "$3" >expect_same.diff && rm expect_same.diff && return
  head -n 40 expect_same.diff
  die "$1: $2 and $3 differ"
}

# expect_text FILE PATTERN (grep -E)
expect_text() {
  grep -qE -e "$2" "$1" && return
  cat "$1"
  die "$1: no line matches '$2'"
}

expect_no_text() {
  grep -E -e "$2" "$1" || return 0
  die "$1: a line matches '$2'"
}

expect_empty() {
  [ ! -s "$1" ] && return
  cat "$1"
  die "$1 is not empty"
}

# expect_status WANTED COMMAND...: its output goes on to the log.
expect_status() {
  wanted=$1
  shift
  got=0
  "$@" || got=$?
  expect "status of $*" "$wanted" "$got"
}

# expect_killed COMMAND...: a program that ends itself by SIGKILL, within a minute. In the background,
# so that the shell's "Killed" does not get among the program's own words; with the stdin of the call.
expect_killed() {
  # shellcheck disable=SC2086 # words
  { timeout 60 $RUN "$@" <&4 4<&- & } 4<&0
  got=0
  wait $! 2>/dev/null || got=$?
  expect "status of $*" 137 "$got"
}

# --- compilers and stock tools, by LLVM version ---------------------------------------------------

# cc N ARG..., cxx N ARG...: contprof's drop-in compilers over that clang. In a case of shadow mode
# -fprofile-continuous alone means that, too, as it is for all modules of a program; where there is
# no other mode, so does one with a mode.
cc() {
  cc_as clang "$@"
}

cxx() {
  cc_as clang++ "$@"
}

# Whether what is compiled now counts in shadow mode.
in_shadow_mode() {
  case ${mode:-},$MODES in
    shadow,* | *,shadow) ;;
    *) false ;;
  esac
}

# cc_as NAME N ARG...
cc_as() {
  cc_name=$1
  cc_llvm=$2
  shift 2
  for cc_word in "$@"; do
    shift
    case $cc_word,${mode:-$MODES},$MODES in
      -fprofile-continuous,shadow,* | -fprofile-continuous=*,shadow | -fprofile-continuous,*,shadow)
        cc_word=-fprofile-continuous=shadow
        ;;
    esac
    set -- "$@" "$cc_word"
  done
  CONTPROF_CLANG=$cc_name-$cc_llvm "$BUILD/bin/contprof-$cc_name" ${TARGET:+--target=$TARGET} "$@"
}

stock() {
  stock_as clang "$@"
}

stockxx() {
  stock_as clang++ "$@"
}

# stock_as NAME N ARG...
stock_as() {
  stock_name=$1-$2
  stock_resources=$STOCK_RESOURCES/$2
  shift 2
  "$stock_name" ${TARGET:+"--target=$TARGET" "-resource-dir=$stock_resources"} "$@"
}

profdata() {
  profdata_llvm=$1
  shift
  "llvm-profdata-$profdata_llvm" "$@"
}

cov() {
  cov_llvm=$1
  shift
  "llvm-cov-$cov_llvm" "$@"
}

# --- profiles -------------------------------------------------------------------------------------

# The whole of what a profile counts, as stock llvm-profdata-N says it.
stock_counts() {
  profdata "$1" show --all-functions --counts "$2"
}

our_counts() {
  "$CONTPROF" show --all-functions --counts "$1"
}

# the_profile [DIRECTORY]: the one live file that must be there.
the_profile() {
  found=$(find "${1:-.}" -maxdepth 1 -name '*.profraw')
  [ "$(printf '%s\n' "$found" | grep -c .)" = 1 ] || die "not one profile but: $found" >&2
  printf '%s\n' "$found"
}

# function_count SHOW-TEXT FUNCTION: how often it was entered. IR instrumentation has no counter for
# that but the first one, when told to start at the entry, as instrumentation() tells it.
function_count() {
  awk -v name="  $2:" '$0 == name { here = 1; next }
    here && /Function count:/ { print $3; exit }
    here && /Block counts:/ { sub(/.*\[/, ""); print $1 + 0; exit }
    here && /^  [^ ]/ { exit }' "$1"
}

# expect_said_files N: each line `file COUNT NAME` in `said` is how often `leaf` was entered in that,
# and there is no complaint.
expect_said_files() {
  grep -q '^file ' said
  while read -r _ count name; do
    stock_counts "$1" "$name" >counts.txt
    expect "leaf in $name" "$count" "$(function_count counts.txt leaf)"
  done <said
  expect_empty complaints
}

# expect_calls SAID SHOW-TEXT: each line `calls FUNCTION N` that the program said is what was counted.
expect_calls() {
  grep -q '^calls ' "$1" || die "$1: the program said no counts"
  while read -r word function count; do
    [ "$word" = calls ] || continue
    expect "count of $function" "$count" "$(function_count "$2" "$function")"
  done <"$1"
}

# expect_blocks SAID SHOW-TEXT: the lines `blocks FUNCTION [a, b]` hold (frontend instrumentation).
expect_blocks() {
  grep -q '^blocks ' "$1" || die "$1: the program said no blocks"
  while read -r word function list; do
    [ "$word" = blocks ] || continue
    expect "blocks of $function" "$list" "$(function_blocks "$2" "$function")"
  done <"$1"
}

function_blocks() {
  awk -v name="  $2:" '$0 == name { here = 1; next }
    here && /Block counts:/ { sub(/^ *Block counts: /, ""); print; exit }' "$1"
}

# expect_same_functions WHAT WANTED-FILE GOT-FILE: two shown profiles say the same. Indexed profiles
# show functions in the order of a hash table, which is their writer's own affair.
expect_same_functions() {
  functions_in_order "$2" >expect_wanted.txt
  functions_in_order "$3" >expect_got.txt
  expect_same "$1" expect_wanted.txt expect_got.txt
}

# One line for each function, and the closing lines as they are.
functions_in_order() {
  awk '/^  [^ ]/ { if (line) print line; line = $0; next } /^    / && line { line = line " |" $0; next }
    { if (line) print line; line = ""; print }' "$1" | sort
}

# stock_merged_counts N OUTPUT-TEXT RAW...: what stock llvm-profdata-N says after its own merge.
stock_merged_counts() {
  merge_llvm=$1
  merge_text=$2
  shift 2
  profdata "$merge_llvm" merge -o stock_merged.profdata "$@"
  stock_counts "$merge_llvm" stock_merged.profdata >"$merge_text"
}

# What asks clang for this kind of instrumentation: frontend; ir, with a counter at each entry; or
# plain-ir, with counters where the optimiser needs fewest.
instrumentation() {
  case $1 in
    frontend) echo "-fprofile-instr-generate -fcoverage-mapping" ;;
    ir) echo "-fprofile-generate -mllvm -pgo-instrument-entry" ;;
    plain-ir) echo "-fprofile-generate" ;;
  esac
}

# run_stock FILE COMMAND...: a stock build's run to its clean exit, its profile in FILE.
run_stock() {
  stock_file=$1
  shift
  # shellcheck disable=SC2086 # words
  LLVM_PROFILE_FILE=$stock_file $RUN "$@" >stock_said 2>&1
}

# same_as_stock N cc|cxx MODE FLAG-OR-SOURCE...: the program's counts when SIGKILL ends it are those
# of a stock build that ran to its end, and what it says is the same. Leaves ours/ and stock/, each
# with program, profile.raw and counts.txt.
same_as_stock() {
  same_llvm=$1
  same_compiler=$2
  same_mode=$3
  shift 3
  mkdir stock ours
  case $same_compiler in
    cc) stock "$same_llvm" "$@" -o stock/program ;;
    cxx) stockxx "$same_llvm" "$@" -o stock/program ;;
  esac
  run_stock "$PWD/stock/profile.raw" stock/program exit
  $same_compiler "$same_llvm" "-fprofile-continuous=$same_mode" "$@" -o ours/program
  kill_and_compare "$same_llvm"
}

kill_and_compare() {
  (cd ours && expect_killed ./program kill >said 2>complaints)
  expect_empty ours/complaints
  expect_same "what it says" stock_said ours/said
  same_raw=$(the_profile ours)
  mv "$same_raw" ours/profile.raw
  stock_counts "$1" stock/profile.raw >stock/counts.txt
  stock_counts "$1" ours/profile.raw >ours/counts.txt
  expect_same "counts" stock/counts.txt ours/counts.txt
  expect_calls ours/said ours/counts.txt
}

# merge_and_use N FLAG...: the profile of same_as_stock, merged by contprof, is the one that stock
# clang -c FLAG... takes without a warning, with the same object as from stock's own.
merge_and_use() {
  use_llvm=$1
  shift
  "$CONTPROF" merge -o ours/merged.profdata ours/profile.raw
  profdata "$use_llvm" merge -o stock/merged.profdata stock/profile.raw
  stock "$use_llvm" "$@" -Werror -fprofile-use=ours/merged.profdata -c -o ours/used.o 2>warnings
  expect_empty warnings
  stock "$use_llvm" "$@" -fprofile-use=stock/merged.profdata -c -o stock/used.o
  cmp stock/used.o ours/used.o
}

# expect_lines SOURCE COVERAGE: llvm-cov show's count of each line marked `// runs: N` is N.
expect_lines() {
  grep -q '// runs: ' "$1"
  wrong=$(awk -F '|' '/\/\/ runs: / { wanted = $0; sub(/.*\/\/ runs: /, "", wanted); got = $2
    gsub(/ /, "", got); if (got != wanted) print; seen++ } END { print seen + 0, "lines" }' "$2")
  expect "lines of $1" "$(grep -c '// runs: ' "$1") lines" "$wrong"
}

# --- processes ------------------------------------------------------------------------------------

# start COMMAND...: in the background; its PID is in $PID. Redirections of the call hold for it, stdin's
# too, which the shell would take from /dev/null.
start() {
  # shellcheck disable=SC2086 # words
  { $RUN "$@" <&4 4<&- & } 4<&0
  PID=$!
  STARTED="$STARTED $PID"
}

forget() {
  left=
  for each in $STARTED; do
    [ "$each" = "$1" ] || left="$left $each"
  done
  STARTED=$left
}

# kill_hard PID: SIGKILL to a process of `start`, and wait for its end.
kill_hard() {
  forget "$1"
  kill -KILL "$1"
  wait "$1" || true
}

# wait_end PID: its status is in $STATUS.
wait_end() {
  forget "$1"
  STATUS=0
  wait "$1" || STATUS=$?
}

stop_started() {
  for each in $STARTED; do
    kill -KILL "$each" 2>/dev/null || true
    wait "$each" 2>/dev/null || true
  done
  STARTED=
}

# wait_for SECONDS COMMAND...: until it succeeds; fails when the time is over.
wait_for() {
  tries=$(($1 * 20))
  shift
  while [ $tries -gt 0 ]; do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.05
    tries=$((tries - 1))
  done
  die "waited too long for: $*"
}
