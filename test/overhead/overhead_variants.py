"""The builds that are compared: each a compiler and options. "static" is what a user of stock clang
gets today, and what the others are divided by."""

import functools
import os
import subprocess
from dataclasses import dataclass

from overhead_programs import ROOT, digest

BUILD = os.environ.get("CONTPROF_BUILD", os.path.join(ROOT, "build"))
DRIVER = os.path.join(BUILD, "bin", "contprof-clang")
LIBRARIES = os.path.join(BUILD, "lib", "contprof")

COUNTING = {"frontend": ("-fprofile-instr-generate",), "ir": ("-fprofile-generate",)}
RAW_VERSIONS = {"14": 8, "16": 8, "19": 10}


@dataclass(frozen=True)
class Variant:
    name: str
    title: str
    ours: bool
    options: tuple
    kinds: tuple = ("frontend", "ir")
    instrumented: bool = True

    @property
    def counts(self):
        return self.instrumented and self.name != "plain"


# Stock's counts may be wrong. Counter promotion, which it has for IR instrumentation, keeps counts in
# registers for a loop's length: they are lost when longjmp leaves it, which Lua's errors do. And the
# relocation of clang 14 and 16 loses counts of C++ with frontend instrumentation.
VARIANTS = (
    Variant("plain", "not instrumented", False, ()),
    Variant("static", "stock, static counters", False, ()),
    Variant("exact", "stock, static, no counter promotion", False,
            ("-mllvm", "-do-counter-promotion=false"), kinds=("ir",)),
    # LICM keeps them there with frontend instrumentation as well; without it, all that the program itself
    # keeps in memory lands at once, too, so that this build shows more than what counting costs.
    Variant("at-once", "stock, static, no promotion by LICM either", False,
            ("-mllvm", "-do-counter-promotion=false", "-mllvm", "-disable-licm-promotion")),
    Variant("relocation", "stock, -runtime-counter-relocation", False,
            ("-mllvm", "-runtime-counter-relocation")),
    Variant("stock-atomic", "stock, static, atomic", False, ("-fprofile-update=atomic",)),
    Variant("segment", "contprof, segment", True, ("-fprofile-continuous=segment",)),
    Variant("shadow", "contprof, shadow", True, ("-fprofile-continuous=shadow",)),
    Variant("pointer", "contprof, pointer", True, ("-fprofile-continuous=pointer",)),
    Variant("atomic", "contprof, atomic", True,
            ("-fprofile-continuous=segment", "-fprofile-update=atomic")),
    Variant("sharded", "contprof, sharded", True,
            ("-fprofile-continuous=segment", "-fprofile-update=sharded")),
    Variant("lag-loop", "contprof, lag=loop", True,
            ("-fprofile-continuous=segment", "-fprofile-continuous-lag=loop")),
)
# No build: what exact counts cannot go below, as each that lands at once takes an instruction.
LEAST = Variant("least", "not instrumented + 1 for each count", False, ())
SHOWN = (VARIANTS[0], LEAST, *VARIANTS[1:])
BY_NAME = {each.name: each for each in SHOWN}


def exact_variant(kind):
    """The stock build whose counts every exact one must have."""
    return "exact" if kind == "ir" else "static"


def compiler(variant, llvm, cpp):
    """(command, environment)"""
    plus = "++" if cpp else ""
    clang = f"clang{plus}-{llvm}"
    if not variant.ours:
        return [clang], {}
    return [DRIVER + plus], {"CONTPROF_CLANG": clang}


def flags(variant, kind, level):
    counting = COUNTING[kind] if variant.counts else ()
    return [f"-{level}", *counting, *variant.options]


@functools.lru_cache(maxsize=None)
def accepted(variant, llvm):
    """Whether the compiler knows the variant's options: not every contprof has every row."""
    command, environment = compiler(variant, llvm, False)
    command += [*flags(variant, "ir", "O2"), "-x", "c", "-c", os.devnull, "-o", os.devnull]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True)
    return done.returncode == 0


@functools.lru_cache(maxsize=None)
def version(llvm):
    said = subprocess.run([f"clang-{llvm}", "--version"], capture_output=True, text=True, check=True)
    return said.stdout.splitlines()[0]


def compile_digest(variant, llvm):
    """Of all that decides what an object is, besides options and sources."""
    if not variant.ours:
        return digest(version(llvm))
    plugin = os.path.join(LIBRARIES, f"contprof-pass-{llvm}.so")
    return digest(version(llvm), f"file:{plugin}", f"file:{DRIVER}")


@functools.lru_cache(maxsize=None)
def runtime_libraries(variant, llvm):
    """The archives that the program gets its counting from."""
    if variant.ours:
        raw = RAW_VERSIONS[llvm]
        return tuple(f"{LIBRARIES}/libcontprof-{part}-v{raw}.a" for part in ("exe", "rt"))
    command = [f"clang-{llvm}", "-print-file-name=lib/linux/libclang_rt.profile-x86_64.a"]
    return (subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip(),)


def link_digest(variant, llvm):
    return digest(*[f"file:{each}" for each in runtime_libraries(variant, llvm)])
