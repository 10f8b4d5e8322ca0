#!/bin/sh
# Damaged sample profiles of every format: cut to every length, with each byte and number changed,
# nested without end, promising more than there is. A message that names file, place and reason,
# never a crash, a long wait or memory without bounds.
. "$(dirname "$0")/lib.sh"

CUT=$BUILD/test/fuzz/cut_samples

made() {
  python3 "$ROOT/test/merging/made_samples.py" "$@"
}

# survives FILE...
survives() {
  timeout 120 "$CUT" "$@" >said 2>&1 || die "$(tail -n 5 said)"
  expect "files" $# "$(grep -c ': cut [1-9][0-9]*, good [0-9]*; changed [1-9]' said)"
}

# A file that is cut inside a section is none.
none_is_good() {
  expect_no_text said '^ext.*good [1-9][0-9]*; changed'
}

damaged() {
  made "$1" 11 4 >text.prof
  profdata 19 merge --sample --extbinary text.prof -o ext.prof
  profdata 19 merge --sample --extbinary --use-md5 --compress-all-sections text.prof -o ext-small.prof
  survives text.prof ext.prof ext-small.prof
  none_is_good
}

damaged_binary() {
  made plain 12 4 >text.prof
  profdata 19 merge --sample --binary text.prof -o binary.prof
  survives binary.prof
}

# refused WORDS FILE: in 400 MB of memory and half a minute, with no output.
refused() {
  expect_status 1 sh -c 'ulimit -v 400000 && exec timeout 30 "$0" "$@"' "$CONTPROF" merge --sample \
    "$2" -o out 2>said
  expect_text said "^contprof: (error|warning): $2: $1"
  [ ! -e out ] || die "wrote a profile"
}

# bytes NUMBER...: on standard output.
bytes() {
  for each in "$@"; do
    # shellcheck disable=SC2059 # an escape made here
    printf "\\$(printf %o "$each")"
  done
}

# The magic of the binary format, as ULEB128 of "SPROF42" and its number, and the version.
magic() {
  case $1 in
    binary) bytes 255 229 208 177 244 201 148 168 83 103 ;;
    extbinary) bytes 132 228 208 177 244 201 148 168 83 103 ;;
  esac
}

numbers() {
  { magic binary && bytes 0 0 0 0 0 255 255 255 255 15; } >entries.prof
  refused 'summary at offset .*entries are more than there is room for' entries.prof
  { magic binary && bytes 0 0 0 0 0 0 255 255 3 97 0; } >names.prof
  refused 'name table at offset .*names are more than there is room for' names.prof
  { magic binary && bytes 0 0 0 0 0 0 1 97 0 1 7 0 0 0; } >place.prof
  refused 'functions at offset [0-9]+: there is no name 7, only 1' place.prof
  { magic binary && bytes 0 0 0 0 0 0 1 97; } >end.prof
  refused 'name table at offset [0-9]+: a name has no end' end.prof
  { magic extbinary && bytes 255 255 255 255 255 255 255 127; } >sections.prof
  refused 'section table at offset [0-9]+: [0-9]+ sections are more' sections.prof
}

# Each function inlined into the one before: one number after another, and with more and more spaces.
nested() {
  { magic binary && bytes 0 0 0 0 0 0 1 97 0 1 0 9 0 1 &&
    awk 'BEGIN { for (i = 0; i < 3000; i++) printf "aazaza" }' | tr az '\001\000'; } >deep.prof
  refused 'functions at offset [0-9]+: more than 1000 functions inlined' deep.prof
  awk 'BEGIN { print "f:1:1"; for (d = 1; d < 3000; d++) printf "%*s1: f:1\n", d, "" }' >deep.text
  refused 'at offset [0-9]+: line 100[0-9]: expected fewer functions inlined' deep.text
}

# Lines in the worst order, and a function that is told of again and again.
slow_orders() {
  awk 'BEGIN { print "f:1:1"; for (i = 60000; i > 0; i--) print " " i ": 1\n " i ": g" i ":2"
    for (i = 0; i < 60000; i++) print "f:1:1\n " i ": 3" }' >worst.text
  timeout 30 "$CONTPROF" merge --sample --text worst.text -o ours.text
  profdata "$NEWEST" merge --sample --text worst.text -o stock.text
  cmp stock.text ours.text
}

lines() {
  printf 'f:1:1\n 1: x\n' >a.text
  refused 'at offset 6: line 2: expected LINE: COUNT' a.text
  printf 'f:1:1\n# a remark\n\n 70000: 1\n' >a.text
  refused 'at offset 18: line 4: expected LINE: COUNT' a.text
  printf 'f:1:1\n !CFGChecksum: 1\n 1: 1\n' >a.text
  refused 'at offset 23: line 3: expected no samples behind metadata' a.text
  printf '[f]:1:1\ng:1:1\n' >a.text
  refused 'at offset 8: line 2: expected contexts of all functions or of none' a.text
  printf '[]:1:1\n' >a.text
  refused 'at offset 0: line 1: expected a context of functions' a.text
  printf 'no profile\n' >a.text
  refused 'at offset 0: it is no sample profile' a.text
  : >a.text
  refused 'at offset 0: it is no sample profile' a.text
}

for kind in plain probe preinlined context; do
  check "$kind, damaged everywhere" damaged "$kind"
done
check "binary, damaged everywhere" damaged_binary
check "numbers beyond what there is" numbers
check "functions nested without end" nested
check "the worst orders" slow_orders
check "lines of text" lines
