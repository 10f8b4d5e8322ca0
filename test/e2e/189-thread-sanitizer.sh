#!/bin/sh
# ThreadSanitizer turns atomic updates into calls that know no segments: the counts must be right
# whatever mode is asked for.
. "$(dirname "$0")/lib.sh"

counts_of_a_clean_end() {
  cat >few.c <<'END'
__attribute__((noinline)) int chosen(int x) { return x > 3 ? x : 1; }
int main(int argc, char **argv) { return chosen(argc) - 1; }
END
  # shellcheck disable=SC2046 # a list of flags
  cc "$1" -O1 -fsanitize=thread $(instrumentation "$2") -fprofile-continuous="$3" few.c -o few
  LLVM_PROFILE_FILE=few.profraw ./few
  stock_counts "$1" few.profraw >counts.txt
  expect "chosen" 1 "$(function_count counts.txt chosen)"
  expect "main" 1 "$(function_count counts.txt main)"
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    for mode in auto segment pointer; do
      check "clang $llvm $kind $mode" counts_of_a_clean_end "$llvm" $kind $mode
    done
  done
done
