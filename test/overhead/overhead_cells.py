"""Builds. A cell is one program with one clang, level, kind of instrumentation and variant. It has a
directory with its objects, its program and what was measured of that, all kept between runs for as long
as what they came from is the same."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

import overhead_variants
from overhead_programs import PLACE, Program, digest, sources_digest
from overhead_variants import COUNTING, Variant

CELLS = os.path.join(PLACE, "cells")


class Failure(Exception):
    """A build or a run that did not do what it should; says what."""


@dataclass(frozen=True)
class Cell:
    program: Program
    llvm: str
    level: str  # O2, O3
    kind: str  # frontend, ir
    variant: Variant

    @property
    def name(self):
        return f"{self.program.name}, clang {self.llvm} -{self.level} {self.kind} {self.variant.name}"

    @property
    def group(self):
        """What shares its base: the same program, clang, level and kind."""
        return (self.program.name, self.llvm, self.level, self.kind)

    @property
    def directory(self):
        """The uninstrumented program is one for all kinds."""
        kind = self.kind if self.variant.counts else "none"
        return os.path.join(CELLS, f"{self.llvm}-{self.level}", f"{kind}-{self.variant.name}",
                            self.program.name)

    @property
    def executable(self):
        return os.path.join(self.directory, "program")

    def path(self, name):
        return os.path.join(self.directory, name)

    def notes(self):
        """What is known of this cell: a dictionary that `note` adds to."""
        try:
            with open(self.path("notes.json")) as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def note(self, **known):
        self.write_notes({**self.notes(), **known})

    def forget(self, *names):
        self.write_notes({name: what for name, what in self.notes().items() if name not in names})

    def write_notes(self, notes):
        with open(self.path("notes.json.new"), "w") as file:
            json.dump(notes, file, indent=1)
        os.rename(self.path("notes.json.new"), self.path("notes.json"))

    def compiler(self):
        return overhead_variants.compiler(self.variant, self.llvm, self.program.is_cpp)

    def flags(self):
        return overhead_variants.flags(self.variant, self.kind, self.level)


def run_tool(command, environment, directory):
    """Runs to the end; gives the user seconds of it and of its children."""
    with open(os.devnull) as nothing, subprocess.Popen(
            command, env={**os.environ, **environment}, cwd=directory, stdin=nothing,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        said = process.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failure(f"{' '.join(command)}\n{said}")
    return usage.ru_utime


def compile_all(cell, objects):
    """Compiles every source into the directory `objects`; gives the user seconds."""
    command, environment = cell.compiler()
    seconds = 0
    for source in cell.program.source_files():
        output = os.path.join(objects, source.replace("/", "-") + ".o")
        seconds += run_tool([*command, *cell.flags(), *cell.program.flags, "-w", "-c", source, "-o",
                             output], environment, cell.program.directory)
    return seconds


def objects_of(cell):
    return [cell.path(os.path.join("objects", each.replace("/", "-") + ".o"))
            for each in cell.program.source_files()]


def text_size(objects):
    """Bytes of code in the program's own objects: what is linked to it is another matter."""
    said = subprocess.run(["size", "-A", *objects], capture_output=True, text=True, check=True)
    return sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", said.stdout, re.MULTILINE))


def objects_key(cell):
    return digest(overhead_variants.compile_digest(cell.variant, cell.llvm),
                  sources_digest(cell.program), *cell.flags(), *cell.program.flags)


def build(cell):
    """Brings objects and program up to date. What was measured stays if the program is byte for byte
    what it was, also when it was compiled anew."""
    key = objects_key(cell)
    if cell.notes().get("objects") != key:
        shutil.rmtree(cell.path("objects"), ignore_errors=True)
        os.makedirs(cell.path("objects"))
        cell.forget("objects", "linked", *[f"compile-{kind}" for kind in COUNTING])
        compile_all(cell, cell.path("objects"))
        cell.note(objects=key, text=text_size(objects_of(cell)))
    link_key = digest(key, overhead_variants.link_digest(cell.variant, cell.llvm))
    if cell.notes().get("linked") != link_key:
        command, environment = cell.compiler()
        run_tool([*command, *cell.flags(), *objects_of(cell), *cell.program.libraries, "-o",
                  cell.executable], environment, cell.directory)
        program = digest(f"file:{cell.executable}")
        if cell.notes().get("program") != program:
            cell.forget("instructions", *[f"time-{kind}" for kind in COUNTING])
        cell.note(linked=link_key, program=program)
