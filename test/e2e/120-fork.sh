#!/bin/sh
# fork: parent, children and a grandchild each have their own file with their own counts; children
# that start another program count into their parent's file until then.
. "$(dirname "$0")/lib.sh"

build_forks() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$mode" "$PROGRAMS/forks.c" \
    "$TEST_DIR/ending.o" -o forks
}

each_process_has_its_file() {
  build_forks
  case $how in
    kill) expect_killed ./forks kill ;;
    *) $RUN ./forks "$how" ;;
  esac
  said=$(find . -name 'said-*' | wc -l)
  expect "processes" 5 "$said"
  expect "files" 5 "$(find . -name 'forks-*.profraw' | wc -l)"
  for said in said-*; do
    stock_counts "$llvm" "forks-${said#said-}.profraw" >counts.txt
    expect_calls "$said" counts.txt
  done
}

# The sum over the processes is what the merge says.
merge_sums_up() {
  build_forks
  expect_killed ./forks kill
  "$CONTPROF" merge -o merged.profdata ./*.profraw
  stock_counts "$llvm" merged.profdata >merged.txt
  stock_merged_counts "$llvm" stock_merged.txt ./*.profraw
  expect_same_functions "sum" stock_merged.txt merged.txt
  for function in work in_parent in_child; do
    total=$(cat said-* | awk -v f=$function '$1 == "calls" && $2 == f { n += $3 } END { print n }')
    expect "sum of $function" "$total" "$(function_count merged.txt $function)"
  done
}

# A directory as input is all profiles in it.
merge_takes_a_directory() {
  build_forks
  expect_killed ./forks kill
  "$CONTPROF" merge -o listed.profdata ./*.profraw
  mkdir profiles
  mv ./*.profraw profiles
  "$CONTPROF" merge -o all.profdata profiles
  cmp listed.profdata all.profdata
}

starts_other_programs() {
  # shellcheck disable=SC2046
  cc "$llvm" -O2 $(instrumentation ir) "-fprofile-continuous=$mode" "$PROGRAMS/spawns.c" \
    "$TEST_DIR/ending.o" -o spawns
  expect_killed ./spawns kill >said
  expect "files" 1 "$(find . -name '*.profraw' | wc -l)"
  stock_counts "$llvm" "$(find . -name 'spawns-*.profraw')" >counts.txt
  expect_calls said counts.txt
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: posix_spawn and vfork" starts_other_programs
    for kind in frontend ir; do
      for how in kill _exit exit; do
        check "clang $llvm $kind $mode: fork, then $how" each_process_has_its_file
      done
      check "clang $llvm $kind $mode: merge of all processes" merge_sums_up
    done
  done
done
kind=frontend
check "merge takes a directory" merge_takes_a_directory
