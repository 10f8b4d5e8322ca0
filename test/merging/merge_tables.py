"""What ./run bench merge prints, and writes into docs/benchmarks.md: figures, and what was wanted."""

import os
import platform

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENT = os.path.join(ROOT, "docs", "benchmarks.md")
BEGIN = "<!-- merge: begin, written by ./run bench merge --write-docs -->"
END = "<!-- merge: end -->"

SPEED = {"same-build": 30, "large": 20}  # times as fast as the fastest llvm-profdata
MOST_MB = {"same-build": 24}


def print_rows(rows):
    title = None
    for row in rows:
        if row["title"] != title:
            title = row["title"]
            print("\n%s\n  %-22s %10s %10s %10s %10s %10s" % (title, "", "seconds", "processor", "MB",
                                                              "to ours", "processor"))
        ratios = ["", ""] if row["tool"] == "contprof" else [
            "%.2f" % row["to_ours"], "%.2f" % row["processor_to_ours"]]
        print("  %-22s %10.4f %10.4f %10.1f %10s %10s" % (
            row["tool"], row["seconds"], row["processor"], row["kilobytes"] / 1024, *ratios),
            flush=True)


# --- what was wanted ----------------------------------------------------------------------------

def met(wanted):
    return "met" if wanted else "not met"


def of_case(case, rows):
    """Sentences on one case with its version of the raw format."""
    by_tool = {row["tool"]: row for row in rows}
    ours = by_tool["contprof"]
    stock = [row for row in rows if row["tool"].startswith("llvm-profdata")]
    fastest = min(stock, key=lambda row: row["seconds"])
    name = case.rpartition("-v")[0] or case
    if name in SPEED:
        yield "at least %d times as fast as the fastest llvm-profdata: %.1f times (%s), %s" % (
            SPEED[name], fastest["to_ours"], fastest["tool"], met(fastest["to_ours"] >= SPEED[name]))
        reading = [row for row in rows if row["tool"].startswith("reading")]
        if reading:
            floor = min(reading, key=lambda row: row["seconds"])
            yield "to read the files and do nothing takes %.2f of its time (%s): with that alone it would be %.1f times" % (
                floor["to_ours"], floor["tool"], fastest["to_ours"] / floor["to_ours"])
    if name in MOST_MB:
        megabytes = ours["kilobytes"] / 1024
        yield "at most %d MB: %.1f MB, %s" % (MOST_MB[name], megabytes,
                                              met(megabytes <= MOST_MB[name]))
    if name == "large":
        ratio = by_tool["cat"]["to_ours"]
        yield "no slower than cat: cat takes %.2f of its time, %s" % (ratio, met(ratio >= 1))
    if name in ("text", "show"):
        least = min(row["kilobytes"] for row in stock)
        yield "faster than each llvm-profdata: the fastest takes %.2f of its time, %s" % (
            fastest["to_ours"], met(fastest["to_ours"] > 1))
        yield "in no more memory: %.2f of the least, %s" % (
            ours["kilobytes"] / least, met(ours["kilobytes"] <= least))


def of_growth(rows):
    """Linear cost: the tenfold of inputs takes no more than the tenfold of time, but for noise."""
    last, before = rows[-1], rows[-2]
    inputs = last["inputs"] / before["inputs"]
    time = last["processor"] / before["processor"]
    memory = last["kilobytes"] / before["kilobytes"]
    yield "cost grows linearly: %.1f times the inputs take %.1f times the processor time, %s" % (
        inputs, time, met(time <= inputs * 1.1))
    yield "memory does not grow: %.2f times, %s" % (memory, met(memory <= 1.1))


def wanted(rows):
    lines = []
    for case in dict.fromkeys(row["case"] for row in rows):
        mine = [row for row in rows if row["case"] == case]
        if case != "growth":
            lines += ["%s: %s" % (case, each) for each in of_case(case, mine)]
        elif len(mine) > 1:
            lines += ["growth: " + each for each in of_growth(mine)]
    return lines


def print_wanted(rows):
    print("\nwanted")
    for line in wanted(rows):
        print("  " + line)


# --- the document -------------------------------------------------------------------------------

def cells(row):
    ratios = ["", ""] if row["tool"] == "contprof" else [
        "%.2f" % row["to_ours"], "%.2f" % row["processor_to_ours"]]
    return [row["tool"], "%.3f" % row["seconds"], "%.3f" % row["processor"],
            "%.1f" % (row["kilobytes"] / 1024), *ratios]


def table(rows):
    title = None
    for row in rows:
        if row["title"] != title:
            title = row["title"]
            yield "| **%s** | | | | | |" % title
        yield "| " + " | ".join(cells(row)) + " |"


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return "%s, %d processors, Linux %s" % (names[0] if names else platform.machine(),
                                            os.cpu_count(), platform.release())


def write_document(results):
    with open(DOCUMENT) as file:
        before, begin, rest = file.read().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit("merge bench: %s has not the two lines that the section stands between"
                         % DOCUMENT)
    versions = "; ".join(dict.fromkeys(results["versions"].values()))
    scale = "" if results["scale"] == 1 else ", at %g of the full scale" % results["scale"]
    lines = ["%s; %s; %d rounds (%d of `large` and `text`)%s." % (
        versions, machine(), results["rounds"], results["long_rounds"], scale), "",
        "| | seconds | processor time | MB | time to ours | processor time to ours |",
        "|---|---|---|---|---|---|", *table(results["rows"]), "", "Wanted:", "",
        *("- " + line for line in wanted(results["rows"]))]
    with open(DOCUMENT, "w") as file:
        file.write(before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + after)
