"""The tables of `./run bench pgo`, for the terminal and for docs/benchmarks.md."""

import os
import platform

from overhead_programs import ROOT

DOCUMENT = os.path.join(ROOT, "docs", "benchmarks.md")
def ratio(row, base, measure):
    if row.get(measure) and base.get(measure):
        return f"{row[measure] / base[measure]:.3f}"
    return "fails" if row.get("failed") else ""


def instructions(row):
    return f"{row['instructions'] / 1e6:.1f} M" if row.get("instructions") else ""


def same_code(row):
    return {True: "yes", False: "no", None: ""}[row.get("code_of_stock")]


def programs_of(results):
    """(name, its rows, the one that the others are divided by), one after the other."""
    for program in dict.fromkeys(row["program"] for row in results["rows"]):
        rows = [row for row in results["rows"] if row["program"] == program]
        yield program, rows, next(row for row in rows if row["way"] == "plain")


def instruction_lines(results):
    """Markdown, which reads well enough on a terminal. A table for each program."""
    lines = []
    for program, rows, base in programs_of(results):
        twins = any("code_of_stock" in row for row in rows)
        lines += ["", f"| {program} | instructions | / -O2 | code / -O2 |"
                  + (" stock's code |" if twins else ""), "|---|---|---|---|" + "---|" * twins]
        lines += ["| " + " | ".join([row["title"], instructions(row), ratio(row, base, "instructions"),
                                     ratio(row, base, "text"), *[same_code(row)] * twins]) + " |"
                  for row in rows]
    return lines


def time_lines(results):
    """One table, a column for each program."""
    columns = list(programs_of(results))
    ways = dict.fromkeys((row["way"], row["title"]) for row in results["rows"])
    lines = ["", "| time / -O2 | " + " | ".join(program for program, _, _ in columns) + " |",
             "|---|" + "---|" * len(columns)]
    for way, title in ways:
        ratios = [next((ratio(row, base, "seconds") for row in rows if row["way"] == way), "")
                  for _, rows, base in columns]
        lines.append(f"| {title} | " + " | ".join(ratios) + " |")
    again = [f"{base['again'] / base['seconds']:.3f}" if base.get("again") else ""
             for _, _, base in columns]
    return lines + ["| -O2, once more | " + " | ".join(again) + " |"]


LINES = {"instructions": instruction_lines, "time": time_lines}


def kinds_of(results):
    """(mark in the document, results) of programs whose ways to a profile all see the same work, and of
    those whose fleet has another mix; of each kind that there is."""
    for mark, shifted in (("pgo", False), ("pgo shifted", True)):
        rows = [row for row in results["rows"] if row["shifted"] == shifted]
        if rows:
            yield mark, {**results, "rows": rows}


def lines_of(results, only):
    return [line for measure in only for _, kind in kinds_of(results) for line in LINES[measure](kind)]


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(names)} processors"


def write_document(results, measure):
    """Puts the tables of that measure where the last ones of the same kind of programs were."""
    for mark, kind in kinds_of(results):
        write_between(f"{mark} {measure}", measure,
                      [f"clang {results['llvm']}, contprof {results['contprof']}, {machine()}.",
                       *LINES[measure](kind)])


def write_between(mark, measure, lines):
    begin_mark = f"<!-- {mark}: begin, written by ./run bench pgo --write-docs={measure} -->"
    end_mark = f"<!-- {mark}: end -->"
    with open(DOCUMENT) as file:
        text = file.read()
    before, begin, rest = text.partition(begin_mark)
    _, end, after = rest.partition(end_mark)
    if not begin or not end:
        raise SystemExit(f"pgo: {DOCUMENT} has not the two lines that the table stands between")
    with open(DOCUMENT, "w") as file:
        file.write(before + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + after)
