#!/bin/sh
# contprof combine: what agrees stays byte for byte, what does not is multiplied by whole numbers, and
# clang takes what comes out.
. "$(dirname "$0")/lib.sh"

COMBINING=$ROOT/test/combining
CALLS="$PROGRAMS/calls.c $PROGRAMS/ending.c"

combine() {
  "$CONTPROF" combine "$@"
}

text_profiles() {
  python3 "$COMBINING/text_profiles.py" "$@"
}

# canary N KIND: raw profiles of two runs in canary/, merged.profdata as contprof merge has it.
canary() {
  # shellcheck disable=SC2046,SC2086 # lists
  stock "$1" -O1 $(instrumentation "$2") -fno-inline $CALLS -o program
  mkdir canary
  run_stock "$PWD/canary/1.profraw" ./program exit
  run_stock "$PWD/canary/2.profraw" ./program exit
  "$CONTPROF" merge --llvm="$1" -o merged.profdata canary
  profdata "$1" merge --text -o merged.proftext merged.profdata
}

# Samples that agree, in any unit, and within the tolerance; samples of others; none.
unchanged() {
  canary "$1" "$2"
  for share in 0.5 1 3000; do
    text_profiles like merged.proftext $share leaf=1.5 rounds=0.6 >fleet.prof
    combine --llvm="$1" --instr=canary --sample=fleet.prof -o out.profdata
    cmp merged.profdata out.profdata
  done
  printf '%s\n' elsewhere:100:10 ' 1: 100' >fleet.prof
  combine --llvm="$1" --instr=canary --sample=fleet.prof -o out.profdata --explain >said
  cmp merged.profdata out.profdata
  expect_text said '^not in the counts: elsewhere$'
  "$CONTPROF" merge --sample --function=nothing -o empty.prof fleet.prof 2>/dev/null
  combine --llvm="$1" --instr=canary --sample=empty.prof -o out.profdata
  cmp merged.profdata out.profdata
}

# clang -fprofile-use says nothing, and the summary is what stock's own merge makes of it.
is_good() {
  # shellcheck disable=SC2046,SC2086
  stock "$1" -O2 -Werror -Wno-error=profile-instr-missing "-fprofile-use=$3" -c $PROGRAMS/calls.c -o used.o
  profdata "$1" merge -o again.profdata "$3"
  cmp -n "$([ "$1" = 14 ] && echo 488 || echo 500)" again.profdata "$3"
}

# factor FUNCTION: what its counters were multiplied by.
factor() {
  awk -v name="$1" '$2 == name { print $1 }' multiplied
}

shifted() {
  canary "$1" "$2"
  text_profiles like merged.proftext 1000 leaf=100 descend=0.001 choose=20 >fleet.prof
  combine --llvm="$1" --instr=canary --sample=fleet.prof -o out.profdata --explain >said
  profdata "$1" merge --text -o out.proftext out.profdata
  text_profiles factors merged.proftext out.proftext >multiplied || die "$(cat multiplied)"
  common=$(factor both)
  expect "factor of main" "$common" "$(factor main)"
  expect_text said "^all counts are multiplied by $common,"
  [ "$(factor leaf)" -gt $((50 * common)) ] && [ "$(factor leaf)" -le $((100 * common)) ] ||
    die "leaf: $(factor leaf), others $common"
  [ "$(factor choose)" -gt $((10 * common)) ] && [ "$(factor choose)" -le $((20 * common)) ] ||
    die "choose: $(factor choose), others $common"
  [ "$(factor descend)" -lt $((common / 100)) ] && [ "$(factor descend)" -ge 1 ] ||
    die "descend: $(factor descend), others $common"
  expect "functions told of" "lowered: descend raised: choose raised: leaf" \
    "$(grep -E '^(raised|lowered|marked|dropped)' said | sort | xargs)"
  is_good "$1" "$2" out.profdata
}

# `never` has not run in the canary, and is hot in the fleet: IR profiles get a mark, if it has so many
# counters; of a front-end profile the function goes.
never_counted() {
  canary "$1" "$2"
  { text_profiles like merged.proftext 1 && printf '%s\n' never:100000:50 ' 1: 100000'; } >fleet.prof
  combine --llvm="$1" --instr=canary --sample=fleet.prof --suppl-min-size-threshold=1 -o out.profdata \
    --explain >said
  profdata "$1" merge --text -o out.proftext out.profdata
  text_profiles factors merged.proftext out.proftext >multiplied
  case $2 in
    frontend) expect "never" "dropped" "$(factor never)" && expect_text said '^dropped: never$' ;;
    ir) expect "never" "marked" "$(factor never)" && expect_text said '^marked hot: never$' ;;
  esac
  is_good "$1" "$2" out.profdata
  combine --llvm="$1" --instr=canary --sample=fleet.prof -o out.profdata --explain >said
  [ "$2" = frontend ] || { expect_text said '^too small: never$' && cmp merged.profdata out.profdata; }
}

