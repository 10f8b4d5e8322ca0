#!/bin/sh
# contprof merge --sample against stock llvm-profdata merge --sample: the same bytes.
. "$(dirname "$0")/lib.sh"
. "$E2E/samples.sh"

# same_merge N OPTION-OR-INPUT...: as text.
same_merge() {
  merge_llvm=$1
  shift
  profdata "$merge_llvm" merge --sample --text "$@" -o stock.txt 2>stock_said
  "$CONTPROF" merge --sample --text "$@" -o ours.txt 2>ours_said
  expect_same "$*" stock.txt ours.txt
  [ -s ours.txt ] || die "$*: nothing was merged"
}

sums() {
  two_profiles "$2"
  same_merge "$1" one.prof
  same_merge "$1" one.prof two.prof one.prof
  same_merge "$1" --weighted-input=3,one.prof --weighted-input=2,two.prof
}

inputs() {
  two_profiles plain
  mkdir directory
  cp one.prof directory/b.prof
  cp two.prof directory/a.proftext
  printf '# a list\none.prof\n5,two.prof\n' >list
  same_merge "$1" one.prof --input-files=list
  same_merge "$1" directory
  profdata "$1" merge --sample --text - one.prof -o stock.txt <two.prof
  "$CONTPROF" merge --sample --text - one.prof -o ours.txt <two.prof
  expect_same "standard input" stock.txt ours.txt
}

# What stock LLVM N wrote, in any of its formats, is read to the same. Functions of which the hash
# alone is known come in the order of numbers, as in LLVM 19; in 14 and 16, in that of their digits.
formats_in() {
  two_profiles "$2"
  profdata "$1" merge --sample --text one.prof two.prof -o names.txt
  for options in --text --binary --extbinary "--extbinary --compress-all-sections" \
    "--extbinary --use-md5" "--extbinary --use-md5 --compress-all-sections --gen-partial-profile" \
    "--extbinary --prof-sym-list=names.list"; do
    case $2,$options in context,--binary | probe,--binary) continue ;; esac
    # shellcheck disable=SC2086 # a list of options
    profdata "$1" merge --sample $options one.prof two.prof -o merged.prof
    wanted=names.txt
    case $options in *md5*) as_text 19 merged.prof >hashes.txt && wanted=hashes.txt ;; esac
    "$CONTPROF" merge --sample --text merged.prof -o ours.txt
    expect_same "input written with $options" $wanted ours.txt
  done
}

# What we write, in any format, stock LLVM N reads to what it has itself; LLVM 19 writes the same
# bytes.
formats_out() {
  two_profiles "$2"
  profdata "$1" merge --sample --text one.prof two.prof -o names.txt
  for options in "" --binary --compress-all-sections --use-md5 --gen-partial-profile \
    --prof-sym-list=names.list "--use-md5 --compress-all-sections --prof-sym-list=names.list"; do
    case $2,$options in context,--binary | probe,--binary) continue ;; esac
    [ "$options" = --binary ] || options="--extbinary $options"
    # shellcheck disable=SC2086 # a list of options
    "$CONTPROF" merge --sample $options one.prof two.prof -o ours.prof
    case $1,$options in
      19,* | *,*md5*)
        # shellcheck disable=SC2086
        profdata "$1" merge --sample $options one.prof two.prof -o stock.prof
        if [ "$1" = 19 ]; then
          cmp stock.prof ours.prof
          continue
        fi
        as_text "$1" stock.prof >stock.txt
        ;;
      *) cp names.txt stock.txt ;;
    esac
    as_text "$1" ours.prof >ours.txt
    expect_same "output written with $options" stock.txt ours.txt
  done
}

# A function of which one input has the hash alone is that of the name, whatever came between.
names_and_hashes() {
  two_profiles plain
  profdata 19 merge --sample --extbinary --use-md5 one.prof -o one.md5
  profdata 19 merge --sample --extbinary --use-md5 two.prof -o two.md5
  same_merge 19 one.prof two.md5 one.md5
  same_merge 19 two.md5 one.prof two.md5 two.prof
}

