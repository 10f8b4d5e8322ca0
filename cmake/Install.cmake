# cmake --install build --prefix DIR. The commands look for plugins and runtimes in ../lib/contprof, seen
# from their own place, so that "lib" it is on every system; nothing in them holds the prefix.
install(PROGRAMS $<TARGET_FILE:contprof> $<TARGET_FILE:contprof-clang> DESTINATION bin)
if(TARGET contprof-mpi)
  install(PROGRAMS $<TARGET_FILE:contprof-mpi> DESTINATION bin)
endif()
# Links: contprof-clang++, and the archivers that CMake looks for beside it.
install(DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/ DESTINATION bin
        FILES_MATCHING PATTERN "contprof-clang++" PATTERN "contprof-llvm-*")
install(DIRECTORY ${CONTPROF_LIB_DIR}/ DESTINATION lib/contprof)
install(FILES README.md LICENSE DESTINATION share/doc/contprof)
install(DIRECTORY docs/ DESTINATION share/doc/contprof/docs FILES_MATCHING PATTERN "*.md")
