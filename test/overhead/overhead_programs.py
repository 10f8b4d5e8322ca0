"""The programs that `./run bench overhead` builds and runs: their sources, how they are compiled, and
what they do when they are measured. A program does the same each time it runs, in every build."""

import glob
import hashlib
import os
import subprocess
from dataclasses import dataclass, replace

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PLACE = os.environ.get("BENCH_PLACE", os.path.join(ROOT, "build", "bench", "overhead"))
SOURCES = os.path.join(PLACE, "sources")
INPUTS = os.path.join(PLACE, "inputs")


@dataclass(frozen=True)
class Run:
    """One execution. Standard input is a path, or "output N": what this program's run N has written."""

    arguments: tuple = ()
    stdin: str = os.devnull


@dataclass(frozen=True)
class Program:
    name: str
    title: str
    package: str  # Debian's source package; "" for one of our own
    sources: tuple  # patterns, in the package or in this directory
    flags: tuple  # of the compiler
    libraries: tuple
    steady_runs: tuple  # of callgrind, which takes 30 to 50 times the time
    timed_runs: tuple  # of the clock: some tenths of a second
    brief_runs: tuple = ()  # to see that all works; kernels have them

    @property
    def kernel(self):
        return self.name in KERNELS

    @property
    def directory(self):
        return os.path.join(SOURCES, self.package) if self.package else HERE

    def source_files(self):
        """Relative to the directory, in a fixed order."""
        files = []
        for pattern in self.sources:
            found = sorted(glob.glob(os.path.join(self.directory, pattern)))
            if not found:
                raise SystemExit(f"overhead: no {pattern} in {self.directory}")
            files += [os.path.relpath(each, self.directory) for each in found]
        return files

    @property
    def is_cpp(self):
        return self.sources[0].endswith(".cpp")


def text_input(size):
    return os.path.join(INPUTS, f"text-{size}")


def squeeze_and_restore(size, squeeze, restore):
    return (Run(squeeze, text_input(size)), Run(restore, "output 0"))


def lua(script_size):
    return (Run((os.path.join(ROOT, "test", "programs", "work.lua"), str(script_size))),)


def speedtest(size):
    return (Run(("--memdb", "--verify", "--size", str(size)),),)


def own(name, title, source, steady, timed, brief, flags=()):
    return Program(name, title, "", (source,), tuple(flags), (),
                   *[(Run((str(work),)),) for work in (steady, timed, brief)])


