#!/bin/sh
# Pages of 4, 16 and 64 KiB, which AArch64 kernels have: qemu-user takes their size. The same file,
# byte for byte, comes of all of them, with the same counts; and one made with pages of one size is
# counted on in with another (but in shadow mode, where counters begin a page). Static programs: with large pages, this qemu loses memory of the
# dynamic linker's.
# shellcheck source=../e2e/lib.sh
. "${CONTPROF_E2E:?}/lib.sh"

PAGES="4096 16384 65536"
emulator=$RUN

# with_pages SIZE COMMAND...
with_pages() {
  RUN="$emulator -p $1"
  shift
  "$@"
}

says_its_size() {
  cat >size.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void) { printf("%ld\n", sysconf(_SC_PAGESIZE)); return 0; }
END
  stock "$NEWEST" -static size.c -o size
  for page in $PAGES; do
    expect "page size" "$page" "$($emulator -p "$page" ./size)"
  done
}

build() {
  program=$1
  shift
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 -static $(instrumentation "$kind") -fprofile-continuous "$PROGRAMS/$program.c" \
    "$TEST_DIR/ending.o" "$@" -o "$program"
}

# All but the 64 bytes of the owner record.
expect_same_but_owner() {
  expect "bytes of $2" "$(wc -c <"$1")" "$(wc -c <"$2")"
  cmp -l "$1" "$2" >differences || true
  span=$(awk 'NR == 1 { first = $1 } { last = $1 } END { print last - first }' differences)
  [ "$span" -lt 64 ] || die "$1 and $2 differ over $span bytes"
}

one_file_for_all() {
  build calls
  for page in $PAGES; do
    LLVM_PROFILE_FILE=$page.profraw with_pages "$page" expect_killed ./calls kill >said 2>complaints
    expect_empty complaints
    stock_counts "$llvm" "$page.profraw" >counts.txt
    expect_calls said counts.txt
    expect_same_but_owner 4096.profraw "$page.profraw"
  done
}

counted_on_with_other_pages() {
  build calls
  for page in $PAGES 4096; do
    LLVM_PROFILE_FILE=%m.profraw with_pages "$page" expect_killed ./calls kill >said 2>complaints
    expect_empty complaints
  done
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect "leaf" $((4 * 34)) "$(function_count counts.txt leaf)"
}

forked() {
  build forks
  with_pages "$page" expect_killed ./forks kill 2>complaints
  expect_empty complaints
  expect "files" 5 "$(find . -name 'forks-*.profraw' | wc -l)"
  for said in said-*; do
    stock_counts "$llvm" "forks-${said#said-}.profraw" >counts.txt
    expect_calls "$said" counts.txt
  done
}

# Resets after the profile was written, each of which changes the live file.
changed() {
  build renames
  LLVM_PROFILE_FILE=name.profraw with_pages "$page" expect_killed ./renames "$descriptors" reset \
    >said 2>complaints
  expect_empty complaints
  expect "files" 4 "$(find . -name '*.profraw' | wc -l)"
  while read -r _ count name; do
    stock_counts "$llvm" "$name" >counts.txt
    expect "leaf in $name" "$count" "$(function_count counts.txt leaf)"
  done <said
}

threads() {
  build threads -fprofile-update=atomic -pthread
  with_pages "$page" expect_killed ./threads kill >said 2>complaints
  expect_empty complaints
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
check "qemu gives programs pages of that size" says_its_size
for llvm in $LLVMS; do
  for kind in frontend ir; do
    check "clang $llvm $kind: one file for all page sizes" one_file_for_all
  done
  kind=frontend
  check "clang $llvm: counted on with other pages" counted_on_with_other_pages
  for mode in pointer shadow; do
    for page in 16384 65536; do
      check "clang $llvm $mode: fork, pages of $page" forked
      check "clang $llvm $mode: threads, pages of $page" threads
      for descriptors in open closed; do
        check "clang $llvm $mode: new files, descriptors $descriptors, pages of $page" changed
      done
    done
  done
  mode=
done
