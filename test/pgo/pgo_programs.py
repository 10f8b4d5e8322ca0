"""The programs that `./run bench pgo` trains and measures. Two of them are those of the overhead's
measurement, a third is a server, which is trained and measured by a client's load over loopback."""

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
from overhead_programs import PROGRAMS, Program, digest, lua, speedtest

LIMIT = 900  # seconds for one run


@dataclass(frozen=True)
class Work:
    """What a program does when it is trained, and, another and longer one, when it is measured.
    Runs of a program that ends by itself, or numbers of requests to a server. Samples are few by the
    second: while they are taken, the training is done `sampled` times, as a fleet would."""

    train: object
    measure: object
    sampled: int


@dataclass(frozen=True)
class Server(Program):
    """A program that answers requests until it is told to end."""

    requests: tuple = ()  # of training, of the measurement


def overhead_program(name):
    return next(each for each in PROGRAMS if each.name == name)


MEMCACHED = Server(
    "memcached", "memcached, one thread", "memcached",
    ("memcached.c", "hash.c", "jenkins_hash.c", "murmur3_hash.c", "slabs.c", "items.c", "assoc.c",
     "thread.c", "daemon.c", "stats_prefix.c", "util.c", "cache.c", "bipbuffer.c", "base64.c",
     "logger.c", "crawler.c", "itoa_ljust.c", "slab_automove.c", "authfile.c", "restart.c",
     "proto_text.c", "proto_bin.c", "extstore.c", "crc32c.c", "storage.c",
     "slab_automove_extstore.c"),
    ("-DHAVE_CONFIG_H", "-I.", "-DNDEBUG", "-pthread"), ("-levent", "-pthread"), (), (),
    requests=(20000, 60000))

WORK = {
    "lua": Work(lua(1), lua(4), 100),
    "sqlite": Work(speedtest(2), speedtest(4), 40),
    "memcached": Work(MEMCACHED.requests[0], MEMCACHED.requests[1], 30),
}


def work_digest(name):
    """What profiles depend on besides the program: what it does, and how a server is asked."""
    return digest(repr(WORK[name]), f"file:{os.path.abspath(__file__)}")


def programs():
    """Each with the runs of its measurement as its steady and timed ones."""
    ended = [replace(overhead_program(name), steady_runs=WORK[name].measure,
                     timed_runs=WORK[name].measure) for name in ("sqlite", "lua")]
    return [*ended, MEMCACHED]


# --- a server's load -------------------------------------------------------------------------------


BATCH = 32  # requests that are sent before their answers are read


def requests_of(count):
    """The same requests each time, and how an answer ends: nine of ten read, one writes, keys as they
    come from a generator of numbers, values of 20 to 1000 bytes; now and then a counter and a deletion."""
    number = 1
    yield b"set n 0 0 1\r\n0\r\n", None
    for _ in range(count):
        number = (number * 1103515245 + 12345) % (1 << 31)
        key = b"key:%d" % (number >> 8 & 1023)
        if number >> 18 & 15 < 2:
            size = 20 + (number >> 5) % 980
            yield b"set %s 0 0 %d\r\n%s\r\n" % (key, size, b"x" * size), None
        elif number >> 18 & 255 == 77:
            yield b"delete %s\r\n" % key, None
        elif number >> 18 & 63 == 60:
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
    it."""
    path = os.path.join(directory, "socket")
    if os.path.exists(path):
        os.remove(path)
    user = ["-u", "root"] if os.getuid() == 0 else []
    with open(os.path.join(directory, "complaints"), "wb") as complaints:
        process = subprocess.Popen([*command, "-s", path, *OPTIONS, *user], cwd=directory,
                                   env=environment, stdin=subprocess.DEVNULL, stdout=complaints,
                                   stderr=complaints, preexec_fn=open_few_files)
    try:
        wait_for_socket(path, process)
        answers = load(path, requests)
    finally:
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
