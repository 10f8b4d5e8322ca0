"""The results as text: tables for the terminal, and the section of docs/benchmarks.md."""

import os

from overhead_programs import PROGRAMS, ROOT
from overhead_results import BASES
from overhead_variants import SHOWN

DOCUMENT = os.path.join(ROOT, "docs", "benchmarks.md")
BEGIN = "<!-- overhead: written by ./run bench overhead --write-docs -->"
END = "<!-- overhead: end -->"
TITLES = {"instructions": "instructions", "seconds": "time", "text": "text",
          "compile_seconds": "compile time"}
# Of the document, in this order.
COLUMNS = [(measure, base) for measure in TITLES for base in BASES
           if base == "static" or measure == "instructions"]


def ratio(number):
    return "-" if number is None else f"{number:.3f}"


def matrices(results):
    """((llvm, level, kind), its rows) in the order of the rows."""
    key = ("llvm", "level", "kind")
    for wanted in dict.fromkeys(tuple(row[k] for k in key) for row in results["rows"]):
        yield wanted, [row for row in results["rows"] if tuple(row[k] for k in key) == wanted]


# --- the terminal --------------------------------------------------------------------------------

HEADINGS = ("", "instructions", "/static", "/reloc.", "runtime", "seconds", "/static", "/reloc.", "text",
            "/static", "compile", "/static", "")
LINE = "  {:<36}{:>12}{:>8}{:>8}{:>8}{:>9}{:>8}{:>8}{:>9}{:>8}{:>9}{:>8}  {}"


def remark(row):
    if "fails" in row:
        return "FAILS"
    if not row.get("same_output", True):
        return "OTHER OUTPUT"
    if row.get("other_counts"):
        return f"{row['other_counts']} of {row['functions']} functions count otherwise"
    return ""


def terminal_row(row, title):
    def number(name, form):
        return form.format(row[name]) if name in row else "-"

    def over(measure, base):
        return ratio(row.get(f"{measure}_over_{base}"))

    instructions = f"{row['instructions'] / 1e6:.2f} M" if "instructions" in row else "-"
    runtime = f"{row['in_runtime'] / row['instructions']:.1%}" if "in_runtime" in row else "-"
    return LINE.format(title, instructions, over("instructions", "static"),
                       over("instructions", "relocation"), runtime, number("seconds", "{:.3f}"),
                       over("seconds", "static"), over("seconds", "relocation"),
                       number("text", "{}"), over("text", "static"),
                       number("compile_seconds", "{:.2f}"), over("compile_seconds", "static"),
                       remark(row))


def terminal(results):
    titles = {each.name: each.title for each in SHOWN}
    for (llvm, level, kind), rows in matrices(results):
        for program in PROGRAMS:
            mine = [row for row in rows if row["program"] == program.name]
            if not mine:
                continue
            print(f"\n{program.title}; clang {llvm} -{level}, {kind} instrumentation")
            print(LINE.format(*HEADINGS))
            for row in mine:
                print(terminal_row(row, titles[row["variant"]]))
    print_summary(results)
    print_targets(results)


def print_summary(results):
    print("\nMeans (geometric) over the programs without the kernels; the worst program; with kernels")
    for entry in results["summary"]:
        if entry["variant"] == entry["base"] or "mean" not in entry:
            continue
        print(f"  {entry['llvm']} -{entry['level']} {entry['kind']:<9}{entry['variant']:<13}"
              f"{TITLES[entry['measure']]:<13}/{entry['base']:<11}{entry['mean']:.3f}  "
              f"{entry['worst']:.3f} {entry['worst_program']:<10}{entry['mean_with_kernels']:.3f}")


def bound(target):
    if target["measure"] == "seconds":
        return f"mean within noise, <= {target['target_mean']:.3f}"
    worst = f", worst <= {target['target_worst']:.2f}" if target["target_worst"] else ""
    return f"mean <= {target['target_mean']:.2f}{worst}"


