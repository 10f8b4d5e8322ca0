"""What is measured of builds: instructions, with a look at output and counts; times; compile times.
Each result is kept with a digest of the program that it is of, and is not measured again."""

import functools
import os
import re
import subprocess
import tempfile

import overhead_cells
import overhead_variants
from overhead_cells import Failure
from overhead_programs import digest

# The environment of a measured run: nothing that differs from machine to machine or moves the stack.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
LIMIT = 900  # seconds for one run under callgrind
# speedtest1 says how long each part took, in a column that ends the line.
TIMES = re.compile(rb" *\d+\.\d+s$", re.MULTILINE)


# --- running -------------------------------------------------------------------------------------


def run_key(cell, runs):
    """What a run's result depends on, besides the measuring machine."""
    files = [each for run in runs for each in (*run.arguments, run.stdin)
             if each != os.devnull and os.path.isfile(each)]
    return digest(cell.notes()["program"], runs, TIMES.pattern, *[f"file:{each}" for each in files])


def execute(cell, number, run, before=()):
    """Run `number` of the program in its directory: standard output in output-N, the profile in
    run-N.profraw. Gives the user and system seconds."""
    stdin = run.stdin.replace("output ", "output-")
    profile = cell.path(f"run-{number}.profraw")
    if os.path.exists(profile):
        os.remove(profile)
    environment = {**ENVIRONMENT, "LLVM_PROFILE_FILE": profile}
    with open(cell.path(stdin), "rb") as source, open(cell.path(f"output-{number}"), "wb") as output, \
            open(cell.path("complaints"), "wb") as complaints:
        process = subprocess.Popen([*before, "./program", *run.arguments], cwd=cell.directory,
                                   env=environment, stdin=source, stdout=output, stderr=complaints)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    with open(cell.path("complaints"), errors="replace") as complaints:
        said = complaints.read()
    if process.returncode or said:
        raise Failure(f"{cell.name}: status {process.returncode}\n{said}")
    return usage.ru_utime + usage.ru_stime


def output_digest(cell, runs):
    """Without the times; what came out speedtest1 says with --verify only."""
    parts = []
    for number in range(len(runs)):
        with open(cell.path(f"output-{number}"), "rb") as file:
            parts.append(TIMES.sub(b"", file.read()))
    return digest(*parts)


def restores_input(cell, runs):
    """A run that undoes the one before must give what that was fed."""
    for number, run in enumerate(runs):
        if run.stdin.startswith("output "):
            with open(runs[number - 1].stdin, "rb") as fed, open(cell.path(f"output-{number}"),
                                                                 "rb") as got:
                if fed.read() != got.read():
                    raise Failure(f"{cell.name}: did not restore its input")


# --- instructions --------------------------------------------------------------------------------


def callgrind(cell, number, run):
    """Instructions of one run. What is executed by whom stays in callgrind-N.out."""
    told = cell.path(f"callgrind-{number}.out")
    execute(cell, number, run, ("timeout", str(LIMIT), "valgrind", "-q", "--tool=callgrind",
                                f"--callgrind-out-file={told}"))
    with open(told) as file:
        for line in file:
            found = re.match(r"(?:totals|summary): *(\d+)", line)
            if found:
                return int(found[1])
    raise Failure(f"{cell.name}: callgrind gave no total")


@functools.lru_cache(maxsize=None)
def runtime_functions(libraries):
    """The functions of profile runtimes: what callgrind counts there is not the program's own code."""
    said = subprocess.run(["nm", "-j", "--defined-only", *libraries], capture_output=True, text=True,
                          check=True).stdout
    return frozenset(line for line in said.splitlines() if line and not line.endswith(":"))


def instructions_in_runtime(cell):
    """Of those of all runs, start and end included: callgrind-N.out has the cost of each line of each
    function, and what follows calls= is that of a call, counted where it goes."""
    functions = runtime_functions(overhead_variants.runtime_libraries(cell.variant, cell.llvm))
    total = 0
    for number in range(len(cell.program.steady_runs)):
        names, inside, in_call = {}, False, False
        with open(cell.path(f"callgrind-{number}.out")) as file:
            for line in file:
                if line.startswith(("fn=", "cfn=")):  # the name stands where it is mentioned first
                    mark, _, name = line.partition("=")[2].rstrip().partition(" ")
                    names.setdefault(mark, name.partition("'")[0])
                if line.startswith("fn="):
                    inside = names[mark] in functions
                elif line.startswith("calls="):
                    in_call = True
                elif line[0] in "0123456789+-*":
                    total += 0 if in_call or not inside else int(line.split()[1])
                    in_call = False
    return total


