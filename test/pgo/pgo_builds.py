"""How each build comes about: trained builds, their profiles, and what is optimised by these."""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass

import overhead_cells
import overhead_variants
from overhead_cells import Cell, Failure
from overhead_programs import ROOT, digest
from overhead_variants import BUILD, Variant
from pgo_programs import LIMIT, WORK, Server, base_of, profiles, serve, work_digest

CONTPROF = os.path.join(BUILD, "bin", "contprof")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
# What makes lines of samples tell apart what they should; and names, which llvm-profdata's rules then find
# no more in C's counts, so that a fleet that is to supplement them goes without.
FOR_LINES = ("-gline-tables-only", "-fdebug-info-for-profiling")
FOR_SAMPLES = (*FOR_LINES, "-funique-internal-linkage-names")


@dataclass(frozen=True)
class Way:
    """A way to a profile. Its training build is a variant of the overhead's measurement."""

    name: str
    title: str
    kind: str = ""  # of instrumentation
    trained: str = ""  # the variant that is trained; "" for none
    killed: bool = False  # the training ends by SIGKILL
    use: str = "-fprofile-use"
    of_fleet: bool = False  # trained with the fleet's work
    again: bool = False  # a second training of the same build


# Counter promotion would make stock's counts of Lua others: see overhead_variants.
WAYS = (
    Way("plain", "-O2"),
    Way("stock-frontend", "stock, frontend, clean exit", "frontend", "static"),
    Way("contprof-frontend", "contprof, frontend, SIGKILL", "frontend", "segment", True),
    Way("stock-ir", "stock, IR, clean exit", "ir", "exact"),
    Way("contprof-ir", "contprof, IR, SIGKILL", "ir", "segment", True),
    Way("sampled", "sampled, cpu-clock", "", "sampled", use="-fprofile-sample-use"),
    Way("combined", "contprof, IR and samples combined", "ir", "combined"),
)
# A server's counts differ from run to run: what becomes of stock's code then.
AGAIN = (
    Way("stock-frontend-again", "stock, frontend, trained once more", "frontend", "static", again=True),
    Way("stock-ir-again", "stock, IR, trained once more", "ir", "exact", again=True),
)
# Where the fleet has another mix of work than the canary. The last one is out of reach in practice.
SHIFTED_WAYS = (
    Way("plain", "-O2"),
    Way("canary", "IR counts of the canary alone", "ir", "segment", True),
    Way("sampled", "samples of the fleet alone", "", "sampled", use="-fprofile-sample-use"),
    Way("combined", "`contprof combine`", "ir", "combined"),
    Way("combined-samples", "`contprof combine --as=sample`", "", "combined-samples",
        use="-fprofile-sample-use"),
    Way("supplemented", "`merge --supplement-instr-with-sample`", "ir", "supplemented"),
    Way("ceiling", "IR counts of the fleet's work", "ir", "segment", True, of_fleet=True),
)
BY_NAME = {each.name: each for each in (*SHIFTED_WAYS, *WAYS, *AGAIN)}
SAMPLES = ("sampled", "combined-samples")  # what is trained so is used as samples


def is_shifted(program):
    return WORK[program.name].fleet is not None


def ways_of(program):
    if is_shifted(program):
        return SHIFTED_WAYS
    return (*WAYS, *AGAIN) if isinstance(program, Server) else WAYS


# What must be the same code, if a run does the same each time; and what is to be, if samples of the same
# load change nothing.
TWINS = (("stock-frontend", "contprof-frontend"), ("stock-ir", "contprof-ir"))
ALIKE = (("stock-ir", "combined"), ("stock-frontend", "stock-frontend-again"),
         ("stock-ir", "stock-ir-again"))


def tool(command, directory):
    said = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if said.returncode or said.stderr:
        raise Failure(f"{' '.join(command)}\n{said.stdout}{said.stderr}")


# --- training --------------------------------------------------------------------------------------


