#!/bin/sh
# dlopen: a module opened and closed twenty times has counted twenty times, in one file, and leaves
# no mappings behind; host compiled by stock clang or by us.
. "$(dirname "$0")/lib.sh"

build_object() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous -fPIC -shared -DPART=a \
    "$PROGRAMS/part.c" -o libopened.so
}

build_host() {
  case $host in
    stock) stock "$llvm" "$PROGRAMS/opens.c" "$TEST_DIR/ending.o" -ldl -o opens ;;
    *)
      # shellcheck disable=SC2046
      cc "$llvm" -O2 $(instrumentation "$kind") "-fprofile-continuous=$host" "$PROGRAMS/opens.c" \
        "$TEST_DIR/ending.o" -ldl -o opens
      ;;
  esac
}

expect_opened() {
  stock_counts "$llvm" "$1" >counts.txt
  for function in part_a part_a_leaf; do
    expect "count of $function" "$(awk -v f=$function '$2 == f { print $3 }' said)" \
      "$(function_count counts.txt $function)"
  done
}

opened_twenty_times() {
  build_object
  build_host
  start ./opens wait 19 "$PWD/libopened.so" >said 2>complaints
  wait_for 20 grep -q ready said
  mappings=1
  ! in_shadow_mode || mappings=2 # whole, and the counters in their place
  expect "mappings of the live file" $mappings "$(grep -c 'libopened.so.profraw' "/proc/$PID/maps")"
  open_files=$(find "/proc/$PID/fd" -lname '*libopened.so*.profraw' | wc -l)
  [ "$open_files" -le 1 ] || die "$open_files descriptors of the live file"
  kill_hard "$PID"
  expect_empty complaints
  expect "files of the object" 1 "$(find . -name '*libopened*.profraw' | wc -l)"
  expect_opened "opens-$PID-libopened.so.profraw"
  [ "$host" = stock ] || {
    stock_counts "$llvm" "opens-$PID.profraw" >counts.txt
    expect "open_and_close" 19 "$(function_count counts.txt open_and_close)"
  }
}

closed_before_the_end() {
  build_object
  build_host
  expect_killed ./opens kill 5 "$PWD/libopened.so" >said
  expect_opened "$(find . -name 'opens-*-libopened.so.profraw')"
}

# The file is its parent's, living, which a second process under the same name must see.
unloaded_in_a_clone() {
  cc "$llvm" -O1 -fprofile-instr-generate -fprofile-continuous -fPIC -shared -DPART=a \
    "$PROGRAMS/part.c" -o libopened.so
  stock "$llvm" -O1 "$PROGRAMS/clone_unloads.c" -ldl -o clone_unloads
  # shellcheck disable=SC2086 # the words of an emulator
  LLVM_PROFILE_FILE=x.profraw $RUN ./clone_unloads ./libopened.so \
    "$RUN ./clone_unloads ./libopened.so"
  for raw in x*.profraw; do
    stock_counts "$llvm" "$raw" >counts.txt
    expect "calls in $raw" 7 "$(function_count counts.txt part_a_leaf)"
  done
  expect "files" 2 "$(ls x*.profraw | wc -l)"
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    for host in stock $MODES; do
      mode=$host
      check "clang $llvm $kind: twenty times dlopen, host $host" opened_twenty_times
      check "clang $llvm $kind: dlclose, then killed, host $host" closed_before_the_end
    done
  done
done
for llvm in $LLVMS; do
  check "clang $llvm: unloaded in a child of a raw clone" unloaded_in_a_clone
done
