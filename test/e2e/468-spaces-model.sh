#!/bin/sh
# Random recordings of processes that map, fork, execute, end and begin again, against a slow model of
# them (test/sampling/spaces_model.py), which perf script confirms in what it gets right itself; and
# recordings made to take as much memory and time as they can.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"

WRITE=$BUILD/test/recordings/write_recording
BINARIES="a/alpha a/beta a/gamma a/libdelta.so a/libepsilon.so one/dup two/dup"

# --- binaries of one-byte instructions -------------------------------------------------------------------

# code NAME BYTES [SECTION]: a function.
code() {
  printf '.section %s,"ax",@progbits\n.globl %s\n.type %s,@function\n%s: .fill %d,1,0x90\nret\n.size %s,.-%s\n' \
    "${3:-.text}" "$1" "$1" "$1" "$2" "$1" "$1"
}


# link BUILD-ID|none OUT FLAG...
link() {
  link_id=$1 link_out=$2
  shift 2
  stock "$NEWEST" -nostdlib "-Wl,--build-id=$link_id" "$@" -o "$link_out"
}

# A PIE; one of lld's, whose code begins within a page, for pages of up to 64 KiB; one with fixed
# addresses; a library with two segments of code on one page of the file; one that is prelinked; and two
# of one name.
make_binaries() {
  mkdir a one two
  code some 8191 >some.S
  { code long 20000 && printf '.section .rodata\n.fill 90000,1,7\n'; } >long.S
  { code some 5000 && code more 6001 .text2 && printf '.section .rodata\n.fill 300,1,7\n'; } >split.S
  code some 3333 >short.S
  cat >split.ld <<'END'
PHDRS { head PT_LOAD FLAGS(4); one PT_LOAD FLAGS(5); between PT_LOAD FLAGS(4); two PT_LOAD FLAGS(5);
  data PT_LOAD FLAGS(6); dynamic PT_DYNAMIC; }
SECTIONS {
  . = SIZEOF_HEADERS;
  .note.gnu.build-id : { *(.note.gnu.build-id) } :head
  .hash : { *(.hash .gnu.hash) } :head
  .dynsym : { *(.dynsym) } :head
  .dynstr : { *(.dynstr) } :head
  . = ALIGN(0x1000) + (. & 0xfff);
  .text : { *(.text) } :one
  . = ALIGN(0x1000) + (. & 0xfff);
  .rodata : { *(.rodata) } :between
  . = ALIGN(0x1000) + 0x2000 + (. & 0xfff);
  .text2 : { *(.text2) } :two
  . = ALIGN(0x1000) + (. & 0xfff);
  .dynamic : { *(.dynamic) } :data :dynamic
}
END
  link sha1 a/alpha -pie -Wl,-e,some some.S
  link none a/beta -pie -fuse-ld=lld -Wl,-z,max-page-size=65536,-e,long long.S
  link sha1 a/gamma -static -Wl,-e,some some.S
  link sha1 a/libdelta.so -shared -Wl,-T,split.ld split.S
  link sha1 a/libepsilon.so -shared -Wl,-Ttext-segment=0x3000000 some.S
  link none one/dup -pie -Wl,-e,some short.S
  link none two/dup -pie -fuse-ld=lld -Wl,-e,long long.S
}

# --- against the model -------------------------------------------------------------------------------------

# expect_wanted INPUT: each binary has the samples that the model says, at its own addresses.
expect_wanted() {
  outputs=
  for each in $BINARIES; do
    outputs="$outputs --binary=$each -o $(key_of "$each").got"
  done
  # shellcheck disable=SC2086 # words
  "$CONTPROF" sample $outputs "$1" --skip-symbolization --use-offset=false 2>said || die "$(cat said)"
  for each in $BINARIES; do
    expect_same "$1: $each" "$(key_of "$each").wanted" "$(key_of "$each").got"
  done
}

key_of() {
  echo "$1" | tr / -
}

# said_count TEXT: how many samples the message has of that reason.
said_count() {
  awk -v text="$1" '/samples counted/ && match($0, "[0-9]+ " text) { split(substr($0, RSTART), word, " "); print word[1]; found = 1 }
    END { if (!found) print 0 }' said
}

# random SEED FORM: FORM is a line of the script for how it is written.
random() {
  make_binaries
  # shellcheck disable=SC2086 # words
  python3 "$ROOT/test/sampling/spaces_model.py" "$1" 4000 all $BINARIES
  { echo "$2" && cat script; } | "$WRITE" - perf.data
  expect_wanted --perfdata=perf.data
  expect "what samples are" "$(cat reasons)" "here=$(said_count 'samples counted') other=$(said_count 'in other files') \
unmapped=$(said_count 'in no known map') mismatch=$(said_count 'in another build') none=$(said_count 'without a PID')"
}

# perf script's text has no build-ids.
as_text() {
  make_binaries
  # shellcheck disable=SC2086 # words
  python3 "$ROOT/test/sampling/spaces_model.py" "$1" 3000 text $BINARIES
  "$WRITE" script perf.data
  perf script -i perf.data -F pid,tid,time,period,event,ip --show-mmap-events --show-task-events >printed 2>perf_said
  expect_wanted --perfscript=printed
}

