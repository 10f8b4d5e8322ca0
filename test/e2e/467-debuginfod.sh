#!/bin/sh
# A stripped binary's debug information comes from a debuginfod server, and where there is none, or none
# that answers, contprof sample says so.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/walk-lib.sh"

# A port of this machine that was free just now.
free_port() {
  python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# answers PORT BUILD-ID: the server there has its debug information.
answers() {
  python3 -c 'import sys, urllib.request
urllib.request.urlopen("http://127.0.0.1:%s/buildid/%s/debuginfo" % tuple(sys.argv[1:]), timeout=5)' "$@"
}

# Ended, or up: another process may have taken the port.
has_started() {
  ! kill -0 "$PID" 2>/dev/null || answers "$port" "$id"
}

# serve DIRECTORY: debuginfod with the files there, on $port.
serve() {
  stock "$NEWEST" -shared -fPIC -D_GNU_SOURCE "$PROGRAMS/bind_loopback.c" -o loopback.so
  for _ in 1 2 3 4 5; do
    port=$(free_port)
    start env HOME="$PWD" TMPDIR="$PWD" LD_PRELOAD="$PWD/loopback.so" \
      debuginfod -F -p "$port" -d :memory: "$1" >server.log 2>&1
    wait_for 60 has_started
    kill -0 "$PID" 2>/dev/null && return
  done
  die "debuginfod did not start: $(cat server.log)"
}

# Only what the test sets is asked.
convert_stripped() {
  env HOME="$PWD" DEBUGINFOD_CACHE_PATH="$PWD/cache" "$@" \
    "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=text -o got 2>said
}

prepare() {
  sampled "$NEWEST" cc sampled_sort
  id=$("llvm-readelf-$NEWEST" -n sampled_sort | sed -n 's/^ *Build ID: //p')
  make_walk perf.data 7 100 4711 sampled_sort
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=text -o wanted 2>said
  mkdir served
  mv sampled_sort served/whole
  "llvm-objcopy-$NEWEST" --strip-all served/whole sampled_sort
}

served() {
  prepare
  serve served
  convert_stripped DEBUGINFOD_URLS="http://127.0.0.1:$port" || die "$(cat said)"
  expect_same "with what was fetched" wanted got
  expect_no_text said 'no debug information'
  # Split parts of it, too, as Debian's -dbgsym packages have them.
  "llvm-objcopy-$NEWEST" --only-keep-debug served/whole served/part
  rm -rf cache served/whole got
  kill_hard "$PID"
  serve served
  convert_stripped DEBUGINFOD_URLS="http://127.0.0.1:$port" || die "$(cat said)"
  expect_same "with a debug file that was fetched" wanted got
  # The server may go: elfutils keeps what it has got.
  kill_hard "$PID"
  rm got
  convert_stripped DEBUGINFOD_URLS="http://127.0.0.1:$port" || die "$(cat said)"
  expect_same "with what was kept" wanted got
}

not_served() {
  prepare
  expect_status 1 convert_stripped DEBUGINFOD_URLS=
  expect_text said 'sampled_sort: it has no debug information.*--debug-binary=FILE$'
  expect_status 1 convert_stripped DEBUGINFOD_URLS="http://127.0.0.1:$(free_port)"
  expect_text said "sampled_sort: it has no debug information.*; no server of DEBUGINFOD_URLS gave that of build-id $id"
  # One that says nothing.
  python3 - >silent.port <<'END' &
import socket, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
print(s.getsockname()[1], flush=True)
time.sleep(600)
END
  PID=$!
  STARTED="$STARTED $PID"
  wait_for 60 grep -q . silent.port
  expect_status 1 convert_stripped DEBUGINFOD_URLS="http://127.0.0.1:$(cat silent.port)" DEBUGINFOD_TIMEOUT=1 \
    timeout 60
  expect_text said 'no server of DEBUGINFOD_URLS gave that of build-id'
  [ ! -e got ]
}

check "debug information from debuginfod" served
check "debuginfod that has nothing, is down, or silent" not_served
