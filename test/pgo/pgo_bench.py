"""`./run bench pgo`: what profiles are worth. Trains each program in each way, optimises it by the
profile, and measures what comes out: instructions, time, size of the code.

Ends with 1 if something fails, or if a profile that contprof kept over SIGKILL gives other code than
stock clang's of a clean exit from the same run, of programs that do the same each time."""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import overhead_cells
import pgo_builds
import pgo_measures
import pgo_tables
from overhead_bench import choice, contprof_version, tell
from overhead_cells import Failure
from overhead_programs import PLACE, fetch_sources
from pgo_builds import ALIKE, BY_NAME, TWINS
from pgo_programs import WORK, Server, programs

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
    parser.add_argument("--write-docs", nargs="?", type=choice(["instructions", "time"]), metavar="A,B",
                        const=["instructions"], default=[],
                        help="tables into docs/benchmarks.md, too; instructions alone unless said: time "
                             "needs a machine that does nothing else")
    return parser.parse_args()


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
    for stock, ours in (*TWINS, *ALIKE):
        if stock not in cells or ours not in cells:
            continue
        same = pgo_builds.code_of(cells[stock]) == pgo_builds.code_of(cells[ours])
        rows[ours]["code_of_stock"] = same
        if not same and (stock, ours) in TWINS and not isinstance(program, Server):
            faults.append(f"{program.name}: {ours} gives other code than {stock}")


def in_parallel(work, things):
    """As many at a time as CONTPROF_JOBS says, or as there are processors; in the order of `things`."""
    jobs = int(os.environ.get("CONTPROF_JOBS") or len(os.sched_getaffinity(0)))
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, things))


def build_all(program, chosen, rows, faults):
    """The builds by the names of their ways, as far as they can be made. Compilers run side by side,
    trainings one by one."""
    ways = [each for each in pgo_builds.ways_of(program) if each.name in chosen.way or each.name == "plain"]
    for way in ways:
        rows[way.name] = {"program": program.name, "way": way.name, "title": way.title,
                          "shifted": pgo_builds.is_shifted(program)}
    in_parallel(lambda cell: attempt(faults, rows["plain"], lambda: overhead_cells.build(cell)),
                pgo_builds.training_cells(program, chosen.llvm, ways))
    tell(f"{program.name}: what is trained is built")
    cells = {way.name: attempt(faults, rows[way.name],
                               lambda: pgo_builds.trained(program, chosen.llvm, way))
             for way in ways}
    tell(f"{program.name}: is trained")
    made = [name for name, cell in cells.items() if cell]
    in_parallel(lambda name: attempt(faults, rows[name], lambda: overhead_cells.build(cells[name])), made)
    made = {name: cells[name] for name in made if not rows[name].get("failed")}
    for name, cell in made.items():
        rows[name]["text"] = cell.notes()["text"]
    return made


def count_instructions(rows, cells, program, faults):
    outputs = set()
    for name, cell in cells.items():
        measured = attempt(faults, rows[name], lambda: pgo_measures.instructions(cell))
        if measured:
            rows[name]["instructions"] = measured[0]
            outputs.add(measured[1])
        tell(f"{program.name}: {name} is measured")
    if len(outputs) > 1:
        faults.append(f"{program.name}: not all builds put out the same")


def take_times(rows, cells, rounds, faults):
    measured = attempt(faults, rows["plain"], lambda: pgo_measures.times(cells, rounds)) or {}
    for name, seconds in measured.items():
        row = rows["plain"] if name == pgo_measures.AGAIN else rows[name]
        row["again" if name == pgo_measures.AGAIN else "seconds"] = seconds


def measure_program(program, chosen, faults):
    rows = {}
    cells = build_all(program, chosen, rows, faults)
    compare_twins(rows, cells, program, faults)
    if "instructions" in chosen.only:
        count_instructions(rows, cells, program, faults)
    if "time" in chosen.only:
        take_times(rows, cells, chosen.rounds, faults)
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
    print("\n".join(pgo_tables.lines_of(results, chosen.only)))
    for measure in chosen.write_docs:
        pgo_tables.write_document(results, measure)
    for fault in faults:
        print(f"pgo: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
