#!/bin/sh
# Profiles as text: written byte for byte as llvm-profdata merge --text does, and read as it reads
# them, its own, contprof's and those that people write.
. "$(dirname "$0")/lib.sh"

# same_text N INPUT...
same_text() {
  text_llvm=$1
  shift
  profdata "$text_llvm" merge --text -o stock.proftext "$@"
  "$CONTPROF" merge --text -o ours.proftext "$@"
  expect_same "the text" stock.proftext ours.proftext
}

# The text of both, read again: the same text, and the same profile for compilers.
same_again() {
  same_text "$@"
  again_llvm=$1
  "$CONTPROF" merge --text -o again.proftext stock.proftext
  expect_same "text made of text" stock.proftext again.proftext
  profdata "$again_llvm" merge -o stock.profdata stock.proftext
  "$CONTPROF" merge --llvm="$again_llvm" -o ours.profdata stock.proftext
  profdata "$again_llvm" merge --text -o from_ours.proftext ours.profdata
  expect_same "an indexed profile made of text" stock.proftext from_ours.proftext
  [ "$again_llvm" != 19 ] || cmp stock.profdata ours.profdata
}

build() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" -O2 $(instrumentation "$2") "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
}

one_run() {
  build "$1" "$2"
  same_again "$1" a.profraw
}

two_runs_with_values() {
  stock "$1" -O2 -fprofile-generate "$PROGRAMS/targets.c" -o program
  run_stock "$PWD/a.profraw" ./program 77
  run_stock "$PWD/b.profraw" ./program 300
  same_again "$1" a.profraw
  expect_text stock.proftext '^# ValueKind = IPVK_IndirectCallTarget'
  same_again "$1" a.profraw b.profraw
}

context_sensitive() {
  build "$1" ir
  profdata "$1" merge -o a.profdata a.profraw
  stock "$1" -O2 -fprofile-use=a.profdata -fcs-profile-generate "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/cs.profraw" ./program exit
  same_again "$1" a.profraw cs.profraw
  expect_text stock.proftext '^:csir$'
}

mcdc() {
  stock 19 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc "$PROGRAMS/conditions.c" \
    "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
  same_again 19 a.profraw
  expect_text stock.proftext '^# Bitmap Byte Values:'
}

# What people write: another case, comments anywhere, hexadecimal hashes, line ends of other systems,
# no line end at the end, values of names that are nowhere, counts of 0, a function twice.
by_hand() {
  printf ':IR\r\n:entry_first\n\n# a comment\nmain\n# the hash\n0x10\r\n1\n18446744073709551613\n' >a.txt
  printf '2\n0\n1\n3\n** External Symbol **:7\nfile.c:callee:7\nmain:0\n1\n1\n2\n64:0\n8:3\n' >>a.txt
  printf '\nfoo\n010\n2\n1\n2\n\nbar baz\n3\n1\n5\n\nfoo\n010\n2\n10\n20' >>a.txt
  same_text "$1" a.txt
  expect_text ours.proftext '^18446744073709551613$'
  expect_text ours.proftext '^22$'
}

# refused TEXT MESSAGE: in our words, and refused by llvm-profdata too. The text is a printf format.
refused() {
  # shellcheck disable=SC2059
  printf "$1" >bad.proftext
  expect_status 1 "$CONTPROF" merge -o bad.profdata bad.proftext 2>said
  expect_text said "^contprof: warning: bad\\.proftext: $2"
  ! profdata "$NEWEST" merge -o bad.profdata bad.proftext 2>>said || die "llvm-profdata takes it: $1"
  [ ! -e bad.profdata ]
}

bad_text() {
  refused ':mixed\n' "at offset 0: line 1: expected a profile's kind"
  refused 'main\n' "at offset 5: the text ends where the function's hash should be"
  refused 'main\n7x\n' "at offset 5: line 2: expected the function's hash, found '7x'"
  refused 'main\n18446744073709551616\n' "at offset 5: line 2: expected the function's hash"
  refused 'main\n7\n0\n' 'at offset 7: line 3: expected at least one counter'
  refused 'main\n7\n 1\n' 'at offset 7: line 3: expected the number of counters'
  refused 'main\n7\n2\n1\n' 'at offset 11: the text ends where a count should be'
  refused '# c\nmain\n7\n1\n-1\n' "at offset 13: line 5: expected a count, found '-1'"
  refused 'main\n7\n1\n1\n0\n' 'at offset 11: line 5: expected the number of value kinds'
  refused 'main\n7\n1\n1\n1\n4\n' 'at offset 13: line 6: expected a value kind'
  refused 'main\n7\n1\n1\n1\n1\n1\n1\nx:2\n' 'at offset 19: line 9: expected SIZE:COUNT'
  refused 'main\n7\n1\n1\n1\n0\n1\n1\nx\n' 'at offset 19: line 9: expected NAME:COUNT'
  refused 'main\n7\n1\n1\n$1\n' 'at offset 14: the text ends where a byte of the bitmap should be'
  refused 'main\n7\n1\n1\n$1\n256\n' 'at offset 14: line 6: expected a byte of the bitmap'
}

options() {
  printf 'main\n1\n1\n5\n' >a.proftext
  expect_status 2 "$CONTPROF" merge --text --llvm=14 -o out a.proftext 2>said
  expect_text said 'text and --llvm exclude each other'
  "$CONTPROF" merge -text a.proftext >out
  expect_text out '^main$'
  mkdir dir
  cp a.proftext dir
  "$CONTPROF" merge --text -o sum dir a.proftext
  expect_text sum '^10$'
  "$CONTPROF" show --all-functions --counts a.proftext >ours.txt
  profdata "$NEWEST" show --all-functions --counts a.proftext >stock.txt
  expect_same "what show prints of text" stock.txt ours.txt
}

for llvm in $LLVMS; do
  check "frontend, clang $llvm" one_run "$llvm" frontend
  check "IR, clang $llvm" one_run "$llvm" ir
  check "values of two runs, clang $llvm" two_runs_with_values "$llvm"
  check "context-sensitive functions, clang $llvm" context_sensitive "$llvm"
  check "written by hand, LLVM $llvm" by_hand "$llvm"
done
check "MC/DC bitmaps" mcdc
check "bad text is refused with its place" bad_text
check "options, directories, show" options
