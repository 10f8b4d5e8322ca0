#!/bin/sh
# How many slots a value site has: what the driver is told, in every kind of link.
. "$(dirname "$0")/lib.sh"

MANY=$PROGRAMS/many_targets.c

# targets N RAW [SITE]: how many targets and unused slots are shown for the call in SITE.
targets() {
  profdata "$1" show --function="${3:-apply}" --ic-targets "$2" | grep -c '^	\['
}

# A program that meets twelve targets, 20 times each.
run_twelve() {
  LLVM_PROFILE_FILE=twelve.profraw expect_killed "$1" '10-21*20' kill
}

# expect_slots N PROGRAM SLOTS [SITE]
expect_slots() {
  run_twelve "$2"
  expect "slots" "$3" "$(targets "$1" twelve.profraw "${4:-apply}")"
}

as_many_as_said() {
  for slots in 3 12 255; do
    cc "$1" -O2 -fprofile-continuous="$2" -fprofile-continuous-value-slots=$slots \
      "$MANY" -o "many$slots"
    expect_slots "$1" "./many$slots" $slots
  done
  profdata "$1" show --function=apply --ic-targets twelve.profraw >shown.txt
  for target in 10 15 21; do
    expect_text shown.txt "target$target, +20 "
  done
  profdata "$1" merge -o merged.profdata twelve.profraw 2>warnings
  expect_empty warnings
}

# As many targets as stock's runtime keeps of a site.
as_many_as_stock() {
  stock "$1" -O2 -fprofile-generate "$MANY" -o stock
  run_stock stock.profraw ./stock '10-99*20'
  cc "$1" -O2 -fprofile-continuous="$2" "$MANY" -o many
  expect_slots "$1" ./many "$(targets "$1" stock.profraw)"
}

# 0: no value sites at all, and all the counters.
none_when_none_is_wanted() {
  cc "$1" -O2 -fprofile-continuous="$2" -fprofile-continuous-value-slots=0 "$MANY" -o none
  run_twelve ./none
  profdata "$1" show --all-functions --counts --ic-targets --memop-sizes twelve.profraw >shown.txt
  expect_no_text shown.txt 'Site Count: [1-9]'
  expect_text shown.txt 'Block counts: \[240\]'
}

# Of objects that were compiled for different numbers, each gets the largest.
largest_wins() {
  cc "$1" -O2 -fprofile-continuous="$2" -fprofile-continuous-value-slots=3 -c "$MANY" -o main.o
  echo 'void other(void (*f)(void)) { f(); f(); }' >other.c
  for slots in 2 20; do
    cc "$1" -O2 -fprofile-continuous="$2" -fprofile-continuous-value-slots=$slots -c other.c
    cc "$1" -fprofile-continuous="$2" main.o other.o -o mixed
    expect_slots "$1" ./mixed $((slots > 3 ? slots : 3))
  done
}

# Through LTO, section garbage collection and each linker.
through_links() {
  common="-O2 -fprofile-continuous=$2 -fprofile-continuous-value-slots=11 -ffunction-sections"
  for how in "-fuse-ld=bfd" "-fuse-ld=gold" "-fuse-ld=lld-$1" "-fuse-ld=lld-$1 -flto" \
    "-fuse-ld=lld-$1 -flto=thin" "-fuse-ld=lld-$1 -Wl,-z,start-stop-gc"; do
    # shellcheck disable=SC2086 # lists of flags
    cc "$1" $common $how -Wl,--gc-sections "$MANY" -o many || die "$how"
    expect_slots "$1" ./many 11 || die "$how"
  done
}

refused() {
  expect_status 1 cc "$1" -fprofile-continuous -fprofile-continuous-value-slots=256 "$MANY" \
    -o many 2>words
  expect_text words "invalid value in '-fprofile-continuous-value-slots=256'"
}

for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: as many slots as said" as_many_as_said "$llvm" "$mode"
    check "clang $llvm $mode: as many slots as stock keeps" as_many_as_stock "$llvm" "$mode"
  done
  check "clang $llvm: none when none is wanted" none_when_none_is_wanted "$llvm" auto
  check "clang $llvm: the largest number wins" largest_wins "$llvm" auto
  check "clang $llvm: through links" through_links "$llvm" auto
done
check "a number out of range is refused" refused "$NEWEST"