# A small function may have counted nothing, or little, where its copies were inlined before they count:
# its samples in others' code say nothing of it, nor those of a copy that the fleet has left, as long as
# the mix is the same.
inlined_before() {
  printf '%s\n' :ir main 1 1 1000 '' a 2 1 1000 '' b 3 1 1000 '' c 4 1 1000 '' small 5 1 0 '' less 6 1 10 \
    >canary.proftext
  "$CONTPROF" merge --text -o merged.proftext canary.proftext
  # heats MAIN A B: two small functions are hot where they are inlined
  heats() {
    printf '%s\n' main:1000:1 " 1: $1" a:1000:1 " 1: $2" ' 2: small:90000' '  1: 90000' ' 3: less:90000' \
      '  1: 90000' b:1000:1 " 1: $3" c:1000:1 ' 1: 1000' small:20000:1 ' 1: 20000'
  }
  heats 1000 1000 1000 >same.prof
  heats 20 1000 60000 >shifted.prof
  for mix in same shifted; do
    combine --instr=canary.proftext --sample=$mix.prof -o $mix.proftext --text --explain >$mix.said
    expect_no_text $mix.said '^raised: less$'
  done
  cmp merged.proftext same.proftext
  expect_text same.said '^too small: small$'
  expect_text shifted.said '^dropped: small$'
}

# Time alone: how far the heats of all functions lie apart tells whether the mix is another one, and so
# whether 20 times the time of a function means something.
time_of_another_mix() {
  for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    printf '%s\n' "f$i" "$i" 1 1000 ''
  done >canary.proftext
  # mixed FACTOR: as hot as counted, but f1 20 times, and f2 to f5 FACTOR times
  mixed() {
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
      case $i in
        1) heat=20000 ;;
        [2-5]) heat=$((1000 * $1)) ;;
        *) heat=1000 ;;
      esac
      printf '%s\n' "f$i:$heat:0" " 1: $heat"
    done
  }
  mixed 1 >same.prof
  mixed 30 >shifted.prof
  "$CONTPROF" merge --text -o merged.proftext canary.proftext
  for mix in same shifted; do
    combine --instr=canary.proftext --sample=$mix.prof -o $mix.proftext --text --explain >$mix.said
  done
  cmp merged.proftext same.proftext
  expect_text same.said '^a factor of 32 is no difference$'
  expect_text shifted.said '^a factor of 4 is no difference$'
  expect "raised" "f1 f2 f3 f4 f5" "$(sed -n 's/^raised: //p' shifted.said | xargs)"
}

# In the fleet's list of symbols without samples: cold there, but only by as much as its counts would
# have let expect; what is not in the list is of another binary, and stays.
listed_without_samples() {
  for name in main a b c d listed few unlisted; do
    count=1000000
    [ $name != few ] || count=100
    printf '%s\n' $name 1 2 $count $((count / 2)) ''
  done >canary.proftext
  for name in main a b c d; do
    printf '%s\n' $name:10000:1 ' 1: 10000'
  done >fleet.prof
  printf '%s\n' main a b c d listed few >symbols
  profdata "$1" merge --sample --extbinary --prof-sym-list=symbols -o fleet.afdo fleet.prof
  combine --instr=canary.proftext --sample=fleet.afdo -o out.proftext --text --explain >said
  text_profiles factors canary.proftext out.proftext >multiplied || die "$(cat multiplied)"
  common=$(factor main)
  [ "$common" -gt 100 ] || die "nothing has room to become colder: $common"
  expect "what is lowered" "lowered: listed" "$(grep -E '^(lowered|raised)' said | xargs)"
  [ "$(factor listed)" -lt $((common / 100)) ] || die "listed: $(factor listed), others $common"
  expect "few" "$common" "$(factor few)"
  expect "unlisted" "$common" "$(factor unlisted)"
  # The same without the list: nothing is known, and all counts stay.
  "$CONTPROF" merge --text -o merged.proftext canary.proftext
  combine --instr=canary.proftext --sample=fleet.prof -o out.proftext --text
  cmp merged.proftext out.proftext
}

