# Every LLVM installed, in ascending order of version. Sets:
#   CONTPROF_LLVMS               majors, e.g. 14;16;19
#   CONTPROF_LLVM_<N>_CONFIG     its llvm-config
#   CONTPROF_LLVM_<N>_INCLUDE    directory of llvm-c/Core.h
#   CONTPROF_LLVM_<N>_PROFILE    directory of InstrProfData.inc (compiler-rt's, "profile/")
#   CONTPROF_LLVM_<N>_RAW        the raw profile version its compiler-rt writes (8, 9, 10)
#   CONTPROF_RAW_VERSIONS        distinct raw versions, e.g. 8;10
#   CONTPROF_RAW_<V>_PROFILE     directory of an InstrProfData.inc of that version
# and writes ${CMAKE_BINARY_DIR}/generated/contprof_llvms.h, a table of the same for the driver.
set(CONTPROF_LLVM_CANDIDATES 14 15 16 17 18 19 CACHE STRING "LLVM major versions to look for")
set(CONTPROF_LLVMS)
set(CONTPROF_RAW_VERSIONS)
set(llvm_table "")

foreach(major IN LISTS CONTPROF_LLVM_CANDIDATES)
  find_program(CONTPROF_LLVM_${major}_CONFIG llvm-config-${major}
               HINTS /usr/lib/llvm-${major}/bin NO_CACHE)
  if(NOT CONTPROF_LLVM_${major}_CONFIG)
    continue()
  endif()
  execute_process(COMMAND ${CONTPROF_LLVM_${major}_CONFIG} --includedir --libdir --version
                  OUTPUT_VARIABLE llvm_config COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" llvm_config "${llvm_config}")
  list(GET llvm_config 0 CONTPROF_LLVM_${major}_INCLUDE)
  list(GET llvm_config 1 llvm_libdir)
  list(GET llvm_config 2 llvm_version)
  find_path(CONTPROF_LLVM_${major}_PROFILE InstrProfData.inc NO_CACHE NO_DEFAULT_PATH
            PATHS ${llvm_libdir}/clang/${llvm_version}/include/profile
                  ${llvm_libdir}/clang/${major}/include/profile)
  if(NOT EXISTS ${CONTPROF_LLVM_${major}_INCLUDE}/llvm-c/Core.h OR NOT CONTPROF_LLVM_${major}_PROFILE)
    message(STATUS "LLVM ${llvm_version}: left out (needs llvm-${major}-dev and libclang-common-${major}-dev)")
    continue()
  endif()
  file(STRINGS ${CONTPROF_LLVM_${major}_PROFILE}/InstrProfData.inc raw_line
       REGEX "#define INSTR_PROF_RAW_VERSION [0-9]+")
  string(REGEX MATCH "[0-9]+$" raw "${raw_line}")
  if(NOT raw MATCHES "^(8|10)$")
    message(STATUS "LLVM ${llvm_version}: left out (raw profile version ${raw} is not supported)")
    continue()
  endif()
  set(CONTPROF_LLVM_${major}_RAW ${raw})
  set(CONTPROF_RAW_${raw}_PROFILE ${CONTPROF_LLVM_${major}_PROFILE})
  list(APPEND CONTPROF_LLVMS ${major})
  list(APPEND CONTPROF_RAW_VERSIONS ${raw})
  string(APPEND llvm_table "  {${major}, ${raw}},\n")
  message(STATUS "LLVM ${llvm_version}: raw profile version ${raw}")
endforeach()
list(REMOVE_DUPLICATES CONTPROF_RAW_VERSIONS)
if(NOT CONTPROF_LLVMS)
  message(FATAL_ERROR "no LLVM found; install clang-N, llvm-N-dev and libclang-common-N-dev for an N of ${CONTPROF_LLVM_CANDIDATES}")
endif()

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/contprof_llvms.h CONTENT
"// Generated: the LLVM versions this build has a plugin for, ascending, each with its raw profile version.
static const struct { unsigned major, raw_version; } contprof_llvms[] = {
@llvm_table@};
" @ONLY)
