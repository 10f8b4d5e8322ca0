#!/bin/sh
# contprof sample makes of one process's samples what llvm-profgen makes of them, byte for byte: of
# perf.data, of perf script's text and of unsymbolised profiles, for clang 14, 16 and 19.
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/walk-lib.sh"

# same WHAT OPTION...: both tools' text with these options, and what they warn of.
same() {
  same_what=$1
  shift
  "$PROFGEN" --format=text --binary=program -o stock.out "$@" 2>stock.said
  "$CONTPROF" sample --format=text --binary=program -o ours.out "$@" 2>ours.said
  expect_same "$same_what" stock.out ours.out
  sed -n 's/^warning: \(.*of samples are from ranges\)/\1/p' stock.said >stock.warnings
  sed -n 's/^contprof: warning: \(.*of samples are from ranges\)/\1/p' ours.said >ours.warnings
  expect_same "warnings of $same_what" stock.warnings ours.warnings
}

# converts N cc|cxx PROGRAM FLAG...
converts() {
  sampled "$@"
  mv "$(basename "${3%.cpp}")" program
  make_walk perf.data 7 400 4711 program
  perf script -i perf.data -F ip,brstack --show-mmap-events >perf.script
  same "perf.data" --perfdata=perf.data
  grep -qE '^ [0-9.]+: [1-9]' ours.out || die "no line has run"
  same "text" --perfscript=perf.script
  # A count before each sample.
  awk '!/PERF_RECORD/ { print NR % 5 + 1 } 1' perf.script >aggregated.script
  same "aggregated text" --perfscript=aggregated.script
  cp ours.out aggregated.out
  same "aggregated text with periods" --perfscript=aggregated.script --sample-period=100003
  awk '!/PERF_RECORD/ { for (i = NR % 5 + 1; i; i--) print; next } 1' perf.script >repeated.script
  same "the same samples one by one" --perfscript=repeated.script
  expect_same "aggregated and not" aggregated.out ours.out
  same "ranges and branches" --perfdata=perf.data --skip-symbolization
  mv ours.out counts
  same "an unsymbolised profile" --unsymbolized-profile=counts
  same "from other bases" --perfdata=perf.data --skip-symbolization --use-first-loadable-segment-as-base
  same "from 0" --perfdata=perf.data --skip-symbolization --use-offset=false
}

# Options that change what is counted, or what is left of it.
has_options() {
  sampled "$NEWEST" cxx sampled_shapes.cpp
  mv sampled_shapes program
  make_walk perf.data 3 400 4711 program
  same "periods" --perfdata=perf.data --sample-period=100003
  same "totals of lines" --perfdata=perf.data --update-total-samples
  same "zeros for all" --perfdata=perf.data --fill-zero-for-all-funcs
  same "without cold functions" --perfdata=perf.data --trim-cold-profile \
    --profile-summary-cold-count=5000
  same "without what is cold" --perfdata=perf.data --trim-cold-profile \
    --profile-summary-cutoff-cold=900000
  same "the IPs of stacks" --perfdata=perf.data --leading-ip-only
  same "density" --perfdata=perf.data --show-density --profile-density-threshold=1000000
  expect "density" "$(sed -n 's/^warning: \(Sample PGO\)/\1/p' stock.said)" \
    "$(sed -n 's/^contprof: warning: \(Sample PGO\)/\1/p' ours.said)"
}

# What a stock tool reads of a format is what it reads of the text.
writes() {
  sampled "$NEWEST" cxx sampled_shapes.cpp
  make_walk perf.data 5 300 4711 sampled_shapes
  for tool in "$PROFGEN" "$CONTPROF sample"; do
    for format in binary extbinary; do
      for more in "" $2; do
        # shellcheck disable=SC2086 # words
        $tool --perfdata=perf.data --binary=sampled_shapes --format=$format $more -o $format.out \
          2>said
        "llvm-profdata-$1" merge --sample --text $format.out -o - | sort >"$format$more.$(basename "${tool%% *}")"
      done
    done
  done
  for each in *.contprof; do
    expect_same "$each" "${each%.contprof}.$PROFGEN" "$each"
  done
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_shapes --populate-profile-symbol-list -o list.prof
  "$PROFGEN" --perfdata=perf.data --binary=sampled_shapes --populate-profile-symbol-list -o stock.prof
  for each in list stock; do
    profdata "$NEWEST" show --sample --show-prof-sym-list $each.prof | sed -n '/symbol list/,$p' >$each.symbols
  done
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_shapes -o plain.prof
  "$CONTPROF" sample --perfdata=perf.data --binary=sampled_shapes --compress-all-sections -o small.prof
  [ "$(wc -c <small.prof)" -lt "$(wc -c <plain.prof)" ]
  for each in plain small; do
    "llvm-profdata-$1" merge --sample --text $each.prof -o $each.text
  done
  expect_same "compressed" plain.text small.text
  grep -q main stock.symbols
  expect_same "symbol list" stock.symbols list.symbols
}

# Each clang takes the profile of its own program, and acts on it.
is_used() {
  sampled "$1" cc sampled_sort
  make_walk perf.data 11 400 4711 sampled_sort
  for format in text binary extbinary; do
    "$CONTPROF" sample --perfdata=perf.data --binary=sampled_sort --format=$format -o use.prof
    stock "$1" -O2 -g -fdebug-info-for-profiling -Werror -fprofile-sample-use=use.prof -S -emit-llvm \
      "$PROGRAMS/sampled_sort.c" -o $format.ll 2>warnings
    expect_empty warnings
    expect_text $format.ll 'function_entry_count'
  done
  expect_same "what the compiler has learned" text.ll extbinary.ll
}

for llvm in $LLVMS; do
  check "as llvm-profgen: C, clang $llvm" converts "$llvm" cc sampled_sort
  check "as llvm-profgen: C++, clang $llvm" converts "$llvm" cxx sampled_shapes.cpp -funroll-loops
  check "clang $llvm takes the profile" is_used "$llvm"
done
check "as llvm-profgen: DWARF 4, at fixed addresses" converts "$NEWEST" cc sampled_sort -gdwarf-4 -no-pie
check "as llvm-profgen: split functions and lld" converts "$NEWEST" cxx sampled_shapes.cpp -fuse-ld=lld \
  -ffunction-sections -mllvm -hot-cold-split
check "as llvm-profgen: AArch64" converts "$NEWEST" cc sampled_bare --target=aarch64-linux-gnu -nostdlib \
  -fuse-ld=lld -Wl,-e,main
check "as llvm-profgen: options" has_options
for llvm in $LLVMS; do
  check "formats, as LLVM $llvm reads them" writes "$llvm" --use-md5
done