# Local functions by hash or alone, in two files or one; suffixes; two shapes, of two builds.
names() {
  printf '%s\n' :ir main 1 1 1000 '' 'a.c:twice' 2 1 1000 '' 'b.c;twice' 2 1 1000 '' 'c.c;once' 3 1 1000 '' \
    shape 4 1 600 '' shape 5 1 400 '' f1 1 1 900 '' f2 1 1 900 '' f3 1 1 900 '' f4 1 1 900 >canary.proftext
  hash=$(python3 -c 'import hashlib; print(int(hashlib.md5(b"b.c").hexdigest(), 16))')
  printf '%s\n' main:1000:0 ' 1: 1000' "twice.__uniq.$hash.llvm.77:100000:0" ' 1: 100000' twice:90000:0 \
    ' 1: 90000' once.part.3:50000:0 ' 1: 50000' shape:40000:0 ' 1: 40000' f1:900:0 ' 1: 900' f2:900:0 ' 1: 900' \
    f3:900:0 ' 1: 900' f4:900:0 ' 1: 900' >fleet.prof
  combine --instr=canary.proftext --sample=fleet.prof -o out.proftext --text --explain >said
  text_profiles factors canary.proftext out.proftext >multiplied
  expect "what is raised" "raised: b.c;twice raised: c.c;once raised: shape" \
    "$(grep '^raised' said | sort | xargs)"
  expect "factors of the two shapes" 1 "$(factor shape | sort -u | grep -c .)"
  expect_text said '^ambiguous: twice$'
  expect_text said 'in the first of 2 shapes'
}

# C's local functions, which a build with unique names mangles as C++'s: clang's own names, from a
# program with two files that have one each. A global function of the name is another one.
mangled_names() {
  printf '%s\n' '__attribute__((noinline)) static int turn(int n) { return n * 3 % 7; }' \
    'int CALL(int n) { int s = 0; while (n--) s += turn(n); return s; }' >one.c
  cp one.c two.c
  printf '%s\n' 'int one(int); int two(int);' 'int main(void) { return one(1000) + two(1000) == 5; }' >main.c
  for file in one two; do
    stock "$1" -O1 -fprofile-generate -c -DCALL=$file $file.c
  done
  stock "$1" -O1 -fprofile-generate one.o two.o main.c -o program
  run_stock "$PWD/canary.profraw" ./program
  stock "$1" -O1 -funique-internal-linkage-names -DCALL=two -c two.c -o unique.o
  name=$(nm unique.o | awk '$3 ~ /turn/ { print $3 }')
  expect "what clang mangles" 1 "$(echo "$name" | grep -c '^_ZL4turni\.__uniq\.[0-9]*$')"
  printf '%s\n' main:1:1 ' 1: 1' "$name:100000:0" ' 1: 100000' one:1000:0 ' 1: 1000' \
    two:1000:0 ' 1: 1000' >fleet.prof
  combine --instr=canary.profraw --sample=fleet.prof -o out.profdata --explain >said
  expect "what is raised" "raised: two.c${2}turn" "$(grep '^raised' said)"
  sed "s/$name/_ZL4turni.__uniq.1234/" fleet.prof >other.prof
  combine --instr=canary.profraw --sample=other.prof -o out.profdata --explain >said
  expect_text said '^ambiguous: _ZL4turni.__uniq.1234$'
  sed "s/$name/_ZL3twoi.__uniq.1234/" fleet.prof >other.prof
  combine --instr=canary.profraw --sample=other.prof -o out.profdata --explain >said
  expect_text said '^not in the counts: _ZL3twoi.__uniq.1234$'
}

# Samples of which only hashes of names are left: what the names give.
hashed_names() {
  printf '%s\n' :ir main 1 1 1000 '' 'a.c;one' 2 1 1000 '' 'b.c;two' 2 1 1000 '' three 3 1 1000 '' \
    four 3 1 1000 >canary.proftext
  hash=$(python3 -c 'import hashlib; print(int(hashlib.md5(b"b.c").hexdigest(), 16))')
  printf '%s\n' main:1000:1 ' 1: 1000' one:1000:0 ' 1: 1000' "two.__uniq.$hash:90000:0" ' 1: 90000' \
    three:1000:0 ' 1: 1000' four:1000:0 ' 1: 1000' >fleet.prof
  profdata "$1" merge --sample --extbinary --use-md5 -o hashed.prof fleet.prof
  for samples in fleet hashed; do
    combine --instr=canary.proftext --sample=$samples.prof -o $samples.proftext --text
  done
  cmp fleet.proftext hashed.proftext
  text_profiles factors canary.proftext hashed.proftext >multiplied
  [ "$(factor two)" -gt 10 ] || die "$(cat multiplied)"
}

