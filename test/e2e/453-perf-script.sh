#!/bin/sh
# perf script's text: what it prints of a recording is read as the same events as the recording
# itself, whatever columns it prints; perf tells in each check what right is.
. "$(dirname "$0")/lib.sh"

WRITE=$BUILD/test/recordings/write_recording
DUMP=$BUILD/test/recordings/dump_recording

# Two programs, a fork, a thread, an exec chain, an exit and samples of two events, in the kernel
# too; the addresses are in their maps.
cat >script <<'END'
event cycles:u sample=ip,tid,time,id,period,branch exclude=kernel,hv id=7
event instructions sample=ip,tid,time,id,period,branch id=8
mmap -1 0xffffffff81000000 0x1200000 0xffffffff81000000 [kernel.kallsyms]_text kernel
exec 100 sh
mmap 100 0x55aa00001000 0x13000 0x1000 /usr/bin/dash
mmap 100 0x7f0000000000 0x26000 0x1000 /lib/ld.so build-id=be6397ddffc3e384c505d7deab3bed190c884df9
mmap 100 0x7ffc00000000 0x2000 0 [stack] prot=rw
sample 100 0x55aa00001234 0x55aa00001230>0x55aa00002000 0x7f0000000010>0x55aa00001200 times=5
sample 100 0x55aa00001238 0x55aa00001230>0x55aa00002000 period=17
fork 100 101
thread 100 105
sample 100 0x55aa00001300 0x55aa00001304>0x55aa00001300 tid=105
sample 101 0x55aa00001400 event=1
exec 101 two
mmap 101 0x400000 0x1000 0 /home/u/(c)/two
sample 101 0x400100 0x400110>0x400100 0x400120>0x400108 event=1
sample 101 0xffffffff81000100 0xffffffff81000110>0x400100 kernel event=1
sample 100 0x55aa00001300 tid=105 times=3
exit 101
sample 100 0x55aa00001234 0x55aa00001230>0x55aa00002000
lost 12
exit 100 tid=105
exit 100
END

# of_recording SCRIPT TEXT [PERF SCRIPT'S OPTION]...
of_recording() {
  "$WRITE" "$1" perf.data
  text=$2
  shift 2
  perf script -i perf.data --show-mmap-events --show-task-events --show-lost-events "$@" >"$text" \
    2>err || die "perf script: $(cat err)"
  "$DUMP" perf.data >data.events || die "the recording can't be read"
}

# Times aside, which perf rounds; of the samples between two other events in any order, since equal
# ones come together; and lost records apart, which a recording tells at once. PROGRAM changes a sample's columns to what the text has.
# ordered PROGRAM
ordered() {
  awk "\$1 == \"notes:\" { next }
       \$1 == \"lost\" { print 0, \$1, \$3; next }
       { \$3 = 0 }
       \$1 == \"sample\" { $1 }
       \$1 != \"sample\" { part++; print part, \$0; part++; next } { print part, \$0 }" |
    sort -k 1,1n -k 2
}

# same_events PROGRAM: the text's events are the recording's.
same_events() {
  "$DUMP" text >text.events || die "the text can't be read"
  grep -q '^notes: .*bad lines 0' text.events || die "bad lines: $(tail -n 1 text.events)"
  ordered "$1" <data.events >wanted
  ordered '' <text.events >got
  grep -q sample wanted || die "no samples"
  expect_same events wanted got
}

WITHOUT_EVENT='$4 = "?"; $5 = 1;'
WITHOUT_PID='sub(/[0-9]+$/, "-1", $2);'

columns_that_perf_prints_by_default() {
  of_recording ../script text
  same_events '$7 = ""; NF = 6;'
  of_recording ../script text -F +brstack
  same_events ''
}

pids_addresses_and_branches() {
  of_recording ../script text -F pid,ip,brstack
  same_events "$WITHOUT_EVENT"
  of_recording ../script text -F pid,tid,ip,brstack
  same_events "$WITHOUT_EVENT"
  for each in pid,event,ip,brstack pid,time,event,ip,brstack; do
    of_recording ../script text -F $each
    same_events '$5 = 1;'
  done
  of_recording ../script text -F pid,ip,sym,dso,brstack
  same_events "$WITHOUT_EVENT"
  grep -q '(/home/u/(c)/two)/0x' text || die "no files in the text"
}

texts_without_pids() {
  of_recording ../script text -F ip,brstack
  same_events "$WITHOUT_EVENT $WITHOUT_PID"
  of_recording ../script text -F event,ip,brstack
  same_events "$WITHOUT_PID \$5 = 1;"
  of_recording ../script text -F ip
  same_events "$WITHOUT_EVENT $WITHOUT_PID NF = 6;"
}

# A text through a pipe, and with lines that end as Windows has them.
other_ways_in() {
  of_recording ../script unix -F pid,ip,brstack
  sed 's/$/\r/' unix >text
  same_events "$WITHOUT_EVENT"
}

# Callchains' addresses are those of no map: of others perf prints the place in the file.
callchains() {
  cat >chains <<'END'
event cycles sample=ip,tid,time,period,callchain,branch
exec 100 two
mmap 100 0x55aa00001000 0x13000 0x1000 /usr/bin/two
sample 100 0x66aa00001234 0x55aa00001230>0x55aa00002000 chain=0x66aa00001234,0x66aa00001300 times=3
sample 100 0x66aa00001238 chain=0x66aa00001238,0x66aa00001300
sample 100 0x66aa00001238 0x55aa00001230>0x55aa00002000 chain=0x66aa00001238,0x66aa00001300
END
  of_recording chains text -F pid,ip,brstack
  grep -q '^	' text || die "no callchains: $(head -n 5 text)"
  same_events "$WITHOUT_EVENT"
  of_recording chains text -F +brstack
  same_events ''
}

# A shell that forks and execs, recorded here and now. Its kernel is not always to be recorded.
live_recording() {
  perf record -q -B -e cpu-clock -F 997 -o perf.data sh -c \
    'for i in 1 2 3; do ls / >/dev/null; (i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done); done' \
    >log 2>&1 || die "perf record: $(cat log)"
  perf script -i perf.data --show-mmap-events --show-task-events >text 2>/dev/null
  "$DUMP" perf.data >data.events
  same_events ''
}

check "the columns that perf prints by default" columns_that_perf_prints_by_default
check "PIDs, addresses and branches" pids_addresses_and_branches
check "texts without PIDs" texts_without_pids
check "carriage returns" other_ways_in
check "callchains" callchains
check "a live recording" live_recording
