// The symbols by which a link tells that it lacks the runtime, or has that of another raw version.
// Instrumented objects refer to one of them (instrument-pass/link_marker.c makes the same names);
// the name is what the linker's message shows to the user.
#ifndef CONTPROF_RUNTIME_LINK_CONTRACT_H
#define CONTPROF_RUNTIME_LINK_CONTRACT_H

#define CONTPROF_JOIN2(a, b, c) a##b##c
#define CONTPROF_JOIN(a, b, c) CONTPROF_JOIN2(a, b, c)

// For objects in pointer mode: in every module's runtime.
#define CONTPROF_POINTER_SYMBOL                                                                    \
  CONTPROF_JOIN(contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_,                \
                CONTPROF_RAW_VERSION, )

// For objects in shadow mode: in every module's runtime, in a part that other modules leave out.
#define CONTPROF_SHADOW_SYMBOL                                                                     \
  CONTPROF_JOIN(contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_,                \
                CONTPROF_RAW_VERSION, _for_shadow_mode)

// For objects in segment mode: in the part for executables alone.
#define CONTPROF_SEGMENT_SYMBOL                                                                    \
  CONTPROF_JOIN(contprof_link_with_fprofile_continuous_and_a_clang_of_raw_version_,                \
                CONTPROF_RAW_VERSION, _and_compile_shared_objects_with_fPIC)

// For objects that count per thread: in the part that only -fprofile-update=sharded links.
#define CONTPROF_SHARDED_SYMBOL                                                                    \
  CONTPROF_JOIN(contprof_link_with_fprofile_update_sharded_and_a_clang_of_raw_version_,            \
                CONTPROF_RAW_VERSION, )

// Defined by the parts for shadow mode, in which no GS base leads to the file, and for sharded
// updates, which need one for each thread: a module with both does not link.
#define CONTPROF_EITHER_SYMBOL contprof_shadow_mode_and_update_sharded_exclude_each_other

#endif
