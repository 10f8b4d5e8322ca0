"""The bench of samples: see test/bench/sample and --help.

A program of 6,000 functions and 15 MB is made and compiled; recordings are walks at random through its
code, so that all stacks differ; their text is what perf script prints. Inputs are kept in the directory.
Each tool is run in turn, round after round. A ratio is the median over the rounds of the other's time by
ours in the same round. Times are of the processor (user and system, with what the tool has started)
and of the wall clock; memory is the largest resident set of a process. Text profiles are to be the
same bytes as llvm-profgen's.
"""

import argparse
import filecmp
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

from made_program import write_sources

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CONTPROF_BUILD", os.path.join(ROOT, "build"))
CONTPROF = os.path.join(BUILD, "bin/contprof")
WALK = os.path.join(BUILD, "test/recordings/walk_code")
CLANG, PROFGEN, OBJDUMP, READELF = "clang-19", "llvm-profgen-19", "llvm-objdump-19", "readelf"
MB = 1000 * 1000
SAMPLE = 816  # bytes of a sample with 32 branches in a recording
PID, BIAS = "2001", "0x550000000000"
REPEATED = 13  # stacks


def fail(text):
    sys.exit("sample bench: " + text)


def run(command):
    """Processor seconds, seconds and kilobytes of one run, which must succeed."""
    said = os.path.join(os.environ.get("TMPDIR", "/tmp"), "sample-bench-%d" % os.getpid())
    with open(said, "w") as to:
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=to, stderr=to, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    with open(said) as of:
        text = of.read()
    os.unlink(said)
    if child.returncode:
        fail("%s failed:\n%s" % (" ".join(command), text))
    return used.ru_utime + used.ru_stime, seconds, used.ru_maxrss


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


