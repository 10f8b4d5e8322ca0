#!/bin/sh
# The example service, counted exactly under load: workers and master killed with SIGKILL while
# requests are on their way. kvload says how many requests it has sent and how many were answered;
# what the profiles hold must lie between.
. "$(dirname "$0")/lib.sh"

build_kvd() {
  mkdir sources run
  cp "$ROOT"/docs/example/*.[ch] "$ROOT/docs/example/Makefile" sources
  CONTPROF_CLANG=clang-$1 make -s -C sources CC="$BUILD/bin/contprof-clang" OUT=.. \
    LDFLAGS=-fprofile-continuous \
    CFLAGS="-O2 -fprofile-continuous=$2 -fprofile-instr-generate"
}

serving() {
  [ -s run/kvd.port ]
}

# load_until_killed PID...: SIGKILL to these while the load runs; adds to sent and answered.
load_until_killed() {
  start ./kvload -d run -c 32 -t 60 2>load
  loader=$PID
  sleep 1
  kill -KILL "$@"
  wait_end "$loader"
  expect_text load '^kvload: the server is gone'
  sent=$((sent + $(sed 's/.*gone: \([0-9]*\) requests sent.*/\1/' load)))
  answered=$((answered + $(sed 's/.* \([0-9]*\) answered$/\1/' load)))
}

# The master has replaced the worker that was killed: four processes, without it.
replaced() {
  [ "$(wc -l <run/kvd.pids)" = 4 ] && ! grep -qx "$1" run/kvd.pids
}

# Nothing of these processes runs any more: there is none, or only its zombie.
all_ended() {
  for each in "$@"; do
    ! readlink "/proc/$each/exe" || return 1
  done
  return 0
}

# What stock llvm-profdata-N shows, a function a line, sorted: the order is the writer's affair.
function_by_function() {
  stock_counts "$1" "$2" | awk '/^  [^ ]/ { printf "\n" } /^[^ ]/ { printf "\n" } { printf "%s", $0 }' | sort
}

loses_nothing() {
  sent=0 answered=0
  build_kvd "$1" "$2"
  start ./kvd -d run -w 3 2>kvd_said
  master=$PID
  wait_for 10 serving
  worker=$(sed -n 2p run/kvd.pids)
  load_until_killed "$worker"
  wait_for 10 replaced "$worker"
  pids=$(cat run/kvd.pids) # the master's first
  # shellcheck disable=SC2086 # a list
  load_until_killed $pids
  wait_end "$master"
  # shellcheck disable=SC2086
  wait_for 10 all_ended $pids
  expect "profiles of a master and 3 + 1 workers" 5 "$(find . -name 'kvd-*.profraw' | wc -l)"
  "$CONTPROF" merge -o kvd.profdata kvd-*.profraw
  our_counts kvd.profdata >counts
  counted=$(function_count counts request_run)
  echo "answered $answered, counted $counted, sent $sent"
  [ "$answered" -le "$counted" ] && [ "$counted" -le "$sent" ] || die "counts are lost or invented"
  profdata "$1" merge -o stock.profdata kvd-*.profraw
  function_by_function "$1" stock.profdata >stock.txt
  function_by_function "$1" kvd.profdata >ours.txt
  expect_same "stock merge and contprof merge" stock.txt ours.txt
}

for llvm in $LLVMS; do
  for mode in segment pointer; do
    check "kvd killed under load, LLVM $llvm, $mode mode" loses_nothing "$llvm" "$mode"
  done
done
