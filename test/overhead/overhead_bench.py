"""`./run bench overhead`: what counting costs. Builds each program with each compiler, level, kind of
instrumentation and variant, measures, and shows what came out beside the same of stock clang.

Ends with 1 when a program puts out, or has counted, something else than it should: then its figures are
of something else, too. A target that is not met is no failure."""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import overhead_cells
import overhead_measures
import overhead_results
import overhead_tables
import overhead_variants
from overhead_cells import Cell, Failure
from overhead_programs import PLACE, PROGRAMS, ROOT, briefly, fetch_sources, make_inputs
from overhead_variants import VARIANTS

PARTS = ("instructions", "time", "compile")
LLVMS = ("19", "16", "14")
VARIANT_NAMES = [each.name for each in VARIANTS]


def choice(values):
    """A list of some of these, separated by commas."""

    def parse(text):
        chosen = text.split(",")
        for each in chosen:
            if each not in values:
                raise argparse.ArgumentTypeError(f"{each} is none of {', '.join(values)}")
        return chosen

    return parse


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./run bench overhead", description=__doc__.split("\n\n")[0])

    def several(option, values, default, text):
        parser.add_argument(option, type=choice(values), default=default, metavar="A,B",
                            help=f"{text}; of {', '.join(values)}")

    several("--only", PARTS, list(PARTS), "what is measured; what was measured before is shown, too")
    several("--program", [each.name for each in PROGRAMS], None, "all unless said")
    several("--variant", VARIANT_NAMES, None, "all that the compiler takes")
    several("--kind", ("frontend", "ir"), ["frontend", "ir"], "both unless said")
    several("--level", ("O2", "O3"), ["O2"], "O2 unless said")
    several("--llvm", LLVMS, None, "BENCH_LLVM, or 19, unless said")
    parser.add_argument("--all", action="store_true", help="every clang, both levels")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="of time; 9 unless said")
    parser.add_argument("--compile-rounds", type=int, default=3, metavar="N", help="3 unless said")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="builds, and runs of callgrind, at a time")
    parser.add_argument("--brief", action="store_true",
                        help="our own programs with next to no work, to see that all works")
    parser.add_argument("--json", default=os.path.join(PLACE, "..", "overhead.json"), metavar="FILE",
                        help="build/bench/overhead.json unless said")
    parser.add_argument("--show", action="store_true",
                        help="builds and measures nothing; what was measured last is shown")
    parser.add_argument("--write-docs", action="store_true", help="into docs/benchmarks.md, too")
    chosen = parser.parse_args()
    if chosen.all:
        chosen.llvm, chosen.level = list(LLVMS), ["O2", "O3"]
    chosen.llvm = chosen.llvm or [os.environ.get("BENCH_LLVM", LLVMS[0])]
    return chosen


def chosen_programs(chosen):
    programs = [each for each in PROGRAMS if not chosen.program or each.name in chosen.program]
    if chosen.brief:
        programs = [briefly(each) for each in programs if each.brief_runs]
    return programs


def chosen_cells(chosen, programs):
    """What the others are compared with is always there."""
    names = chosen.variant and {*chosen.variant, "plain", "static", "exact", "relocation"}
    return [Cell(program, llvm, level, kind, variant)
            for llvm in chosen.llvm for level in chosen.level for kind in chosen.kind
            for program in programs
            for variant in VARIANTS if kind in variant.kinds and (not names or variant.name in names)
            and overhead_variants.accepted(variant, llvm)]


def measured(cells):
    """What there is to show: not the uninstrumented program, which is the other kind's as well, alone."""
    known = [cell for cell in cells if "instructions" in cell.notes()]
    groups = {cell.group for cell in known if cell.variant.name == "static"}
    return [cell for cell in known if cell.group in groups]


def once_a_directory(cells):
    """The uninstrumented program stands in more than one group."""
    return list({cell.directory: cell for cell in cells}.values())


def side_by_side(what, work, cells, jobs):
    """The work on each cell, several at a time. Gives what went wrong, by the cell's directory."""
    failures = {}

    def one(cell):
        try:
            work(cell)
        except Failure as failure:
            failures[cell.directory] = str(failure)

    cells = once_a_directory(cells)
    with ThreadPoolExecutor(jobs) as workers:
        for number, _ in enumerate(workers.map(one, cells), 1):
            tell(f"{what}: {number} of {len(cells)}")
    return failures


def group_by_group(what, work, cells, rounds):
    """The same for work on a group, whose failure is that of all."""
    groups, failures = {}, {}
    for cell in cells:
        groups.setdefault(cell.group, []).append(cell)
    for number, group in enumerate(groups.values(), 1):
        try:
            work(group, rounds)
        except Failure as failure:
            failures.update({cell.directory: str(failure) for cell in group})
        tell(f"{what}: {number} of {len(groups)} programs")
    return failures


def without(cells, failures):
    """Those that work, and whose bases do."""
    bases = {cell.group for cell in cells
             if cell.directory in failures and cell.variant.name in ("plain", "static", "exact")}
    return [cell for cell in cells if cell.directory not in failures and cell.group not in bases]


def tell(text):
    if sys.stderr.isatty():
        print(f"\r{text} ", end="", file=sys.stderr, flush=True)


def measure(cells, chosen):
    """Gives what went wrong, by the cell's directory."""
    failures = side_by_side("builds", overhead_cells.build, cells, chosen.jobs)
    working = without(cells, failures)
    if "instructions" in chosen.only:
        failures.update(side_by_side("instructions", overhead_measures.measure_instructions, working,
                                     chosen.jobs))
    if "time" in chosen.only:
        failures.update(group_by_group("time", overhead_measures.measure_time,
                                       without(working, failures), chosen.rounds))
    if "compile" in chosen.only:  # a round takes minutes: nothing that was not asked for
        working = [cell for cell in without(working, failures)
                   if cell.variant.name in ("plain", "static", *(chosen.variant or VARIANT_NAMES))]
        failures.update(group_by_group("compile time", overhead_measures.measure_compile, working,
                                       chosen.compile_rounds))
    return failures


def contprof_version():
    """The commit that was measured."""
    said = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True,
                          text=True)
    return said.stdout.strip() or "unknown"


def main():
    chosen = parse_arguments()
    os.makedirs(PLACE, exist_ok=True)
    programs = chosen_programs(chosen)
    fetch_sources(programs)
    make_inputs(programs)
    cells = chosen_cells(chosen, programs)
    if chosen.show:
        cells = measured(cells)
    failures = {} if chosen.show else measure(cells, chosen)
    results = overhead_results.results_of(cells, failures, contprof_version())
    with open(chosen.json, "w") as file:
        json.dump(results, file, indent=1)
    overhead_tables.terminal(results)
    if chosen.write_docs:
        overhead_tables.write_document(results)
    for fault in results["faults"]:
        print(f"overhead: {fault}", file=sys.stderr)
    return 1 if results["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
