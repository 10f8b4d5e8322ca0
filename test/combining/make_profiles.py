#!/usr/bin/env python3
"""Writes an instrumentation profile and a sample profile of the same made-up program, as text.

make_profiles.py SEED INSTR.proftext SAMPLE.prof

Functions are global, local (with the file's name, in either form, and with hashes of it in one
profile, the other, both or neither), with suffixes on either side, in several shapes, or known to one
side only; some are cold on one side and hot on the other, some entered never or nearly as often as can be
counted; samples have inlined functions in them, three deep.
"""
import hashlib
import random
import sys

EXTENSIONS = [".c", ".cpp", ".cc", ".h", ".hpp", ".CPP", ".rs"]
SUFFIXES = [".llvm.12345678901", ".part.3", ".cold", ".part.0.llvm.77", ".__uniq.123456", ".isra.0",
            ".__uniq.123456.llvm.9", ":", ""]


def unique(name, path):
    return name + ".__uniq." + str(int(hashlib.md5(path.encode()).hexdigest(), 16))


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sample_hashes = seed % 3 == 0
        self.instr_hashes = seed % 4 == 0
        self.largest = 52 if seed % 5 == 0 else 30
        self.names = [self.suffixed(self.function(i)) for i in range(self.random.randint(5, 60))]

    def function(self, number):
        """The name on the side of the instrumentation, and on that of the samples."""
        name = "f%d" % (number - number % 7 if number % 5 == 0 else number)
        if number % 3:
            return "g" + name, "g" + name
        path = "d/" + "x%d" % number + self.random.choice(EXTENSIONS)
        local = unique(name, path) if self.instr_hashes else name
        return (path + self.random.choice(":;") + local,
                unique(name, path) if self.sample_hashes else name)

    def suffixed(self, names):
        return [name + self.random.choice(SUFFIXES) * (self.random.random() < 0.2) for name in names]

    def heat(self):
        return self.random.choice([0, 1, 3, 40, 1000, 50000, 10**6, 2**self.largest])

    def counters(self):
        heat, zeros = self.heat(), self.random.random()
        count = self.random.choice([1, 2, 9, 10, 11, 30])
        return [0 if self.random.random() < zeros else self.random.randint(0, heat)
                for _ in range(count)]

    def instr(self):
        yield ":ir"
        done = set()
        for name, _ in self.names:
            for shape in range(2 if self.random.random() < 0.1 else 1):
                if self.random.random() < 0.1 or (name, shape) in done:
                    continue
                done.add((name, shape))
                counters = self.counters()
                yield from [name, str(1000 + shape), str(len(counters))]
                yield from map(str, counters)
                yield ""

    def body(self, depth, heat):
        """Lines of a function's samples, and their sum."""
        lines, total = [], 0
        for offset in range(1, self.random.choice([1, 3, 9, 10, 12, 25])):
            indent = " " * depth
            if depth < 4 and self.random.random() < 0.15:
                callee = self.random.choice(self.names)[1]
                inner, inner_total = self.body(depth + 1, heat)
                lines += ["%s%d: %s:%d" % (indent, offset, callee, inner_total)] + inner
                total += inner_total
            elif self.random.random() < 0.9:
                count = self.random.randint(0, heat)
                suffix = ".%d" % self.random.randint(1, 3) if self.random.random() < 0.2 else ""
                lines.append("%s%d%s: %d" % (indent, offset, suffix, count))
                total += count
        return lines, total

    def samples(self):
        done = set()
        for _, name in self.names:
            if self.random.random() < 0.2 or name in done:
                continue
            done.add(name)
            heat = self.heat()
            lines, total = self.body(1, heat)
            yield "%s:%d:%d" % (name, total, self.random.randint(0, heat))
            yield from lines


def write(path, lines):
    with open(path, "w", encoding="ascii") as file:
        file.write("".join(line + "\n" for line in lines))


def main(seed, instr, samples):
    program = Program(int(seed))
    write(instr, program.instr())
    write(samples, program.samples())


main(*sys.argv[1:])
