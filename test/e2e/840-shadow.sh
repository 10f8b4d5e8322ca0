#!/bin/sh
# Shadow mode where it differs from the others: the code; threads that were there before the first
# module; code that runs before its module's start; links that give the counters no pages; objects of
# several modes in one process and one link.
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

older_threads() {
  build_part "$@"
  expect_killed "$TEST_DIR/older_threads" kill ./libpart_a.so >said 2>complaints
  expect_empty complaints
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

# beside MODE FLAG...: an executable so
beside() {
  executable "$@"
  expect_killed ./two kill >said 2>complaints
  expect_empty complaints
  merged_calls
}

# A linker script that packs the counters between other data.
without_pages() {
  cat >script <<'END'
SECTIONS {
  __llvm_prf_cnts : SUBALIGN(8) { QUAD(1) *(__llvm_prf_cnts) *(__llvm_prf_cnts_end) }
  __llvm_prf_cnts_end : { *(nothing) }
} INSERT AFTER .data;
END
  build_part -fuse-ld=bfd -Wl,-T,script
  expect_status 0 "$TEST_DIR/older_threads" exit ./libpart_a.so >said 2>complaints
  expect "lines of complaint" 1 "$(wc -l <complaints)"
  expect_text complaints "^contprof: can't count into the live file of \"libpart_a.so\": the link has \
not given its counters pages of their own; counting in memory"
  merged_calls
}

# Each update is one instruction with the counter's own address, optimised or not.
one_instruction() {
  for level in -O0 -O2; do
    # shellcheck disable=SC2046
    cc "$llvm" $level $(instrumentation "$kind") -fprofile-continuous=shadow -fPIC -DPART=a -c \
      "$PROGRAMS/part.c" -o part.o
    objdump -drw part.o >code
    expect_no_text code "%gs|__llvm_profile_counter_bias"
    grep -B1 -E 'R_X86_64_PC32[[:space:]]+(\.L)?__(profc_|llvm_prf_cnts)' code | grep '^ .*[(]%rip[)]' >accesses
    expect_text accesses "(inc|add)q "
    sed -i -E '/(inc|add)q /d' accesses
    expect_empty accesses
  done
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

# The loader calls it before the module has started.
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
  check "clang $llvm: one instruction" one_instruction
  check "clang $llvm: an executable in segment mode" beside segment
  check "clang $llvm: an executable in pointer mode" beside pointer
  check "clang $llvm: an executable that is not position-independent" beside shadow -fno-pie -no-pie
  check "clang $llvm: a link that gives the counters no pages" without_pages
  check "clang $llvm: an object in segment mode in a shared object" segment_in_a_shared_object
  check "clang $llvm: an object with sharded updates" beside_sharded
  check "clang $llvm: an instrumented resolver" in_a_resolver
done
