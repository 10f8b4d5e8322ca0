#!/bin/sh
# musl instead of glibc: objects compiled against its headers, linked by musl's own wrapper with the
# runtime that the driver would name; executable and shared objects, static and not, and fork.
. "$(dirname "$0")/lib.sh"

HEADERS="-nostdinc -isystem /usr/include/x86_64-linux-musl"

runtime() {
  [ "$1" = 19 ] && raw=10 || raw=8
  library=$BUILD/lib/contprof
  rt="$library/libcontprof-rt-v$raw.a"
  exe="-Wl,-u,__llvm_profile_runtime,-u,contprof_start_executable $library/libcontprof-exe-v$raw.a $rt"
}

# compile OUTPUT FLAG...
compile() {
  compile_output=$1
  shift
  # shellcheck disable=SC2086 # a list of flags
  cc "$llvm" $HEADERS -O2 -fprofile-instr-generate "-fprofile-continuous=$mode" -c "$@" -o "$compile_output"
}

runs() {
  expect_killed "$@" kill >said 2>complaints
  expect_empty complaints
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_calls said counts.txt
}

# shellcheck disable=SC2086 # lists of flags
executable() {
  runtime "$llvm"
  compile calls.o "$PROGRAMS/calls.c"
  musl-gcc $how calls.o "$TEST_DIR/ending.o" $exe -o calls
  runs ./calls
}

# shellcheck disable=SC2086
shared_objects() {
  runtime "$llvm"
  mode=auto
  for part in a b; do
    compile part_$part.o -fPIC "-DPART=$part" "$PROGRAMS/part.c"
    musl-gcc -shared part_$part.o -Wl,-u,__llvm_profile_runtime "$rt" -o libpart_$part.so
  done
  mode=segment
  compile parts.o "$PROGRAMS/two_parts.c"
  musl-gcc parts.o "$TEST_DIR/ending.o" $exe -L. -lpart_a -lpart_b "-Wl,-rpath,$PWD" -o two_parts
  runs ./two_parts
  expect "files" 3 "$(find . -name '*.profraw' | wc -l)"
}

# shellcheck disable=SC2086
opened() {
  runtime "$llvm"
  mode=auto
  compile part_a.o -fPIC -DPART=a "$PROGRAMS/part.c"
  musl-gcc -shared part_a.o -Wl,-u,__llvm_profile_runtime "$rt" -o libopened.so
  musl-gcc -O2 "$PROGRAMS/opens.c" "$TEST_DIR/ending.o" -o opens
  expect_killed ./opens kill 19 ./libopened.so >said 2>complaints
  expect_empty complaints
  grep -v open_and_close said >counted
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls counted counts.txt
}

# shellcheck disable=SC2086
forked() {
  runtime "$llvm"
  compile forks.o "$PROGRAMS/forks.c"
  musl-gcc forks.o "$TEST_DIR/ending.o" $exe -o forks
  expect_killed ./forks kill
  for said in said-*; do
    stock_counts "$llvm" "forks-${said#said-}.profraw" >counts.txt
    expect_calls "$said" counts.txt
  done
}

# Counters for each thread. musl has threads in its one library, and thrd_create calls no other.
# shellcheck disable=SC2086
sharded() {
  runtime "$llvm"
  compile sharded.o -fprofile-update=sharded "$PROGRAMS/sharded.c"
  case $how in
    -static)
      how="$how -Wl,--wrap=pthread_create,--wrap=thrd_create"
      shards="$library/libcontprof-shards-static-v$raw.a"
      ;;
    *) shards="$library/libcontprof-shards-v$raw.a" ;;
  esac
  musl-gcc $how sharded.o "$TEST_DIR/ending.o" $shards $exe -o sharded
  expect_killed ./sharded kill plain detached exits cancelled c11 signals nested >said 2>complaints
  expect_empty complaints
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_calls said counts.txt
}

# shellcheck disable=SC2086
stock $NEWEST $HEADERS -fPIE -c "$PROGRAMS/ending.c" -o ending.o
for llvm in 14 $NEWEST; do
  for mode in segment pointer; do
    for how in -pie -static; do
      check "musl, clang $llvm $mode $how" executable
    done
    check "musl, clang $llvm $mode: fork" forked
  done
  mode=segment
  [ "$MODES" = shadow ] || for how in -pie -static; do # which exclude each other
    check "musl, clang $llvm $how: counters for each thread" sharded
  done
  check "musl, clang $llvm: shared objects" shared_objects
  check "musl, clang $llvm: opened and closed" opened
done
