#!/bin/sh
# Sanitizers and heap profiles instrument the same code: the counts and values in a killed program's
# file are right, and nobody complains. (ThreadSanitizer: 189.)
. "$(dirname "$0")/lib.sh"

counted_beside() {
  for flag in "$@"; do
    cc "$llvm" -O1 -fprofile-generate "$flag" -fprofile-continuous="$mode" \
      "$PROGRAMS/many_targets.c" -o sanitized
    LLVM_PROFILE_FILE=sanitized.profraw expect_killed ./sanitized '10-13*25' kill 2>complaints
    expect_empty complaints
    profdata "$llvm" show --function=apply --counts --ic-targets sanitized.profraw >shown.txt
    expect_text shown.txt 'Block counts: \[100[],]'
    for target in 10 11 12 13; do
      expect_text shown.txt "target$target, +25 "
    done
    rm sanitized.profraw
  done
}

for llvm in $LLVMS; do
  for mode in segment pointer; do
    check "clang $llvm $mode: sanitizers" counted_beside -fsanitize=address -fsanitize=memory \
      -fsanitize=undefined -fmemory-profile
  done
done
