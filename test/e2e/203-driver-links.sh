#!/bin/sh
# Links of every kind, with every linker there is: the runtime is in it, in the right place on the
# line, and the program's counts outlive SIGKILL.
# shellcheck source=driver-lib.sh
. "$(dirname "$0")/driver-lib.sh"

MESSAGE='contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_[0-9]+_and_compile_shared_objects_with_fPIC'

# runs_and_counts PROGRAM: killed, and its profile says what it did.
runs_and_counts() {
  rm -f ./*.profraw
  expect_killed "$1" kill >said
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_entries said counts.txt
}

# The compilers, counting entries.
ours() {
  # shellcheck disable=SC2086 # a list of flags
  cc "$llvm" $ENTRY "$@"
}

linker_of() {
  case $1 in
    lld) echo "--ld-path=/usr/bin/ld.lld-$llvm" ;;
    *) echo "-fuse-ld=$1" ;;
  esac
}

# links_and_runs FLAG...: in one command, warnings being errors.
links_and_runs() {
  ours -Werror -fprofile-continuous -O1 "$(linker_of "$linker")" "$@" "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o calls
  runs_and_counts ./calls
}

executables() {
  links_and_runs
  links_and_runs -no-pie
  links_and_runs -static
  links_and_runs -Wl,--gc-sections -ffunction-sections -fdata-sections -Wl,--as-needed -lm
  links_and_runs -Wl,-z,now,-z,relro -Wl,--build-id=none -s
  # clang passes --no-dynamic-linker, which gold does not know
  [ "$linker" = gold ] || links_and_runs -static-pie
}

# The archive's objects ask for the runtime that comes after them.
archives() {
  for part in a b; do
    ours -fprofile-continuous -DPART=$part -c "$PROGRAMS/part.c" -o part_$part.o
  done
  rm -f libparts.a
  "llvm-ar-$llvm" rcs libparts.a part_a.o part_b.o
  stock "$llvm" -c "$PROGRAMS/ending.c" -o ending.o
  stock "$llvm" -c "$PROGRAMS/two_parts.c" -o two_parts.o
  ours -fprofile-continuous "$(linker_of "$linker")" two_parts.o ending.o -L. -lparts -o two
  rm -f ./*.profraw
  expect_killed ./two kill >said
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  grep -v '^calls main ' said >instrumented # main itself is stock
  expect_entries instrumented counts.txt
}

# shared_objects FLAG: compiled and linked by one command each.
shared_objects() {
  for part in a b; do
    ours -Werror -fprofile-continuous "$(linker_of "$linker")" -DPART=$part "$1" -shared \
      "$PROGRAMS/part.c" -o libpart_$part.so
  done
  ours -Werror -fprofile-continuous "$(linker_of "$linker")" "$PROGRAMS/two_parts.c" \
    "$PROGRAMS/ending.c" -L. -lpart_a -lpart_b "-Wl,-rpath,$PWD" -o two
  runs_and_counts ./two
}

# -r leaves the runtime to the last link, which would have it twice otherwise.
relocatable() {
  for part in a b; do
    ours -fprofile-continuous -DPART=$part -c "$PROGRAMS/part.c" -o $part.o
    ours -fprofile-continuous "$(linker_of "$linker")" -nostdlib -r $part.o -o part_$part.o
  done
  ours -fprofile-continuous "$(linker_of "$linker")" "$PROGRAMS/two_parts.c" \
    "$PROGRAMS/ending.c" part_a.o part_b.o -o two
  runs_and_counts ./two
}

segment_in_shared_object() {
  ours -fprofile-continuous=segment -fPIC -DPART=a -c "$PROGRAMS/part.c" -o part.o
  status=0
  ours -fprofile-continuous "$(linker_of "$linker")" -shared part.o -o libpart.so \
    2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint "$MESSAGE"
  [ ! -e libpart.so ] || die "a shared object was written"
}

# An object that is for executables is named when it gets into a shared object unmarked, too.
auto_in_shared_object() {
  ours -fprofile-continuous -fPIE -DPART=a -c "$PROGRAMS/part.c" -o part.o
  status=0
  ours -fprofile-continuous "$(linker_of "$linker")" -shared part.o -o libpart.so \
    2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint "$MESSAGE"
}

# Inputs that clang's option parser could take for something else once ours are added.
odd_command_lines() {
  cp "$PROGRAMS/calls.c" ./-calls
  cp "$PROGRAMS/ending.c" "$PROGRAMS"/*.h .
  ours -fprofile-continuous -I. -o calls -x c ending.c -- -calls
  runs_and_counts ./calls
  ours -fprofile-continuous -I. -c -o calls.o -x c - <./-calls
  ours -fprofile-continuous -xc ending.c -xnone calls.o -o calls
  runs_and_counts ./calls
  echo "-fprofile-continuous \"-I.\" @more.rsp" >all.rsp
  echo "ending.c -o calls -xc ./-calls" >more.rsp
  ours @all.rsp
  runs_and_counts ./calls
}

# Longer than a command line may be, once expanded; the last a word too long for one.
long_response_file() {
  { echo "-fprofile-continuous"; yes -- "-DLONG_NAME_THAT_NOBODY_USES=1" | head -n 150000; printf "%s" "-DLONG="; head -c 300000 /dev/zero | tr "\\0" x; } >long.rsp
  ours @long.rsp "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o calls
  runs_and_counts ./calls
}

assembler_sources() {
  stock "$llvm" -S "$PROGRAMS/ending.c" -o ending.s
  cp ending.s upper.S
  ours -Werror -fprofile-continuous -c ending.s -o ending.o
  ours -Werror -fprofile-continuous -c upper.S -o upper.o
  ours -Werror -fprofile-continuous "$PROGRAMS/calls.c" ending.s -o calls
  runs_and_counts ./calls
}

precompiled_header() {
  cp "$PROGRAMS/known.h" .
  ours -Werror -fprofile-continuous known.h -o known.pch
  ours -Werror -fprofile-continuous -include-pch known.pch "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o calls
  runs_and_counts ./calls
}

cplusplus() {
  stock "$llvm" -c "$PROGRAMS/ending.c" -o ending.o
  # shellcheck disable=SC2086 # a list of flags
  cxx "$llvm" $ENTRY -Werror -Wno-deprecated -fprofile-continuous -x c++ "$PROGRAMS/calls.c" -x none ending.o -o calls
  rm -f ./*.profraw
  expect_killed ./calls kill >said
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect "calls of leaf" 34 "$(entry_count counts.txt _Z4leafj)"
}

# Context-sensitive instrumentation under LTO is done by lld, with the plugin loaded there.
instrumented_in_the_linker() {
  stock "$llvm" -O2 -fprofile-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o first
  run_stock first.profraw ./first exit
  profdata "$llvm" merge -o first.profdata first.profraw
  stock "$llvm" -c "$PROGRAMS/ending.c" -o ending.o
  for compile in stock cc; do
    continuous=
    [ $compile = stock ] || continuous=-fprofile-continuous
    $compile "$llvm" -O2 "-flto=$kind" -fprofile-use=first.profdata -fcs-profile-generate \
      $continuous "$(linker_of lld)" "$PROGRAMS/calls.c" ending.o -o $compile.out
  done
  run_stock stock.profraw ./stock.out exit
  profdata "$llvm" show --all-functions --counts --showcs stock.profraw >wanted.txt
  mkdir run
  (cd run && expect_killed ../cc.out kill) >said
  profdata "$llvm" show --all-functions --counts --showcs "$(the_profile run)" >got.txt
  expect_same "counts" wanted.txt got.txt
  expect_text got.txt 'Block counts'
}

# The whole of what is run is shown, and the line is the same each time.
shown() {
  cc "$llvm" -fprofile-continuous -### "$PROGRAMS/calls.c" -o calls 2>shown.txt
  expect_text shown.txt "\"-fpass-plugin=$BUILD/lib/contprof/contprof-pass-$llvm.so\""
  expect_text shown.txt '"-fprofile-instrument=llvm"'
  expect_text shown.txt '"-do-counter-promotion=false"'
  expect_text shown.txt "\"$BUILD/lib/contprof/libcontprof-exe-v[0-9]*.a\" \"$BUILD/lib/contprof/libcontprof-rt-v[0-9]*.a\""
  expect_no_text shown.txt 'libclang_rt.profile'
  [ ! -e calls ] || die "something was built"
  cc "$llvm" -fprofile-continuous -### "$PROGRAMS/calls.c" -o calls 2>again.txt
  sed 's/[a-z]*-[0-9a-f]*\.o//g' shown.txt >shown.plain
  sed 's/[a-z]*-[0-9a-f]*\.o//g' again.txt >again.plain
  expect_same "the command line" shown.plain again.plain
}

for llvm in $LLVMS; do
  for linker in bfd gold lld mold; do
    check "executables, clang $llvm, $linker" executables
    check "archives, clang $llvm, $linker" archives
    check "shared objects, clang $llvm, $linker" shared_objects -fPIC
    check "shared objects without -fPIC, clang $llvm, $linker" shared_objects -fPIE
    check "relocatable objects, clang $llvm, $linker" relocatable
    check "=segment in a shared object, clang $llvm, $linker" segment_in_shared_object
    check "an executable's object in a shared object, clang $llvm, $linker" auto_in_shared_object
  done
  check "odd command lines, clang $llvm" odd_command_lines
  check "a long response file, clang $llvm" long_response_file
  check "assembler sources, clang $llvm" assembler_sources
  check "a precompiled header, clang $llvm" precompiled_header
  for kind in thin full; do
    [ "$llvm" -lt 15 ] || # lld 14 loads no plugins; 202 has the message
      check "-fcs-profile-generate -flto=$kind, clang $llvm" instrumented_in_the_linker
  done
  check "C++, clang $llvm" cplusplus
  check "-### shows it all, clang $llvm" shown
done