# lines NAME COUNT: a function of eight lines with that count each.
lines() {
  echo "$1:$((8 * $2)):0"
  for line in 1 2 3 4 5 6 7 8; do
    echo " $line: $2"
  done
}

# period_profile PERIOD: `few` is seen in 20 samples, the others in 3.
period_profile() {
  for name in main a b; do
    lines $name $((3 * $1))
  done
  lines few $((20 * $1))
}

# A profile of time samples counts periods: few samples are as little sure as if they counted one each.
periods() {
  printf '%s\n' main 1 1 20 '' few 2 1 20 '' a 3 1 20 '' b 4 1 20 >canary.proftext
  "$CONTPROF" merge --text -o merged.proftext canary.proftext
  for period in 1 250000 200003; do
    period_profile $period >fleet.prof
    combine --instr=canary.proftext --sample=fleet.prof --tolerance=4 -o $period.proftext --text 2>said
    cmp merged.proftext $period.proftext
    [ $period = 1 ] || expect_text said "counts $period for each sample"
  done
  # The same proportions, counted one by one: now they are sure.
  period_profile 250000 | sed 's/: 5000000$/: 5000001/' >fleet.prof
  combine --instr=canary.proftext --sample=fleet.prof --tolerance=4 -o sure.proftext --text 2>said
  expect_no_text said 'for each sample'
  ! cmp -s merged.proftext sure.proftext || die "what is sure changes nothing"
}

# Time for a line is not how often it ran: what is 20 times as long is no sign, if no branch was seen.
time_alone() {
  printf '%s\n' main 1 1 1000 '' a 2 1 1000 '' b 3 1 1000 '' slow 4 1 1000 >canary.proftext
  printf '%s\n' main:1000:0 ' 1: 1000' a:1000:0 ' 1: 1000' b:1000:0 ' 1: 1000' slow:20000:0 ' 1: 20000' \
    >time.prof
  sed 's/^main:1000:0/main:1000:1/' time.prof >branches.prof
  sed 's/20000/900000/g' time.prof >longer.prof
  for samples in time branches longer; do
    combine --instr=canary.proftext --sample=$samples.prof -o out.proftext --text --explain >$samples.said
  done
  expect "raised" "branches.said:raised: slow longer.said:raised: slow" "$(grep '^raised' ./*.said | sed 's,^./,,' | xargs)"
}

# Directories: of what is in them, what is named as sample profiles are; and not what comes out.
directories() {
  printf '%s\n' main 1 1 1000 '' a 2 1 1000 '' b 3 1 1000 >canary.proftext
  printf '%s\n' main:1000:0 ' 1: 1000' b:1000:0 ' 1: 1000' >one.prof
  printf '%s\n' a:90000:0 ' 1: 90000' >two.prof
  mkdir -p fleet/deep empty
  cp one.prof fleet/one.prof
  profdata "$1" merge --sample -o fleet/deep/two.afdo two.prof
  echo nothing >fleet/notes.txt
  combine --instr=canary.proftext --sample=one.prof --sample=two.prof -o files.proftext --text
  for time in first second; do
    combine --instr=canary.proftext --sample=fleet -o fleet/out.proftext --text || die "the $time time"
    cmp files.proftext fleet/out.proftext
  done
  expect_status 2 combine --instr=canary.proftext --sample=empty -o out 2>said
  expect_text said '\*\.afdo'
  expect_status 2 combine --instr=canary.proftext --sample=one.prof --binary=/bin/sh -o out 2>said
  expect_text said 'is no recording'
}

# What only the counts know, as samples: by the scale, two samples a count.
as_samples() {
  printf '%s\n' main 1 2 1000 4000 '' 'a.c:other' 2 2 50 100 '' idle 3 1 0 >canary.proftext
  printf '%s\n' main:9000:2000 ' 1: 8000' ' 2: 1000' >fleet.prof
  for form in --text ""; do
    combine --instr=canary.proftext --sample=fleet.prof --as=sample -o out.prof $form
    profdata "$1" merge --sample --text -o text.prof out.prof
    printf '%s\n' main:9000:2000 ' 1: 8000' ' 2: 1000' other:300:100 >wanted
    expect_same "samples with counts" wanted text.prof
  done
}