def print_targets(results):
    if results["targets"]:
        print("\nTargets")
    for each in results["targets"]:
        print(f"  {'met    ' if each['met'] else 'NOT MET'} {each['llvm']} -{each['level']} "
              f"{each['kind']:<9}{each['variant']} {TITLES[each['measure']]} over {each['base']}: "
              f"{each['mean']:.3f}, worst {each['worst']:.3f} ({each['worst_program']}); "
              f"wanted {bound(each)}")


# --- the document --------------------------------------------------------------------------------


def markdown_table(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for line in lines:
        yield "| " + " | ".join(line) + " |"
    yield ""


def ratio_table(rows, results, key, measure, base):
    """Variants by programs."""
    name = f"{measure}_over_{base}"
    programs = [p.name for p in PROGRAMS if any(r["program"] == p.name and name in r for r in rows)]
    if not programs:
        return
    lines = []
    for variant in SHOWN:
        mine = {r["program"]: r.get(name) for r in rows if r["variant"] == variant.name}
        if not any(mine.values()):
            continue
        entry = next(e for e in results["summary"] if (e["llvm"], e["level"], e["kind"]) == key and
                     (e["variant"], e["measure"], e["base"]) == (variant.name, measure, base))
        lines.append([variant.title, *[ratio(mine.get(p)) for p in programs],
                      f"**{ratio(entry.get('mean'))}**", ratio(entry.get("worst"))])
    yield from markdown_table([f"{TITLES[measure]} / {base}", *programs, "mean", "worst"], lines)


def in_full(results, key):
    """One clang and level has every program's figures in the document, the others have means."""
    llvm, level, _ = key
    return llvm == max(results["clangs"]) and level == "O2"


def means_table(rows, results, key):
    """Variants by measures: the mean over the programs and the worst of them."""
    means = {(e["variant"], e["measure"], e["base"]): e for e in results["summary"]
             if (e["llvm"], e["level"], e["kind"]) == key and "mean" in e}
    columns = [each for each in COLUMNS if any((v.name, *each) in means for v in SHOWN)]
    measured = {row["program"] for row in rows if "text_over_static" in row}
    names = [each.name for each in PROGRAMS if not each.kernel and each.name in measured]
    yield f"Mean over {', '.join(names)}; in brackets, the worst."
    yield ""
    lines = []
    for variant in SHOWN:
        mine = [means.get((variant.name, *each)) for each in columns]
        if any(mine):
            lines.append([variant.title, *[f"{ratio(e['mean'])} ({ratio(e['worst'])})" if e else ""
                                           for e in mine]])
    yield from markdown_table(["", *[f"{TITLES[m]} / {b}" for m, b in columns]], lines)


def document_lines(results):
    machine = results["machine"]
    clangs = "; ".join(results["clangs"].values())
    yield (f"{clangs}; Linux {machine['kernel']}, {machine['cores']} cores of {machine['cpu']}; "
           f"{machine['date']}.")
    yield ""
    for key, rows in matrices(results):
        yield f"### clang {key[0]} -{key[1]}, {key[2]} instrumentation"
        yield ""
        if in_full(results, key):
            for measure, base in COLUMNS:
                yield from ratio_table(rows, results, key, measure, base)
        else:
            yield from means_table(rows, results, key)
    yield "### Against what it should be"
    yield ""
    yield from markdown_table(
        ["", "mean", "worst", "wanted", ""],
        [[f"clang {e['llvm']} -{e['level']} {e['kind']}: {e['variant']} / {e['base']}, "
          f"{TITLES[e['measure']]}", ratio(e["mean"]), f"{ratio(e['worst'])} ({e['worst_program']})",
          bound(e), "met" if e["met"] else "**not met**"] for e in results["targets"]])


def write_document(results):
    with open(DOCUMENT) as file:
        text = file.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"overhead: {DOCUMENT} has not the two lines that the section stands between")
    with open(DOCUMENT, "w") as file:
        file.write(before + BEGIN + "\n\n" + "\n".join(document_lines(results)) + END + after)
