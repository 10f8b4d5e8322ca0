#!/bin/sh
# Temporal traces, the orders in which functions first ran: read from raw, indexed and text
# profiles, sampled, cut and written as llvm-profdata 19 does, which is the first here to know them.
. "$(dirname "$0")/lib.sh"

llvm=$NEWEST
ORDERED=$PROGRAMS/in_order.c

merge() {
  "$CONTPROF" merge "$@"
}

# One thread: with more, llvm-profdata takes the inputs in another order than that of the command.
stock_merge() {
  profdata "$llvm" merge --num-threads=1 "$@"
}

# traced FLAG...: four runs of a program whose order of functions depends on its argument.
traced() {
  cat >traced.c <<'SOURCE'
static volatile int sink;
#define STEP(name)                                                                                 \
  __attribute__((noinline)) void name(void) {                                                      \
    sink++;                                                                                        \
  }
STEP(one)
STEP(two)
STEP(three)
STEP(never)
int main(int argc, char **argv) {
  for (char *at = argv[1]; argc > 1 && *at; at++)
    *at == '1' ? one() : *at == '2' ? two() : *at == '3' ? three() : never();
  return 0;
}
SOURCE
  stock "$llvm" -O1 -fprofile-generate -mllvm -pgo-temporal-instrumentation "$@" traced.c -o traced
  for order in 123 321 21 32; do
    LLVM_PROFILE_FILE=$PWD/$order.profraw ./traced $order
  done
}

# same_merge OPTION-OR-INPUT...: indexed and text, the same bytes.
same_merge() {
  stock_merge -o stock.profdata "$@"
  merge --llvm=19 -o ours.profdata "$@"
  cmp stock.profdata ours.profdata
  stock_merge --text -o stock.proftext "$@"
  merge --text -o ours.proftext "$@"
  expect_same "as text" stock.proftext ours.proftext
}

# same_show FILE: as the raw, indexed or text profile says it.
same_show() {
  profdata "$llvm" show --temporal-profile-traces "$1" | sed -n '/^Temporal/,$p' >stock.txt
  "$CONTPROF" show --temporal-profile-traces "$1" | sed -n '/^Temporal/,$p' >ours.txt
  expect_same "show $1" stock.txt ours.txt
  expect_text ours.txt 'Temporal Profile Traces \(samples=[1-9]'
}

raw_files() {
  traced "$@"
  same_merge 123.profraw
  same_show 123.profraw
  same_merge 321.profraw 21.profraw 123.profraw
  expect_text stock.proftext '^main,three,two,one,$'
  same_show ours.profdata
  same_show ours.proftext
  same_merge --weighted-input=5,21.profraw 32.profraw
  expect "weights" "1 5" "$(sed -n '/# Weight:/{n;p}' ours.proftext | tr '\n' ' ' | sed 's/ $//')"
}

several_images() {
  traced
  cat 21.profraw 123.profraw >two.profraw
  same_merge two.profraw
  same_show two.profraw
}

# What has been merged once comes back the same, alone and with more; weights are raw files' alone.
merged_files() {
  traced
  same_merge 123.profraw 21.profraw
  mv ours.profdata first.profdata
  mv ours.proftext first.proftext
  for first in first.profdata first.proftext; do
    same_merge $first
    same_merge --weighted-input=3,$first --weighted-input=7,32.profraw 123.profraw
  done
  expect_text ours.proftext '^4$'
}

cut_and_sparse() {
  traced
  same_merge --temporal-profile-max-trace-length=2 321.profraw 123.profraw
  expect_text ours.proftext '^main,three,$'
  same_merge --temporal-profile-max-trace-length=0 321.profraw
  same_merge --sparse 321.profraw 21.profraw
  same_merge --function=t 321.profraw 21.profraw
  expect_text ours.proftext '^,three,two,,$'
  same_show ours.profdata
}

# More traces than are kept: the same sample, by the same generator.
sampled() {
  traced
  many=
  for weight in 1 2 3 4 5 6 7 8 9; do
    many="$many --weighted-input=$weight,123.profraw --weighted-input=1$weight,32.profraw"
  done
  for size in 0 1 4 17; do
    # shellcheck disable=SC2086 # a list of options
    same_merge --temporal-profile-trace-reservoir-size=$size $many
  done
  # shellcheck disable=SC2086
  same_merge --temporal-profile-trace-reservoir-size=4 $many
  mv ours.profdata few.profdata
  # A sample and single traces, in both orders, and two samples.
  same_merge --temporal-profile-trace-reservoir-size=4 few.profdata 21.profraw 123.profraw
  same_merge --temporal-profile-trace-reservoir-size=4 21.profraw 123.profraw few.profdata
  same_merge --temporal-profile-trace-reservoir-size=4 few.profdata few.profdata
  # shellcheck disable=SC2086
  same_merge $many $many $many $many $many $many
  expect_text ours.proftext '^108$'
}

# Versions before 10 have no place for them.
versions() {
  traced
  merge -o ours.profdata 123.profraw
  expect "version" "Profile version: 10" "$("$CONTPROF" show --profile-version ours.profdata | tail -n 1)"
  same_show ours.profdata
  expect_status 1 merge --llvm=16 -o none.profdata 123.profraw 2>words
  expect_text words "version 9 can't carry temporal traces"
  [ ! -e none.profdata ] || die "wrote a profile"
}

# The order of functions that llvm-profdata makes of the traces.
same_order() {
  traced
  merge --llvm=19 -o ours.profdata 123.profraw 321.profraw 32.profraw
  stock_merge -o stock.profdata 123.profraw 321.profraw 32.profraw
  profdata "$llvm" order stock.profdata >stock.txt
  profdata "$llvm" order ours.profdata >ours.txt
  expect_same "order" stock.txt ours.txt
  expect_text ours.txt '^three$'
}

bad_text() {
  printf ':ir\n:temporal_prof_traces\n%b' "$1" >bad.proftext
  expect_status 1 merge -o none.profdata bad.proftext 2>words
  expect_text words "$2"
}

check "raw" raw_files
check "raw, with single bytes" raw_files -mllvm -pgo-block-coverage
check "several images in a file" several_images
check "indexed and text" merged_files
check "cut and sparse" cut_and_sparse
check "samples" sampled
check "versions" versions
check "the order made of it" same_order
check "no number of traces" bad_text '\n' 'number of traces'
check "no size of the stream" bad_text '1\n' 'ends where how many'
check "no weight" bad_text '1\n1\nmain\n' "line 5: expected a trace's weight"
check "no functions" bad_text '2\n2\n1\nmain\n2\n' "ends where a trace's functions"
check "no such size" bad_text '0\n18446744073709551616\n' 'line 4: expected how many'