def killer(directory):
    """A library that ends a program by SIGKILL at the end of its exit()."""
    library = os.path.join(directory, "kill_at_exit.so")
    if not os.path.exists(library):
        tool(["cc", "-O1", "-fPIC", "-shared",
              os.path.join(ROOT, "test", "programs", "kill_at_exit.c"), "-o", library], directory)
    return library


def train_runs(cell, directory, work, killed):
    """Each run to its end; gives a profile each."""
    for number, run in enumerate(work):
        environment = {**ENVIRONMENT, "LLVM_PROFILE_FILE": f"{directory}/run-{number}.profraw"}
        if killed:
            environment["LD_PRELOAD"] = killer(directory)
        with open(os.path.join(directory, "said"), "wb") as said, open(run.stdin) as stdin:
            done = subprocess.run([cell.executable, *run.arguments], cwd=directory, stdin=stdin,
                                  env=environment, stdout=said, stderr=said, timeout=LIMIT)
        if done.returncode != (-signal.SIGKILL if killed else 0):
            raise Failure(f"{cell.name}: training ended with {done.returncode}")


def train_server(cell, directory, work, killed):
    environment = {**ENVIRONMENT, "LLVM_PROFILE_FILE": f"{directory}/run.profraw"}
    end = signal.SIGKILL if killed else signal.SIGINT
    status, _, _ = serve([cell.executable], environment, directory, work, end)
    if status != (-signal.SIGKILL if killed else 0):
        raise Failure(f"{cell.name}: training ended with {status}")


def trained_cell(program, llvm, way):
    return Cell(base_of(program), llvm, "O2", way.kind, overhead_variants.BY_NAME[way.trained])


def instrumented_profile(program, llvm, way):
    """The path of the profile of one training, which is made anew when the program is another."""
    cell = trained_cell(program, llvm, way)
    overhead_cells.build(cell)
    end = ("killed" if way.killed else "ended") + ("-again" if way.again else "")
    directory = cell.path(f"training-{program.name}-{'fleet-' if way.of_fleet else ''}{end}")
    wanted = digest(cell.notes()["program"], work_digest(program.name),
                    f"file:{CONTPROF}" if way.killed else llvm)
    profile = os.path.join(directory, f"{wanted[:16]}.profdata")
    if os.path.exists(profile):
        return profile
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    train = train_server if isinstance(program, Server) else train_runs
    work = WORK[program.name]
    train(cell, directory, work.of_fleet if way.of_fleet else work.train, way.killed)
    merge = [CONTPROF] if way.killed else [f"llvm-profdata-{llvm}"]
    tool([*merge, "merge", "-o", profile + ".new", *profiles(directory)], directory)
    os.rename(profile + ".new", profile)
    return profile


# --- samples ---------------------------------------------------------------------------------------


def sampling_options(program):
    return FOR_LINES if is_shifted(program) else FOR_SAMPLES


def sampled_cell(program, llvm):
    name = "pgo-for-lines" if is_shifted(program) else "pgo-for-samples"
    variant = Variant(name, "for samples", False, sampling_options(program), instrumented=False)
    return Cell(base_of(program), llvm, "O2", "none", variant)


def in_turn(executable, work, times):
    """A shell's words for runs of the work, again and again; arguments are words without blanks."""
    runs = "; ".join(f"{executable} {' '.join(run.arguments)} <{run.stdin} >said || exit"
                     for run in work)
    return f"i=0; while [ $i -lt {times} ]; do {runs}; i=$((i + 1)); done"


def record(cell, directory, work):
    """perf's recording of the work, again and again, by the clock: any machine has that."""
    data = os.path.join(directory, "perf.data")
    perf = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "4000", "-o", data, "--"]
    if isinstance(cell.program, Server):
        serve([*perf, cell.executable], ENVIRONMENT, directory, work.of_fleet * work.sampled,
              signal.SIGINT)
        return data
    done = subprocess.run([*perf, "sh", "-c", in_turn(cell.executable, work.of_fleet, work.sampled)],
                          cwd=directory, env=ENVIRONMENT, capture_output=True)
    if done.returncode:
        raise Failure(f"perf record: {done.stderr.decode(errors='replace')}")
    return data


