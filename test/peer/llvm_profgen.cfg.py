# lit's configuration for LLVM's own tests of llvm-profgen on an installed LLVM, in place of the one
# that LLVM's CMake would generate. test/peer/llvm-profgen writes a lit.site.cfg.py that sets these
# names and loads this file:
#
#   peer_tests      the directory of the tests
#   peer_llvm       major version
#   peer_tools      a directory with the llvm-profgen to be tested; empty for the stock one
#   peer_output     the directory for what the tests write, that of lit.site.cfg.py
#   peer_contprof   the program that the llvm-profgen in peer_tools runs
import os

import lit.formats

stock = f"/usr/lib/llvm-{config.peer_llvm}/bin"
config.name = "llvm-profgen"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.peer_tests
config.test_exec_root = config.peer_output
config.available_features.update(["shell", "system-linux", "x86_64-linux", "x86-registered-target"])
config.targets = frozenset(["X86"])  # what the tests' own lit.local.cfg asks for
config.environment.update(
    PATH=os.pathsep.join(filter(None, [config.peer_tools, stock, "/usr/bin", "/bin"])),
    LC_ALL="C",
    CONTPROF=config.peer_contprof,
)