# Where Lua goes by addresses and time, to seed its hashes and in its cache of strings, it is made to
# do the same each time: see test/e2e/500-lua.sh. zstd is built without what is not used here, and
# without its assembly, which could not count.
PROGRAMS = (
    Program("lua", "Lua 5.4, a script", "lua5.4",
            ("src/l[!u]*.c", "src/lua.c", "src/lu[!a]*.c"),
            ("-DLUA_COMPAT_5_3", "-DLUA_USE_LINUX", "-Dluai_makeseed(L)=0", "-DSTRCACHE_N=1",
             "-DSTRCACHE_M=1"),
            ("-lm", "-ldl"), lua(1), lua(18)),
    Program("bzip2", "bzip2 -9 and back", "bzip2",
            ("blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c", "decompress.c",
             "bzlib.c", "bzip2.c"),
            ("-D_FILE_OFFSET_BITS=64",), (),
            squeeze_and_restore(200000, ("-9", "-c"), ("-d", "-c")),
            squeeze_and_restore(1500000, ("-9", "-c"), ("-d", "-c"))),
    Program("zlib", "zlib's minigzip -6 and back", "zlib",
            ("adler32.c", "crc32.c", "deflate.c", "infback.c", "inffast.c", "inflate.c", "inftrees.c",
             "trees.c", "zutil.c", "compress.c", "uncompr.c", "gz*.c", "test/minigzip.c"),
            ("-I.", "-DHAVE_UNISTD_H"), (),
            squeeze_and_restore(1000000, ("-6",), ("-d",)),
            squeeze_and_restore(6000000, ("-6",), ("-d",))),
    Program("zstd", "zstd -12 and back", "libzstd",
            ("lib/common/*.c", "lib/compress/*.c", "lib/decompress/*.c", "programs/zstdcli.c",
             "programs/util.c", "programs/timefn.c", "programs/fileio.c",
             "programs/fileio_asyncio.c"),
            ("-Ilib", "-Ilib/common", "-DZSTD_DISABLE_ASM=1", "-DZSTD_NOBENCH", "-DZSTD_NODICT",
             "-DZSTD_NOTRACE", "-DZSTD_LEGACY_SUPPORT=0"), (),
            squeeze_and_restore(300000, ("-q", "-12", "-c"), ("-q", "-d", "-c")),
            squeeze_and_restore(6000000, ("-q", "-12", "-c"), ("-q", "-d", "-c"))),
    Program("sqlite", "SQLite's speedtest1", "sqlite3", ("sqlite3.c", "test/speedtest1.c"),
            ("-I.", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"), ("-lm",),
            speedtest(2), speedtest(12)),
    own("formulas", "C++: templates, virtual calls, exceptions", "formulas.cpp", 700, 6000, 10,
        ("-std=c++17",)),
    own("countable", "kernel: tight countable loops", "countable.c", 6000, 100000, 50),
    own("until-stopped", "kernel: while (!stop)", "until_stopped.c", 6000000, 60000000, 50000),
    own("recursive", "kernel: recursive calls", "recursive.c", 27, 34, 20),
)
KERNELS = ("countable", "until-stopped", "recursive")


def briefly(program):
    """The same with next to no work."""
    return replace(program, steady_runs=program.brief_runs, timed_runs=program.brief_runs)


def fetch_sources(programs):
    os.makedirs(SOURCES, exist_ok=True)
    packages = {each.package for each in programs if each.package}
    if any("text-" in run.stdin for each in programs for run in each.steady_runs):
        packages.add("lua5.4")
    for package in sorted(packages):
        directory = os.path.join(SOURCES, package)
        if not os.path.exists(directory):
            subprocess.run([os.path.join(HERE, "fetch-source"), package, directory], check=True)


def make_inputs(programs):
    """The text to compress: Lua's sources and manual, as often as needed."""
    os.makedirs(INPUTS, exist_ok=True)
    wanted = {run.stdin for each in programs for run in each.steady_runs + each.timed_runs
              if run.stdin.startswith(INPUTS)}
    for path in sorted(wanted):
        if not os.path.exists(path):
            write_text(path, int(path.rpartition("-")[2]))


def write_text(path, size):
    text = b""
    directory = os.path.join(SOURCES, "lua5.4")
    for each in sorted(glob.glob(directory + "/src/*.[ch]") + glob.glob(directory + "/doc/*.html")):
        with open(each, "rb") as file:
            text += file.read()
    # A different line here and there, or a second copy would be nothing to compress.
    copies = size // len(text) + 1
    pieces = [text.replace(b"lua_", b"l%d_" % copy) for copy in range(copies)]
    with open(path + ".new", "wb") as file:
        file.write(b"".join(pieces)[:size])
    os.rename(path + ".new", path)


def digest(*parts):
    """Of strings, bytes, and files named by `file:`."""
    sum_of_all = hashlib.sha256()
    for part in parts:
        if isinstance(part, str) and part.startswith("file:"):
            with open(part[5:], "rb") as file:
                part = file.read()
        data = part if isinstance(part, bytes) else str(part).encode()
        sum_of_all.update(b"%d:" % len(data) + data)
    return sum_of_all.hexdigest()


def sources_digest(program):
    """Of the sources and of all headers that they might include."""
    files = program.source_files()
    folders = sorted({os.path.dirname(each) for each in files} | {"lib", "lib/common"})
    for folder in folders if program.package else ():
        files += sorted(glob.glob(os.path.join(program.directory, folder, "*.h")))
    return digest(*[f"file:{os.path.join(program.directory, each)}" for each in files])
