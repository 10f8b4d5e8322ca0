#!/bin/sh
# contprof merge against stock llvm-profdata merge, on raw profiles of stock programs.
. "$(dirname "$0")/lib.sh"

merge() {
  "$CONTPROF" merge "$@"
}

# show_all N FILE: everything llvm-profdata-N can tell, each line behind its function's name, sorted:
# the order of functions, and of values seen equally often, says nothing.
show_all() {
  profdata "$1" show --all-functions --counts --ic-targets --memop-sizes "$2" |
    awk '/^  [^ ]/ { name = $0 } /^[^ \t]/ { name = "" } { print name "|" $0 }' | sort
}

# run_three N: three profiles, a.profraw to c.profraw, of ./program.
run_three() {
  for run in a:10 b:77 c:300; do
    LLVM_PROFILE_FILE=$PWD/${run%:*}.profraw ./program "${run#*:}" >said
  done
}

# build N KIND SOURCE: ./program; its compiler command without output is in $compile.
build() {
  case $3 in
    *.cpp) compile="stockxx $1 -O2 $3" ;;
    *) compile="stock $1 -O2 $3" ;;
  esac
  # shellcheck disable=SC2046,SC2086 # lists of flags
  $compile $(instrumentation "$2") $4 -o program
}

same_as_llvm_profdata() {
  build "$1" "$2" "$3" "${4:-}"
  run_three
  merge -o ours.profdata a.profraw b.profraw c.profraw
  profdata "$1" merge -o stock.profdata a.profraw b.profraw c.profraw
  show_all "$1" ours.profdata >ours.txt
  show_all "$1" stock.profdata >stock.txt
  expect_same "what llvm-profdata-$1 shows" stock.txt ours.txt
  expect_text ours.txt 'Total functions: [1-9]'
}

# The compiler takes the profile without a warning and makes the same code of it as of stock's.
compiler_takes_it() {
  same_as_llvm_profdata "$@"
  case $2 in
    ir) use=-fprofile-use ;;
    frontend) use=-fprofile-instr-use ;;
  esac
  for who in ours stock; do
    # Under one name, since the object may name the profile.
    cp $who.profdata used.profdata
    $compile -Werror "$use=used.profdata" -c -o $who.o 2>warnings
    expect_empty warnings
  done
  cmp stock.o ours.o
}

# What is common to the texts of all versions: each function with its counts.
counts_alone() {
  show_all "$1" "$2" | grep -E 'Hash:|Function count:|Block counts:'
}

readable_by_all() {
  build "$1" "$2" "$PROGRAMS/targets.c" ""
  run_three
  merge --llvm=14 -o ours.profdata a.profraw b.profraw c.profraw
  profdata "$1" merge -o stock.profdata a.profraw b.profraw c.profraw
  counts_alone "$1" stock.profdata >stock.txt
  for reader in $LLVMS; do
    counts_alone "$reader" ours.profdata >ours.txt
    expect_same "what llvm-profdata-$reader shows" stock.txt ours.txt
  done
}

merges_merged() {
  build "$1" ir "$PROGRAMS/targets.c" ""
  run_three
  merge -o whole.profdata a.profraw b.profraw c.profraw
  merge -o ab.profdata b.profraw a.profraw
  merge -o ours.profdata c.profraw ab.profdata
  cmp whole.profdata ours.profdata
  profdata "$1" merge -o stock-ab.profdata a.profraw b.profraw
  show_all "$1" whole.profdata >whole.txt
  merge -o mixed.profdata stock-ab.profdata c.profraw
  show_all "$1" mixed.profdata >mixed.txt
  expect_same "with an input from llvm-profdata" whole.txt mixed.txt
}

# --- from here on, any version's program will do -------------------------------------------------

prepare() {
  build $NEWEST ir "$PROGRAMS/targets.c" ""
  run_three
}

directories() {
  prepare
  mkdir -p d/e/f
  mv a.profraw d
  mv b.profraw d/e/f
  echo "no profile" >d/e/notes.txt
  merge -o d/ab.profdata d/a.profraw d/e/f/b.profraw
  merge -o files.profdata c.profraw d/a.profraw d/ab.profdata d/e/f/b.profraw
  merge -o ours.profdata d c.profraw
  cmp files.profdata ours.profdata
  mkdir empty
  expect_status 2 merge -o none.profdata empty 2>said
  expect_text said 'no input files'
  [ ! -e none.profdata ]
}

weights_and_lists() {
  prepare
  merge -o plain.profdata a.profraw b.profraw b.profraw b.profraw
  merge -weighted-input=3,b.profraw a.profraw -output=weighted.profdata
  cmp plain.profdata weighted.profdata
  printf '# a comment\n\n3,b.profraw\n  a.profraw \n' >list
  merge -f list -o listed.profdata
  cmp plain.profdata listed.profdata
  merge --input-files=- --num-threads=2 >listed.profdata <list
  cmp plain.profdata listed.profdata
  expect_status 2 merge --weighted-input=0,a.profraw -o none.profdata
}

