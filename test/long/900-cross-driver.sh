#!/bin/sh
# The ways to tell the driver that AArch64 is compiled for; what its runtime asks of a link; and CMake
# with it.
# shellcheck source=../e2e/lib.sh
. "${CONTPROF_E2E:?}/lib.sh"

# counts_with CLANG FLAG...: the program, compiled as told, counts on AArch64.
counts_with() {
  clang=$1
  shift
  CONTPROF_CLANG=$clang "$BUILD/bin/contprof-clang" "$@" -O2 -fprofile-instr-generate \
    -fprofile-continuous "$PROGRAMS/calls.c" "$TEST_DIR/ending.o" -o calls
  readelf -h calls >header.txt
  expect_text header.txt 'Machine: *AArch64'
  expect_killed ./calls kill >said 2>complaints
  expect_empty complaints
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
  expect_blocks said counts.txt
}

by_the_name_of_clang() {
  ln -s "$(command -v "clang-$llvm")" "$TARGET-clang-$llvm"
  counts_with "$PWD/$TARGET-clang-$llvm"
}

by_a_configuration_file() {
  echo "--target=$TARGET" >arm.cfg
  counts_with "clang-$llvm" --config "$PWD/arm.cfg"
}

# An object alone is compiled, too, in every mode but one.
segment_mode() {
  cc "$llvm" -fprofile-continuous -c "$PROGRAMS/calls.c" -o calls.o
  expect_status 1 cc "$llvm" -fprofile-continuous=segment -c "$PROGRAMS/calls.c" 2>complaint
  expect_text complaint 'segment is for x86-64 only, not for aarch64-linux-gnu; use =pointer'
}

# Objects of this machine and of the target don't link with each other.
mixed_machines() {
  CONTPROF_CLANG=clang-$llvm "$BUILD/bin/contprof-clang" -fprofile-continuous -c \
    "$PROGRAMS/calls.c" -o calls.o
  expect_status 1 cc "$llvm" -fprofile-continuous calls.o "$TEST_DIR/ending.o" -o calls 2>complaint
  expect_text complaint 'wrong format|incompatible'
}

cmake_project() {
  mkdir project
  cp "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" "$PROGRAMS"/*.h project/
  cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(calls C)
set_source_files_properties(calls.c PROPERTIES COMPILE_OPTIONS
                            "-fprofile-instr-generate;-fprofile-continuous")
add_executable(calls calls.c ending.c)
target_link_options(calls PRIVATE -fprofile-instr-generate -fprofile-continuous)
END
  export CONTPROF_CLANG="clang-$llvm"
  cmake -S project -B made -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER="$BUILD/bin/contprof-clang" -DCMAKE_C_COMPILER_TARGET="$TARGET"
  cmake --build made
  expect_killed made/calls kill >said
  stock_counts "$llvm" "$(the_profile)" >counts.txt
  expect_calls said counts.txt
}

# The runtime calls no helper of libgcc, which a link may lack, and takes branch protection (BTI, PAC)
# from no program.
fits_every_link() {
  for archive in "$BUILD/lib/contprof/$TARGET"/*.a; do
    "$TARGET-nm" -u "$archive" >undefined.txt
    expect_no_text undefined.txt '__aarch64_|__gcc|__mulod'
    members=$("$TARGET-ar" t "$archive" | wc -l)
    "$TARGET-readelf" -n "$archive" >notes.txt
    expect "protected members of $archive" "$members" "$(grep -c 'AArch64 feature: BTI, PAC' notes.txt)"
  done
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  check "clang $llvm: -target" counts_with "clang-$llvm" -target "$TARGET"
  check "clang $llvm: another spelling" counts_with "clang-$llvm" --target=arm64-pc-linux-gnu \
    "-fuse-ld=lld-$llvm"
  check "clang $llvm: the name of clang" by_the_name_of_clang
  check "clang $llvm: a configuration file" by_a_configuration_file
  check "clang $llvm: segment mode" segment_mode
  check "clang $llvm: objects of two machines" mixed_machines
  check "clang $llvm: CMake" cmake_project
done
check "the runtime fits every link" fits_every_link
