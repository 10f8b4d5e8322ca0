#!/bin/sh
# Shadow mode where it differs from the others: threads that were there before the first module; code
# that runs before its module's start; what can't use the GS base, which says so and counts all the
# same; objects of several modes in one link.
. "$(dirname "$0")/lib.sh"

# build_part FLAG...: libpart_a.so
build_part() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous=shadow -fPIC -shared -DPART=a \
    "$PROGRAMS/part.c" "$@" -o libpart_a.so
}

# merged_calls: what all modules have counted is what the program said.
merged_calls() {
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_calls said counts.txt
}

expect_line() {
  expect "lines of complaint" "$1" "$(wc -l <complaints)"
  expect_text complaints "^contprof: $2"
}

older_threads() {
  build_part "$@"
  expect_killed "$TEST_DIR/older_threads" kill ./libpart_a.so >said 2>complaints
  expect_empty complaints
  merged_calls
}

occupied() {
  build_part
  expect_killed "$TEST_DIR/older_threads" kill ./libpart_a.so occupied >said 2>complaints
  expect_line 1 "can't use shadow mode in \"libpart_a.so\": the memory 16 TiB below its counters is in use"
  merged_calls
}

# executable MODE FLAG...: two_parts, part a a shared object in shadow mode, part b its own.
executable() {
  build_part
  executable_mode=$1
  shift
  # shellcheck disable=SC2046
  cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$executable_mode" "$@" -DPART=b -c \
    "$PROGRAMS/part.c" -o part_b.o
  # shellcheck disable=SC2046
  cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$executable_mode" "$@" \
    "$PROGRAMS/two_parts.c" part_b.o "$TEST_DIR/ending.o" -L. -lpart_a "-Wl,-rpath,$PWD" -o two
}

# All modules do without the GS base then.
too_low() {
  executable shadow -fno-pie -no-pie
  expect_killed ./two kill >said 2>complaints
  expect_line 2 "can't use shadow mode in \"two\": it stands too low in memory"
  expect_line 2 "can't use shadow mode in \"libpart_a.so\": another module"
  merged_calls
}

without_instructions() {
  executable shadow
  LD_PRELOAD=$TEST_DIR/libwithout.so expect_killed "$TEST_DIR/refuse_gs" ./two kill >said 2>complaints
  expect_line 2 "can't use shadow mode in \"two\": the processor or the kernel has no FSGSBASE"
  merged_calls
}

# Two modules want the GS base for themselves: the object's counts are live, the executable's come to
# the file at exit.
beside_plain_segment() {
  executable segment
  ./two exit >said 2>complaints
  expect_line 1 "can't use shadow mode in \"libpart_a.so\": the GS segment base was in use, and is set to 0"
  merged_calls
  rm ./*.profraw
  expect_killed ./two kill >said 2>complaints
  stock_counts "$llvm" "$(find . -name 'two-*-libpart_a.so.profraw')" >counts.txt
  sed -i '/ main /d; / part_b/d' said
  expect_calls said counts.txt
}

beside_pointer() {
  executable pointer
  expect_killed ./two kill >said 2>complaints
  expect_empty complaints
  merged_calls
}

several_modes() {
  for each in "a segment" "b shadow"; do
    # shellcheck disable=SC2086 # two words
    set -- $each
    # shellcheck disable=SC2046
    cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$2" "-DPART=$1" -c \
      "$PROGRAMS/part.c" -o "$1.o"
  done
  for mode in pointer auto; do
    # shellcheck disable=SC2046
    cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous=$mode "$PROGRAMS/two_parts.c" \
      a.o b.o "$TEST_DIR/ending.o" -o two
    expect_killed ./two kill >said 2>complaints
    expect_empty complaints
    merged_calls
    rm ./*.profraw
  done
}

# Its object does not link into a shared object, whatever else is there.
segment_in_a_shared_object() {
  cc "$llvm" -O2 -fPIC -fprofile-continuous=segment -DPART=b -c "$PROGRAMS/part.c" -o b.o
  expect_status 1 build_part b.o 2>complaint
  expect_text complaint "_and_compile_shared_objects_with_fPIC"
}

beside_sharded() {
  cc "$llvm" -O2 -fprofile-continuous -fprofile-update=sharded -DPART=b -c "$PROGRAMS/part.c" -o b.o
  cc "$llvm" -O2 -fprofile-continuous=shadow -DPART=a -c "$PROGRAMS/part.c" -o a.o
  expect_status 1 cc "$llvm" -fprofile-continuous -fprofile-update=sharded "$PROGRAMS/two_parts.c" \
    a.o b.o "$TEST_DIR/ending.o" -o two 2>complaint
  expect_text complaint "shadow_mode_and_update_sharded_exclude_each_other"
}

# form NAME FLAG...: of before_start.c
form() {
  form_name=$1
  shift
  # shellcheck disable=SC2046
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous=shadow -fPIC "$@" \
    "$PROGRAMS/before_start.c" -o "$form_name"
}

before_the_start() {
  form libfirst.so -shared -DFIRST
  form libsecond.so -shared -DSECOND -L. -lfirst "-Wl,-rpath,$PWD"
  # shellcheck disable=SC2046
  form program "$TEST_DIR/ending.o" -L. -lsecond -lfirst "-Wl,-rpath,$PWD"
  expect_killed ./program kill >said 2>complaints
  expect_empty complaints
  merged_calls
}

# Opened by a thread that has the constant.
in_a_resolver() {
  form libpart_a.so -shared -DRESOLVES
  # shellcheck disable=SC2046
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous=shadow "$PROGRAMS/opens.c" \
    "$TEST_DIR/ending.o" -ldl -o opens
  expect_killed ./opens kill 5 "$PWD/libpart_a.so" >said 2>complaints
  expect_empty complaints
  sed -i '/^calls part_a /d' said # which is but another name of what the resolver chose
  merged_calls
}

stock $NEWEST -fPIC -c "$PROGRAMS/ending.c" -o ending.o
stock $NEWEST "$PROGRAMS/older_threads.c" ending.o -pthread -ldl -o older_threads
stock $NEWEST "$PROGRAMS/refuse_gs.c" -o refuse_gs
stock $NEWEST -fPIC -shared -DLIBRARY "$PROGRAMS/refuse_gs.c" -ldl -o libwithout.so
for llvm in $LLVMS; do
  linkers="gold lld-$llvm"
  [ $llvm != $NEWEST ] || linkers="bfd gold lld-$llvm mold"
  for kind in frontend ir; do
    [ $kind != ir ] || linkers=bfd
    for linker in $linkers; do
      check "clang $llvm $kind: threads from before, $linker" older_threads "-fuse-ld=$linker" \
        -Wl,--gc-sections
    done
    check "clang $llvm $kind: threads from before, by LTO" older_threads "-fuse-ld=lld-$llvm" -flto
    check "clang $llvm $kind: another module before its start" before_the_start
    check "clang $llvm $kind: several modes in one executable" several_modes
  done
  kind=frontend
  check "clang $llvm: memory in use where the window would be" occupied
  check "clang $llvm: an executable that is too low" too_low
  check "clang $llvm: no FSGSBASE" without_instructions
  check "clang $llvm: an executable in segment mode" beside_plain_segment
  check "clang $llvm: an executable in pointer mode" beside_pointer
  check "clang $llvm: an object in segment mode in a shared object" segment_in_a_shared_object
  check "clang $llvm: an object with sharded updates" beside_sharded
  check "clang $llvm: an instrumented resolver" in_a_resolver
done