default_format() {
  two_profiles plain
  profdata "$1" merge --sample one.prof -o stock.prof
  "$CONTPROF" merge --sample "--llvm=$1" one.prof -o ours.prof
  expect "magic" "$(head -c 9 stock.prof | od -An -tx1)" "$(head -c 9 ours.prof | od -An -tx1)"
}

split_layout() {
  two_profiles plain
  "$CONTPROF" merge --sample --split-layout one.prof two.prof -o split.prof
  as_text "$1" split.prof >split.txt
  profdata "$1" merge --sample --text one.prof two.prof -o stock.txt
  expect_same "split" stock.txt split.txt
  profdata "$1" show --sample --show-sec-info-only split.prof >sections.txt
  expect "sections of samples" 2 "$(grep -c LBRProfile sections.txt)"
}

# --- symbols and names ----------------------------------------------------------------------------

symbol_lists() {
  two_profiles plain
  printf 'third\nmain\n' >more.list
  profdata "$1" merge --sample --extbinary --prof-sym-list=names.list one.prof -o a.prof
  profdata "$1" merge --sample --extbinary --prof-sym-list=more.list two.prof -o b.prof
  profdata "$1" merge --sample --extbinary a.prof b.prof -o stock.prof
  "$CONTPROF" merge --sample a.prof b.prof -o ours.prof
  profdata "$1" show --sample --show-prof-sym-list stock.prof >stock.txt
  profdata "$1" show --sample --show-prof-sym-list ours.prof >ours.txt
  expect_same "symbols" stock.txt ours.txt
  "$CONTPROF" merge --sample --drop-profile-symbol-list a.prof b.prof -o dropped.prof
  "$CONTPROF" show --sample --show-prof-sym-list dropped.prof >dropped.txt
  expect_no_text dropped.txt '^third$'
  "$CONTPROF" merge --sample --text a.prof -o lost.txt 2>said
  expect_text said 'warning: the list of 4 functions .* is lost'
  "$CONTPROF" merge --sample --binary --use-md5 one.prof -o plain.prof 2>said
  expect_text said 'warning: --use-md5 has no effect'
}

new_names() {
  two_profiles plain
  printf '# renamed\nmain start\nfunction_1 function_2\n_Z3fooi _Z3barl\n' >new.names
  same_merge "$1" --remapping-file=new.names one.prof two.prof
  expect_no_text ours.txt '^main:|^function_1:|^_Z3fooi:'
  same_merge "$1" -r new.names --weighted-input=7,one.prof
}

renamed_contexts() {
  two_profiles context
  sed -e 's/_Z3fooi/_Z3barl/g' one.prof >wanted.prof
  printf '_Z3fooi _Z3barl\n' >new.names
  "$CONTPROF" merge --sample --text wanted.prof -o wanted.txt
  "$CONTPROF" merge --sample --text -r new.names one.prof -o ours.txt
  expect_same "contexts" wanted.txt ours.txt
}

filtered() {
  two_profiles "$1"
  for options in --function=foo --no-function=function_ "--function=function_1.* --no-function=5" \
    "--function=^main" "--function=nothing_has_this"; do
    # shellcheck disable=SC2086 # a list of options
    profdata 19 merge --sample --text $options one.prof two.prof -o stock.txt 2>stock_said
    # shellcheck disable=SC2086
    "$CONTPROF" merge --sample --text $options one.prof two.prof -o ours.txt 2>ours_said
    expect_same "$options" stock.txt ours.txt
    expect_same "what is said" stock_said ours_said
  done
}

filtered_hashes() {
  two_profiles plain
  profdata 19 merge --sample --extbinary --use-md5 one.prof -o md5.prof
  profdata 19 merge --sample --text --function=_Z3fooi md5.prof -o stock.txt
  "$CONTPROF" merge --sample --text --function=_Z3fooi md5.prof -o ours.txt
  expect_same "a name by its hash" stock.txt ours.txt
  expect "functions" 1 "$(grep -c '^[^ ]' ours.txt)"
}

# --- layouts --------------------------------------------------------------------------------------

