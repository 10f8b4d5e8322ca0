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
from pgo_programs import LIMIT, WORK, Server, profiles, serve, work_digest

CONTPROF = os.path.join(BUILD, "bin", "contprof")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
# What makes names and lines of samples tell apart what they should.
FOR_SAMPLES = ("-gline-tables-only", "-fdebug-info-for-profiling",
               "-funique-internal-linkage-names")


@dataclass(frozen=True)
class Way:
    """A way to a profile. Its training build is a variant of the overhead's measurement."""

    name: str
    title: str
    kind: str = ""  # of instrumentation
    trained: str = ""  # the variant that is trained; "" for none
    killed: bool = False  # the training ends by SIGKILL
    use: str = "-fprofile-use"


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
BY_NAME = {each.name: each for each in WAYS}
# What must be the same code, if a run does the same each time; and what is to be, if samples of the same
# load change nothing.
TWINS = (("stock-frontend", "contprof-frontend"), ("stock-ir", "contprof-ir"))
ALIKE = (("stock-ir", "combined"),)


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


def train_runs(cell, directory, killed):
    """Each run to its end; gives a profile each."""
    for number, run in enumerate(WORK[cell.program.name].train):
        environment = {**ENVIRONMENT, "LLVM_PROFILE_FILE": f"{directory}/run-{number}.profraw"}
        if killed:
            environment["LD_PRELOAD"] = killer(directory)
        with open(os.path.join(directory, "said"), "wb") as said, open(run.stdin) as stdin:
            done = subprocess.run([cell.executable, *run.arguments], cwd=directory, stdin=stdin,
                                  env=environment, stdout=said, stderr=said, timeout=LIMIT)
        if done.returncode != (-signal.SIGKILL if killed else 0):
            raise Failure(f"{cell.name}: training ended with {done.returncode}")


def train_server(cell, directory, killed):
    environment = {**ENVIRONMENT, "LLVM_PROFILE_FILE": f"{directory}/run.profraw"}
    end = signal.SIGKILL if killed else signal.SIGINT
    status, _, _ = serve([cell.executable], environment, directory,
                      WORK[cell.program.name].train, end)
    if status != (-signal.SIGKILL if killed else 0):
        raise Failure(f"{cell.name}: training ended with {status}")


def trained_cell(program, llvm, way):
    return Cell(program, llvm, "O2", way.kind, overhead_variants.BY_NAME[way.trained])


def instrumented_profile(program, llvm, way):
    """The path of the profile of one training, which is made anew when the program is another."""
    cell = trained_cell(program, llvm, way)
    overhead_cells.build(cell)
    directory = cell.path(f"training-{'killed' if way.killed else 'ended'}")
    wanted = digest(cell.notes()["program"], work_digest(program.name),
                    f"file:{CONTPROF}" if way.killed else llvm)
    profile = os.path.join(directory, f"{wanted[:16]}.profdata")
    if os.path.exists(profile):
        return profile
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    train = train_server if isinstance(program, Server) else train_runs
    train(cell, directory, way.killed)
    merge = [CONTPROF] if way.killed else [f"llvm-profdata-{llvm}"]
    tool([*merge, "merge", "-o", profile + ".new", *profiles(directory)], directory)
    os.rename(profile + ".new", profile)
    return profile


# --- samples ---------------------------------------------------------------------------------------


def sampled_cell(program, llvm):
    variant = Variant("pgo-for-samples", "for samples", False, FOR_SAMPLES, instrumented=False)
    return Cell(program, llvm, "O2", "none", variant)


def record(cell, directory):
    """perf's recording of the training, again and again, by the clock: any machine has that."""
    data = os.path.join(directory, "perf.data")
    perf = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "4000", "-o", data, "--"]
    work = WORK[cell.program.name]
    if isinstance(cell.program, Server):
        serve([*perf, cell.executable], ENVIRONMENT, directory, work.train * work.sampled,
              signal.SIGINT)
        return data
    run, = work.train
    again = f'i=0; while [ $i -lt {work.sampled} ]; do "$@" >said || exit; i=$((i + 1)); done'
    with open(run.stdin) as stdin:
        done = subprocess.run([*perf, "sh", "-c", again, "sh", cell.executable, *run.arguments],
                              cwd=directory, stdin=stdin, env=ENVIRONMENT, capture_output=True)
    if done.returncode:
        raise Failure(f"perf record: {done.stderr.decode(errors='replace')}")
    return data


def sample_profile(program, llvm):
    cell = sampled_cell(program, llvm)
    overhead_cells.build(cell)
    directory = cell.path("training")
    wanted = digest(cell.notes()["program"], work_digest(program.name),
                    f"file:{CONTPROF}")
    profile = os.path.join(directory, f"{wanted[:16]}.prof")
    if os.path.exists(profile):
        return profile
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    data = record(cell, directory)
    said = subprocess.run([CONTPROF, "sample", f"--perfdata={data}", f"--binary={cell.executable}",
                           "--sample-period=1",
                           "-o", profile + ".new"], capture_output=True, text=True)
    if said.returncode:
        raise Failure(f"contprof sample: {said.stderr}")
    os.rename(profile + ".new", profile)
    return profile


def combined_profile(program, llvm):
    counts = instrumented_profile(program, llvm, BY_NAME["contprof-ir"])
    samples = sample_profile(program, llvm)
    wanted = digest(f"file:{counts}", f"file:{samples}", f"file:{CONTPROF}")
    profile = os.path.join(os.path.dirname(samples), f"combined-{wanted[:16]}.profdata")
    if not os.path.exists(profile):
        with open(profile + ".explained", "w") as explained:
            done = subprocess.run([CONTPROF, "combine", f"--instr={counts}", f"--sample={samples}",
                                   "--explain", f"--llvm={llvm}", "-o", profile],
                                  stdout=explained, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise Failure(f"contprof combine: {done.stderr}")
    return profile


# --- use -------------------------------------------------------------------------------------------


def profile_of(program, llvm, way):
    if way.trained == "sampled":
        return sample_profile(program, llvm)
    if way.trained == "combined":
        return combined_profile(program, llvm)
    return instrumented_profile(program, llvm, way)


def training_cells(program, llvm, ways):
    """The builds that the ways' profiles come from, each once."""
    instrumented = [BY_NAME["contprof-ir"] if way.trained == "combined" else way
                    for way in ways if way.kind]
    cells = {trained_cell(program, llvm, way): None for way in instrumented}
    if any(way.trained in ("sampled", "combined") for way in ways):
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
        if way.trained == "sampled":
            options += (*FOR_SAMPLES, "-gdwarf-4")  # which valgrind reads
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
