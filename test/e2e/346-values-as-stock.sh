#!/bin/sh
# Value for value what stock's runtime keeps of the same run, in the same order: values that are equally
# frequent stand in the order of first sight, which decides what the optimiser does with the first few.
. "$(dirname "$0")/lib.sh"

# The program's end, without counters of its own.
cat >last.c <<'END'
#include <signal.h>
__attribute__((destructor)) static void last(void) { raise(SIGKILL); }
END
stock "$NEWEST" -c last.c -o "$TEST_DIR/last.o"

# Functions that no profile knows.
echo 'int outside_one(int by) { return by; } int outside_two(int by) { return -by; }' >outside.c
stock "$NEWEST" -O2 -fPIC -shared outside.c -o "$TEST_DIR/outside.so"

# shown RAW-OR-INDEXED: the values of all sites as stock lists them, without those never seen: the unused
# slots of a live file, which shares and numbers of sites depend on.
shown() {
  profdata "$llvm" show --all-functions --ic-targets --memop-sizes "$1" |
    sed -n '/^  [^ ].*:$/p; / 0 \]/d; s/^\(	\[.*\]\).*/\1/p'
}

# text PROFILE: a file of all that is merged of it, in LLVM's words.
text() {
  profdata "$llvm" merge --text -o "$1.txt" "$1"
}

# same_values NUMBER-OF-VALUES FLAG...
same_values() {
  number=$1
  shift
  stock "$llvm" "$@" "$PROGRAMS/equal_values.c" "$TEST_DIR/outside.so" -o stock
  run_stock stock.profraw ./stock
  cc "$llvm" "$@" -fprofile-continuous="$mode" "$PROGRAMS/equal_values.c" "$TEST_DIR/outside.so" \
    "$TEST_DIR/last.o" -o ours
  LLVM_PROFILE_FILE=ours.profraw expect_killed ./ours
  shown stock.profraw >wanted.txt
  expect "values shown" "$number" "$(grep -c '\[' wanted.txt)"
  shown ours.profraw >got.txt
  expect_same "values shown" wanted.txt got.txt
  text stock.profraw
  "$CONTPROF" merge -o merged.profdata ours.profraw
  text merged.profdata
  expect_same "what contprof merges" stock.profraw.txt merged.profdata.txt
  # Of two runs equal ones stand in the order of their values, in stock's merge as in ours.
  cp stock.profraw again.profraw
  profdata "$llvm" merge -o both.profdata stock.profraw again.profraw
  cp ours.profraw again.profraw
  "$CONTPROF" merge -o merged.profdata ours.profraw again.profraw
  text both.profdata
  text merged.profdata
  expect_same "what contprof merges of two" both.profdata.txt merged.profdata.txt
}

each() {
  mkdir ir frontend
  (cd ir && same_values 54 -O2 -fprofile-generate) || die "IR instrumentation"
  (cd frontend && same_values 29 -O2 -fprofile-instr-generate -mllvm -enable-value-profiling) ||
    die "frontend instrumentation"
}

# Counting asks the C library of an executable alone how many threads there are: a shared object would need
# one that can tell, where it runs.
asked_by_executables_alone() {
  echo 'extern void (*hook)(void); void call(void) { hook(); }' >part.c
  echo 'static void none(void) {} void (*hook)(void) = none; extern void call(void);
    int main(void) { call(); return 0; }' >host.c
  cc "$llvm" -O2 -fPIC -shared -fprofile-generate -fprofile-continuous part.c -o libpart.so
  cc "$llvm" -O2 -fprofile-generate -fprofile-continuous host.c part.c -o host
  nm -D --undefined-only libpart.so >of_part.txt
  nm -D --undefined-only host >of_host.txt
  expect_no_text of_part.txt __libc_single_threaded
  expect_text of_host.txt __libc_single_threaded
}

for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: the same values in the same order" each
  done
  check "clang $llvm: executables alone ask for the number of threads" asked_by_executables_alone
done