def counts(cell, runs):
    """The counts of all runs, one line a function, as llvm-profdata says them."""
    profdata = f"llvm-profdata-{cell.llvm}"
    merged = cell.path("merged.profdata")
    files = [cell.path(f"run-{number}.profraw") for number in range(len(runs))]
    overhead_cells.run_tool([profdata, "merge", "-o", merged, *files], {}, cell.directory)
    said = subprocess.run([profdata, "show", "--all-functions", "--counts", merged], check=True,
                          capture_output=True, text=True).stdout
    functions = re.findall(r"^  \S.*\n(?:    .*\n)*", said, re.MULTILINE)
    counted = sum(1 for each in functions if re.search(r"[Cc]ounts?: \[?.*[1-9]", each))
    if not counted:
        raise Failure(f"{cell.name}: no function has counted")
    return sorted(each.replace("\n", " ") for each in functions)


def sum_of_counts(cell):
    """How often counters were counted up."""
    with open(cell.path("counts.txt")) as file:
        counted = re.findall(r"(?:Function count: |Block counts: \[)([\d, ]*)", file.read())
    return sum(int(each) for row in counted for each in row.replace(",", " ").split())


def measure_instructions(cell):
    """Also looks at what the program puts out and has counted."""
    runs = cell.program.steady_runs
    key = run_key(cell, runs)
    if cell.notes().get("instructions", {}).get("of") == key:
        return
    cell.forget("instructions")
    total = sum(callgrind(cell, number, run) for number, run in enumerate(runs))
    restores_input(cell, runs)
    counted = counts(cell, runs) if cell.variant.counts else []
    with open(cell.path("counts.txt"), "w") as file:
        file.writelines(each + "\n" for each in counted)
    cell.note(instructions={"of": key, "total": total, "in_runtime": instructions_in_runtime(cell),
                            "output": output_digest(cell, runs)})


def different_counts(cell, reference):
    """How many functions have counted otherwise than in the reference, and of how many."""
    with open(cell.path("counts.txt")) as ours, open(reference.path("counts.txt")) as stock:
        got, wanted = set(ours), set(stock)
    return len(wanted - got) + len({line.split(":")[0] for line in got - wanted} -
                                   {line.split(":")[0] for line in wanted - got}), len(wanted)


# --- time ----------------------------------------------------------------------------------------


def samples_name(cell, measure):
    """Where the notes have them: the uninstrumented program has been measured beside each kind."""
    return f"{measure}-{cell.kind}"


def measure_time(cells, rounds):
    """Of cells of one group, side by side: in each round every build runs once, each round beginning
    with another, so that neighbours can be compared. The static build runs twice in each: how far it is
    from itself is what the machine's noise makes of a difference of nothing."""
    runs = cells[0].program.timed_runs
    key = digest(rounds, *[run_key(cell, runs) for cell in cells])
    if all(cell.notes().get(samples_name(cell, "time"), {}).get("of") == key for cell in cells):
        return
    for cell in cells:
        cell.forget(samples_name(cell, "time"))
    again = next(cell for cell in cells if cell.variant.name == "static")
    turns = [(cell, "seconds") for cell in cells] + [(again, "again")]
    samples = {turn: [] for turn in turns}
    for number in range(-1, rounds):  # the first one warms caches
        for cell, sort in rotated(turns, number):
            spent = sum(execute(cell, at, run) for at, run in enumerate(runs))
            if number >= 0:
                samples[cell, sort].append(round(spent, 6))
    for cell in cells:
        mine = {sort: seconds for (of, sort), seconds in samples.items() if of == cell}
        cell.note(**{samples_name(cell, "time"): {"of": key, "output": output_digest(cell, runs),
                                                  **mine}})


def rotated(turns, number):
    start = number % len(turns)
    return turns[start:] + turns[:start]


def measure_compile(cells, rounds):
    """The same for the compiler: user seconds for all sources of the program."""
    key = digest(rounds, *[cell.notes()["objects"] for cell in cells])
    if all(cell.notes().get(samples_name(cell, "compile"), {}).get("of") == key for cell in cells):
        return
    seconds = {cell: [] for cell in cells}
    with tempfile.TemporaryDirectory() as objects:
        for number in range(rounds):
            for cell in rotated(cells, number):
                seconds[cell].append(round(overhead_cells.compile_all(cell, objects), 6))
    for cell in cells:
        cell.note(**{samples_name(cell, "compile"): {"of": key, "seconds": seconds[cell]}})
