#!/bin/sh
# contprof merge --sample with bad inputs and largest counts, and in any grouping and order.
. "$(dirname "$0")/lib.sh"
. "$E2E/samples.sh"
. "$E2E/mpi-lib.sh"

# The kinds of bad input, each in a file bad-*.prof, beside good ones.
bad_inputs() {
  two_profiles plain
  printf 'main:1:1\n nonsense\n' >bad-text.prof
  : >bad-empty.prof
  profdata 19 merge --sample --extbinary one.prof -o whole.ext
  head -c 300 whole.ext >bad-cut.prof
  printf ':ir\nmain\n1\n1\n5\n' >bad-counts.prof
  samples probe 1 >bad-probe.prof
}

failure_modes() {
  bad_inputs
  "$CONTPROF" merge --sample --text one.prof two.prof -o wanted.txt
  for bad in bad-*.prof missing.prof; do
    echo kept >out.txt
    expect_status 1 "$CONTPROF" merge --sample --text one.prof "$bad" two.prof -o out.txt 2>said
    expect "output after $bad" kept "$(cat out.txt)"
    expect_text said "^contprof: warning: $bad: "
    expect_text said '1 of 3 inputs'
    "$CONTPROF" merge --sample --text --failure-mode=all one.prof "$bad" two.prof -o out.txt 2>said
    expect_same "without $bad" wanted.txt out.txt
    [ "$bad" != bad-probe.prof ] || continue # it is good alone
    expect_status 1 "$CONTPROF" merge --sample --failure-mode=all "$bad" -o none.prof
    [ ! -e none.prof ] || die "$bad: an output was left"
    expect_status 0 "$CONTPROF" merge --sample --failure-mode=warn "$bad" -o none.prof
    rm none.prof
  done
}

# A probe-based profile alone is good: it is bad behind one that is not.
failure_modes_of_kinds() {
  two_profiles plain
  samples probe 1 >probe.prof
  samples context 1 >context.prof
  for other in probe context; do
    expect_status 1 profdata 19 merge --sample one.prof $other.prof -o stock.prof
    expect_status 1 "$CONTPROF" merge --sample one.prof $other.prof -o ours.prof 2>said
    expect_text said "warning: $other.prof: cannot merge"
    [ ! -e ours.prof ] || die "an output was left"
  done
}

reports() {
  bad_inputs
  expect_status 1 "$CONTPROF" merge --sample --failure-mode=all --min-valid=60 \
    --report=report.json one.prof bad-text.prof -o out.prof 2>said
  expect_text said '1 of 2 inputs are good'
  "$CONTPROF" merge --sample --failure-mode=all --min-valid=50 --report=report.json \
    --weighted-input=3,one.prof bad-text.prof -o out.prof
  functions=$(grep -c '^[^ ]' one.prof)
  python3 - "$functions" <<'END_OF_PYTHON'
import json, sys
report = json.load(open("report.json"))
bad, good = report["inputs"]
assert (bad["path"], bad["merged"]) == ("bad-text.prof", False) and "reason" in bad, bad
assert (good["path"], good["weight"], good["functions"]) == ("one.prof", 3, int(sys.argv[1])), good
assert (report["merged"], report["skipped"], report["functions"]) == (1, 1, int(sys.argv[1]))
END_OF_PYTHON
}

options_of_the_other_kind() {
  two_profiles plain
  printf ':ir\nmain\n1\n1\n5\n' >counts.proftext
  for option in --use-md5 --prof-sym-list=names.list --convert-sample-profile-layout=flat; do
    expect_status 2 "$CONTPROF" merge $option counts.proftext -o out.prof 2>said
    expect_text said 'for sample profiles; give --sample'
  done
  for option in --by-build --indexed-version=9 --convert-sample-profile-layout=round \
    --sample-frame-depth-for-cold-context=0 --profile-summary-cutoff-cold=1000000 \
    --fs-discriminator-pass=Pass9 --output-size-limit=small; do
    expect_status 2 "$CONTPROF" merge --sample $option one.prof -o out.prof
  done
  expect_status 1 "$CONTPROF" merge --sample --prof-sym-list=missing.list one.prof -o out.prof 2>said
  expect_text said 'missing.list'
  expect_status 1 "$CONTPROF" merge --sample -r missing.names one.prof -o out.prof
  expect_status 1 "$CONTPROF" merge one.prof -o out.prof 2>said
  expect_text said 'one.prof is a sample profile: give --sample'
  expect_status 1 "$CONTPROF" merge --sample counts.proftext -o out.prof 2>said
  expect_text said 'counts.proftext is an instrumented profile'
  [ ! -e out.prof ] || die "an output was left"
}

