#!/bin/sh
# perf.data as perf script reads it: what contprof's reader hands out (dump_recording) is compared with
# what perf script prints, for recordings of every form and with every field, made by write_recording, and
# for live ones of cpu-clock.
. "$(dirname "$0")/lib.sh"

RECORDINGS=$BUILD/test/recordings
EVENTS=$ROOT/test/recordings/perf_script_events.awk
BRANCHES=pid,tid,time,period,event,ip,brstack
HOME=$TEST_DIR # perf keeps what it knows of build-ids there
export HOME

# dumped FILE: the reader's events, without its notes and what perf script does not say.
dumped() {
  "$RECORDINGS/dump_recording" "$1" >dumped.all
  grep -v '^notes:' dumped.all | sed 's/ synthesised$//'
}

# as_perf FILE FIELDS [AWK-OPTION...]
as_perf() {
  perf_file=$1
  perf_fields=$2
  shift 2
  perf buildid-list -i "$perf_file" >ids 2>/dev/null || die "perf can't read $perf_file"
  perf script -i "$perf_file" --ns -G -F "$perf_fields" --show-mmap-events --show-task-events \
    >printed 2>said || die "perf script: $(cat said)"
  awk -v buildids=ids "$@" -f "$EVENTS" printed
}

# same_as_perf FILE FIELDS [AWK-OPTION...]
same_as_perf() {
  as_perf "$@" >wanted
  dumped "$1" >got
  [ -s wanted ] || die "perf script says nothing"
  expect_same "events" wanted got
}

# recorded OUT HEAD: of the script `happened`, behind lines that say how it is written.
recorded() {
  { printf '%s\n' "$2"; cat happened; } >recorded.txt
  "$RECORDINGS/write_recording" recorded.txt "$1"
}

# Two programs, a fork, a thread, a map of data, samples with and without branches.
happenings() {
  cat <<'END'
exec 1001 two @1000
mmap 1001 0x55aa00001000 0x1000 0x1000 /opt/two build-id=00112233445566778899aabbccddeeff00112233
mmap 1001 0x7faa00002000 0x1000 0 /opt/libx.so
sample 1001 0x55aa00001140 0x55aa00001156>0x55aa00001140 0x55aa00001150>0x55aa00001141 cpu=1
sample 1001 0x55aa00001142 period=77 times=30
thread 1001 1003
sample 1001 0x55aa00001144 tid=1003 0x55aa00001156>0x55aa00001140
fork 1001 1002
sample 1002 0x55aa00001150 0x55aa00001156>0x55aa00001140
exec 1002 other
mmap 1002 0x55aa00001000 0x1000 0x1000 /opt/other plain
sample 1002 0x55aa00001160 times=40
sample 1001 0xffffffff81000000 kernel
exit 1001 tid=1003
exit 1002
exit 1001
round
END
}

one_form() {
  happenings >happened
  recorded out.data "$1"
  same_as_perf out.data $BRANCHES
}

# perf 6.1 does not swap what may be done with a map, nor, in a stream, the two halves of PID and TID.
other_order() {
  happenings >happened
  recorded little.data "$1"
  recorded out.data "$1
order big"
  [ "$1" = stream ] || same_as_perf out.data $BRANCHES -v swapped=1
  same_as_perf little.data $BRANCHES
  dumped little.data >little
  dumped out.data >big
  expect_same "both byte orders" little big
}

# What perf 6.1 can't read: attrs that are larger than its own, COMPRESSED2, compressed records of which
# nothing comes out. It is compared with the plain form of the same.
unknown_to_perf() {
  happenings >happened
  recorded plain.data ''
  recorded out.data "$1"
  same_as_perf plain.data $BRANCHES
  dumped plain.data >wanted
  dumped out.data >got
  expect_same "events" wanted got
}

# Several events, told apart by ids, whose samples have different fields.
several_events() {
  happenings >once
  sed -n '/^sample/s/$/ event=1/p' once >second
  sed -n '/^sample 1001/s/$/ event=2/p' once >third
  cat once second third >happened
  recorded out.data "$1
event cycles:u sample=$2,ip,tid,time,cpu,period,branch id=11,12 exclude=kernel
event cpu-clock type=software sample=$2,ip,tid,time,cpu,period,branch,read read=group,id,enabled id=21,22
event mine type=raw config=0x1c2 sample=$2,ip,tid,time,cpu,period,callchain,branch branch=hw_index id=31,32"
  same_as_perf out.data $BRANCHES
  expect "events" "$(printf '%s\n' cpu-clock cycles:u mine)" "$(awk '/^sample/ { print $4 }' got | sort -u)"
}

