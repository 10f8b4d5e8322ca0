// write_recording SCRIPT|- OUT|-: writes a perf.data (recording.h) of what a script tells. A line
// is a command and its words; '#' begins a comment; numbers are decimal, or hexadecimal with 0x.
// What is wrong ends the program with status 1 and the line.
//
// First, in any order, how it is written; all of it may be left out:
//
//   order big|little        byte order (little)
//   stream                  pipe mode
//   compress [2] [level=N] [chunk=BYTES] [piece=BYTES]
//                           records in COMPRESSED (or COMPRESSED2) records: so many bytes at a
//                           time, of which no more than `piece` come into one record
//   attr-size BYTES         64 and more (128)
//   header-size 72          the old header, without features
//   no-features
//   unfinished              as if perf record had been killed
//   feature NUMBER HEX      a feature of any kind
//   build-id PATH HEX [unsized]  in the table of build-ids; unsized: as perfs before 5.10
//   event NAME [key=value...]    one for each event recorded; without any, one as `event cycles:u
//                           sample=ip,tid,time,period,branch exclude=kernel,hv`
//     type=hardware|software|tracepoint|cache|raw|N   config=N   unnamed
//     period=N  freq=N  precise=N  id=N[,N...]
//     sample=FIELD,...      ip tid time addr read callchain id cpu period stream raw branch
//     regs_user
//                           stack_user weight data_src identifier transaction regs_intr phys_addr
//                           aux cgroup data_page_size code_page_size weight_struct
//     read=enabled,running,id,group,lost   branch=hw_index,counters,priv,type,call_stack
//     regs_user=MASK regs_intr=MASK stack=BYTES
//     exclude=user,kernel,hv,host,guest   no-sample-id-all
//
// Then what happened. A line stands for one record. @T is its time; without, it is a microsecond
// after the one before; @0 is none. tid=N (the PID), cpu=N (0), event=N (0: which event's id it
// has) and no-id (as records of perf's own have it) may stand on any of them.
//
//   exec PID NAME           COMM with the exec bit
//   comm PID NAME           without it
//   mmap PID START SIZE OFFSET PATH [prot=rwx] [build-id=HEX] [plain] [kernel] [deleted]
//                           deleted: with " (deleted)" behind the path
//   fork PARENT CHILD [synthesised]
//   thread PID TID
//   exit PID                with tid=N, of a thread
//   sample PID IP [FROM>TO...] [period=N] [kernel] [chain=A,B...] [raw=BYTES] [counters=N]
//                           branches newest first; times=N: N such samples, each a microsecond
//                           later
//   lost COUNT              lost-samples COUNT
//   round                   FINISHED_ROUND
//   auxtrace BYTES          an AUXTRACE record, and so many bytes behind it
//   record TYPE [HEX] [misc=N] [bare]   any other; bare: without a sample_id trailer
#include "recording_script.h"

#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: write_recording SCRIPT|- OUT|-\n");
    return 2;
  }
  return !recording_script_run(argv[1], argv[2]);
}
