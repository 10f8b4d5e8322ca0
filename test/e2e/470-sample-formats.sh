#!/bin/sh
# Sample profiles made at random, in every format and of every kind, between contprof and stock LLVM:
# what either writes is the same to the byte, whichever LLVM had written what was read.
. "$(dirname "$0")/lib.sh"

KINDS="plain probe preinlined context probe-context"
FORMATS="--text,--binary,--extbinary,--extbinary --compress-all-sections,--extbinary --use-md5
--extbinary --use-md5 --compress-all-sections --gen-partial-profile,--extbinary --prof-sym-list=symbols"

# made KIND SEED FUNCTIONS: as text, on standard output.
made() {
  python3 "$ROOT/test/merging/made_samples.py" "$@"
}

# for_formats KIND COMMAND...: the command with each format's options as one more word.
for_formats() {
  formats_kind=$1
  shift
  printf 'zulu\nalpha\nf1\n' >symbols
  printf '%s\n' "$FORMATS" | tr ',' '\n' >formats
  while read -r options; do
    case $formats_kind,$options in *probe*,--binary | *context,--binary) continue ;; esac
    "$@" "$options"
  done <formats
}

# same_bytes INPUT... OPTIONS: merged by LLVM 19 and by us.
same_bytes() {
  for options in "$@"; do :; done
  inputs=
  while [ $# -gt 1 ]; do
    inputs="$inputs $1"
    shift
  done
  # shellcheck disable=SC2086 # lists
  profdata 19 merge --sample $options $inputs -o stock.prof 2>said
  # shellcheck disable=SC2086
  "$CONTPROF" merge --sample $options $inputs -o ours.prof 2>said
  cmp stock.prof ours.prof || die "written with $options"
}

bytes() {
  made "$1" "$2" "$3" >one.prof
  for_formats "$1" same_bytes one.prof
}

# With functions that only one of two has, and of probes with checksums that differ.
merged_bytes() {
  made "$1" 1 300 >one.prof
  made "$1" 2 400 >two.prof
  for_formats "$1" same_bytes one.prof two.prof one.prof
  for_formats "$1" same_bytes --weighted-input=7,one.prof two.prof
}

# LLVM N's file in each format, read and written again. LLVM 19 reads all of it.
read_back() {
  # shellcheck disable=SC2086 # a list of options
  profdata "$1" merge --sample $2 one.prof -o input.prof 2>said
  same_bytes input.prof --text
  same_bytes input.prof --extbinary
}

versions() {
  made "$2" 3 200 >one.prof
  for_formats "$2" read_back "$1"
}

# What we write is read by LLVM N to what its own file says; those of 14 and 16 may sort differently.
read_by() {
  # shellcheck disable=SC2086 # a list of options
  profdata "$1" merge --sample $2 one.prof -o stock.prof 2>said
  # shellcheck disable=SC2086
  "$CONTPROF" merge --sample $2 one.prof -o ours.prof 2>said
  profdata "$1" show --sample --all-functions stock.prof >stock.txt
  profdata "$1" show --sample --all-functions ours.prof >ours.txt
  expect_same "$2, shown by LLVM $1" stock.txt ours.txt
}

readable() {
  made "$2" 4 200 >one.prof
  for_formats "$2" read_by "$1"
}

# --- other formats --------------------------------------------------------------------------------

compact() {
  made plain 5 20 >one.prof
  profdata 16 merge --sample --compbinary one.prof -o compact.prof
  expect_status 1 "$CONTPROF" merge --sample compact.prof -o ours.prof 2>said
  expect_text said 'compact.prof: .*compact binary format .* not supported'
  [ ! -e ours.prof ] || die "wrote a profile"
}

gcc_format() {
  printf 'adcg*704\0\0\0\0' >gcc.prof
  expect_status 1 "$CONTPROF" merge --sample gcc.prof -o ours.prof 2>said
  expect_text said "gcc.prof: .*GCC's format are not supported"
}

for kind in $KINDS; do
  check "$kind: the bytes of LLVM 19" bytes "$kind" 7 700
  check "$kind, merged: the bytes of LLVM 19" merged_bytes "$kind"
  for llvm in $LLVMS; do
    check "$kind: what LLVM $llvm writes" versions "$llvm" "$kind"
    check "$kind: what LLVM $llvm reads" readable "$llvm" "$kind"
  done
done
check "many functions: the bytes of LLVM 19" bytes plain 8 20000
check "compact binary is refused" compact
check "GCC's format is refused" gcc_format