# fields FIELDS [KEY=VALUE...]: samples with these besides the usual ones.
fields() {
  fields_more=$1
  shift
  cat >happened <<'END'
exec 1 two
mmap 1 0x1000 0x1000 0x1000 /opt/two
sample 1 0x1140 chain=0xfffffffffffffe00,0x1140,0x1150 raw=12 counters=3 0x1156>0x1140 0x1150>0x1141
sample 1 0x1144 raw=4 0x1156>0x1140
sample 1 0x1146
round
END
  recorded out.data "event cycles:u sample=ip,tid,time,period,branch${fields_more:+,$fields_more} $*"
  same_as_perf out.data $BRANCHES
  recorded big.data "order big
event cycles:u sample=ip,tid,time,period,branch${fields_more:+,$fields_more} $*"
  dumped big.data >big
  expect_same "both byte orders" got big
}

# What perf 6.1 refuses: counters of branches, READ without ids. It is compared with none of it.
fields_unknown_to_perf() {
  fields ''
  mv got wanted
  recorded out.data "event cycles:u sample=ip,tid,time,period,branch$*"
  dumped out.data >got
  expect_same "events" wanted got
}

# Calls that have not returned (perf record --call-graph lbr) are no branches in a row.
call_stack() {
  happenings >happened
  recorded out.data 'event cycles:u branch=call_stack'
  as_perf out.data $BRANCHES | sed '/^sample/s| 0x.*||' >wanted
  dumped out.data >got
  expect_same "events" wanted got
}

every_field() {
  all=addr,id,stream,cpu,read,callchain,raw,regs_user,stack_user,weight,data_src,identifier
  all=$all,transaction,regs_intr,phys_addr,cgroup,data_page_size,code_page_size
  fields $all id=5,6 branch=hw_index read=group,id,lost,enabled,running regs_user=0xff0fff \
    regs_intr=0xff0fff stack=64
}

# The events of a file without names, as perf names them.
derived_names() {
  for event in type=hardware 'type=hardware config=1 exclude=kernel' 'type=hardware config=9 precise=2' \
    'type=hardware config=5 exclude=user,hv' 'type=hardware config=3 exclude=guest precise=3' \
    'type=software' 'type=software config=1 exclude=kernel,hv' 'type=software config=9' \
    'type=software config=8 exclude=host' 'type=cache config=0' 'type=cache config=0x10000' \
    'type=cache config=0x10102' 'type=cache config=0x201' 'type=cache config=0x101' 'type=cache config=7' \
    'type=cache config=0x10203 exclude=kernel,hv,guest' 'type=cache config=0x400' 'type=cache config=0x30000' \
    'type=hardware config=0x4d2' 'type=software config=77' 'type=77 config=1' \
    'type=raw config=0x1a8' 'type=raw config=0x1a8 exclude=hv'; do
    echo 'sample 1 0x1140' >happened
    recorded out.data "event any unnamed sample=ip,tid,time,period $event"
    as_perf out.data pid,tid,time,period,event,ip | sed -nE 's/ 1 ?(1140)?$//; s/^sample 1 1000 //p' >wanted
    dumped out.data | sed -nE 's/ 1 ?(1140)?$//; s/^sample 1 1000 //p' >got # perf prints no address of "dummy"
    expect_same "$event" wanted got
  done
}

# Two processors' buffers, read in turn: the order is that of time, equal times in the file's order.
rounds() {
  cat >happened <<'END'
mmap 1 0x1000 0x1000 0 /opt/one no-id @0
sample 1 0x1110 @5000 cpu=0
sample 1 0x1111 @7000 cpu=0
sample 2 0x1120 @1000 cpu=1
sample 2 0x1121 @5000 cpu=1
mmap 2 0x2000 0x1000 0 /opt/two @900 cpu=2
round
sample 1 0x1112 @8000 cpu=0
sample 2 0x1122 @6500 cpu=1
round
sample 2 0x1123 @7500 cpu=1
sample 1 0x1113 @9500 cpu=0
round
sample 2 0x1124 @9000 cpu=1
END
  recorded out.data "$1"
  same_as_perf out.data $BRANCHES
  expect_text dumped.all 'skipped 0, lost 0, out of order 0'
}

