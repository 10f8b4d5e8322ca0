#!/bin/sh
# contprof overlap --sample against stock llvm-profdata overlap --sample: the same text.
. "$(dirname "$0")/lib.sh"
. "$E2E/samples.sh"

# Functions of one weight in the base profile come by name; LLVM has them in the order of a hash
# table, another one in each version. Their lines are compared in order of their text.
in_order() {
  awk '!listed { print } /^Base weight/ { listed = 1; next }
    listed { printf "%s\t%s\n", $7, $0 }' "$1" >lines.txt
  grep -v '	' lines.txt || true
  grep '	' lines.txt | sort -s -t '	' -k1,1nr -k2 || true
}

# same_overlap N OPTION... BASE TEST
same_overlap() {
  overlap_llvm=$1
  shift
  profdata "$overlap_llvm" overlap --sample "$@" >stock_raw.txt
  "$CONTPROF" overlap --sample "$@" >ours_raw.txt
  in_order stock_raw.txt >stock.txt
  in_order ours_raw.txt >ours.txt
  expect_same "overlap --sample $*" stock.txt ours.txt
}

each_option() {
  for options in "" --value-cutoff=1 --value-cutoff=1000000 --similarity-cutoff=10 \
    --similarity-cutoff=900000 --function=function_1 \
    "--function=main --similarity-cutoff=400000 -cs" "--function=has_no_such"; do
    # shellcheck disable=SC2086 # a list of options
    same_overlap "$1" $options "$2" "$3"
  done
}

two_alike() {
  two_profiles "$2"
  each_option "$1" one.prof two.prof
  same_overlap "$1" --value-cutoff=1 two.prof one.prof
  same_overlap "$1" --similarity-cutoff=1000000 one.prof one.prof
  profdata "$1" merge --sample --extbinary two.prof -o ext.prof
  same_overlap "$1" --value-cutoff=1 one.prof ext.prof
}

nothing_in_common() {
  two_profiles plain
  sed 's/^\([^ ]\)/other_\1/' one.prof >other.prof
  same_overlap "$1" --value-cutoff=1 one.prof other.prof
  printf 'main:0:0\n 1: 0\n' >zero.prof
  same_overlap "$1" one.prof zero.prof
  same_overlap "$1" zero.prof one.prof
  same_overlap "$1" zero.prof zero.prof
}

written_and_refused() {
  two_profiles plain
  samples probe 1 >probe.prof
  samples context 1 >context.prof
  "$CONTPROF" overlap --sample one.prof two.prof >wanted.txt
  "$CONTPROF" overlap --sample -o got.txt one.prof two.prof
  expect_same "-o" wanted.txt got.txt
  # What can be read but once.
  "$CONTPROF" overlap --sample one.prof - <two.prof | sed 's/test_profile: -$/test_profile: two.prof/' >got.txt
  expect_same "from standard input" wanted.txt got.txt
  mkfifo pipe
  cat two.prof >pipe &
  "$CONTPROF" overlap --sample one.prof pipe | sed 's/test_profile: pipe$/test_profile: two.prof/' >got.txt
  wait $!
  expect_same "from a FIFO" wanted.txt got.txt
  for other in probe context; do
    expect_status 1 profdata 19 overlap --sample one.prof $other.prof
    expect_status 1 "$CONTPROF" overlap --sample -o none.txt one.prof $other.prof 2>said
    expect_text said "they can't be compared"
    [ ! -e none.txt ] || die "an output was left"
  done
  expect_status 1 "$CONTPROF" overlap one.prof two.prof 2>said
  expect_text said 'give --sample'
  expect_status 2 "$CONTPROF" overlap --sample one.prof
  expect_status 2 "$CONTPROF" overlap --sample --similarity-cutoff=high one.prof two.prof
}

discriminators() {
  two_profiles fs
  same_overlap "$1" --profile-isfs --fs-discriminator-pass=Base --value-cutoff=1 one.prof two.prof
}

for llvm in $LLVMS; do
  [ "$llvm" = 19 ] && kinds="plain probe context fs" || kinds="plain context"
  for kind in $kinds; do
    check "two profiles, LLVM $llvm, $kind" two_alike "$llvm" "$kind"
  done
  check "nothing in common, LLVM $llvm" nothing_in_common "$llvm"
  check "flow-sensitive discriminators, LLVM $llvm" discriminators "$llvm"
done
check "what is written, and refused" written_and_refused
