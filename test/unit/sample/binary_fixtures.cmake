# What test_binary looks into, in both forms of DWARF, without sanitizers; and one whose debug information
# is in a package. That of DWARF 5 no tool makes here: llvm-dwp 19 does not end with GCC's, and the one
# of binutils crashes. Test 459 has clang's.
find_program(DWP NAMES llvm-dwp-19 llvm-dwp-16 llvm-dwp-14 llvm-dwp REQUIRED)
foreach(dwarf 4 5)
  add_executable(inlining_fixture_${dwarf} inlining_fixture.c)
  target_compile_options(inlining_fixture_${dwarf} PRIVATE -O2 -g -gdwarf-${dwarf})
  list(APPEND fixtures $<TARGET_FILE:inlining_fixture_${dwarf}>)
endforeach()
list(JOIN fixtures ":" fixtures)
add_executable(split_fixture inlining_fixture.c)
target_compile_options(split_fixture PRIVATE -O2 -g -gdwarf-4 -gsplit-dwarf)
add_custom_command(
  TARGET split_fixture
  POST_BUILD
  COMMAND ${DWP} -e $<TARGET_FILE:split_fixture> -o $<TARGET_FILE:split_fixture>.dwp)
target_compile_definitions(
  test_binary PRIVATE FIXTURES="${fixtures}" SPLIT_FIXTURE="$<TARGET_FILE:split_fixture>")
add_dependencies(test_binary inlining_fixture_4 inlining_fixture_5 split_fixture)