# perf counts what is late, too, and hands it out next.
late() {
  cat >happened <<'END'
sample 1 0x1110 @5000
round
sample 1 0x1111 @6000
round
sample 1 0x1112 @4000
sample 1 0x1113 @7000
round
END
  recorded out.data ''
  same_as_perf out.data $BRANCHES
  expect_text dumped.all 'out of order 1'
}

# Without sample_id_all a map has no time, and all comes as it stands in the file.
file_order() {
  happenings >happened
  echo 'sample 1001 0x55aa00001142 @1500' >>happened
  recorded out.data 'event cycles:u no-sample-id-all'
  same_as_perf out.data $BRANCHES
}

# Payloads, unknown records and features are passed over; what is lost adds up. perf itself refuses
# unknown records, and a payload of no known decoder. A guest's map (misc 4) is none of the host's.
passed_over() {
  cat >happened <<'END'
feature 200 0011223344
sample 1 0x1110
auxtrace 4096
record 5 000000000000000000000000000000000000000000000000
record 17 000000000000000000000000000000000000000000000000666f6f0000000000
lost 5
record 300 0011223344556677 bare
record 60 0011223344556677 bare
record 1 010000000100000000000081ffffffff001000000000000000000000000000005b67756573742e6b65726e656c2e6b616c6c73796d735d5f7465787400000000 misc=4
sample 1 0x1111 @9000
lost-samples 7
lost-samples 8 @0
END
  recorded out.data "$1"
  dumped out.data | grep -v ^lost >got
  mv dumped.all notes
  grep -vE 'bare|^auxtrace|misc=4' happened >known
  mv known happened
  recorded known.data "$1"
  as_perf known.data pid,tid,time,period,event,ip >wanted
  expect_same "events" wanted got
  expect_text notes 'skipped 2, lost 15,'
  expect "lost records" "$(printf '5\n7\n3')" "$(awk '/^lost/ { print $3 }' notes)"
}

# The table's build-id comes to maps of that path that have none of their own.
build_ids() {
  cat >happened <<END
build-id /opt/two 00112233445566778899aabbccddeeff00112233
build-id /opt/md5 00112233445566778899aabbccddeeff
build-id /opt/old 00112233445566778899aabbccddeeff $1
mmap 1 0x1000 0x1000 0 /opt/two
mmap 1 0x2000 0x1000 0 /opt/md5
mmap 1 0x3000 0x1000 0 /opt/old plain
mmap 1 0x4000 0x1000 0 /opt/two build-id=ffeeddccbbaa99887766554433221100ffeeddcc
mmap 1 0x5000 0x1000 0 /opt/none
sample 1 0x1110
sample 1 0x2110
sample 1 0x3110
END
  recorded out.data "$2"
  perf buildid-list -i out.data >listed 2>said || die "$(cat said)"
  same_as_perf out.data pid,tid,time,period,event,ip
  expect "maps with a build-id" 4 "$(grep -cE '^mmap .* [0-9a-f]{32,40} /opt' got)"
}

# A main thread may end before its process does.
ends() {
  cat >happened <<'END'
thread 1 2
thread 1 3
exit 1
exit 1 tid=2
sample 1 0x1110
exit 1 tid=3
fork 9 4
exit 4
fork 9 4 synthesised
END
  recorded out.data ''
  "$RECORDINGS/dump_recording" out.data | grep -v '^notes' >got
  cat >wanted <<'END'
sample 1 5000 cycles:u 1 1110
exit 1 6000
fork 4 7000 9
exit 4 8000
fork 4 9000 9 synthesised
END
  expect_same "ends" wanted got
}

# All that a perf record had written that was killed.
unfinished() {
  happenings >happened
  recorded plain.data ''
  recorded out.data unfinished
  dumped plain.data >wanted
  dumped out.data >got
  expect_same "events" wanted got
  expect_text dumped.all ', unfinished$'
  head -c 2000 out.data >cut.data
  dumped cut.data >got
  head -n "$(wc -l <got)" wanted | expect_same "events" - got
}

