#!/bin/sh
# Small things that LLVM's own tests of llvm-profdata ask for, against the stock tool: options that
# are accepted, the list of inputs, what is read and what refused.
. "$(dirname "$0")/lib.sh"

two_texts() {
  printf 'main\n1\n2\n3\n0\n' >a.proftext
  printf 'main\n1\n2\n5\n6\n' >b.proftext
}

input_list() {
  two_texts
  printf '# a comment\n 3,a.proftext\nb.proftext\n' >list
  for words in "a.proftext b.proftext" "-weighted-input=2,b.proftext a.proftext" \
    "-f list a.proftext" "--input-files=list --weighted-input=4,b.proftext a.proftext" \
    "-f=list b.proftext"; do
    # shellcheck disable=SC2086 # words of a command line
    profdata 19 merge -dump-input-file-list -o /dev/null $words >stock.txt
    # shellcheck disable=SC2086
    "$CONTPROF" merge -dump-input-file-list -o none.profdata $words >ours.txt
    expect_same "$words" stock.txt ours.txt
  done
  [ ! -e none.profdata ] || die "it merged"
}

accepted_by_merge() {
  two_texts
  profdata 19 merge --instr --binary -sparse=false -num-threads=2 -o=stock.profdata a.proftext b.proftext
  "$CONTPROF" merge --instr --binary -sparse=false -num-threads=2 -o=ours.profdata --llvm=19 \
    a.proftext b.proftext
  cmp stock.profdata ours.profdata
  profdata 19 merge -text -sparse=1 a.proftext >stock.txt
  "$CONTPROF" merge -text -sparse=1 a.proftext >ours.txt
  expect_same "text" stock.txt ours.txt
}

# The header's last field; LLVM's own tests leave it 0. One that says more kinds of values than the
# version has stays a damaged one.
last_value_kind() {
  stock "$1" -fprofile-instr-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/raw.profraw" ./program exit
  last=$((($1 == 19 ? 16 : 11) * 8 - 8))
  printf '\0' | dd of=raw.profraw bs=1 seek=$last conv=notrunc
  stock_counts "$1" raw.profraw >stock.txt
  our_counts raw.profraw >ours.txt
  expect_same "counts" stock.txt ours.txt
  printf '\7' | dd of=raw.profraw bs=1 seek=$last conv=notrunc
  expect_status 1 "$CONTPROF" show raw.profraw
}

target_without_name() {
  printf 'main\n1\n1\n9\n1\n0\n1\n1\n:10\n' >bad.proftext
  expect_status 1 profdata 19 show bad.proftext
  expect_status 1 "$CONTPROF" show bad.proftext 2>said
  expect_text said "expected NAME:COUNT"
}

check "the list of inputs" input_list
check "options that merge accepts" accepted_by_merge
for llvm in $LLVMS; do
  check "the header's last value kind, clang $llvm" last_value_kind "$llvm"
done
check "a call target without a name" target_without_name
