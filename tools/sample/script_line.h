// What a line of perf script's text is: which of the columns that perf prints before a sample's
// stack it has. Source: perf's builtin-script.c (print_sample_start, process_event), and what
// llvm-profgen takes (PerfReader.cpp). The text stays the caller's.
#ifndef CONTPROF_SAMPLE_SCRIPT_LINE_H
#define CONTPROF_SAMPLE_SCRIPT_LINE_H

#include "../base/text_scan.h"

enum contprof_script_kind {
  CONTPROF_SCRIPT_BLANK,
  CONTPROF_SCRIPT_COMMENT, // "#...", of --header
  CONTPROF_SCRIPT_COUNT,  // a decimal number from the line's first column on: of an aggregated text
  CONTPROF_SCRIPT_RECORD, // "PERF_RECORD_...", perhaps behind columns
  CONTPROF_SCRIPT_HEAD,   // columns, but no address: those follow, a line each
  CONTPROF_SCRIPT_FRAME,  // of a callchain: a tab and an address
  CONTPROF_SCRIPT_ADDRESS,  // an address alone: a sample's, or of a callchain whose tab is lost
  CONTPROF_SCRIPT_SAMPLE,   // an address, with columns before it or something behind it
  CONTPROF_SCRIPT_BRANCHES, // a branch stack alone
  CONTPROF_SCRIPT_OTHER,    // none of these
};

struct contprof_script_line {
  enum contprof_script_kind kind;
  uint64_t count;             // COUNT
  uint64_t ip;                // SAMPLE, FRAME, ADDRESS
  bool has_id;                // HEAD, SAMPLE: there is a column with a PID or TID
  bool id_is_pid;             // it is "PID/TID": `id` is a PID for certain
  int32_t id;                 // the PID, or the TID: perf prints one alone by either name
  uint64_t time;              // nanoseconds; 0 if there is no such column
  uint64_t period;            // 0 if there is no such column
  struct contprof_scan event; // the event's name; empty if there is no such column
  struct contprof_scan rest;  // SAMPLE, FRAME, ADDRESS: what follows it; BRANCHES: the stack;
                              // RECORD: from "PERF_RECORD_" on
};

struct contprof_script_line contprof_script_line_read(const char *line, size_t length);

// The branch stack in what follows a sample's address, behind a symbol and a file perhaps; empty
// if there is none.
struct contprof_scan contprof_script_branches(struct contprof_scan rest);

// The file that stands, in parentheses and with its path from the root, behind an address, to
// `file`, which has room for `room` bytes with a NUL; "" if there is none or no room.
void contprof_script_file(struct contprof_scan rest, char *file, size_t room);

#endif
