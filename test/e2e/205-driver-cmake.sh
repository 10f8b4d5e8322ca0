#!/bin/sh
# contprof-clang as CMake's compiler: CMake knows it for clang of the right version, its feature
# checks go as with clang, and what it builds keeps its counts; with and without LTO.
# shellcheck source=driver-lib.sh
. "$(dirname "$0")/driver-lib.sh"

write_project() {
  mkdir src
  cp "$PROGRAMS"/two_parts.c "$PROGRAMS"/part.c "$PROGRAMS"/ending.[ch] "$PROGRAMS"/known.h src
  printf '#include <string>\nint main(int argc, char **) { return std::string(argc, 120).size() != 1; }\n' >src/cxx.cpp
  cat >src/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(parts LANGUAGES C CXX)
include(CheckCCompilerFlag)
include(CheckFunctionExists)
include(CheckIncludeFile)
include(CheckIPOSupported)
include(CheckTypeSize)
check_c_compiler_flag(-Wshadow HAVE_WSHADOW)
check_c_compiler_flag(-fno-such-flag HAVE_NO_SUCH_FLAG)
check_function_exists(fork HAVE_FORK)
check_function_exists(no_such_function HAVE_NO_SUCH_FUNCTION)
check_include_file(unistd.h HAVE_UNISTD_H)
check_type_size(long SIZEOF_LONG)
find_package(Threads REQUIRED)
if(LTO)
  check_ipo_supported(RESULT HAVE_IPO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${HAVE_IPO})
endif()
file(GENERATE OUTPUT facts.txt CONTENT
"${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}
wshadow=${HAVE_WSHADOW} nosuchflag=${HAVE_NO_SUCH_FLAG} fork=${HAVE_FORK} nosuchfunction=${HAVE_NO_SUCH_FUNCTION}
unistd=${HAVE_UNISTD_H} long=${SIZEOF_LONG} threads=${CMAKE_THREAD_LIBS_INIT} ipo=${HAVE_IPO}
features=${CMAKE_C_COMPILE_FEATURES};${CMAKE_CXX_COMPILE_FEATURES}
")
add_library(part_a STATIC part.c)
target_compile_definitions(part_a PRIVATE PART=a)
add_library(part_b SHARED part.c)
target_compile_definitions(part_b PRIVATE PART=b)
add_executable(two two_parts.c ending.c)
target_link_libraries(two part_a part_b Threads::Threads)
add_executable(cxx cxx.cpp)
CMAKE
}

# configure DIRECTORY CC CXX FLAGS ARG...
configure() {
  directory=$1 compiler=$2 compiler_cxx=$3 all_flags=$4
  shift 4
  CONTPROF_CLANG=clang-$llvm cmake -S src -B "$directory" -G Ninja "-DCMAKE_C_COMPILER=$compiler" \
    "-DCMAKE_CXX_COMPILER=$compiler_cxx" "-DCMAKE_C_FLAGS=$all_flags" "-DCMAKE_CXX_FLAGS=$all_flags" \
    -DCMAKE_BUILD_TYPE=Release "$@" >"$directory.log" 2>&1 || {
    cat "$directory.log"
    die "cmake failed"
  }
}

# project FLAGS ARG...
project() {
  flags=$1
  shift
  write_project
  configure theirs "/usr/bin/clang-$llvm" "/usr/bin/clang++-$llvm" "" "$@"
  configure ours "$BUILD/bin/contprof-clang" "$BUILD/bin/contprof-clang++" "$flags" "$@"
  expect_same "what CMake found out" theirs/facts.txt ours/facts.txt
  expect_text ours/facts.txt "Clang $llvm.*Clang $llvm"
  CONTPROF_CLANG=clang-$llvm cmake --build ours -j2 >build.log 2>&1 || {
    cat build.log
    die "the build failed"
  }
  mkdir run
  cd run
  expect_killed ../ours/two kill >said
  stock_merged_counts "$llvm" counts.txt ./*.profraw
  expect_entries said counts.txt
  rm ./*.profraw
  ../ours/cxx
  stock_counts "$llvm" "$(the_profile .)" >counts.txt
  expect "calls of main" 1 "$(entry_count counts.txt main)"
}

for llvm in $LLVMS; do
  check "a project, clang $llvm" project "$ENTRY -fprofile-continuous"
  check "a project with LTO, clang $llvm" project \
    "$ENTRY -fprofile-continuous --ld-path=/usr/bin/ld.lld-$llvm" -DLTO=ON
done
llvm=$NEWEST
check "a project, frontend instrumentation, clang $llvm" \
  project "$ENTRY -fprofile-continuous -fprofile-instr-generate -fcoverage-mapping"
