#!/bin/sh
# Shared objects that a plain program's threads open and close, in turns and at once: no count and
# nothing else is lost. Copies of one object, of one build-id, are modules of their own.
. "$(dirname "$0")/lib.sh"

TIMES=100

build_object() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous -fPIC -shared -DPART=a \
    "$PROGRAMS/part.c" "$@" -o libplugin.so
}

copies() {
  for copy in 1 2 3; do
    mkdir "copy-$copy"
    cp libplugin.so "copy-$copy"
  done
}

# run PLUGINS-ARGUMENT...: killed at its end, all is counted.
run() {
  expect_killed "$TEST_DIR/plugins" kill $TIMES "$@" >said 2>complaints
  expect_empty complaints
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_calls said counts.txt
}

# expect_left MAPPINGS DESCRIPTORS: at most; of a module that went beside other threads, the mapping
# stays for when it comes back.
expect_left() {
  mappings=$(awk '/^live mappings/ { print $3 }' said)
  descriptors=$(awk '/^live descriptors/ { print $3 }' said)
  [ "$mappings" -le "$1" ] || die "$mappings mappings of live files are left"
  expect "descriptors left" "$2" "$descriptors"
}

one_object() {
  build_object
  run own ./libplugin.so
  expect_left 1 0
  expect "files" 1 "$(find . -name '*.profraw' | wc -l)"
}

# With the loader as the program, as bundles of programs and libraries have it.
by_the_loader() {
  build_object
  loader=$(readelf -lW "$TEST_DIR/plugins" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
  expect_killed "$loader" "$TEST_DIR/plugins" kill $TIMES own ./libplugin.so >said 2>complaints
  expect_empty complaints
  raw=$(the_profile)
  case $raw in
    ./plugins-[0-9]*-libplugin.so.profraw) ;;
    *) die "not named after the program: $raw" ;;
  esac
  stock_counts "$llvm" "$raw" >counts.txt
  expect_calls said counts.txt
  expect_left 1 0
}

many_threads() {
  build_object
  run shared ./libplugin.so shared ./libplugin.so shared ./libplugin.so shared ./libplugin.so
  expect_left 1 0
  expect "files" 1 "$(find . -name '*.profraw' | wc -l)"
}

# One by one, so that each has had the others' files before it.
copies_at_once() {
  build_object "$@"
  copies
  run own copy-1/libplugin.so own copy-2/libplugin.so own copy-3/libplugin.so own ./libplugin.so
  expect_left 4 0
  [ "$(find . -name '*.profraw' | wc -l)" -le 4 ] || die "more files than modules at one time"
}

copies_in_a_pool() {
  LLVM_PROFILE_FILE=pool-%m.profraw
  export LLVM_PROFILE_FILE
  copies_at_once "$@"
}

# A hard link is the same object to the loader: one module at a time, named as it was opened.
hard_link() {
  build_object
  ln libplugin.so libother.so
  run shared ./libplugin.so shared ./libother.so
  [ "$(find . -name '*.profraw' | wc -l)" -le 2 ] || die "more files than names"
}

name_space() {
  build_object
  run space ./libplugin.so space ./libplugin.so own ./libplugin.so
  [ "$(find . -name '*.profraw' | wc -l)" -le 3 ] || die "more files than modules"
}

# Nowhere to write to: the memory that takes the file's place goes with the module.
in_memory() {
  build_counted
  for place in /dev/null "$PWD/calls.c/p.profraw"; do
    # shellcheck disable=SC2086 # none or one word
    LLVM_PROFILE_FILE=$place "$TEST_DIR/reopens" ./libcounted.so $TIMES $1 >said 2>/dev/null
    expect "what is left in the process, $place" "more mappings: 0
more descriptors: 0" "$(cat said)"
  done
}

build_counted() {
  echo 'static volatile int sink; void counted(void) { sink++; }' >calls.c
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous -fPIC -shared calls.c -o libcounted.so
}

stock $NEWEST "$PROGRAMS/reopens.c" -o reopens -ldl -lpthread
stock $NEWEST "$PROGRAMS/plugins.c" "$PROGRAMS/ending.c" -ldl -lpthread -o plugins
for llvm in $LLVMS; do
  kind=frontend
  check "clang $llvm: opened and closed $TIMES times beside a thread" one_object
  check "clang $llvm: the loader run as the program" by_the_loader
  check "clang $llvm: by several threads" many_threads
  check "clang $llvm: copies at once" copies_at_once
  check "clang $llvm: a hard link" hard_link
  check "clang $llvm: counting in memory" in_memory ""
  check "clang $llvm: counting in memory, beside a thread" in_memory thread
  kind=ir
  check "clang $llvm: copies at once, in a pool" copies_in_a_pool
  check "clang $llvm: copies at once, in a pool, without build-id" copies_in_a_pool -Wl,--build-id=none
  check "clang $llvm: in namespaces of dlmopen" name_space
done
