"""`./run bench pgo`: what profiles are worth. Trains each program in each way, optimises it by the
profile, and measures what comes out: instructions, time, size of the code.

Ends with 1 if something fails, or if a profile that contprof kept over SIGKILL gives other code than
stock clang's of a clean exit from the same run, of programs that do the same each time."""

import argparse
import json
import os
import signal
import subprocess
import sys

import overhead_measures
import pgo_builds
import pgo_tables
from overhead_bench import choice, contprof_version, tell
from overhead_cells import Failure
from overhead_programs import PLACE, fetch_sources
from pgo_builds import BY_NAME, TWINS, WAYS
from pgo_programs import WORK, Server, programs, serve

PROGRAM_NAMES = list(WORK)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./run bench pgo", description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", type=choice(PROGRAM_NAMES), default=PROGRAM_NAMES, metavar="A,B",
                        help=f"all unless said; of {', '.join(PROGRAM_NAMES)}")
    parser.add_argument("--way", type=choice(list(BY_NAME)), default=list(BY_NAME), metavar="A,B",
                        help=f"all unless said; of {', '.join(BY_NAME)}")
    parser.add_argument("--only", type=choice(["instructions", "time"]), metavar="A,B",
                        default=["instructions", "time"], help="both unless said")
    parser.add_argument("--llvm", default=os.environ.get("BENCH_LLVM", "19"), metavar="N",
                        help="BENCH_LLVM, or 19, unless said")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="of time; 9 unless said")
    parser.add_argument("--json", default=os.path.join(PLACE, "..", "pgo.json"), metavar="FILE",
                        help="build/bench/pgo.json unless said")
    parser.add_argument("--write-docs", action="store_true", help="into docs/benchmarks.md, too")
    return parser.parse_args()


# --- measures --------------------------------------------------------------------------------------


def served(cell, requests):
    """Seconds of the server for that load."""
    status, seconds = serve([cell.executable], pgo_builds.ENVIRONMENT, cell.directory,
                            requests, signal.SIGINT)
    if status:
        raise Failure(f"{cell.name}: status {status}")
    return seconds


def instructions(cell):
    overhead_measures.measure_instructions(cell)
    return cell.notes()["instructions"]["total"], cell.notes()["instructions"]["output"]


def one_run(cell):
    if isinstance(cell.program, Server):
        return served(cell, WORK[cell.program.name].measure)
    return sum(overhead_measures.execute(cell, number, run)
               for number, run in enumerate(cell.program.timed_runs))


def times(cells, rounds):
    """Side by side, each round beginning with another; the best of each build's."""
    seconds = {cell: [] for cell in cells}
    for number in range(-1, rounds):  # the first one warms caches
        for cell in overhead_measures.rotated(cells, number):
            spent = one_run(cell)
            if number >= 0:
                seconds[cell].append(spent)
    return {cell: min(each) for cell, each in seconds.items()}


# --- rows ------------------------------------------------------------------------------------------


def attempt(faults, row, work):
    try:
        return work()
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        faults.append(f"{row['program']}, {row['way']}: {failure}")
        row["failed"] = True
        return None


def compare_twins(rows, cells, program, faults):
    """The code of two profiles of one run. A server answers as the network has it: how many functions
    counted otherwise decides there, and only that is told."""
    for stock, ours in TWINS:
        if stock not in cells or ours not in cells:
            continue
        same = pgo_builds.code_of(cells[stock]) == pgo_builds.code_of(cells[ours])
        rows[ours]["code_of_stock"] = same
        if not same and not isinstance(program, Server):
            faults.append(f"{program.name}: {ours} gives other code than {stock}")


def measure_program(program, chosen, faults):
    rows, cells = {}, {}
    for way in [each for each in WAYS if each.name in chosen.way or each.name == "plain"]:
        row = rows[way.name] = {"program": program.name, "way": way.name, "title": way.title}
        cell = attempt(faults, row, lambda: pgo_builds.optimised_cell(program, chosen.llvm, way))
        if cell:
            cells[way.name] = cell
            row["text"] = cell.notes()["text"]
        tell(f"{program.name}: {way.name} is built")
    compare_twins(rows, cells, program, faults)
    outputs = set()
    # memcached sets its limit of open files, which valgrind refuses: of servers there is time alone.
    counted = "instructions" in chosen.only and not isinstance(program, Server)
    for name, cell in cells.items() if counted else ():
        measured = attempt(faults, rows[name], lambda: instructions(cell))
        if measured:
            rows[name]["instructions"] = measured[0]
            outputs.add(measured[1])
        tell(f"{program.name}: {name} is measured")
    if len(outputs) > 1:
        faults.append(f"{program.name}: not all builds put out the same")
    if "time" in chosen.only:
        for cell, seconds in (attempt(faults, rows["plain"],
                                      lambda: times(list(cells.values()), chosen.rounds)) or
                              {}).items():
            next(rows[name] for name in cells if cells[name] is cell)["seconds"] = seconds
    return list(rows.values())


def main():
    chosen = parse_arguments()
    os.makedirs(PLACE, exist_ok=True)
    wanted = [each for each in programs() if each.name in chosen.program]
    fetch_sources(wanted)
    faults, rows = [], []
    for program in wanted:
        rows += measure_program(program, chosen, faults)
    results = {"llvm": chosen.llvm, "contprof": contprof_version(), "rows": rows, "faults": faults}
    with open(chosen.json, "w") as file:
        json.dump(results, file, indent=1)
    print("\n".join(pgo_tables.lines_of(results)))
    if chosen.write_docs:
        pgo_tables.write_document(results)
    for fault in faults:
        print(f"pgo: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
