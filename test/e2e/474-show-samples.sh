#!/bin/sh
# contprof show --sample against stock llvm-profdata show --sample: the same text.
. "$(dirname "$0")/lib.sh"
. "$E2E/samples.sh"

# What LLVM 14 and 16 say in other words: the name of a function that is not there, and of a flag.
in_todays_words() {
  sed -e 's/^Function: main: 0, 0, 0 sampled/Function: : 0, 0, 0 sampled/' \
    -e 's/,context-nested}/,preInlined}/' "$1"
}

# same_show N OPTION... FILE
same_show() {
  show_llvm=$1
  shift
  profdata "$show_llvm" show --sample "$@" >stock_raw.txt 2>stock_said
  in_todays_words stock_raw.txt >stock.txt
  "$CONTPROF" show --sample "$@" >ours.txt 2>ours_said
  expect_same "show --sample $*" stock.txt ours.txt
  [ -s ours.txt ] || die "$*: nothing was shown"
}

each_option() {
  for options in "" "--hot-func-list" "--topn=3" "--topn=1000" "--detailed-summary" \
    "--function=main" "--all-functions --function=main --counts" "-hot-func-list -detailed-summary"; do
    # shellcheck disable=SC2086 # a list of options
    same_show "$1" $options "$2"
  done
}

# LLVM 14 has no JSON.
json_and_missing() {
  two_profiles "$1"
  same_show 19 --json one.prof
  same_show 19 --show-format=json --detailed-summary two.prof
  same_show 19 --function=nothing_of_this_name one.prof
  printf 'a"b\\c\td:2:1\n 1: 1\n' >odd.prof
  same_show 19 --json odd.prof
  expect_status 1 profdata 19 show --sample --json --function=main one.prof
  expect_status 1 "$CONTPROF" show --sample --json --function=main one.prof
  python3 -c 'import json, sys; json.load(open("ours.txt"))'
}

texts() {
  two_profiles "$2"
  each_option "$1" one.prof
}

# Of a format: all that is in it, and what is summed up.
all_of() {
  same_show "$1" "$2"
  same_show "$1" --hot-func-list --detailed-summary --all-functions "$2"
}

binaries() {
  two_profiles "$2"
  profdata "$1" merge --sample --extbinary one.prof -o ext.prof
  all_of "$1" ext.prof
  profdata "$1" merge --sample --extbinary --use-md5 --compress-all-sections one.prof -o md5.prof
  same_show 19 md5.prof # hashes come by number; in LLVM 14 and 16 by their digits
  case $2 in plain | fs)
    profdata "$1" merge --sample --binary one.prof -o binary.prof
    all_of "$1" binary.prof
    ;;
  esac
}

# What LLVM N calls the sections of its own files, and of ours.
sections() {
  for kind in plain probe context fs; do
    two_profiles $kind
    for options in "" "--use-md5 --gen-partial-profile --prof-sym-list=names.list --compress-all-sections"; do
      # shellcheck disable=SC2086 # a list of options
      profdata "$1" merge --sample --extbinary $options one.prof two.prof -o stock.prof
      same_show "$1" --show-sec-info-only stock.prof
      # shellcheck disable=SC2086
      "$CONTPROF" merge --sample --extbinary $options one.prof two.prof -o ours.prof
      same_show "$1" --show-sec-info-only ours.prof
    done
  done
  "$CONTPROF" merge --sample --split-layout one.prof -o split.prof
  same_show "$1" --show-sec-info-only split.prof
}

symbols() {
  two_profiles plain
  profdata "$1" merge --sample --extbinary --prof-sym-list=names.list one.prof -o listed.prof
  same_show "$1" --show-prof-sym-list listed.prof
  same_show "$1" --show-prof-sym-list --detailed-summary --hot-func-list listed.prof
  "$CONTPROF" show --sample --show-prof-sym-list one.prof >got.txt # stock crashes
  expect "what stands last" "======== Dump profile symbol list ========" "$(tail -n 1 got.txt)"
}

discriminators() {
  two_profiles fs
  for pass in Base Pass1 Pass2 Pass3 PassLast; do
    same_show "$1" --profile-isfs "--fs-discriminator-pass=$pass" one.prof
  done
}

several_and_bad_files() {
  two_profiles plain
  "$CONTPROF" show --sample one.prof >one.txt
  "$CONTPROF" show --sample two.prof >two.txt
  { echo one.prof: && cat one.txt && echo two.prof: && cat two.txt; } >wanted.txt
  "$CONTPROF" show --sample one.prof two.prof >got.txt
  expect_same "two files" wanted.txt got.txt
  "$CONTPROF" show --sample - -o written.txt <one.prof
  expect_same "standard input, -o" one.txt written.txt
  printf 'main:1:1\n nonsense\n' >bad.prof
  expect_status 1 "$CONTPROF" show --sample bad.prof one.prof >got.txt 2>said
  { echo one.prof: && cat one.txt; } >wanted.txt
  expect_same "the good one of two" wanted.txt got.txt
}

both_kinds() {
  two_profiles plain
  printf ':ir\nmain\n1\n1\n5\n' >counts.proftext
  expect_status 1 "$CONTPROF" show one.prof 2>said
  expect_text said 'one.prof is a sample profile: give --sample'
  expect_status 1 "$CONTPROF" show --sample counts.proftext 2>said
  expect_text said 'counts.proftext is an instrumented profile: leave --sample out'
  expect_status 1 "$CONTPROF" show --sample --show-sec-info-only one.prof 2>said
  expect_text said 'one.prof: header'
}

for llvm in $LLVMS; do
  [ "$llvm" = 19 ] && kinds="plain probe context fs" || kinds="plain context"
  for kind in $kinds; do
    check "text, LLVM $llvm, $kind" texts "$llvm" "$kind"
    check "binary formats, LLVM $llvm, $kind" binaries "$llvm" "$kind"
  done
  check "sections, LLVM $llvm" sections "$llvm"
  check "symbol lists, LLVM $llvm" symbols "$llvm"
  check "flow-sensitive discriminators, LLVM $llvm" discriminators "$llvm"
done
for kind in plain probe context fs; do
  check "JSON and functions that are not there, $kind" json_and_missing "$kind"
done
check "several files, and bad ones" several_and_bad_files
check "the other kind of profiles" both_kinds
