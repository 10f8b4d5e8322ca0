// The numbers of the perf.data format that linux/perf_event.h does not have: records and features
// of perf's own, and bits that are younger than the header of an older system. Source:
// tools/lib/perf/include/perf/event.h, tools/perf/util/header.h,
// tools/perf/Documentation/perf.data-file-format.txt, all of Linux.
#ifndef CONTPROF_SAMPLE_PERF_FORMAT_H
#define CONTPROF_SAMPLE_PERF_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

enum {
  PERF_HEADER_SIZE = 104,       // bytes, of a file
  PERF_HEADER_SIZE_OLD = 72,    // of one without features
  PERF_PIPE_HEADER_SIZE = 16,   // of a stream
  PERF_RECORD_HEADER_SIZE = 8,  // type u32, misc u16, size u16
  PERF_RECORD_SIZE_MAX = 65535, // what `size` can say
  PERF_SECTION_SIZE = 16,       // offset u64, size u64
  PERF_ATTR_SIZE_FIRST = 64,    // PERF_ATTR_SIZE_VER0
  PERF_BUILD_ID_BYTES = 20,     // room for a build-id
  PERF_MMAP2_FILE_SIZE = 24,    // device and inode, or a build-id
};

// Records of perf's own, from 64 on.
enum {
  PERF_USER_FIRST = 64,
  PERF_USER_ATTR = 64,
  PERF_USER_TRACING_DATA = 66,
  PERF_USER_BUILD_ID = 67,
  PERF_USER_FINISHED_ROUND = 68,
  PERF_USER_AUXTRACE = 71,
  PERF_USER_EVENT_UPDATE = 78,
  PERF_USER_FEATURE = 80,
  PERF_USER_COMPRESSED = 81,
  PERF_USER_COMPRESSED2 = 83,
  PERF_USER_LAST_KNOWN = 86,   // SCHEDSTAT_DOMAIN, Linux 6.16
  PERF_KERNEL_LAST_KNOWN = 22, // CALLCHAIN_DEFERRED, Linux 6.19
};

// Bits of a record's misc field besides the CPU mode. Bit 13 depends on the record.
enum {
  PERF_MISC_MMAP_DATA = 1 << 13,
  PERF_MISC_COMM_EXEC = 1 << 13,
  PERF_MISC_FORK_SYNTHESISED = 1 << 13, // PERF_RECORD_MISC_FORK_EXEC
  PERF_MISC_MMAP_BUILD_ID = 1 << 14,
  PERF_MISC_BUILD_ID_SIZE = 1 << 15, // of BUILD_ID records: the id is followed by its size
};

// Bits of the header's feature bitmap.
enum {
  PERF_FEATURE_BUILD_ID = 2,
  PERF_FEATURE_HOSTNAME = 3,
  PERF_FEATURE_EVENT_DESC = 12,
  PERF_FEATURE_COMPRESSED = 27,
  PERF_FEATURES = 256,
};

enum { PERF_EVENT_UPDATE_NAME = 2 }; // kinds of EVENT_UPDATE: unit 0, scale 1, name 2, cpus 3

#define PERF_BRANCH_CALL_STACK (UINT64_C(1) << 11) // of branch_sample_type
#define PERF_BRANCH_HW_INDEX (UINT64_C(1) << 17)

// Bits of the attr's flags, counted as the little-endian header has them.
enum {
  PERF_ATTR_EXCLUDE_USER = 4,
  PERF_ATTR_EXCLUDE_KERNEL = 5,
  PERF_ATTR_EXCLUDE_HV = 6,
  PERF_ATTR_FREQ = 10,
  PERF_ATTR_PRECISE_IP = 15, // two bits
  PERF_ATTR_SAMPLE_ID_ALL = 18,
  PERF_ATTR_EXCLUDE_HOST = 19,
  PERF_ATTR_EXCLUDE_GUEST = 20,
};

#endif
