"""From what was measured to results: rows with ratios, means over programs, targets. This is what the
JSON holds; the tables are written from it alone.

A row is a cell. Its measures, each present if measured: instructions, seconds (median of the rounds),
text (bytes of code in the program's objects), compile_seconds (user, median). MEASURE_over_static and
MEASURE_over_relocation are quotients; for times the median of the rounds' quotients, with the quartiles
in MEASURE_over_static_quartiles. in_runtime is how many of the instructions were the profile
runtime's; noise, of static rows, how far the median of its time is from 1 when it is compared with itself."""

import math
import os
import platform
import statistics
import time

from overhead_measures import different_counts, samples_name, sum_of_counts
from overhead_variants import BY_NAME, LEAST, exact_variant, version

MEASURES = ("instructions", "seconds", "text", "compile_seconds")
BASES = ("static", "relocation")
SAMPLES = {"seconds": "time", "compile_seconds": "compile"}  # in a cell's notes

MAY_FAIL = ("relocation", "stock-atomic")  # what only comparisons need

NOISE = "noise"  # a target for times: what the static build differs from itself

# (what is compared, base, kinds, measure, largest mean, largest of any program)
TARGETS = (
    ("segment", "static", ("frontend", "ir"), "instructions", 1.00, 1.03),
    ("segment", "relocation", ("frontend", "ir"), "instructions", 0.87, None),
    ("pointer", "static", ("frontend", "ir"), "instructions", 1.10, None),
    ("sharded", "static", ("frontend", "ir"), "instructions", 1.05, None),
    ("lag-loop", "static", ("ir",), "instructions", 1.02, None),
    ("segment", "static", ("frontend", "ir"), "seconds", NOISE, None),
    ("segment", "static", ("frontend", "ir"), "compile_seconds", 1.03, None),
)


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")),
                     "unknown")
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release(),
            "load": round(os.getloadavg()[0], 2), "date": time.strftime("%Y-%m-%d", time.gmtime())}


def round_samples(cell, measure):
    """The seconds of each round, and what marks the measurement: quotients need the same."""
    known = cell.notes().get(samples_name(cell, SAMPLES[measure]), {})
    return known.get("seconds", []), known.get("of")


def quotients(cell, base, measure):
    """Of each round; of a measure that is steady just one."""
    if measure in ("instructions", "text"):
        above, below = steady_value(cell, measure), steady_value(base, measure)
        return [above / below] if above and below else []
    (above, mark), (below, base_mark) = round_samples(cell, measure), round_samples(base, measure)
    return [a / b for a, b in zip(above, below)] if mark == base_mark else []


def steady_value(cell, measure):
    if measure == "text":
        return cell.notes().get("text")
    return cell.notes().get("instructions", {}).get("total")


def value(cell, measure):
    if measure in ("instructions", "text"):
        return steady_value(cell, measure)
    samples, _ = round_samples(cell, measure)
    return statistics.median(samples) if samples else None


def row_of(cell, group):
    row = {"program": cell.program.name, "llvm": cell.llvm, "level": cell.level, "kind": cell.kind,
           "variant": cell.variant.name, "kernel": cell.program.kernel}
    if "in_runtime" in cell.notes().get("instructions", {}):
        row["in_runtime"] = cell.notes()["instructions"]["in_runtime"]
    again = cell.notes().get(samples_name(cell, "time"), {}).get("again")
    if again:
        apart = [b / a for a, b in zip(round_samples(cell, "seconds")[0], again)]
        row["noise"] = round(abs(statistics.median(apart) - 1), 4)
    for measure in MEASURES:
        known = value(cell, measure)
        if known is None:
            continue
        row[measure] = known
        for base in BASES:
            ratios = quotients(cell, group[base], measure) if base in group else []
            if not ratios:
                continue
            row[f"{measure}_over_{base}"] = round(statistics.median(ratios), 4)
            if len(ratios) > 3:
                low, _, high = statistics.quantiles(ratios, n=4)
                row[f"{measure}_over_{base}_quartiles"] = [round(low, 4), round(high, 4)]
    return row


# --- is it the right thing that was measured? ----------------------------------------------------


def check_output(cell, group, row):
    plain = group["plain"].notes()
    for name in ("instructions", samples_name(cell, "time")):
        wanted = plain.get(name, {}).get("output")
        got = cell.notes().get(name, {}).get("output")
        if wanted and got:
            row["same_output"] = row.get("same_output", True) and wanted == got


