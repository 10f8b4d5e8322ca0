// Stock llvm-profdata's opinion of many profiles at once: it starts in 20 ms, too long for each
// file of a thousand kills, but takes any number of files in one run and fails if one is not valid.
#ifndef TORTURE_STOCK_JUDGE_H
#define TORTURE_STOCK_JUDGE_H

#include "counts.h"

#include <stdio.h>

struct judge {
  const char *program;  // llvm-profdata
  const char *list;     // file of the paths to judge, one a line
  const char *text;     // file to write what it read
  const char *messages; // file for its messages
};

// The sum over all files in the list, into the empty `sum`. False if llvm-profdata fails or has
// anything to remark.
bool judge_sum(const struct judge *judge, struct counts *sum);

#endif