class Inputs:
    """What is made once and kept, each file under a name of its own."""

    def __init__(self, directory, scale):
        self.directory, self.scale = os.path.join(directory, "scale-%g" % scale), scale
        os.makedirs(self.directory, exist_ok=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def kept(self, name, make):
        """The path of a file, which `make` writes to the path that it is given, unless it is there."""
        path = self.path(name)
        if not os.path.exists(path):
            print("making %s" % name, file=sys.stderr, flush=True)
            make(path + ".part")
            os.rename(path + ".part", path)
        return path

    def program(self):
        return self.kept("program", self.compile)

    def compile(self, path):
        directory = self.path("sources")
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        sources = write_sources(directory, max(2, round(60 * self.scale)), 100, 4)
        objects = [source[:-1] + "o" for source in sources]
        flags = ["-g", "-gdwarf-5", "-O2", "-c"]
        waiting = [[CLANG, *flags, s, "-o", o] for s, o in zip(sources, objects)]
        for some in itertools.zip_longest(*[iter(waiting)] * (os.cpu_count() or 1)):
            children = [subprocess.Popen(command) for command in some if command]
            if any([child.wait() for child in children]):
                fail("the program can't be compiled")
        subprocess.run([CLANG, *objects, "-o", path], check=True)
        shutil.rmtree(directory)

    def listing(self):
        def make(path):
            with open(path, "w") as to:
                subprocess.run([OBJDUMP, "-d", "--no-show-raw-insn", self.program()], stdout=to,
                               check=True)
        return self.kept("listing", make)

    def recording(self, megabytes):
        """A perf.data of about so many megabytes (times the scale)."""
        samples = max(100, round(megabytes * MB * self.scale / SAMPLE))

        def make(path):
            segment = next(line.split() for line in output([READELF, "-lW", self.program()]).splitlines()
                           if line.split()[:1] == ["LOAD"] and " R E " in line)
            subprocess.run([WALK, path, "1", str(samples), PID, "--", "/home/u/program", BIAS,
                            segment[2], segment[1], segment[5], self.listing()], check=True)
        return self.kept("%dMB.data" % megabytes, make)

    def text(self, megabytes):
        """What perf script prints of recording(megabytes)."""
        def make(path):
            with open(path, "w") as to:
                subprocess.run(["perf", "script", "--show-mmap-events", "-F", "ip,brstack", "-i",
                                self.recording(megabytes)], stdout=to, stderr=subprocess.DEVNULL,
                               check=True)
        return self.kept("%dMB.txt" % megabytes, make)

    def repeated(self, megabytes):
        """The first stacks of such a text over and over, to 100 MB."""
        def make(path):
            with open(self.text(megabytes)) as of:
                lines = [line for line in itertools.islice(of, REPEATED + 10)]
            maps = [line for line in lines if "PERF_RECORD" in line]
            stacks = [line for line in lines if "PERF_RECORD" not in line][:REPEATED]
            with open(path, "w") as to:
                to.writelines(maps)
                block, size = "".join(stacks), 0
                while size < 100 * MB * self.scale:
                    size += to.write(block)
        return self.kept("repeated.txt", make)


class Case:
    """What is run, tools by name, and which of their outputs are to be the same."""

    def __init__(self, bench, name, title):
        self.bench, self.name, self.title, self.tools = bench, name, title, {}

    def out(self, tool):
        return self.bench.inputs.path("%s-%s.prof" % (self.name, tool))

    def add(self, option, path, with_create_llvm_prof=False):
        program = self.bench.inputs.program()
        for tool, command in (("contprof", [CONTPROF, "sample"]), ("llvm-profgen", [PROFGEN])):
            self.tools[tool] = [*command, "--binary=" + program, "--%s=%s" % (option, path), "-o",
                                self.out(tool)]
        if with_create_llvm_prof:
            self.tools["create_llvm_prof"] = [
                "create_llvm_prof", "--binary=" + program, "--profile=" + path, "--format=text",
                "--out=" + self.out("create_llvm_prof")]

    def measure(self):
        runs = {tool: [] for tool in self.tools}
        for _ in range(self.bench.rounds):
            for tool, command in self.tools.items():
                runs[tool].append(run(command))
        if "llvm-profgen" in self.tools and not filecmp.cmp(self.out("contprof"),
                                                            self.out("llvm-profgen"), False):
            fail("%s: %s and %s differ" % (self.name, self.out("contprof"), self.out("llvm-profgen")))
        return [self.row(tool, runs) for tool in self.tools]

    def row(self, tool, runs):
        ours = runs["contprof"]
        row = {"case": self.name, "title": self.title, "tool": tool, "runs": runs[tool],
               "processor": statistics.median(each[0] for each in runs[tool]),
               "seconds": statistics.median(each[1] for each in runs[tool]),
               "kilobytes": max(each[2] for each in runs[tool])}
        for at, name in ((0, "processor_to_ours"), (1, "seconds_to_ours")):
            row[name] = statistics.median(t[at] / o[at] for t, o in zip(runs[tool], ours))
        row["kilobytes_to_ours"] = row["kilobytes"] / max(each[2] for each in ours)
        return row


class Bench:
    def __init__(self, options):
        self.rounds = options.rounds
        self.inputs = Inputs(options.directory, options.scale)

    def size(self, path):
        return "%.3g MB" % (os.path.getsize(path) / MB)

    def data(self):
        path = self.inputs.recording(63)
        case = Case(self, "data", "perf.data, %s, stacks of 32 that all differ" % self.size(path))
        case.add("perfdata", path, True)
        return case.measure()

    def text(self):
        path = self.inputs.text(63)
        case = Case(self, "text", "perf script's text, %s, the same" % self.size(path))
        case.add("perfscript", path)
        return case.measure()

    def repeated(self):
        path = self.inputs.repeated(63)
        case = Case(self, "repeated", "perf script's text, %s, of %d stacks" %
                    (self.size(path), REPEATED))
        case.add("perfscript", path)
        return case.measure()

    def growth(self):
        """Ours alone, on recordings of up to a gigabyte."""
        rows = []
        for megabytes in (63, 250, 1000):
            path = self.inputs.recording(megabytes)
            case = Case(self, "growth-%d" % megabytes, "contprof, perf.data of %s" % self.size(path))
            case.add("perfdata", path)
            del case.tools["llvm-profgen"]
            rows += case.measure()
        return rows


CASES = {"data": Bench.data, "text": Bench.text, "repeated": Bench.repeated, "growth": Bench.growth}


def print_rows(rows):
    title = None
    for row in rows:
        if row["title"] != title:
            title = row["title"]
            print("\n%s\n  %-17s %10s %10s %10s   %s" %
                  (title, "", "processor", "seconds", "MB", "to ours: processor, seconds, memory"))
        ratios = "%.2f  %.2f  %.2f" % (row["processor_to_ours"], row["seconds_to_ours"],
                                       row["kilobytes_to_ours"])
        print("  %-17s %10.3f %10.3f %10.1f   %s" %
              (row["tool"], row["processor"], row["seconds"], row["kilobytes"] / 1024,
               "" if row["tool"] == "contprof" else ratios), flush=True)


def version_of(command):
    return next(line.strip() for line in output(command).splitlines() if "ersion" in line
                or "contprof" in line)


def parse():
    parser = argparse.ArgumentParser(prog="./run bench sample", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each tool is run (5)")
    parser.add_argument("--scale", type=float, default=1.0,
                        help="a part of the inputs' sizes; 1 needs 2 GB of disk")
    parser.add_argument("--cases", default=",".join(CASES), help="of " + ",".join(CASES))
    parser.add_argument("--directory", default=os.path.join(ROOT, "build/bench/sample"),
                        help="for the inputs, which are kept, and the profiles")
    parser.add_argument("--json", default=os.path.join(ROOT, "build/bench/sample.json"),
                        help="file for the figures")
    options = parser.parse_args()
    options.cases = options.cases.split(",")
    unknown = set(options.cases) - set(CASES)
    if unknown or options.rounds < 1 or not 0 < options.scale <= 1:
        parser.error("unknown or impossible: %s" % (unknown or "rounds or scale"))
    return options


def main():
    options = parse()
    bench = Bench(options)
    rows = []
    for name in options.cases:
        made = CASES[name](bench)
        print_rows(made)
        rows += made
    with open(options.json, "w") as to:
        json.dump({"versions": {"contprof": version_of([CONTPROF, "--version"]),
                                "llvm-profgen": version_of([PROFGEN, "--version"])},
                   "rounds": options.rounds, "scale": options.scale, "processors": os.cpu_count(),
                   "rows": rows}, to, indent=1)
        to.write("\n")


if __name__ == "__main__":
    main()
