#!/bin/sh
# contprof.h: snapshots, rotation, stable storage and the name; of a live file, in memory, after a
# fork; its errors. The header in C and C++, and in programs without the runtime. Resets and moves of
# the file beside threads that count.
. "$(dirname "$0")/lib.sh"

build() {
  cc "$llvm" -O2 -fprofile-instr-generate "-fprofile-continuous=$mode" "$PROGRAMS/uses_api.c" \
    "$TEST_DIR/ending.o" -o uses_api
}

with_a_live_file() {
  build
  mkdir directory
  ln -s nowhere link
  LLVM_PROFILE_FILE=live.profraw expect_killed ./uses_api live >said 2>complaints
  expect_said_files "$llvm"
  find . -name '*.tmp' >left
  expect_empty left
}

in_memory() {
  build
  : >place
  LLVM_PROFILE_FILE=$PWD/place/one.profraw expect_killed ./uses_api memory >said 2>complaints
  expect_text complaints "can't create"
  : >complaints
  expect_said_files "$llvm"
  # The name was taken when it was the second one's turn; it got another, and the first stayed.
  second=$(find place -name 'one?*.profraw')
  stock_counts "$llvm" "$second" >counts.txt
  expect "leaf in $second" 6 "$(function_count counts.txt leaf)"
}

after_a_fork() {
  build
  LLVM_PROFILE_FILE=$1 expect_killed ./uses_api fork >said 2>complaints
  expect_said_files "$llvm"
}

# expect_between: each line `between LOWEST HIGHEST FUNCTION` that the program said.
expect_between() {
  grep -q '^between ' said
  while read -r _ lowest highest function; do
    got=$(function_count counts.txt "$function")
    [ "$got" -ge "$lowest" ] && [ "$got" -le "$highest" ] ||
      die "$function: $got is not between $lowest and $highest"
  done <said
}

# busy UPDATE ARG...
busy() {
  cc "$llvm" -O2 -fprofile-instr-generate "-fprofile-continuous=$mode" "-fprofile-update=$1" -pthread \
    "$PROGRAMS/resets_busy.c" "$TEST_DIR/ending.o" -o resets_busy
  shift
  LLVM_PROFILE_FILE=one.profraw expect_killed ./resets_busy "$@" >said 2>complaints
  expect_empty complaints
  stock_counts "$llvm" one.profraw >counts.txt
  expect_between
}

in_shared_memory() {
  away=$(mktemp -d /dev/shm/contprof-test.XXXXXX)
  status=0
  (busy atomic 20 "$away/away.profraw") || status=$?
  rm -r "$away"
  return $status
}

asks() {
  cat >"asks.$1" <<'END'
#include <contprof.h>
int main(void) {
  if (contprof_filename && contprof_sync)
    return contprof_sync() || !contprof_filename() || !__llvm_profile_is_continuous_mode_enabled();
  return 3;
}
END
}

header() {
  asks c
  asks cc
  for flags in "" "-fPIE -pie" "-fno-pie -no-pie" "-std=c99 -pedantic -Wall -Wextra -Werror"; do
    # shellcheck disable=SC2086 # flags
    cc "$llvm" -fprofile-continuous $flags asks.c -o with
    expect_status 0 $RUN ./with
  done
  cxx "$llvm" -fprofile-continuous -std=c++11 -Wall -Wextra -Werror asks.cc -o with
  expect_status 0 $RUN ./with
  cc "$llvm" -fprofile-continuous -E asks.c >preprocessed
  expect_text preprocessed 'int contprof_rotate'
}

without_the_runtime() {
  asks c
  include=$BUILD/lib/contprof/include
  for linker in bfd gold "lld-$llvm"; do
    for flags in "-fPIE -pie" "-fno-pie -no-pie"; do
      # shellcheck disable=SC2086 # flags
      stock "$llvm" -I"$include" $flags "-fuse-ld=$linker" asks.c -o without
      expect_status 3 $RUN ./without
    done
  done
  gcc -I"$include" -Wall -Wextra -Werror asks.c -o without
  expect_status 3 ./without
}

# Objects of stock clang's own continuous mode: their updates move with the mapping as well.
relocated() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$llvm" -O2 $(instrumentation "$1") -mllvm -runtime-counter-relocation \
    -I"$BUILD/lib/contprof/include" -c "$PROGRAMS/uses_api.c" -o uses_api.o
  cc "$llvm" -fprofile-continuous uses_api.o "$TEST_DIR/ending.o" -o uses_api
  mkdir directory
  ln -s nowhere link
  LLVM_PROFILE_FILE=live.profraw expect_killed ./uses_api live >said 2>complaints
  expect_said_files "$llvm"
}

stock_order() {
  cat >order.c <<'END'
int __llvm_orderfile_dump(void);
__attribute__((noinline)) int first(int n) { return n + 1; }
__attribute__((noinline)) int second(int n) { return first(n) * 2; }
int main(void) { return second(-1) + __llvm_orderfile_dump(); }
END
  stock "$llvm" -O1 -fprofile-instr-generate -forder-file-instrumentation order.c -o order
  LLVM_PROFILE_FILE=stock.raw $RUN ./order
  cc "$llvm" -O1 -fprofile-continuous -fprofile-instr-generate -forder-file-instrumentation order.c \
    -o order
  LLVM_PROFILE_FILE=ours.raw $RUN ./order
  cmp stock.raw.order ours.raw.order
  cc "$llvm" -O1 -fprofile-continuous -fprofile-instr-generate order.c -o order
  expect_status 255 $RUN ./order
}

stock $NEWEST -fPIC -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: a live file" with_a_live_file
    check "clang $llvm $mode: in memory" in_memory
    check "clang $llvm $mode: after a fork" after_a_fork f-%p.profraw
    check "clang $llvm $mode: after a fork, one name" after_a_fork f.profraw
    check "clang $llvm $mode: resets beside counting threads" busy single 100
    check "clang $llvm $mode: moves to another file system beside them" in_shared_memory
  done
  for kind in frontend ir; do
    check "clang $llvm: stock's relocated objects, $kind" relocated "$kind"
  done
  check "clang $llvm: the header" header
  check "clang $llvm: the header without the runtime" without_the_runtime
  check "clang $llvm: order files" stock_order
done