concatenated() {
  prepare
  cat a.profraw b.profraw >ab.profraw
  merge -o apart.profdata a.profraw b.profraw
  merge -o together.profdata ab.profraw
  cmp apart.profdata together.profdata
  merge -o piped.profdata - <ab.profraw
  cmp apart.profdata piped.profdata
}

sparse() {
  prepare
  merge --sparse -o ours.profdata a.profraw
  profdata $NEWEST merge --sparse -o stock.profdata a.profraw
  show_all $NEWEST ours.profdata >ours.txt
  show_all $NEWEST stock.profdata >stock.txt
  expect_same "sparse" stock.txt ours.txt
  expect_no_text ours.txt '^  never:'
}

# expect_untouched COMMAND...: fails with status 1, and out.profdata is what it was, file and all.
expect_untouched() {
  before=$(ls -i out.profdata)
  cp out.profdata before.profdata
  expect_status 1 "$@" 2>said
  expect "the file" "$before" "$(ls -i out.profdata)"
  cmp before.profdata out.profdata
  [ -z "$(find . -name '*tmp*')" ] || die "a file is left behind: $(ls)"
}

bad_inputs() {
  prepare
  merge -o out.profdata a.profraw
  merge -o good.profdata a.profraw b.profraw
  head -c 300 c.profraw >cut.profraw
  : >empty.profraw
  printf "\\001 some other file" >other.profraw
  echo "some text" >text.profraw
  expect_untouched merge -o out.profdata a.profraw cut.profraw empty.profraw b.profraw other.profraw \
    missing.profraw text.profraw
  expect_text said 'warning: cut\.profraw: data at offset [0-9]+: cut short: [0-9]+ bytes wanted, [0-9]+ left'
  expect_text said 'warning: empty\.profraw: at offset 0: '
  expect_text said 'warning: other\.profraw: at offset 0: neither a raw nor an indexed profile, nor text'
  expect_text said "warning: text\.profraw: at offset 10: the text ends where the function's hash"
  expect_text said 'warning: missing\.profraw: .*No such file'
  expect_text said 'error: 5 of 7 inputs'
  expect_untouched merge --failure-mode=all -o out.profdata cut.profraw empty.profraw
  expect_text said 'error: no profile can be merged'
  expect_status 0 merge --failure-mode=all -o out.profdata a.profraw cut.profraw b.profraw 2>said
  expect_text said 'warning: cut\.profraw: '
  cmp good.profdata out.profdata
}

# Where the image ends, an 8-byte multiple of zeros may be missing or there; all else is noticed.
truncated_anywhere() {
  prepare
  size=$(wc -c <a.profraw)
  at=0
  while [ $at -lt "$size" ]; do
    head -c $at a.profraw >cut.profraw
    expect_status 1 merge -o none.profdata cut.profraw 2>said
    expect_text said 'cut\.profraw: '
    at=$((at + 61))
  done
  [ ! -e none.profdata ]
}

replaced_atomically() {
  prepare
  merge -o out.profdata a.profraw
  cp out.profdata old.profdata
  exec 3<out.profdata
  merge -o out.profdata b.profraw
  cmp old.profdata - <&3
  exec 3<&-
  cmp -s old.profdata out.profdata && die "not replaced"
  ln -s out.profdata link.profdata
  merge -o link.profdata a.profraw
  [ -L link.profdata ]
  cmp old.profdata out.profdata
}

# /proc takes no file from anybody, root included.
nowhere_to_write() {
  prepare
  expect_status 1 merge -o /proc/out.profdata a.profraw 2>said
  expect_text said 'error: /proc/out\.profdata: '
  expect_status 1 merge -o . a.profraw 2>said
  expect_text said 'Is a directory'
  expect_status 1 merge -o /dev/full a.profraw 2>said
  expect_text said 'No space left'
  expect_status 1 script -qec "$CONTPROF merge a.profraw" /dev/null >said </dev/null
  expect_text said 'not written to a terminal'
}

