#!/bin/sh
# --remapping-file: functions come in under new names, as with llvm-profdata merge.
. "$(dirname "$0")/lib.sh"

merge() {
  "$CONTPROF" merge "$@"
}

# A name that is new, one that is another function's, one given twice, one that no function has.
write_names() {
  cat >names <<'END'
# old and new
leaf twig

main never
leaf other
nobody somebody
END
}

# same_as_stock N INPUT...: the text, and the indexed profile of 19.
same_as_stock() {
  same_llvm=$1
  shift
  profdata "$same_llvm" merge --text -r=names -o stock.proftext "$@" 2>/dev/null
  merge --text -r names -o ours.proftext "$@"
  expect_same "text" stock.proftext ours.proftext
  merge --text --remapping-file=names -o ours.proftext "$@"
  expect_same "text, by the long name" stock.proftext ours.proftext
  expect_text ours.proftext '^twig$'
  expect_no_text ours.proftext '^(leaf|main|other|somebody)$'
  [ "$same_llvm" = "$NEWEST" ] || return 0
  profdata "$same_llvm" merge --remapping-file=names -o stock.profdata "$@"
  merge --llvm="$same_llvm" -r names -o ours.profdata "$@"
  cmp stock.profdata ours.profdata
}

renamed() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$1" $(instrumentation "$2") "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  for i in 1 2 3 4; do
    run_stock "$PWD/$i.profraw" ./program exit
  done
  write_names
  same_as_stock "$1" 1.profraw
  same_as_stock "$1" 1.profraw 2.profraw 3.profraw 4.profraw
  profdata "$1" merge -o a.profdata 1.profraw
  profdata "$1" merge --text -o a.proftext 1.profraw
  same_as_stock "$1" a.profdata a.proftext
}

# refused TEXT WORDS
refused() {
  printf 'main\n1\n1\n1\n' >a.proftext
  printf '%b' "$1" >names
  expect_status 1 merge -r names -o out a.proftext 2>said
  expect_text said "$2"
  expect_status 1 profdata "$NEWEST" merge -r=names -o out a.proftext 2>stock.said
  [ ! -e out ] || die "wrote a profile"
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    check "clang $llvm, $kind" renamed "$llvm" $kind
  done
done
check "one name" refused 'a b\nmain\n' "names: at offset 4: line 2: expected 'old_symbol new_symbol'"
check "three names" refused 'a b c\n' 'line 1: expected'
check "no old name" refused ' b\n' 'line 1: expected'
check "no new name" refused 'a \n' 'line 1: expected'