# Through a pipe a file comes to the same.
piped() {
  happenings >happened
  recorded out.data "$1"
  dumped out.data >wanted
  # shellcheck disable=SC2002 # a pipe is what is tested
  cat out.data | "$RECORDINGS/dump_recording" - >piped.all
  grep -v ^notes piped.all >got
  expect_same "events" wanted got
  "$RECORDINGS/dump_recording" - <out.data | grep -v ^notes >got
  expect_same "events" wanted got
}

# busy: two processes, a fork, an exec, for some samples.
busy() {
  cat <<'END'
i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done
(i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done) &
sha256sum "$0" >/dev/null
wait
END
}

live() {
  busy >busy.sh
  perf record -q -e cpu-clock -F 5000 "$@" -o out.data -- sh busy.sh "$CONTPROF" >said 2>&1 || die "$(cat said)"
  same_as_perf out.data pid,tid,time,period,event,ip
}

live_stream() {
  busy >busy.sh
  perf record -q -e cpu-clock -o - -- sh busy.sh "$CONTPROF" >out.data 2>said || die "$(cat said)"
  same_as_perf out.data pid,tid,time,period,event,ip
}

# at_least SIZE FILE
at_least() {
  [ "$(stat -c %s "$2")" -ge "$1" ]
}

# Of a perf record that is killed in the middle, perf script itself reads nothing.
live_killed() {
  # shellcheck disable=SC2016 # for the inner shell
  start perf record -q -e cpu-clock -m 2 -o out.data -- sh -c 'echo $$ >recorded-pid; while :; do :; done'
  wait_for 60 at_least 20000 out.data
  kill -KILL "$PID"
  kill -KILL "$(cat recorded-pid)"
  dumped out.data >got
  expect_text dumped.all ', unfinished$'
  expect_text got "^exec $(cat recorded-pid) "
  expect_text got "^sample $(cat recorded-pid) [0-9]+ cpu-clock"
}

check "a file" one_form ''
check "a stream" one_form stream
check "compressed" one_form compress
check "compressed, records in pieces" one_form 'compress chunk=1000 piece=300'
check "a compressed stream" one_form 'stream
compress'
check "the old header" one_form 'header-size 72'
check "no features" one_form 'no-features'
for size in 64 72 80 96 104 112 120; do
  check "an attr of $size bytes" one_form "attr-size $size"
done
for size in 136 200; do
  check "an attr of $size bytes" unknown_to_perf "attr-size $size"
done
check "the other byte order" other_order ''
check "a stream of the other byte order" other_order stream
check "compressed, of the other byte order" other_order compress
check "COMPRESSED2" unknown_to_perf 'compress 2 chunk=500'
check "compressed records of which nothing comes" unknown_to_perf 'compress chunk=100 piece=17'
check "several events with IDENTIFIER" several_events '' identifier
check "several events with ID" several_events '' id
check "several events of a stream" several_events stream identifier
check "callchains" fields callchain
check "raw data" fields raw
check "hw_idx" fields '' branch=hw_index
check "privilege of branches" fields '' branch=priv,type
check "counters of branches" fields_unknown_to_perf ' branch=counters,hw_index'
check "call stacks of branches" call_stack
check "READ" fields read read=enabled,running,id,lost id=5
check "READ of a group" fields read read=group,enabled,running,id id=5
check "READ without times" fields read read=id id=5
check "READ without ids" fields_unknown_to_perf ',read'
check "READ of a group without ids" fields_unknown_to_perf ',read read=group,running,lost'
check "registers and stack" fields regs_user,stack_user,regs_intr regs_user=0xff0fff regs_intr=0xff stack=256
check "weight_struct" fields weight_struct,phys_addr
check "aux" fields aux
check "every field" every_field
check "names that none recorded" derived_names
check "rounds" rounds ''
check "rounds, compressed" rounds 'compress chunk=100'
check "late records" late
check "without sample_id_all" file_order
check "what is passed over" passed_over ''
check "what is passed over in a stream" passed_over stream
check "build-ids of the table" build_ids '' ''
check "build-ids without their size" build_ids unsized ''
check "build-ids of a stream" build_ids '' stream
check "ends of threads and processes" ends
check "a recording whose writer was killed" unfinished
check "a file through a pipe" piped ''
check "a stream through a pipe" piped stream
check "live" live
check "live, compressed" live -z
check "live, with build-ids in the maps" live --buildid-mmap
check "live, with callchains and several events" live -g -e task-clock
check "live, as a stream" live_stream
check "live, killed" live_killed