# Two functions of one name and different control flow: the first stays.
other_checksums() {
  printf 'f:10:1\n 1: 9\n !CFGChecksum: 1\n' >one.prof
  printf 'f:700:7\n 1: 700\n !CFGChecksum: 2\ng:5:5\n 1: 5\n !CFGChecksum: 3\n' >two.prof
  profdata "$1" merge --sample --text one.prof two.prof -o stock.txt
  "$CONTPROF" merge --sample --text one.prof two.prof -o ours.txt 2>said
  expect_same "the merge" stock.txt ours.txt
  expect_text said 'two.prof: 1 functions left out, the first f'
}

largest_counts() {
  printf 'f:18446744073709551615:9223372036854775807\n 1: 18446744073709551614 g:9223372036854775808\n' \
    >large.prof
  profdata "$1" merge --sample --text --weighted-input=3,large.prof large.prof -o stock.txt
  "$CONTPROF" merge --sample --text --weighted-input=3,large.prof large.prof -o ours.txt 2>said
  expect_same "cut sums" stock.txt ours.txt
  expect_text ours.txt '^f:18446744073709551615:18446744073709551615$'
  expect_text said 'in 1 functions, the first f, counts reached the largest number'
}

# same_sum KIND WANTED GOT: the same bytes, but for the order in which an extended binary profile tells
# of checksums and attributes: that is LLVM's, which depends on what was merged first.
same_sum() {
  case $1 in
    probe | context)
      for each in "$2" "$3"; do
        "$CONTPROF" merge --sample --text "$each" -o "$each.txt"
      done
      expect_same "the sums" "$2.txt" "$3.txt"
      ;;
    *) cmp "$2" "$3" ;;
  esac
}

# The same sum whatever is merged first: of four profiles, in every format between.
any_grouping() {
  for seed in 1 2 3 4; do samples "$1" $seed >$seed.prof; done
  "$CONTPROF" merge --sample 1.prof 2.prof 3.prof --weighted-input=7,4.prof -o wanted.prof
  for format in --text --extbinary --binary; do
    case $1,$format in context,--binary | probe,--binary) continue ;; esac
    set -- "$1" "$format"
    "$CONTPROF" merge --sample "$2" --weighted-input=7,4.prof 2.prof -o 42.prof
    "$CONTPROF" merge --sample "$2" 3.prof 1.prof -o 31.prof
    "$CONTPROF" merge --sample 42.prof 31.prof -o got.prof
    same_sum "$1" wanted.prof got.prof
    "$CONTPROF" merge --sample "$2" 3.prof 42.prof -o 342.prof
    "$CONTPROF" merge --sample 1.prof 342.prof -o got.prof
    same_sum "$1" wanted.prof got.prof
  done
}

any_order_of_largest() {
  printf 'f:18446744073709551000:1\n 1: 18446744073709551000\n' >large.prof
  printf 'f:600:1\n 1: 600 g:3\n' >small.prof
  printf 'f:100:1\n 2: 100\n' >other.prof
  "$CONTPROF" merge --sample --text large.prof small.prof other.prof -o wanted.txt
  "$CONTPROF" merge --sample --text small.prof other.prof -o two.prof
  "$CONTPROF" merge --sample --text two.prof large.prof -o got.txt
  expect_same "the small ones first" wanted.txt got.txt
}

# Sample profiles are not shared out among ranks.
by_ranks() {
  two_profiles plain
  "$CONTPROF" merge --sample one.prof two.prof -o wanted.prof
  # shellcheck disable=SC2086 # words
  $MPIRUN -n 2 "$BUILD/bin/contprof-mpi" merge --sample one.prof two.prof -o got.prof
  cmp wanted.prof got.prof
}

check "failure modes" failure_modes
check "kinds that don't mix" failure_modes_of_kinds
check "reports, and so many good inputs" reports
check "options for the other kind" options_of_the_other_kind
for llvm in $LLVMS; do
  check "other checksums, LLVM $llvm" other_checksums "$llvm"
  check "largest counts, LLVM $llvm" largest_counts "$llvm"
done
for kind in plain probe context fs; do
  check "any grouping, $kind" any_grouping "$kind"
done
check "any order of cut sums" any_order_of_largest
check "ranks of contprof-mpi" by_ranks