flat() {
  two_profiles "$1"
  same_merge 19 --convert-sample-profile-layout=flat one.prof two.prof
  expect_no_text ours.txt '^\['
  same_merge 19 --convert-sample-profile-layout=flat --weighted-input=1000,two.prof
}

# LLVM 14 and 16 leave the calls in their lines, and count what was inlined twice; LLVM 19 is right.
nested() {
  two_profiles context
  for keep in 0 1; do
    same_merge 19 --convert-sample-profile-layout=nest --generate-merged-base-profiles=$keep \
      one.prof two.prof
    same_merge 19 --convert-sample-profile-layout=nest --generate-merged-base-profiles=$keep one.prof
  done
  expect_no_text ours.txt '^\['
  cp ours.txt layout.txt
  "$CONTPROF" merge --sample --text --gen-cs-nested-profile --generate-merged-base-profiles one.prof \
    -o ours.txt
  expect_same "by LLVM 14's option" layout.txt ours.txt
}

# LLVM 14 and 16 take the number of frames for a flag.
cold_contexts() {
  two_profiles context
  for options in --sample-merge-cold-context --sample-trim-cold-context; do
    same_merge "$1" $options one.prof two.prof
    same_merge "$1" $options --profile-summary-cold-count=1000000000 one.prof two.prof
  done
  for cold in "" --profile-summary-cold-count=1000000000 --profile-summary-cutoff-cold=900000 \
    --profile-summary-cold-count=0; do
    set -- "$1" --sample-merge-cold-context --sample-trim-cold-context one.prof two.prof $cold
    same_merge "$@"
    [ "$1" != 19 ] || same_merge "$@" --sample-frame-depth-for-cold-context=2
  done
}

discriminators() {
  two_profiles fs
  for pass in Base Pass1 Pass2 Pass3 PassLast; do
    same_merge "$1" --profile-isfs "--fs-discriminator-pass=$pass" one.prof two.prof
  done
  "$CONTPROF" merge --sample --profile-isfs one.prof two.prof -o ours.prof
  profdata "$1" show --sample --show-sec-info-only ours.prof >sections.txt
  expect_text sections.txt 'ProfileSummarySection.*\{fs-discriminator\}'
}

size_limit() {
  two_profiles plain
  for limit in 20000 10000 3000 700; do
    for options in --text --binary --extbinary; do
      set -- "$options" --output-size-limit=$limit one.prof two.prof
      if profdata 19 merge --sample "$@" -o stock.prof 2>said; then
        "$CONTPROF" merge --sample "$@" -o ours.prof
        cmp stock.prof ours.prof
      else
        expect_status 1 "$CONTPROF" merge --sample "$@" -o ours.prof
      fi
    done
  done
  rm ours.prof
  expect_status 1 "$CONTPROF" merge --sample --output-size-limit=3 one.prof -o ours.prof 2>said
  expect_text said 'no function fits'
  [ ! -e ours.prof ] || die "an output was left"
}

for llvm in $LLVMS; do
  [ "$llvm" = 19 ] && kinds="plain probe context fs" || kinds="plain context"
  for kind in $kinds; do
    check "sums, LLVM $llvm, $kind" sums "$llvm" "$kind"
    check "formats in, LLVM $llvm, $kind" formats_in "$llvm" "$kind"
    check "formats out, LLVM $llvm, $kind" formats_out "$llvm" "$kind"
  done
  check "default format, LLVM $llvm" default_format "$llvm"
  check "split layout, LLVM $llvm" split_layout "$llvm"
  check "symbol lists, LLVM $llvm" symbol_lists "$llvm"
  check "new names, LLVM $llvm" new_names "$llvm"
  check "cold contexts, LLVM $llvm" cold_contexts "$llvm"
  check "flow-sensitive discriminators, LLVM $llvm" discriminators "$llvm"
done
check "inputs" inputs $NEWEST
check "names and hashes" names_and_hashes
check "new names in contexts" renamed_contexts
for kind in plain context; do
  check "filters, $kind" filtered "$kind"
done
check "filters of hashes" filtered_hashes
for kind in plain probe context; do
  check "flat, $kind" flat "$kind"
done
check "nested contexts" nested
check "size limit" size_limit
