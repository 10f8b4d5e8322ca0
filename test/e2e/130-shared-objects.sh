#!/bin/sh
# Two instrumented shared objects and the executable: each module has its own file, named after it,
# with its own exact counts, in every combination of how the executable was compiled.
. "$(dirname "$0")/lib.sh"

# build_part X FLAG...
build_part() {
  part=$1
  shift
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" "$opt" $(instrumentation "$kind") -fprofile-continuous -fPIC -shared "-DPART=$part" \
    "$PROGRAMS/part.c" "$@" -o "libpart_$part.so"
}

build_with_objects() {
  build_part a
  build_part b
  # shellcheck disable=SC2046
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" "$PROGRAMS/two_parts.c" \
    "$TEST_DIR/ending.o" -L. -lpart_a -lpart_b "-Wl,-rpath,$PWD" -o two_parts
}

# expect_module RAW FUNCTION...: has counts of just these, as the program said.
expect_module() {
  stock_counts "$llvm" "$1" >counts.txt
  shift
  for function in "$@"; do
    expect "count of $function" "$(awk -v f="$function" '$2 == f { print $3 }' said)" \
      "$(function_count counts.txt "$function")"
  done
  expect_text counts.txt "^Functions shown: $#\$"
}

each_module_has_its_file() {
  build_with_objects
  start ./two_parts wait >said 2>complaints
  wait_for 20 grep -q ready said
  kill_hard "$PID"
  expect_empty complaints
  expect "files" 3 "$(find . -name '*.profraw' | wc -l)"
  expect_module "two_parts-$PID.profraw" main
  expect_module "two_parts-$PID-libpart_a.so.profraw" part_a part_a_leaf
  expect_module "two_parts-$PID-libpart_b.so.profraw" part_b part_b_leaf
}

# The executable itself knows nothing of profiles.
in_a_stock_executable() {
  build_part a
  build_part b
  stock "$llvm" "$PROGRAMS/two_parts.c" "$TEST_DIR/ending.o" -L. -lpart_a -lpart_b \
    "-Wl,-rpath,$PWD" -o two_parts
  expect_killed ./two_parts kill >said
  expect "files" 2 "$(find . -name '*.profraw' | wc -l)"
  expect_module "$(find . -name 'two_parts-*-libpart_a.so.profraw')" part_a part_a_leaf
  expect_module "$(find . -name 'two_parts-*-libpart_b.so.profraw')" part_b part_b_leaf
}

one_name_for_all() {
  build_with_objects
  LLVM_PROFILE_FILE=p/all.profraw expect_killed ./two_parts kill >said
  expect_module p/all.profraw main
  expect_module p/all-libpart_a.so.profraw part_a part_a_leaf
  expect_module p/all-libpart_b.so.profraw part_b part_b_leaf
}

merge_of_modules() {
  build_with_objects
  expect_killed ./two_parts kill >said
  "$CONTPROF" merge -o merged.profdata ./*.profraw
  stock_counts "$llvm" merged.profdata >counts.txt
  expect_calls said counts.txt
}

# Two objects of one base name in different directories: neither may take the other's file.
same_base_name() {
  mkdir a b
  opt=-O2 kind=frontend
  build_part a && mv libpart_a.so a/libpart.so
  build_part b && mv libpart_b.so b/libpart.so
  stock "$llvm" "$PROGRAMS/two_parts.c" "$TEST_DIR/ending.o" a/libpart.so b/libpart.so -o two_parts
  expect_killed ./two_parts kill >said
  expect "files" 2 "$(find . -name '*.profraw' | wc -l)"
  "$CONTPROF" merge -o merged.profdata ./*.profraw
  stock_counts "$llvm" merged.profdata >counts.txt
  for function in part_a part_a_leaf part_b part_b_leaf; do
    expect "count of $function" "$(awk -v f="$function" '$2 == f { print $3 }' said)" \
      "$(function_count counts.txt "$function")"
  done
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for opt in -O0 -O2; do
      for mode in $MODES; do
        check "clang $llvm $kind $opt: two objects, executable in $mode mode" \
          each_module_has_its_file
      done
      check "clang $llvm $kind $opt: two objects in a stock executable" in_a_stock_executable
    done
  done
  mode=auto
  check "clang $llvm: one LLVM_PROFILE_FILE for all modules" one_name_for_all
  check "clang $llvm: merge of modules" merge_of_modules
  check "clang $llvm: two objects of one base name" same_base_name
done
