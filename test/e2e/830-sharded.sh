#!/bin/sh
# Counters of their own for threads, -fprofile-update=sharded: exact, however they come and go, as
# stock llvm-profdata reads it.
. "$(dirname "$0")/lib.sh"

KINDS="plain detached exits cancelled c11 masked signals nested library"

# build_sharded OPTION...
build_sharded() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" $(instrumentation "$kind") -fprofile-continuous -fprofile-update=sharded -pthread "$@" \
    "$PROGRAMS/sharded.c" "$TEST_DIR/ending.o" -o sharded
}

counts_of() {
  stock_merged_counts "$llvm" counts.txt "$@"
}

# Files are as large as the crowd was: no thread was without its place, and none got a new one that
# had an old one's free.
images_of() {
  python3 - "$1" <<'END'
import sys
data = open(sys.argv[1], "rb").read()
print(sum(data[at:at + 8] == data[:8] for at in range(0, len(data), 8)))
END
}

exact() {
  build_sharded "$opt"
  cp "$TEST_DIR/libmaker.so" .
  # shellcheck disable=SC2086 # words
  expect_killed ./sharded kill $KINDS >said 2>complaints
  expect_empty complaints
  counts_of "$(the_profile .)"
  expect_calls said counts.txt
  images=$(images_of "$(the_profile .)")
  [ "$images" -ge 66 ] && [ "$images" -le 200 ] || die "$images images for 129 threads at most"
  "$CONTPROF" merge -o ours.profdata ./*.profraw
  "$CONTPROF" show --all-functions --counts ours.profdata >ours.txt
  expect_same_functions "contprof's sum" counts.txt ours.txt
}

forked() {
  build_sharded -O2
  expect_killed ./sharded kill forks plain >said-parent 2>complaints
  expect_empty complaints
  expect "said by children" 4 "$(find . -name 'said-[0-9]*' | wc -l)"
  for said in said-[0-9]*; do
    counts_of "sharded-${said#said-}.profraw"
    expect_calls "$said" counts.txt
    rm "sharded-${said#said-}.profraw"
  done
  counts_of "$(the_profile .)"
  expect_calls said-parent counts.txt
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
stock $NEWEST -O2 -fPIC -shared -pthread "$PROGRAMS/maker.c" -o libmaker.so
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for opt in -O0 -O2; do
      check "clang $llvm $kind $opt: threads of all kinds" exact
    done
  done
  kind=frontend
  check "clang $llvm: forks of threads" forked
done
