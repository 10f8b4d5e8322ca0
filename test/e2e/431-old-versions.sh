#!/bin/sh
# Indexed versions 5 to 12, asked for by --indexed-version: every LLVM that reads one reads what it is
# to read, and what a version can't carry is named.
. "$(dirname "$0")/lib.sh"

merge() {
  "$CONTPROF" merge "$@"
}

# build N KIND: a.profraw of ./program, with a build-id.
build() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" -O2 $(instrumentation "$2") -Wl,--build-id=0xfeed02 "$PROGRAMS/targets.c" -o program
  LLVM_PROFILE_FILE=$PWD/a.profraw ./program 77 >said
}

# newest_of N: the newest version that LLVM N reads.
newest_of() {
  case $1 in
    14) echo 7 ;;
    16) echo 9 ;;
    19) echo 12 ;;
  esac
}

show_all() {
  profdata "$1" show --all-functions --counts --ic-targets --memop-sizes "$2"
}

# Of one version after the other, stock tools say the same, and so does contprof. The oldest of
# llvm-profdata here writes 7.
same_in_each_version() {
  build "$1" "$2"
  profdata "$1" merge -o stock.profdata a.profraw
  counted=$(show_all "$1" stock.profdata | sort)
  merge --indexed-version=7 -o v7.profdata a.profraw 2>said
  merge --indexed-version=7 -o first.profdata v7.profdata
  for version in 5 6 7 8 9 10 11 12; do
    merge --indexed-version=$version -o v$version.profdata a.profraw 2>said
    "$CONTPROF" show --profile-version v$version.profdata >shown
    expect_text shown "^Profile version: $version\$"
    merge --indexed-version=7 -o again.profdata v$version.profdata 2>said
    cmp first.profdata again.profdata
    for reader in $LLVMS; do
      [ "$(newest_of "$reader")" -ge $version ] || continue
      show_all "$reader" v$version.profdata >read.txt
      [ "$reader" != "$1" ] || expect "what $reader reads of $version" "$counted" "$(sort read.txt)"
      expect_text read.txt 'Total functions: [1-9]'
    done
  done
}

# The same code as of version 7, from every version but that whose hashes are others.
same_code() {
  build "$1" "$2"
  use=-fprofile-use
  [ "$2" = ir ] || use=-fprofile-instr-use
  oldest=5
  [ "$2" = ir ] || oldest=6
  for version in 7 $oldest 6; do
    merge --indexed-version=$version -o used.profdata a.profraw 2>said
    stock "$1" -O2 -Werror "$use=used.profdata" -c "$PROGRAMS/targets.c" -o v$version.o
    cmp v7.o v$version.o
  done
}

losses() {
  build "$NEWEST" frontend
  for version in 5 6 8; do
    merge --indexed-version=$version -o out a.profraw 2>said
    expect_text said "^contprof: warning: indexed version $version can't carry build-ids"
    expect "warnings" 1 "$(grep -c . said)"
  done
  merge --llvm=14 -o out a.profraw 2>said
  expect_text said "version 7 can't carry build-ids"
  merge --indexed-version=5 -o out a.profraw 2>said
  expect_text said 'makes clang expect hashes of before clang 12'
  merge --text -o a.proftext a.profraw
  merge --indexed-version=5 -o out a.proftext 2>said
  expect_text said '^contprof: warning: indexed version 5 makes clang expect'
  for version in 9 12; do
    merge --indexed-version=$version -o out a.profraw 2>said
    expect_empty said
  done
  merge -o out a.profraw 2>said
  expect_empty said
  build "$NEWEST" ir
  merge --indexed-version=5 -o out a.profraw 2>said
  expect_no_text said 'hashes'
}

# binary_ids N PROFILE: those that a profile has, one a line.
binary_ids() {
  profdata "$1" show --binary-ids "$2" | sed '1,/^Binary IDs/d'
}

version_of() {
  od -An -j8 -N1 -tu1 "$1" | tr -d ' '
}

# Without being told: build-ids stay where the LLVM of the program reads a version that has room for
# them. Raw version 8 is LLVM 14's, too, whose clang is to read what is merged of it, and so it is
# used here; of a mixture all stay.
by_default() {
  build "$NEWEST" "$1"
  merge -o new a.profraw 2>said
  expect_empty said
  expect "version, clang $NEWEST" 9 "$(version_of new)"
  expect "build-id" feed02 "$(binary_ids "$NEWEST" new)"
  profdata "$NEWEST" merge -o stock a.profraw
  merge -o again stock
  cmp new again
  mv a.profraw b.profraw
  # shellcheck disable=SC2046 # a list of flags
  stock "$2" -O2 $(instrumentation "$1") -Wl,--build-id=0xfeed01 "$PROGRAMS/targets.c" -o program
  LLVM_PROFILE_FILE=$PWD/a.profraw ./program 77 >said
  merge -o old a.profraw 2>said
  expect_empty said
  expect "version, clang $2" 7 "$(version_of old)"
  use=-fprofile-use
  [ "$1" = ir ] || use=-fprofile-instr-use
  stock "$2" -O2 -Werror "$use=old" -c "$PROGRAMS/targets.c" -o used.o
  for inputs in "a.profraw b.profraw" "b.profraw a.profraw" "a.profraw new"; do
    # shellcheck disable=SC2086 # words
    merge -o both $inputs 2>said
    expect_empty said
    expect "version of a mixture" 9 "$(version_of both)"
    expect "build-ids of a mixture" "feed01 feed02" "$(binary_ids "$NEWEST" both | xargs)"
  done
  merge --text -o text b.profraw
  merge -o plain text
  expect "version of a text" 7 "$(version_of plain)"
}

out_of_range() {
  expect_status 2 merge --indexed-version="$1" -o out a.profraw 2>said
  expect_text said 'expected a version from 5 to 12'
}

# Version 4 is laid out as 5, which says of the hashes alone that they are others; no LLVM here writes it.
version_4_is_read() {
  build "$1" ir
  merge --indexed-version=5 -o v4.profdata a.profraw 2>said
  printf '\004' | dd of=v4.profdata bs=1 seek=8 conv=notrunc 2>said
  profdata "$1" show --all-functions --counts --ic-targets --memop-sizes v4.profdata >wanted
  "$CONTPROF" show --all-functions --counts --ic-targets --memop-sizes v4.profdata >shown
  expect_same "shown" wanted shown
  expect "version" "Profile version: 4" "$("$CONTPROF" show --profile-version v4.profdata | tail -1)"
  profdata "$1" merge --text -o wanted v4.profdata
  merge --text -o ours v4.profdata
  expect_same "merged" wanted ours
}

for llvm in $LLVMS; do
  check "clang $llvm: version 4 is read" version_4_is_read "$llvm"
  for kind in ir frontend; do
    check "clang $llvm $kind: the same in each version" same_in_each_version "$llvm" $kind
    check "clang $llvm $kind: the same code" same_code "$llvm" $kind
  done
done
for llvm in $LLVMS; do
  [ "$llvm" -ge 18 ] || check "clang $llvm: build-ids by default" by_default ir "$llvm"
done
check "build-ids by default, frontend" by_default frontend 14
check "what a version loses is named" losses
check "version 4 is not written" out_of_range 4
check "version 13 is not written" out_of_range 13