def check_counts(cell, group, row):
    reference = group.get(exact_variant(cell.kind))
    if not cell.variant.counts or not reference or "instructions" not in row or \
            "instructions" not in reference.notes():
        return
    row["other_counts"], row["functions"] = different_counts(cell, reference)


def faults_of(row):
    """Why its figures mean nothing. A compiler of stock clang that ends with an error, as 14's does for
    C++ with its relocation, is told in the row alone."""
    where = f"{row['program']}, clang {row['llvm']} -{row['level']} {row['kind']} {row['variant']}"
    if "fails" in row and row["variant"] not in MAY_FAIL:
        yield f"{where}: {row['fails']}"
    if not row.get("same_output", True):
        yield f"{where}: the program puts out something else than the uninstrumented one"
    if row.get("other_counts") and BY_NAME[row["variant"]].ours:
        yield f"{where}: {row['other_counts']} of {row['functions']} functions have other counts"


def least_row(group, plain):
    """The uninstrumented program's instructions and one for each count of a build that counts exactly."""
    exact = group.get(exact_variant(plain["kind"]))
    if "instructions" not in plain or not exact or "instructions" not in exact.notes():
        return None
    row = {name: plain[name] for name in ("program", "llvm", "level", "kind", "kernel")}
    row.update(variant=LEAST.name, instructions=plain["instructions"] + sum_of_counts(exact))
    for base in BASES:
        below = steady_value(group[base], "instructions") if base in group else None
        if below:
            row[f"instructions_over_{base}"] = round(row["instructions"] / below, 4)
    return row


def rows_of(cells, failures):
    groups = {}
    for cell in cells:
        groups.setdefault(cell.group, {})[cell.variant.name] = cell
    rows = []
    for cell in cells:
        group = groups[cell.group]
        row = row_of(cell, group)
        check_output(cell, group, row)
        check_counts(cell, group, row)
        if cell.directory in failures:
            row["fails"] = failures[cell.directory]
        rows.append(row)
        least = least_row(group, row) if cell.variant.name == "plain" else None
        if least:
            rows.append(least)
    return rows


# --- means and targets ---------------------------------------------------------------------------


def mean_of(ratios):
    return math.exp(sum(math.log(each) for each in ratios) / len(ratios))


def summary_of(rows):
    """Over the programs, without the kernels, which are there to show the extremes; and over all."""
    summary = []
    for key in dict.fromkeys((r["llvm"], r["level"], r["kind"], r["variant"]) for r in rows):
        mine = [r for r in rows if (r["llvm"], r["level"], r["kind"], r["variant"]) == key]
        for measure in MEASURES:
            for base in BASES:
                name = f"{measure}_over_{base}"
                programs = {r["program"]: r[name] for r in mine if name in r and not r["kernel"]}
                everything = {r["program"]: r[name] for r in mine if name in r}
                if not everything:
                    continue
                entry = dict(zip(("llvm", "level", "kind", "variant"), key), measure=measure, base=base,
                             mean_with_kernels=round(mean_of(everything.values()), 4),
                             programs=len(programs))
                if programs:
                    worst = max(programs, key=programs.get)
                    entry.update(mean=round(mean_of(programs.values()), 4), worst=programs[worst],
                                 worst_program=worst)
                summary.append(entry)
    return summary


def noise_of(rows, entry):
    """The largest of any program measured with that clang, level and kind."""
    keys = ("llvm", "level", "kind")
    return max(row["noise"] for row in rows
               if "noise" in row and not row["kernel"] and all(row[k] == entry[k] for k in keys))


def targets_of(rows, summary):
    """Each target for each clang, level and kind that it was measured with."""
    targets = []
    for variant, base, kinds, measure, mean, worst in TARGETS:
        for entry in summary:
            if (entry["variant"], entry["base"], entry["measure"]) != (variant, base, measure) or \
                    entry["kind"] not in kinds or "mean" not in entry:
                continue
            largest = round(1 + noise_of(rows, entry), 4) if mean == NOISE else mean
            met = entry["mean"] <= largest and (worst is None or entry["worst"] <= worst)
            targets.append({**entry, "target_mean": largest, "target_worst": worst, "met": met})
    return targets


def results_of(cells, failures, contprof_version):
    """`failures`: why a cell, by its directory, could not be built or measured."""
    rows = rows_of(cells, failures)
    summary = summary_of(rows)
    return {"machine": machine(), "contprof": contprof_version,
            "clangs": {llvm: version(llvm) for llvm in sorted({cell.llvm for cell in cells})},
            "rows": rows, "summary": summary, "targets": targets_of(rows, summary),
            "faults": [fault for row in rows for fault in faults_of(row)]}
