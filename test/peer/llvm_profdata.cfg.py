# lit's configuration for LLVM's own tests of llvm-profdata on an installed LLVM, in place of the one
# that LLVM's CMake would generate. test/peer/llvm-profdata writes a lit.site.cfg.py that sets these
# names and loads this file:
#
#   peer_tests      the directory of the tests
#   peer_llvm       major version
#   peer_tools      a directory with the llvm-profdata to be tested; empty for the stock one
#   peer_output     the directory for what the tests write, that of lit.site.cfg.py
#   peer_contprof   the program that the llvm-profdata in peer_tools runs
import errno
import os

import lit.formats

stock = f"/usr/lib/llvm-{config.peer_llvm}/bin"
config.name = "llvm-profdata"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".test", ".proftext"]
config.excludes = ["Inputs"]
config.test_source_root = config.peer_tests
config.test_exec_root = config.peer_output
config.available_features.update(["zlib", "shell", "system-linux", "x86_64-linux"])
config.environment.update(
    PATH=os.pathsep.join(filter(None, [config.peer_tools, stock, "/usr/bin", "/bin"])),
    LC_ALL="C",
    CONTPROF=config.peer_contprof,
    PEER_LLVM=config.peer_llvm,
)
# As lit.llvm's, without the build that it looks at.
for name, number in [("ENOENT", errno.ENOENT), ("EISDIR", errno.EISDIR), ("EINVAL", errno.EINVAL),
                     ("EACCES", errno.EACCES)]:
    config.substitutions.append((f"%errc_{name}", f"'{os.strerror(number)}'"))