def sample_profile(program, llvm):
    cell = sampled_cell(program, llvm)
    overhead_cells.build(cell)
    directory = cell.path(f"training-{program.name}")
    wanted = digest(cell.notes()["program"], work_digest(program.name),
                    f"file:{CONTPROF}")
    profile = os.path.join(directory, f"{wanted[:16]}.prof")
    if os.path.exists(profile):
        return profile
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    data = record(cell, directory, WORK[program.name])
    said = subprocess.run([CONTPROF, "sample", f"--perfdata={data}", f"--binary={cell.executable}",
                           "--sample-period=1", "--populate-profile-symbol-list",
                           "-o", profile + ".new"], capture_output=True, text=True)
    if said.returncode:
        raise Failure(f"contprof sample: {said.stderr}")
    os.rename(profile + ".new", profile)
    return profile


def counts_of(program, llvm):
    """The canary's counts, as all that brings samples to them takes them."""
    return instrumented_profile(program, llvm,
                                BY_NAME["canary" if is_shifted(program) else "contprof-ir"])


def made_of_both(program, llvm, way):
    counts, samples = counts_of(program, llvm), sample_profile(program, llvm)
    wanted = digest(f"file:{counts}", f"file:{samples}", f"file:{CONTPROF}")
    profile = os.path.join(os.path.dirname(samples), f"{way.name}-{wanted[:16]}.profdata")
    command = {
        "combined": ["combine", f"--instr={counts}", f"--sample={samples}", "--explain",
                     f"--llvm={llvm}"],
        "combined-samples": ["combine", f"--instr={counts}", f"--sample={samples}", "--explain",
                             "--as=sample"],
        "supplemented": ["merge", f"--supplement-instr-with-sample={samples}", f"--llvm={llvm}",
                         counts],
    }[way.trained]
    if not os.path.exists(profile):
        with open(profile + ".explained", "w") as explained:
            done = subprocess.run([CONTPROF, *command, "-o", profile], stdout=explained,
                                  stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise Failure(f"contprof {command[0]}: {done.stderr}")
    return profile


# --- use -------------------------------------------------------------------------------------------


def is_made_of_both(way):
    return way.trained in ("combined", "combined-samples", "supplemented")


def profile_of(program, llvm, way):
    if way.trained == "sampled":
        return sample_profile(program, llvm)
    if is_made_of_both(way):
        return made_of_both(program, llvm, way)
    return instrumented_profile(program, llvm, way)


def training_cells(program, llvm, ways):
    """The builds that the ways' profiles come from, each once."""
    counts = BY_NAME["canary" if is_shifted(program) else "contprof-ir"]
    instrumented = [counts if is_made_of_both(way) else way
                    for way in ways if way.kind or is_made_of_both(way)]
    cells = {trained_cell(program, llvm, way): None for way in instrumented}
    if any(way.trained == "sampled" or is_made_of_both(way) for way in ways):
        cells[sampled_cell(program, llvm)] = None
    return list(cells)


def trained(program, llvm, way):
    """The optimised program, to be built. A profile goes by the digest of what is in it, so that what is
    the same is built from the same command, but in directories of its own."""
    options = ()
    if way.trained:
        profile = profile_of(program, llvm, way)
        named = os.path.join(os.path.dirname(profile), digest(f"file:{profile}")[:16] + ".use")
        shutil.copyfile(profile, named)
        options = (f"{way.use}={named}",)
        if way.trained in SAMPLES:
            options += (*sampling_options(program), "-gdwarf-4")  # which valgrind reads
    return Cell(program, llvm, "O2", way.kind or "none",
                Variant(f"pgo-{way.name}", way.title, False, options, instrumented=False))


def code_of(cell):
    """The bytes of .text."""
    text = cell.path("text.bin")
    tool([f"llvm-objcopy-{cell.llvm}", "-O", "binary", "--only-section=.text", cell.executable, text],
         cell.directory)
    with open(text, "rb") as file:
        code = file.read()
    if len(code) < 1000:
        raise Failure(f"{cell.name}: no code in .text")
    return code
