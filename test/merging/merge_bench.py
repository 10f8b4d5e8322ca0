"""The bench of merging: see test/bench/merge and --help.

Each case makes its inputs, reads them once, and runs each tool in turn, round after round. A ratio
is the median over the rounds of stock's time by ours in the same round. Times are of the wall
clock, and of the processors; memory is the largest resident set, as GNU time has it from the kernel.
At full scale the two long cases, large and text, take most of the time: they have rounds of their
own.
"""

import argparse
import filecmp
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

import merge_tables
from made_profiles import Build, functions_for, text_functions

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RAW_VERSION = {14: 8, 16: 8, 19: 10}
CONTPROF = os.path.join(os.environ.get("CONTPROF_BUILD", os.path.join(ROOT, "build")), "bin/contprof")
KB, MB = 1000, 1000 * 1000


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command):
    """Seconds, those of the processors, and kilobytes of one run, which must succeed."""
    start, used = time.monotonic(), processor_time()
    done = subprocess.run(["/usr/bin/time", "-f", "%M", *command], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - start
    if done.returncode:
        sys.exit("merge bench: %s failed:\n%s" % (" ".join(command), done.stderr))
    return seconds, processor_time() - used, int(done.stderr.split()[-1])


class Case:
    """Inputs in a directory of their own, and what is run on them: tools by name."""

    def __init__(self, bench, name, title, long=False):
        self.bench, self.name, self.title = bench, name, title
        self.long = long  # its runs are
        self.directory = os.path.join(bench.directory, name)
        self.tools = {}
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)

    def path(self, name):
        return os.path.join(self.directory, name)

    def list_inputs(self, paths):
        with open(self.path("list"), "w") as to:
            to.writelines(path + "\n" for path in paths)

    def make_raw(self, version, builds, files, size):
        """`files` files of about `size` bytes, of so many builds in turn."""
        made = [Build(version, i, functions_for(version, size)) for i in range(builds)]
        paths = [self.path("%05d.profraw" % i) for i in range(files)]
        for i, path in enumerate(paths):
            with open(path, "wb") as to:
                to.write(made[i % builds].profile(i // builds))
        self.list_inputs(paths)
        return paths

    def add_merges(self, llvms, threads):
        for llvm in llvms:
            for number in threads:
                self.tools["llvm-profdata-%d -j%d" % (llvm, number)] = [
                    "llvm-profdata-%d" % llvm, "merge", "-num-threads=%d" % number, "-f",
                    self.path("list"), "-o", self.path("stock-%d.profdata" % llvm)]
        newest = max(llvms)
        self.tools["contprof"] = [CONTPROF, "merge", "--llvm=%d" % newest, "-f", self.path("list"),
                                  "-o", self.path("ours-%d.profdata" % newest)]
        self.tools["cat"] = ["sh", "-c", "xargs cat <'%s' >/dev/null" % self.path("list")]
        for number in threads:
            self.tools["reading -j%d" % number] = [self.bench.read_files, "%d" % number,
                                                   self.path("list")]

    def check_merges(self, llvms):
        """The same bytes where LLVM promises an order (19); else the same functions and sums."""
        for llvm in llvms:
            ours, stock = (self.path("%s-%d.profdata" % (w, llvm)) for w in ("ours", "stock"))
            if not os.path.exists(ours):
                run([CONTPROF, "merge", "--llvm=%d" % llvm, "-f", self.path("list"), "-o", ours])
            if llvm == 19:
                same = filecmp.cmp(ours, stock, shallow=False)
            else:
                shown = [subprocess.run(["llvm-profdata-%d" % llvm, "show", "--detailed-summary", file],
                                        stdout=subprocess.PIPE, check=True).stdout
                         for file in (ours, stock)]
                same = shown[0] == shown[1]
            if not same:
                sys.exit("merge bench: %s: %s and %s differ" % (self.name, ours, stock))

    def measure(self):
        runs = {tool: [] for tool in self.tools}
        # Brings inputs and programs into the page cache; of long runs the inputs alone.
        for command in [self.tools["cat"]] if self.long else self.tools.values():
            run(command)
        for _ in range(self.bench.long_rounds if self.long else self.bench.rounds):
            for tool, command in self.tools.items():
                runs[tool].append(run(command))
        return [self.row(tool, runs) for tool in self.tools]

    def row(self, tool, runs):
        seconds = [each[0] for each in runs[tool]]
        row = {"case": self.name, "title": self.title, "tool": tool,
               "seconds": statistics.median(seconds), "seconds_min": min(seconds),
               "seconds_max": max(seconds),
               "processor": statistics.median(each[1] for each in runs[tool]),
               "kilobytes": max(each[2] for each in runs[tool])}
        for key, place in (("to_ours", 0), ("processor_to_ours", 1)):
            row[key] = statistics.median(theirs[place] / max(ours[place], 1e-6) for theirs, ours
                                         in zip(runs[tool], runs["contprof"]))
        return row

    def remove(self):
        shutil.rmtree(self.directory)


class Bench:
    def __init__(self, options):
        self.rounds, self.threads = options.rounds, options.threads
        self.long_rounds = options.long_rounds
        self.scale, self.directory = options.scale, options.directory
        self.groups = [[v for v in options.llvm if RAW_VERSION[v] == raw] for raw in (8, 10)]
        self.groups = [group for group in self.groups if group]
        self.llvms = options.llvm
        self.read_files = os.path.join(self.directory, "read_files")
        os.makedirs(self.directory, exist_ok=True)
        run(["cc", "-O2", "-pthread", os.path.join(ROOT, "test/merging/read_files.c"), "-o",
             self.read_files])

    def many(self, number):
        return max(2, round(number * self.scale))

    def merge(self, name, title, builds, files, size):
        """One case for each version of the raw format, since no LLVM reads two of them."""
        for group in self.groups:
            version = RAW_VERSION[group[0]]
            case = Case(self, "%s-v%d" % (name, version), "%s, raw version %d" % (title, version),
                        long=name == "large")
            case.make_raw(version, builds, files, size)
            case.add_merges(group, self.threads)
            rows = case.measure()
            case.check_merges(group)
            case.remove()
            yield from rows

    def same_build(self):
        files = self.many(1500)
        return self.merge("same-build", "%d files of 120 KB of one build" % files, 1, files, 120 * KB)

    def large(self):
        files, size = self.many(200), max(KB, int(20 * MB * min(1, self.scale * 10)))
        return self.merge("large", "%d files of %.3g MB of one build" % (files, size / MB), 1, files,
                          size)

    def builds(self):
        files = self.many(300)
        builds = max(2, files // 10)
        return self.merge("builds", "%d files of 120 KB of %d builds" % (files, builds), builds,
                          files, 120 * KB)

    def tiny(self):
        files = self.many(10000)
        return self.merge("tiny", "%d files of one function" % files, 1, files, 1)

    def text(self):
        """One large text profile, read by all LLVMs alike, in one thread: it is one file."""
        size = 1000 * MB * self.scale
        case = Case(self, "text", "a text profile of %.3g MB" % (size / MB), long=True)
        with open(case.path("0.proftext"), "w") as to:
            to.writelines(text_functions(size))
        case.list_inputs([case.path("0.proftext")])
        case.add_merges(self.llvms, [1])
        rows = case.measure()
        # To show two gigabytes twice takes longer than to merge them.
        case.check_merges([llvm for llvm in self.llvms if llvm == 19 or size <= 200 * MB])
        case.remove()
        return rows

    def show(self):
        """The hottest functions of a large indexed profile, of the version that all LLVMs read."""
        size = 100 * MB * self.scale
        case = Case(self, "show", "show --topn=10, indexed, %.3g MB" % (size / MB))
        with open(case.path("raw"), "wb") as to:
            to.write(Build(10, 1, functions_for(10, int(size))).profile(0))
        indexed = case.path("0.profdata")
        run([CONTPROF, "merge", "--llvm=14", case.path("raw"), "-o", indexed])
        show = ["show", "--topn=10", indexed]
        for llvm in self.llvms:
            case.tools["llvm-profdata-%d" % llvm] = ["llvm-profdata-%d" % llvm, *show]
        case.tools["contprof"] = [CONTPROF, *show]
        case.tools["cat"] = ["cat", indexed]
        rows = case.measure()
        texts = {subprocess.run(case.tools[tool], stdout=subprocess.PIPE, check=True).stdout
                 for tool in case.tools if tool != "cat"}
        if len(texts) != 1:
            sys.exit("merge bench: show: the tools print different text")
        case.remove()
        return rows

    def growth(self):
        """Ours alone: from 1 to 10,000 inputs, the same thousand again and again."""
        case = Case(self, "growth", "contprof, files of 120 KB of one build")
        paths = case.make_raw(10, 1, min(1000, self.many(10000)), 120 * KB)
        rows = []
        for count in sorted({min(count, self.many(10000)) for count in (1, 10, 100, 1000, 10000)}):
            case.list_inputs(paths[i % len(paths)] for i in range(count))
            case.title = "contprof, %d files of 120 KB of one build" % count
            case.tools = {"contprof": [CONTPROF, "merge", "-f", case.path("list"), "-o",
                                       case.path("ours.profdata")]}
            rows += case.measure()
            rows[-1]["inputs"] = count
        case.remove()
        return rows


CASES = {"same-build": Bench.same_build, "large": Bench.large, "builds": Bench.builds,
         "tiny": Bench.tiny, "text": Bench.text, "show": Bench.show, "growth": Bench.growth}


def version_of(command):
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return next(line.strip() for line in said.splitlines() if "version" in line or "contprof" in line)


def versions(llvms):
    texts = {"llvm-profdata-%d" % llvm: version_of(["llvm-profdata-%d" % llvm, "show", "--version"])
             for llvm in llvms}
    return {"contprof": version_of([CONTPROF, "--version"]), **texts}


def parse():
    parser = argparse.ArgumentParser(prog="./run bench merge", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each tool is run (5)")
    parser.add_argument("--long-rounds", type=int, default=1, help="the same in large and text (1)")
    parser.add_argument("--scale", type=float, default=1.0,
                        help="a part of the numbers and sizes of the inputs; 1 needs 5 GB of disk")
    parser.add_argument("--cases", default=",".join(CASES), help="of " + ",".join(CASES))
    parser.add_argument("--llvm", default="14,16,19", help="which llvm-profdata (14,16,19)")
    parser.add_argument("--threads", default="1,2", help="of llvm-profdata (1,2)")
    parser.add_argument("--directory", default=os.path.join(ROOT, "build/bench/merge"),
                        help="for the inputs; they are removed")
    parser.add_argument("--json", default=os.path.join(ROOT, "build/bench/merge.json"),
                        help="file for the figures")
    parser.add_argument("--write-docs", action="store_true", help="into docs/benchmarks.md, too")
    options = parser.parse_args()
    options.cases = options.cases.split(",")
    options.llvm = [int(each) for each in options.llvm.split(",")]
    options.threads = [int(each) for each in options.threads.split(",")]
    unknown = set(options.cases) - set(CASES) or set(options.llvm) - set(RAW_VERSION)
    if unknown or min(options.rounds, options.long_rounds) < 1 or options.scale <= 0:
        parser.error("unknown or impossible: %s" % (unknown or "rounds or scale"))
    return options


def main():
    options = parse()
    bench = Bench(options)
    rows = []
    for name in options.cases:
        made = list(CASES[name](bench))
        merge_tables.print_rows(made)
        rows += made
    merge_tables.print_wanted(rows)
    os.remove(bench.read_files)
    results = {"versions": versions(options.llvm), "rounds": options.rounds,
               "long_rounds": options.long_rounds, "scale": options.scale,
               "processors": os.cpu_count(), "rows": rows}
    with open(options.json, "w") as to:
        json.dump(results, to, indent=1)
        to.write("\n")
    if options.write_docs:
        merge_tables.write_document(results)


if __name__ == "__main__":
    main()