# Samples of two builds, with probes: the function that they know in two shapes is the first one's.
two_checksums() {
  printf '%s\n' main 1 1 1000 '' f 2 1 100 >canary.proftext
  printf '%s\n' main:1000:1 ' 1: 1000' ' !CFGChecksum: 1' f:90000:1 ' 1: 90000' ' !CFGChecksum: 2' >one.prof
  printf '%s\n' main:1000:1 ' 1: 1000' ' !CFGChecksum: 1' f:700000:1 ' 1: 700000' ' !CFGChecksum: 3' >two.prof
  combine --instr=canary.proftext --sample=one.prof --sample=two.prof -o out.proftext --text --explain \
    >said 2>complaints
  expect_text complaints 'two.prof: f left out'
  expect_text said 'sampled: 90000 at its hottest line'
}

# Counts so large that no factor keeps them credible stay.
large_counts() {
  printf '%s\n' main 1 1 72057594037927936 '' small 2 1 10 '' cold 3 1 100000000000 >canary.proftext
  printf '%s\n' main:7205759403:0 ' 1: 7205759403' small:1000000000:0 ' 1: 1000000000' cold:1:0 ' 1: 1' \
    >fleet.prof
  combine --instr=canary.proftext --sample=fleet.prof -o out.proftext --text
  text_profiles factors canary.proftext out.proftext >multiplied || die "$(cat multiplied)"
  expect "main" 1 "$(factor main)"
  awk '$1 + 0 > 72057594037927936 { exit 1 }' out.proftext
}

bad_uses() {
  printf '%s\n' main 1 1 5 >canary.proftext
  printf '%s\n' main:5:5 ' 1: 5' >fleet.prof
  expect_status 2 combine --instr=canary.proftext --sample=fleet.prof --binary=program -o out 2>said
  expect_status 1 combine --instr=missing --sample=fleet.prof -o out 2>said
  expect_status 1 combine --instr=canary.proftext --sample=missing -o out 2>said
  expect_status 1 combine --instr=canary.proftext --sample=canary.proftext -o out 2>said
  expect_status 2 combine --instr=canary.proftext -o out 2>said
  expect_status 2 combine --sample=fleet.prof -o out 2>said
  expect_status 2 combine --instr=canary.proftext --sample=fleet.prof -o out other 2>said
  for bad in --as=both --tolerance=0.5 --zero-counter-threshold=7 --llvm=3; do
    expect_status 2 combine --instr=canary.proftext --sample=fleet.prof $bad -o out 2>said
  done
  [ ! -e out ] || die "what failed has written something"
}

# What docs/combine.md shows is what is said of the profiles that it shows.
documented() {
  awk '/^-->$/ { inside = 0 } inside; /^<!--sh$/ { getline line; inside = line == "# explained" }' \
    "$ROOT/docs/combine.md" >script
  sh -eu script
  combine --instr=counts.proftext --sample=many.prof -o mixed.profdata --explain >said
  awk '/^```$/ { inside = 0 } inside; /^```text$/ { inside = 1 }' "$ROOT/docs/combine.md" >shown
  [ -s shown ] || die "docs/combine.md shows nothing"
  expect_same "what --explain says" shown said
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    check "nothing to change, clang $llvm $kind" unchanged "$llvm" $kind
    check "another mix, clang $llvm $kind" shifted "$llvm" $kind
    check "hot where nothing was counted, clang $llvm $kind" never_counted "$llvm" $kind
  done
done
check "names" names
for llvm in $LLVMS; do
  delimiter=:
  [ "$llvm" -lt 18 ] || delimiter=";"
  check "C's mangled names, clang $llvm" mangled_names "$llvm" "$delimiter"
done
check "hashes of names" hashed_names $NEWEST
check "periods" periods
check "time alone" time_alone
check "time of another mix" time_of_another_mix
check "inlined before it counts" inlined_before
for llvm in $LLVMS; do
  check "listed without samples, clang $llvm" listed_without_samples "$llvm"
done
check "directories of samples" directories $NEWEST
check "as samples" as_samples $NEWEST
check "two checksums" two_checksums
check "large counts" large_counts
check "what docs/combine.md shows" documented
check "what can't be" bad_uses
