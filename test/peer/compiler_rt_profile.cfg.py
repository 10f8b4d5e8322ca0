# lit's configuration for compiler-rt's own profile tests on an installed LLVM, in place of the one
# that compiler-rt's CMake would generate. compiler-rt-profile writes a lit.site.cfg.py that sets
# these names and loads this file:
#
#   peer_sources    where compiler-rt/ and llvm/ of that LLVM's source package are
#   peer_llvm       major version
#   peer_clang      the compiler
#   peer_option     what makes that compiler count continuously; empty for stock clang
#   peer_output     the directory for what the tests write, that of lit.site.cfg.py
#
# The compiler gets the option on each command line that asks for instrumentation, no other.
import os

tools = f"/usr/lib/llvm-{config.peer_llvm}/bin"
runtimes = f"/usr/lib/llvm-{config.peer_llvm}/lib/clang"
compiler_rt = os.path.join(config.peer_sources, "compiler-rt")
tests = os.path.join(compiler_rt, "test", "profile")


def runtime_directory():
    for directory, _, files in os.walk(runtimes):
        if "libclang_rt.profile-x86_64.a" in files:
            return directory
    lit_config.fatal("no profile runtime of stock clang under " + runtimes)


def configure_like_cmake():
    values = {
        "target_triple": "x86_64-pc-linux-gnu",
        "target_cflags": "",
        "target_arch": "x86_64",
        "host_arch": "x86_64",
        "host_os": "Linux",
        "llvm_build_mode": "Release",
        "llvm_src_root": os.path.join(config.peer_sources, "llvm"),
        "llvm_obj_root": config.peer_sources,
        "llvm_tools_dir": tools,
        "lit_tools_dir": "",
        "llvm_shlib_dir": f"/usr/lib/llvm-{config.peer_llvm}/lib",
        "compiler_rt_src_root": compiler_rt,
        "compiler_rt_obj_root": config.peer_sources,
        "compiler_rt_output_dir": os.path.dirname(os.path.dirname(runtime_directory())),
        "compiler_rt_libdir": runtime_directory(),
        "enable_per_target_runtime_dir": False,
        "gnu_ld_executable": "/usr/bin/ld.bfd",
        "gold_executable": "/usr/bin/ld.gold",
        "has_lld": True,
        "use_lld": False,
        "use_lto": False,
        "use_thinlto": False,
        "use_newpm": False,
        "clang": config.peer_clang,
        "compiler_id": "Clang",
        "python_executable": "/usr/bin/python3",
        "compiler_rt_debug": False,
        "compiler_rt_intercept_libdispatch": False,
        "emulator": "",
        "asan_shadow_scale": "",
        "memprof_shadow_scale": "",
        "apple_platform": "osx",
        "sanitizer_can_use_cxxabi": True,
        "sanitizer_uses_static_cxxabi": False,
        "sanitizer_uses_static_unwind": False,
        "can_symbolize": True,
        "have_internal_symbolizer": False,
        "android": False,
        "android_api_level": "",
        "android_serial": "",
        "android_files_to_push": [],
        "have_rpc_xdr_h": False,
        "gwp_asan": False,
        "expensive_checks": False,
        "test_standalone_build_libs": False,
        "test_suite_supports_overriding_runtime_lib_path": False,
        "has_compiler_rt_libatomic": False,
        "aarch64_sme": False,
        "darwin_linker_version": "",
        "has_no_default_config_flag": True,
        "target_suffix": "-x86_64",
        "have_zlib": "1",
        "have_curl": True,
        "libcxx_used": "0",
        "profile_lit_binary_dir": config.peer_output,
    }
    for name, value in values.items():
        setattr(config, name, value)


# Some tests spell instrumentation out on a plain %clang; the others use %clang_profgen and the like.
def count_continuously():
    counting = config.clang.rstrip() + " " + config.peer_option + " "
    for at, (pattern, value) in enumerate(config.substitutions):
        if isinstance(pattern, str) and pattern.startswith("%clang") and "gen" in pattern:
            config.substitutions[at] = (pattern, value.replace(config.clang, counting, 1))
    plain = [entry for entry in config.substitutions if entry[0] in ("%clang ", "%clangxx ")]
    for pattern, value in plain:
        asks = pattern + r"(?=[^|;&]*-fprofile-(instr-)?generate)"
        config.substitutions.insert(0, (asks, value.replace(config.clang, counting, 1)))


configure_like_cmake()
import lit.llvm

lit.llvm.initialize(lit_config, config)
config.available_features.update(["target-is-x86_64", "lld"])
lit_config.load_config(config, os.path.join(compiler_rt, "test", "lit.common.cfg.py"))
lit_config.load_config(config, os.path.join(tests, "lit.cfg.py"))
config.test_exec_root = config.peer_output
if config.peer_option:
    count_continuously()
