"""What is measured of the builds that `./run bench pgo` compares: instructions and time."""

import os
import re
import signal

import overhead_measures
import pgo_builds
from overhead_cells import Failure
from overhead_programs import digest
from pgo_programs import WORK, Server, serve, work_digest

AGAIN = "again"  # a build's second turn in each round


def served(cell, before=()):
    """Seconds of the server for its load, and the digest of what it answered."""
    status, seconds, answers = serve([*before, cell.executable], pgo_builds.ENVIRONMENT,
                                     cell.directory, WORK[cell.program.name].measure, signal.SIGINT)
    if status:
        with open(cell.path("complaints"), errors="replace") as complaints:
            raise Failure(f"{cell.name}: status {status}\n{complaints.read()}")
    return seconds, answers


# --- instructions ----------------------------------------------------------------------------------


def total_of(told):
    with open(told) as file:
        found = re.search(r"^(?:totals|summary): *(\d+)", file.read(), re.MULTILINE)
    if not found:
        raise Failure(f"callgrind gave no total in {told}")
    return int(found[1])


def server_instructions(cell):
    key = digest(cell.notes()["program"], work_digest(cell.program.name))
    known = cell.notes().get("instructions", {})
    if known.get("of") != key:
        told = cell.path("callgrind.out")
        _, answers = served(cell, ("valgrind", "-q", "--tool=callgrind",
                                   f"--callgrind-out-file={told}"))
        known = {"of": key, "total": total_of(told), "output": answers}
        cell.note(instructions=known)
    return known


def instructions(cell):
    """(instructions, digest of what came out)"""
    if isinstance(cell.program, Server):
        known = server_instructions(cell)
    else:
        overhead_measures.measure_instructions(cell)
        known = cell.notes()["instructions"]
    return known["total"], known["output"]


# --- time ------------------------------------------------------------------------------------------


def one_run(cell):
    if isinstance(cell.program, Server):
        return served(cell)[0]
    return sum(overhead_measures.execute(cell, number, run)
               for number, run in enumerate(cell.program.timed_runs))


def times(cells, rounds):
    """Side by side, each round beginning with another: each build's best, by the names in `cells`. One
    of them is in twice, as AGAIN: how far it is from itself tells what a difference means."""
    turns = [*cells.items(), (AGAIN, cells["plain"])] if "plain" in cells else list(cells.items())
    seconds = {name: [] for name, _ in turns}
    for number in range(-1, rounds):  # the first one warms caches
        for name, cell in overhead_measures.rotated(turns, number):
            spent = one_run(cell)
            if number >= 0:
                seconds[name].append(spent)
    return {name: min(each) for name, each in seconds.items()}