# A descriptor keeps what has been written through it; a link is followed, also to nothing; and
# neither is ever replaced.
odd_outputs() {
  printf 'main\n1\n1\n5\n' >a.proftext
  merge --text -o plain a.proftext
  sh -c 'echo before && "$0" merge --text -o /dev/stdout a.proftext && echo after' "$CONTPROF" >log
  { echo before && cat plain && echo after; } >wanted
  expect_same "what goes through /dev/stdout" wanted log
  sh -c 'echo before >&7 && "$0" merge --text -o /dev/fd/7 a.proftext && echo after >&7' \
    "$CONTPROF" 7>log
  expect_same "what goes through /dev/fd/7" wanted log
  mkdir dev
  ln -s /proc/self/fd/1 dev/stdout
  (exec >gone && rm gone && merge --text -o dev/stdout a.proftext)
  expect "the link" /proc/self/fd/1 "$(readlink dev/stdout)"
  mkdir there
  ln -s there/file link
  ln -s link second
  merge --text -o second a.proftext
  expect "the second link" link "$(readlink second)"
  expect_same "what the links lead to" plain there/file
  merge --text -o second a.proftext
  [ -L link ] && [ -L second ] || die "a link is replaced"
  expect_status 1 merge --text -o /dev/fd/9 a.proftext 2>said
  expect_text said '/dev/fd/9: '
}

two_kinds() {
  prepare
  mv a.profraw ir.profraw
  build $NEWEST frontend "$PROGRAMS/targets.c" ""
  run_three
  expect_status 1 merge -o none.profdata ir.profraw a.profraw 2>said
  expect_text said 'warning: a\.profraw: .*front-end.* ir\.profraw, '
  [ ! -e none.profdata ]
}

forced_too_low() {
  stock $NEWEST -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc \
    "$PROGRAMS/conditions.c" "$PROGRAMS/ending.c" -o program
  LLVM_PROFILE_FILE=$PWD/a.profraw ./program exit >said
  expect_status 1 merge --llvm=14 -o none.profdata a.profraw 2>said
  expect_text said '[Bb]itmap'
  [ ! -e none.profdata ]
  merge -o ours.profdata a.profraw
  profdata $NEWEST merge -o stock.profdata a.profraw
  for who in ours stock; do
    cov $NEWEST report --show-mcdc-summary ./program -instr-profile="$who.profdata" >$who.txt
  done
  expect_same "llvm-cov report" stock.txt ours.txt
}

# 3,000 inputs in no more memory than a few: what leaked of each would be over the limit.
many_inputs() {
  prepare
  mkdir many
  for i in $(seq 3000); do
    ln a.profraw "many/$i.profraw"
  done
  # shellcheck disable=SC3045 # dash and bash have it
  (ulimit -v 150000 && merge -o ours.profdata many)
  merge -o weighted.profdata --weighted-input=2999,a.profraw a.profraw
  cmp weighted.profdata ours.profdata
}

# What is no text at all is told in characters that a terminal shows.
binary_in_place_of_text() {
  stock "$NEWEST" -O2 -c "$PROGRAMS/calls.c" -o calls.o
  expect_status 1 "$CONTPROF" merge -o none --remapping-file=calls.o calls.o 2>said
  expect_text said 'calls.o'
  expect "bytes that are not shown as text" "" "$(tr -d ' -~\n' <said)"
}

command_line() {
  expect_status 2 "$CONTPROF" 2>said
  expect_text said '^  merge '
  expect_status 2 "$CONTPROF" marge 2>said
  expect_text said 'marge is not a verb'
  expect_text said '^  merge '
  expect_status 2 "$CONTPROF" order 2>said
  expect_text said 'use llvm-profdata order'
  expect_status 2 "$CONTPROF" merge 2>said
  expect_status 2 "$CONTPROF" merge --nonsense 2>said
  expect_text said '^contprof: error: --nonsense is not an option'
  "$CONTPROF" merge --help >help.txt
  "$CONTPROF" help merge >help2.txt
  expect_same "help" help.txt help2.txt
  "$CONTPROF" --version >version.txt
  expect_text version.txt '^contprof [0-9]'
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    check "clang $llvm $kind, C: same as llvm-profdata, taken by the compiler" \
      compiler_takes_it "$llvm" $kind "$PROGRAMS/targets.c"
    check "clang $llvm $kind, C++: same as llvm-profdata" \
      same_as_llvm_profdata "$llvm" $kind "$PROGRAMS/shapes.cpp" \
      "$PROGRAMS/more_shapes.cpp $TEST_DIR/ending.o"
    check "clang $llvm $kind: with --llvm=14, read by every LLVM" readable_by_all "$llvm" $kind
  done
  check "clang $llvm: merged profiles merge on" merges_merged "$llvm"
done
check "directories" directories
check "weights and lists" weights_and_lists
check "concatenated files and standard input" concatenated
check "--sparse" sparse
check "bad inputs" bad_inputs
check "truncated anywhere" truncated_anywhere
check "replaced atomically" replaced_atomically
check "nowhere to write" nowhere_to_write
check "descriptors and links as outputs" odd_outputs
check "two kinds of instrumentation" two_kinds
check "a version forced too low" forced_too_low
check "thousands of inputs" many_inputs
check "a binary in place of a text" binary_in_place_of_text
check "the command line" command_line
