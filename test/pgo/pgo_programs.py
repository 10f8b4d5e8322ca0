"""The programs that `./run bench pgo` trains and measures. Two of them are those of the overhead's
measurement, a third is a server, which is trained and measured by a client's load over loopback. Each is
there twice: all of its ways to a profile see the same work, or the canary, which is instrumented, has
another mix of work than the fleet, which is sampled and for which the program is then optimised."""

import glob
import hashlib
import itertools
import os
import resource
import socket
import subprocess
import time
from dataclasses import dataclass, replace

from overhead_cells import Failure
from overhead_programs import PROGRAMS, ROOT, Program, Run, digest, lua, speedtest

LIMIT = 900  # seconds for one run


@dataclass(frozen=True)
class Work:
    """What a program does when it is trained, and, another and longer one, when it is measured.
    Runs of a program that ends by itself, or requests to a server. Samples are few by the second: while
    they are taken, the training is done `sampled` times, as a fleet would."""

    train: object
    measure: object
    sampled: int
    fleet: object = None  # what the fleet is sampled in, if that is another mix than `train`

    @property
    def of_fleet(self):
        return self.fleet or self.train


@dataclass(frozen=True)
class Load:
    """Requests to a server: how many, and the shares, in 256ths, of those that write, delete and count;
    the others read."""

    requests: int
    writes: int = 32
    deletes: int = 1
    counts: int = 4

    def __mul__(self, times):
        return replace(self, requests=self.requests * times)


@dataclass(frozen=True)
class Server(Program):
    """A program that answers requests until it is told to end."""


def overhead_program(name):
    return next(each for each in PROGRAMS if each.name == name)


MEMCACHED = Server(
    "memcached", "memcached, one thread", "memcached",
    ("memcached.c", "hash.c", "jenkins_hash.c", "murmur3_hash.c", "slabs.c", "items.c", "assoc.c",
     "thread.c", "daemon.c", "stats_prefix.c", "util.c", "cache.c", "bipbuffer.c", "base64.c",
     "logger.c", "crawler.c", "itoa_ljust.c", "slab_automove.c", "authfile.c", "restart.c",
     "proto_text.c", "proto_bin.c", "extstore.c", "crc32c.c", "storage.c",
     "slab_automove_extstore.c"),
    ("-DHAVE_CONFIG_H", "-I.", "-DNDEBUG", "-pthread"), ("-levent", "-pthread"), (), ())


def mixed_lua(numbers, text):
    return (Run((os.path.join(ROOT, "test", "programs", "mixed_work.lua"), str(numbers), str(text))),)


def testsets(sets, size):
    return (Run(("--memdb", "--verify", "--size", str(size), "--testset", sets)),)


# The canary runs all that the fleet does, but in other proportions: mostly numbers and a little text,
# mostly tables, joins and indexes and a little of recursive queries, wide rows and floating point,
# mostly reads and a few that write; "-apart", which only Lua has: nothing of it.
WORK = {
    "lua": Work(lua(1), lua(4), 100),
    "sqlite": Work(speedtest(2), speedtest(4), 40),
    "memcached": Work(Load(20000), Load(60000), 30),
    "sqlite-shifted": Work(testsets("main", 4) + testsets("cte,orm,fp", 1),
                           testsets("cte,orm,fp", 8), 40, fleet=testsets("cte,orm,fp", 4)),
    "lua-shifted": Work(mixed_lua(40, 1), mixed_lua(2, 40), 60, fleet=mixed_lua(1, 20)),
    "lua-apart": Work(mixed_lua(40, 0), mixed_lua(2, 40), 60, fleet=mixed_lua(1, 20)),
    "memcached-shifted": Work(Load(20000, 1, 1, 1), Load(60000, 120, 40, 60), 30,
                              fleet=Load(20000, 120, 40, 60)),
}


def work_digest(name):
    """What profiles depend on besides the program: what it does, and how a server is asked."""
    return digest(repr(WORK[name]), f"file:{os.path.abspath(__file__)}")


def base_name(name):
    return name.partition("-")[0]


