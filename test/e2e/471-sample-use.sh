#!/bin/sh
# clang -fprofile-sample-use takes what contprof writes, in every format, and makes the code of it that
# it makes of stock LLVM's own file.
. "$(dirname "$0")/lib.sh"

# A profile as text of hot_branch.c, on standard output: lines are counted from a function's own.
hot_branch() {
  cat <<'END'
chosen:90000:3000
 1: 3000
 2: 0 rare:0
 3: 3000
 5: 1 rare:1
 4: often:84000
  1: 3000
  2: 42000
  3: 39000
main:20:1
 2: 20 chosen:20
rare:5:1
 1: 5
END
}

# object_of N PROFILE OUTPUT
object_of() {
  stock "$1" -O2 -g -Werror -fprofile-sample-use="$2" "$PROGRAMS/hot_branch.c" -c -o "$3" 2>warnings
  expect_empty warnings
}

# used N OPTION...: formats that this LLVM writes.
used() {
  use_llvm=$1
  shift
  hot_branch >hot.prof
  profdata "$use_llvm" merge --sample "$@" hot.prof -o stock.prof
  "$CONTPROF" merge --sample "$@" hot.prof -o ours.prof
  object_of "$use_llvm" stock.prof stock.o
  object_of "$use_llvm" ours.prof ours.o
  cmp stock.o ours.o
  stock "$use_llvm" -O2 -g "$PROGRAMS/hot_branch.c" -c -o plain.o
  ! cmp -s plain.o ours.o || die "the profile changes nothing"
}

split() {
  hot_branch >hot.prof
  profdata "$1" merge --sample --extbinary hot.prof -o stock.prof
  "$CONTPROF" merge --sample --split-layout hot.prof -o split.prof
  object_of "$1" stock.prof stock.o
  object_of "$1" split.prof split.o
  cmp stock.o split.o
}

for llvm in $LLVMS; do
  check "text, clang $llvm" used "$llvm" --text
  check "binary, clang $llvm" used "$llvm" --binary
  check "extended binary, clang $llvm" used "$llvm" --extbinary
  check "compressed, clang $llvm" used "$llvm" --extbinary --compress-all-sections
  check "hashes for names, clang $llvm" used "$llvm" --extbinary --use-md5
  check "split layout, clang $llvm" split "$llvm"
done
