#!/bin/sh
# contprof-mpi merge judges inputs as contprof merge does, whichever rank meets the bad ones: messages in
# the inputs' order, once, under each failure mode; and inputs that contradict each other over ranks.
. "$(dirname "$0")/lib.sh"
. "$E2E/mpi-lib.sh"

# Six good files, 1.in to 6.in; and bad ones of several kinds: not there, empty, cut, other bytes.
inputs() {
  six_inputs
  : >empty.in
  head -c 600 4.in >cut.in
  echo 'no profile of any kind' >other.in
}

# On the last rank, on the first, on each.
failure_modes() {
  inputs
  for mode in any all warn; do
    same 3 --failure-mode=$mode 1.in 2.in 3.in 4.in missing.in cut.in
  done
  expect "warnings" 3 "$(grep -c ': warning: ' all/said)"
  same 3 --failure-mode=all empty.in other.in 1.in 2.in 3.in 4.in
  same 4 --failure-mode=all empty.in 1.in 2.in cut.in missing.in 3.in 4.in other.in
  same 4 1.in empty.in 2.in cut.in
}

none_is_good() {
  inputs
  for mode in any all warn; do
    same 3 --failure-mode=$mode empty.in missing.in cut.in
  done
  same 4 missing.in
}

enough_are_good() {
  inputs
  same 3 --failure-mode=all --min-valid=66 1.in 2.in cut.in
  [ -e all/out.profdata ]
  same 3 --failure-mode=all --min-valid=67 1.in 2.in cut.in
  [ ! -e all/out.profdata ]
}

# A count that no counting reaches: its function is left out, on the rank that has the file.
unbelievable() {
  inputs
  cp 4.in wrong.in
  # Counters follow the data records; a program of this size has them in the file's first half.
  python3 - wrong.in <<'END'
import struct, sys
raw = bytearray(open(sys.argv[1], "rb").read())
header = struct.unpack_from("<16Q", raw)
data = 128 + header[2] + header[3] * 64 + header[4]
struct.pack_into("<Q", raw, data, 2**63)
open(sys.argv[1], "wb").write(raw)
END
  same 3 1.in 2.in 3.in wrong.in
  expect_text all/said 'beyond 2\^56'
}

# Which of two functions of one name and hash is left out, and of which kind a profile is, depends on
# what comes first in all.
contradictions() {
  inputs
  printf ':ir\nmain\n1\n1\n5\n\nboth\n7\n1\n3\n' >one.in
  printf ':ir\nmain\n1\n2\n5\n6\n\nboth\n7\n1\n4\n' >two.in
  printf 'main\n1\n1\n5\n' >front.in
  same 2 one.in two.in
  expect_text all/said 'two.in: 1 functions left out'
  same 3 two.in one.in one.in two.in
  same 3 --failure-mode=all front.in one.in 1.in 2.in
  expect "bad" 3 "$(grep -c 'merged with front.in' all/said)"
  same 3 --failure-mode=all 1.in 2.in front.in front.in one.in 3.in
  expect "bad" 2 "$(grep -c 'merged with 1.in' all/said)"
}

# On one rank, and only where ranks meet, which is found out by what MPI_Reduce has added up.
cut_sums() {
  inputs
  same 2 1.in --weighted-input=9223372036854775807,2.in --weighted-input=9223372036854775807,3.in
  weight=250000000000000000
  set -- --weighted-input=$weight,1.in --weighted-input=$weight,2.in --weighted-input=$weight,3.in \
    --weighted-input=$weight,4.in
  same 2 "$@"
  expect_text all/said 'counts reached the largest'
  is_reduced 2 -o out "$@" || die "sums were cut on a rank, not where ranks meet"
}

check "bad files under each failure mode" failure_modes
check "no good file" none_is_good
check "a share that must be good" enough_are_good
check "counts that can't be believed" unbelievable
check "inputs that contradict each other" contradictions
check "sums that are cut" cut_sums