def base_of(program):
    """The program that is trained: the same in each mix of work."""
    return MEMCACHED if isinstance(program, Server) else overhead_program(base_name(program.name))


def programs():
    """Each with the runs of its measurement as its steady and timed ones."""
    ended = [replace(overhead_program(base_name(name)), name=name, steady_runs=work.measure,
                     timed_runs=work.measure) for name, work in WORK.items()
             if base_name(name) != "memcached"]
    return [*ended, *[replace(MEMCACHED, name=name) for name in WORK
                      if base_name(name) == "memcached"]]


# --- a server's load -------------------------------------------------------------------------------


BATCH = 32  # requests that are sent before their answers are read


def requests_of(wanted):
    """The same requests each time, and how an answer ends: most read, some write values of 20 to 1000
    bytes, delete, or count, keys as they come from a generator of numbers."""
    number = 1
    yield b"set n 0 0 1\r\n0\r\n", None
    for _ in range(wanted.requests):
        number = (number * 1103515245 + 12345) % (1 << 31)
        key = b"key:%d" % (number >> 8 & 1023)
        kind = number >> 18 & 255
        if kind < wanted.writes:
            size = 20 + (number >> 5) % 980
            yield b"set %s 0 0 %d\r\n%s\r\n" % (key, size, b"x" * size), None
        elif kind < wanted.writes + wanted.deletes:
            yield b"delete %s\r\n" % key, None
        elif kind < wanted.writes + wanted.deletes + wanted.counts:
            yield b"incr n 1\r\n", None
        else:
            yield b"get %s\r\n" % key, b"END\r\n"


def answer(stream, ending):
    """A line, or lines up to the one that ends an answer."""
    line = text = stream.readline()
    while ending and line not in (ending, b""):
        line = stream.readline()
        text += line
    if not line:
        raise Failure("the server closed the connection")
    return text


def load(path, requests):
    """Asks, a batch at a time; gives a digest of the answers."""
    answers = hashlib.sha256()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        stream = connection.makefile("rb")
        asked = requests_of(requests)
        while batch := list(itertools.islice(asked, BATCH)):
            connection.sendall(b"".join(text for text, _ in batch))
            for _, ending in batch:
                answers.update(answer(stream, ending))
    return answers.hexdigest()


def open_few_files():
    """memcached sets its limit of open files to what -c says, soft and hard. valgrind lets it if the
    hard limit that it shows is the same, and that is the soft limit that it was started with."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (CONNECTIONS, hard))


CONNECTIONS = 64
# One thread, and none that works in the background when it sees fit.
OPTIONS = ("-t", "1", "-m", "64", "-c", str(CONNECTIONS), "-o", "no_lru_crawler,no_lru_maintainer")


def serve(command, environment, directory, requests, end):
    """Starts the server, gives it the load, and ends it by the signal; gives status, user and system
    seconds, and the digest of its answers. A Unix socket: nothing but this directory's owner reaches
    it. Its name has room for 107 bytes, which directories may need alone: both sides take a short one."""
    if os.path.exists(os.path.join(directory, "socket")):
        os.remove(os.path.join(directory, "socket"))
    user = ["-u", "root"] if os.getuid() == 0 else []
    with open(os.path.join(directory, "complaints"), "wb") as complaints:
        process = subprocess.Popen([*command, "-s", "socket", *OPTIONS, *user], cwd=directory,
                                   env=environment, stdin=subprocess.DEVNULL, stdout=complaints,
                                   stderr=complaints, preexec_fn=open_few_files)
    place = os.open(directory, os.O_PATH)
    try:
        path = f"/proc/self/fd/{place}/socket"
        wait_for_socket(path, process)
        answers = load(path, requests)
    finally:
        os.close(place)
        os.kill(process.pid, end)  # not reaped yet, so that it is the one
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, answers


def wait_for_socket(path, process):
    """Until it takes a connection; a bound is a bound for a machine that is busy."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
                return
        except OSError:
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            time.sleep(0.02)
    raise Failure("the server does not answer")


def profiles(directory):
    return sorted(glob.glob(os.path.join(directory, "*.profraw")))
