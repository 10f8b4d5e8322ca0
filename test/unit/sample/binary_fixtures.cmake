# What test_binary looks into, in both forms of DWARF, without sanitizers.
foreach(dwarf 4 5)
  add_executable(inlining_fixture_${dwarf} inlining_fixture.c)
  target_compile_options(inlining_fixture_${dwarf} PRIVATE -O2 -g -gdwarf-${dwarf})
  list(APPEND fixtures $<TARGET_FILE:inlining_fixture_${dwarf}>)
endforeach()
list(JOIN fixtures ":" fixtures)
target_compile_definitions(test_binary PRIVATE FIXTURES="${fixtures}")
add_dependencies(test_binary inlining_fixture_4 inlining_fixture_5)