# perf script's own word on each sample: its dso, and a symbol's address and what is added to that.
places_by_perf() {
  perf script -i perf.data -F time,ip,sym,symoff,dso --ns 2>perf_said |
    awk 'FNR == NR { symbol[$1 " " $2] = $3; next }
      { time = $1; gsub(/[:.]/, "", time); sub(/^0+/, "", time)
        path = $NF; gsub(/[()]/, "", path); split($3, at, "+")
        if ((path " " at[1]) in symbol) print time, path, symbol[path " " at[1]], at[2]
        else print time, path ~ /unknown/ ? "unmapped" : "other" }' symbols -
}

in_decimal() {
  while read -r time path address offset; do
    [ -z "$address" ] || address=" $((address + ${offset:-0}))"
    echo "$time $path$address"
  done
}

tame() {
  make_binaries
  HOME=$PWD # perf looks for its cache of build-ids there
  export HOME
  # shellcheck disable=SC2086 # words
  python3 "$ROOT/test/sampling/spaces_model.py" "$1" 2500 tame $BINARIES
  "$WRITE" script perf.data
  for each in $BINARIES; do
    nm "$each" | awk -v path="$PWD/$each" '{ print path, $3, "0x" $1 }'
  done >symbols
  places_by_perf | in_decimal >by_perf
  in_decimal <places >by_model
  [ "$(wc -l <by_model)" -gt 1000 ]
  expect_same "where samples are" by_perf by_model
  expect_wanted --perfdata=perf.data
}

# --- hostile ones -----------------------------------------------------------------------------------------

# within_limits MEGABYTES RIGHT-COUNT <SCRIPT: `two`, in an address space of so many megabytes. The time is
# for a machine that is very busy; linear work takes a second.
within_limits() {
  "$WRITE" - perf.data
  # shellcheck disable=SC2016 # for the inner shell
  sh -c 'ulimit -v "$0" && exec timeout 120 "$@"' $(($1 * 1024)) "$CONTPROF" sample --perfdata=perf.data \
    --binary="$ROOT/test/data/sampled/two" --skip-symbolization --use-offset=false -o got 2>said || die "$(cat said)"
  printf '1\n1140-1140:%d\n0\n' "$2" >wanted
  expect_same "what is counted" wanted got
}

# `two` is at the same address in all processes; each child maps something in it, over one of the maps of
# its parent, and its grandchildren have that as well.
forks() {
  awk 'BEGIN {
    print "event cycles:u sample=ip,tid,time,period"
    print "mmap 1 0x55aa00001000 0x1000 0x1000 /home/u/two"
    for (i = 0; i < 2000; i++) printf "mmap 1 %.0f 0x1000 0 /lib/%d\n", 0x7f0000000000 + i * 0x2000, i
    for (pid = 2; pid < 30002; pid++) {
      print "fork", pid % 100 ? 1 : pid - 1, pid
      printf "mmap %d %.0f 0x1000 0 //anon\n", pid, 0x7f0000000000 + pid * 7 % 2000 * 0x2000 + 0x800
    }
    for (pid = 2; pid < 30002; pid += 3) print "sample", pid, "0x55aa00001140"
  }' | within_limits 512 10000
}

# Each process is the child of the one before, which goes on with maps of its own.
generations() {
  awk 'BEGIN {
    print "event cycles:u sample=ip,tid,time,period"
    print "mmap 1 0x55aa00001000 0x1000 0x1000 /home/u/two"
    for (i = 0; i < 5000; i++) printf "mmap 1 %.0f 0x1000 0 /lib/%d\n", 0x7f0000000000 + i * 0x2000, i
    for (pid = 2; pid < 20002; pid++) {
      print "fork", pid - 1, pid
      printf "mmap %d %.0f 0x800 0 //anon\n", pid - 1, 0x7f0000000000 + pid * 7919 % 5000 * 0x2000
    }
    for (pid = 2; pid < 20002; pid += 2) print "sample", pid, "0x55aa00001140"
  }' | within_limits 512 10000
}

# Maps before all others, each; then large ones over all of them; and samples without a PID.
falling_and_covered() {
  awk 'BEGIN {
    print "event cycles:u sample=ip,tid,time,period"
    print "mmap 1 0x55aa00001000 0x1000 0x1000 /home/u/two"
    print "sample -1 0x55aa00001140"
    for (i = 0; i < 60000; i++) printf "mmap 1 %.0f 0x1000 0 /lib/%d\n", 0x7f0000000000 - i * 0x2000, i
    for (i = 0; i < 60000; i++) printf "mmap 2 0x7e0000000000 0x10000000000 %d /lib/%d\n", i * 4096, i
    print "sample -1 0x55aa00001140"
  }' | within_limits 512 2
}

check "random, as a file" random 1 "order little"
check "random, big-endian" random 2 "order big"
check "random, as a stream" random 3 stream
check "random, compressed" random 4 compress
check "random, printed by perf script" as_text 5
check "random, where perf script is right, too" tame 6
check "thirty thousand children of two thousand maps" forks
check "twenty thousand generations" generations
check "maps that fall, and cover others" falling_and_covered
