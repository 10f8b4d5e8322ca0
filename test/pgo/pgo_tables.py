"""The tables of `./run bench pgo`, for the terminal and for docs/benchmarks.md."""

import os
import platform

from overhead_programs import ROOT

DOCUMENT = os.path.join(ROOT, "docs", "benchmarks.md")
BEGIN = "<!-- pgo: begin, written by ./run bench pgo --write-docs -->"
END = "<!-- pgo: end -->"


def ratio(row, base, measure):
    if row.get(measure) and base.get(measure):
        return f"{row[measure] / base[measure]:.3f}"
    return "fails" if row.get("failed") else ""


def instructions(row):
    return f"{row['instructions'] / 1e6:.1f} M" if row.get("instructions") else ""


def same_code(row):
    return {True: "yes", False: "no", None: ""}[row.get("code_of_stock")]


def cells_of(row, base):
    return [row["title"], instructions(row), ratio(row, base, "instructions"),
            ratio(row, base, "seconds"), ratio(row, base, "text"), same_code(row)]


def lines_of(results):
    """Markdown, which reads well enough on a terminal."""
    lines = []
    for program in dict.fromkeys(row["program"] for row in results["rows"]):
        rows = [row for row in results["rows"] if row["program"] == program]
        base = next(row for row in rows if row["way"] == "plain")
        lines += ["", f"| {program} | instructions | / -O2 | time / -O2 | code / -O2 | stock's code |",
                  "|---|---|---|---|---|---|"]
        lines += ["| " + " | ".join(cells_of(row, base)) + " |" for row in rows]
    return lines


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(names)} processors"


def write_document(results):
    with open(DOCUMENT) as file:
        text = file.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"pgo: {DOCUMENT} has not the two lines that the section stands between")
    said = [f"clang {results['llvm']}, contprof {results['contprof']}, {machine()}.",
            *lines_of(results)]
    with open(DOCUMENT, "w") as file:
        file.write(before + BEGIN + "\n\n" + "\n".join(said) + "\n\n" + END + after)
