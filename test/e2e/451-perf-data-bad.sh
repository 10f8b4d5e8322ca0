#!/bin/sh
# Recordings that are cut, damaged, endless or no recordings at all, and large ones: a message with an
# offset, and memory that does not grow with the file.
. "$(dirname "$0")/lib.sh"

RECORDINGS=$BUILD/test/recordings
CUT=$BUILD/test/fuzz/cut_recordings

# small FORM: a.data, with a record of most kinds.
small() {
  {
    printf '%s\n' "$1"
    cat <<'END'
exec 1 two @1000
mmap 1 0x1000 0x1000 0x1000 /opt/two build-id=00112233445566778899aabbccddeeff
mmap 1 0x4000 0x1000 0 /opt/x plain
thread 1 3
fork 1 2
sample 1 0x1140 0x1156>0x1140 0x1150>0x1141 chain=1,2 counters=2
round
sample 2 0x1144 kernel
lost 3
record 99 0011
auxtrace 64
exit 1
exit 1 tid=3
round
END
  } >small.txt
  "$RECORDINGS/write_recording" small.txt a.data
}

# cut_everywhere FORM GOOD: at so many lengths, or fewer, what is left is a recording.
cut_everywhere() {
  small "$1"
  timeout 120 "$CUT" a.data >said 2>&1 || die "$(tail -n 5 said)"
  expect_text said ': cut [1-9][0-9]*, good [0-9]*; changed [1-9]'
  awk -v most="$2" '{ if ($5 + 0 > most) { print; exit 1 } }' said || die "too many cut recordings are whole"
}

# refused WORDS FILE: in 200 MB of memory and half a minute. Any binary will do.
refused() {
  # shellcheck disable=SC2016 # for the inner shell
  expect_status 1 sh -c 'ulimit -v 200000 && exec timeout 30 "$0" sample --binary="$2" --perfdata="$1" -o out' \
    "$CONTPROF" "$2" "$ROOT/test/data/sampled/two" >said 2>&1
  expect_text said "$1"
  [ ! -e out ] || die "wrote a profile"
}

no_recordings() {
  printf 'PERFFILE' >old.data
  printf 'hello, world, this is text' >text.data
  printf 'PERFILE2' >short.data
  : >empty.data
  refused 'at offset 0: a perf.data of version 1' old.data
  refused 'at offset 0: not a perf.data file' text.data
  refused 'at offset 0: not a perf.data file' empty.data
  refused 'at offset 8: cut short' short.data
  refused 'at offset 0: not a perf.data file' /dev/zero
  refused "missing.data: can't" missing.data
  refused 'a directory, as perf record --threads' .
}

# A table of 2^38 bytes in a file of holes.
holes() {
  small ''
  cp a.data holes.data
  truncate -s 1T holes.data
  printf '\0\0\0\0\100\0\0\0' | dd of=holes.data bs=1 seek=32 conv=notrunc status=none # attrs
  refused 'make no sense' holes.data
}

# big ROUNDS TIMES MEMORY: a stream of 1 GB of samples, which no disk needs to hold, within so much
# memory (KB); ROUNDS marks with TIMES samples before each.
big() {
  {
    printf 'stream\nevent cycles:u sample=ip,tid,time,period,stack_user stack=60000\n'
    for _ in $(seq "$1"); do
      printf 'sample 1 0x1110 times=%d\nround\n' "$2"
    done
  } >big.txt
  "$RECORDINGS/write_recording" big.txt - |
    sh -c 'ulimit -v "$1" && exec "$0" --quiet -' "$RECORDINGS/dump_recording" "$3" >said 2>&1 ||
    die "$(cat said)"
  # Besides, an attr and the feature of names.
  expect_text said "records $(($1 * $2 + $1 + 2)), skipped 0, lost 0, out of order 0"
}

# Samples that are far ahead of the others in time keep nothing but themselves.
far_ahead() {
  {
    printf 'stream\nevent cycles:u sample=ip,tid,time\n'
    for i in $(seq 150); do
      echo "sample 1 0x1110 @$((9000000000000 + i))"
      echo "sample 1 0x1111 times=10000 @$((i * 1000000000))"
    done
  } >far.txt
  "$RECORDINGS/write_recording" far.txt - |
    sh -c 'ulimit -v 200000 && exec "$0" -' "$RECORDINGS/dump_recording" >out 2>&1 || die "$(tail -n 3 out)"
  awk '/^sample/ { count++; if ($3 + 0 < last) exit 1; last = $3 + 0 } END { exit count != 150 * 10001 }' out ||
    die "not all came in order"
}

# A compressed record that comes to more than perf would ever put into one.
bomb() {
  {
    printf 'stream\ncompress chunk=200000000 piece=60000\nevent cycles:u sample=ip,tid,time,stack_user stack=60000\n'
    echo 'sample 1 0x1110 times=1000'
  } >bomb.txt
  "$RECORDINGS/write_recording" bomb.txt bomb.data
  refused 'comes to more than a record can hold' bomb.data
}

check "a file, cut and changed everywhere" cut_everywhere '' 0
check "a file of the other byte order" cut_everywhere 'order big' 0
check "a stream" cut_everywhere stream 20
check "a compressed stream" cut_everywhere 'stream
compress 2 chunk=200 piece=40' 20
check "a compressed file" cut_everywhere 'compress chunk=300 piece=200' 0
check "many fields" cut_everywhere 'event a sample=ip,tid,time,id,cpu,read,callchain,raw,branch,identifier,regs_user id=5 branch=hw_index read=group,id regs_user=7' 0
check "what is no recording" no_recordings
check "a file of holes" holes
check "1 GB with a mark at its end" big 1 17500 120000
check "1 GB with many marks" big 175 100 40000
check "records far ahead of their time" far_ahead
check "a compressed record of too much" bomb
