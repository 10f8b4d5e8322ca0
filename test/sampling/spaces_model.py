"""Random recordings of address spaces, and what a slow and simple model says of each sample.

spaces_model.py SEED EVENTS KIND BINARY...    KIND: all; text: what perf script's text can tell,
that is no build-ids; or tame: of that what perf script gets right itself

Writes, into the current directory: `script` for write_recording; of each BINARY what `contprof sample
--skip-symbolization --use-offset=false` has to write, BASENAME-OF-DIRECTORY-AND-FILE.wanted; `reasons`,
how many samples are what; `places`, of each sample its time and where it is.

The model: a process is a list of all that it has ever mapped, oldest first. An address is in the newest
map around it. A fork copies the list, an exec or the last thread's exit empties it. What time says, not
where a record stands in the file, is the order: within a round records stand in any order, and may come
a round late.
"""
import os
import random
import struct
import subprocess
import sys

TOP = 2**64 - 1


class Binary:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.key = os.path.basename(os.path.dirname(self.path)) + "-" + os.path.basename(path)
        self.bytes = open(path, "rb").read()
        assert self.bytes[:6] == b"\x7fELF\x02\x01"
        self.fixed = struct.unpack_from("<H", self.bytes, 16)[0] == 2  # ET_EXEC
        at, = struct.unpack_from("<Q", self.bytes, 32)
        size, count = struct.unpack_from("<HH", self.bytes, 54)
        headers = [struct.unpack_from("<IIQQQQQQ", self.bytes, at + i * size) for i in range(count)]
        # (address, file offset, bytes) of what is code
        self.code = [(h[3], h[2], h[5]) for h in headers if h[0] == 1 and h[1] & 1]
        notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True, check=True).stdout
        self.build_id = notes.split("Build ID: ")[1].split()[0] if "Build ID" in notes else None
        self.counts = {}

    def own(self, offset):
        """The address of a byte of the file that is code."""
        for address, start, size in self.code:
            if start <= offset < start + size:
                return address + offset - start
        return None


class File:
    """What a map's record may name: the binary that it is, or why it is none of those wanted."""

    def __init__(self, path, binary=None, why=None, build_id=None, flag="", proven=False):
        self.path, self.binary, self.why = path, binary, why
        self.proven = proven or build_id is not None
        self.words = path + (" build-id=" + build_id if build_id else "") + flag


def files_of(binaries, kind, dice):
    files = []
    if kind == "tame":
        files = [File(b.path, b) for b in binaries]
    for b in binaries if kind != "tame" else []:
        name = os.path.basename(b.path)
        twins = [c for c in binaries if os.path.basename(c.path) == name]
        if len(twins) == 1:
            files += [File(b.path, b), File("/over/lay/" + name, b), File("/gone/" + name, b, flag=" deleted")]
        else:  # the directory decides, or nothing does
            files += [File("/srv/" + os.path.basename(os.path.dirname(b.path)) + "/" + name, b),
                      File("/srv/other/" + name, why="mismatch")]
        if b.build_id and kind == "all":
            files += [File("/renamed/program", b, build_id=b.build_id),
                      File("/container/app/" + name, b, build_id=b.build_id),
                      File("/table/" + b.key, b, proven=True),
                      File("/container/two/" + name, why="mismatch", build_id="%040x" % dice.getrandbits(160))]
    others = ["//anon", "/usr/lib/libother.so", "/usr/bin/alphabet", "/memfd:alpha", "/dev/zero", "[vdso]", "//toolong"]
    return files, [File(path, why="other") for path in others]


class Process:
    def __init__(self, maps=()):
        self.maps = list(maps)  # (start, end, file offset, file)
        self.threads = set()
        self.main_is_gone = False


class World:
    def __init__(self, seed, kind, binaries):
        self.dice = random.Random(seed)
        self.kind, self.binaries = kind, binaries
        self.files, self.others = files_of(binaries, kind, self.dice)
        self.processes = {}
        self.time, self.lines, self.places = 1000000, [], []
        self.reasons = dict.fromkeys(["here", "other", "unmapped", "mismatch", "none"], 0)
        self.next_tid = 10000
        self.bases = [0x555500000000 + i * 0x200000 for i in range(3)] + [0x7f0000000000, 0x7f0000010000, 0x30000]
        self.known = []  # addresses that may be asked for again

    def say(self, line):
        self.time += self.dice.randrange(1, 2000)
        self.lines.append((self.time, line))

    def process(self, pid):
        return self.processes.setdefault(pid, Process())

    def any_pid(self):
        return self.dice.randrange(1, 25)

    # --- what happens ---------------------------------------------------------------------------

    def put(self, pid, start, size, offset, file, words="", executable=True):
        self.say(f"mmap {pid} {start:#x} {size:#x} {offset:#x} {file.words}{words}")
        end = min(start + size, TOP)
        if executable and end > start:
            self.process(pid).maps.append((start, end, offset, file))

    def load(self):
        """As the kernel maps a program or library: each segment of code, by whole pages."""
        pid, file, base = self.any_pid(), self.dice.choice(self.files), self.dice.choice(self.bases)
        page = 4096
        binary = file.binary or self.dice.choice(self.binaries)
        if all(address % 65536 == offset % 65536 for address, offset, _ in binary.code):
            page = self.dice.choice([4096, 16384, 65536])
        if binary.fixed:
            base = self.dice.choice([0, 0, 0x10000 if self.kind != "tame" else 0])
        # A prelinked library's base is less its own first address.
        elif binary.code[0][0] > 0x1000000:
            base -= binary.code[0][0] & ~0xffff
        for address, offset, size in binary.code:
            start, begin = base + address - address % page, offset - offset % page
            length = -(-(offset + size - begin) // page) * page
            self.put(pid, start, length, begin, file, self.dice.choice(["", "", " plain", " prot=rwx"]) if not file.proven else "")

    def piece(self):
        """mprotect: a part of a map is told of again; or over it comes memory of another kind."""
        pid = self.any_pid()
        maps = self.process(pid).maps
        if not maps:
            return
        start, end, offset, file = self.dice.choice(maps[-6:])
        pages = min((end - start) // 4096, 64)
        if not pages:
            return
        first = self.dice.randrange(pages)
        at, size = start + first * 4096, self.dice.randrange(1, pages - first + 1) * 4096
        if self.dice.random() < 0.5:
            self.put(pid, at, size, (offset + first * 4096) % 2**64, file)
        elif self.dice.random() < 0.3 and self.kind != "tame":  # data, which no sample can be in
            self.put(pid, at, size, offset, file, " prot=r", executable=False)
        else:
            self.put(pid, at, size, at, self.dice.choice(self.others))

    def odd(self):
        pid, other = self.any_pid(), self.dice.choice(self.others)
        start = self.dice.choice(self.bases) + self.dice.randrange(0x5000)
        # On recordings with maps of no length, or over the last address, perf script 6.1 may not end.
        chance = self.dice.randrange(0 if self.kind == "all" else 2 if self.kind == "text" else 3, 8)
        if chance == 0:  # to the end of all addresses, and beyond; and of all files
            file = self.dice.choice([other, *self.files])
            offset = self.dice.choice([0, start & -4096, 2**64 - 4096])
            if file.binary and file.binary.fixed:
                file = other
            self.put(pid, self.dice.choice([0x7fff00000000, start & -4096]), TOP - self.dice.randrange(9), offset, file)
        elif chance == 1:
            self.put(pid, start, 0, 0, self.dice.choice(self.files))
        elif chance == 2:  # bytes of the file that the binary has none of
            file = self.dice.choice(self.files)
            if file.binary and not file.binary.fixed and file.why is None:
                elsewhere = File(file.words, why="mismatch")
                self.put(pid, start & ~4095, 4096, 0x40000000, elsewhere)
        else:  # not on the borders of pages
            self.put(pid, start, self.dice.randrange(1, 0x3000), 0, other)

    def fork(self):
        parent, child = self.any_pid(), self.any_pid()
        if self.kind == "tame":
            child = max([24, *self.processes]) + 1
        if parent != child:
            self.say(f"fork {parent} {child}")
            self.processes[child] = Process(self.process(parent).maps)

    def thread(self):
        pid = self.any_pid()
        self.next_tid += 1
        self.say(f"thread {pid} {self.next_tid}")
        self.process(pid).threads.add(self.next_tid)

    def exit(self):
        pid = self.any_pid()
        process = self.process(pid)
        threads = sorted(process.threads) + ([] if process.main_is_gone else [pid])
        tid = self.dice.choice(threads)
        self.say(f"exit {pid} tid={tid}")
        process.threads.discard(tid)
        process.main_is_gone |= tid == pid
        if process.main_is_gone and not process.threads:
            self.processes[pid] = Process()

    def exec(self):
        pid = self.any_pid()
        self.say(f"exec {pid} program")
        self.processes[pid] = Process()

    # --- samples ------------------------------------------------------------------------------------

    def an_address(self, pid):
        maps = self.process(pid).maps
        chance = self.dice.random()
        if chance < 0.7 and maps:
            start, end, offset, file = self.dice.choice(maps[-25:])
            if file.binary:  # at an instruction
                _, begin, size = self.dice.choice(file.binary.code)
                address = start + begin + self.dice.randrange(size) - offset
                if 0 <= address < 2**63:
                    self.known.append(address)
                return address
            return start + self.dice.randrange(end - start)
        if chance < 0.97 and self.known:  # of some time ago, or of another process
            return self.dice.choice(self.known[-200:])
        return self.dice.randrange(2**47)

    def place(self, pid, address):
        for start, end, offset, file in reversed(self.process(pid).maps):
            if not start <= address < end:
                continue
            if file.why:
                return file.why, None, None
            own = file.binary.own(offset + address - start)
            if own is None or file.binary.bytes[offset + address - start] != 0x90:
                return None, None, None  # no code is there: nobody can have been there
            if file.binary.fixed and own != address and not file.proven:
                return "mismatch", None, None
            return "here", file.binary, own
        return "unmapped", None, None

    def place_in_any(self, address):
        """Of a sample without a PID: what all processes that have something there agree on."""
        places = {self.place(pid, address) for pid in self.processes}
        places.discard(("unmapped", None, None))
        if len(places) == 1:
            return places.pop()
        kinds = {place[0] for place in places}
        if None in kinds:
            return None, None, None
        if "here" in kinds:
            return "none", None, None
        return "mismatch" if "mismatch" in kinds else "unmapped", None, None

    def sample(self):
        if self.kind != "tame" and self.dice.random() < 0.04:
            self.count(-1, self.dice.choice(self.known[-200:] or [0]))
            return
        pid = self.any_pid() if self.dice.random() < 0.2 or not self.processes else self.dice.choice(sorted(self.processes))
        address = self.an_address(pid)
        if 0 <= address < 2**63:
            self.count(pid, address)

    def count(self, pid, address):
        where, binary, own = self.place(pid, address) if pid != -1 else self.place_in_any(address)
        if where is None:
            return
        period = self.dice.randrange(1, 2**32)
        tids = (sorted(self.process(pid).threads) if pid != -1 else []) + [pid]
        self.say(f"sample {pid} {address:#x} period={period} tid={self.dice.choice(tids)}")
        self.reasons[where] += 1
        self.places.append((self.time, f"{binary.path} {own:#x}" if binary else where))
        if binary:
            binary.counts[own] = binary.counts.get(own, 0) + period

    # --- all ----------------------------------------------------------------------------------------

    def run_before(self):
        """What perf says of processes that ran before: forks that copy nothing, and their maps, without a time."""
        for _ in range(6):
            self.load()
        for _ in range(6):
            parent, child = self.any_pid(), self.any_pid()
            if self.kind != "all":  # the text does not say synthesised, and perf script forgets the child's maps
                parent, child = 1000 + parent, 2000 + child
            if parent != child:
                self.say(f"fork {parent} {child} synthesised")
        for _ in range(4):
            self.load()
        self.before = [line + " @0 no-id" for _, line in self.lines]
        self.lines = []

    def run(self, events):
        kinds = [(self.sample, 60), (self.load, 12), (self.piece, 10), (self.odd, 2), (self.fork, 6), (self.thread, 4)]
        if self.kind != "tame":
            kinds += [(self.exit, 3), (self.exec, 1)]
        steps, weights = zip(*kinds)
        while len(self.lines) < events:
            self.dice.choices(steps, weights)[0]()

    def rounds(self):
        """Within a round in any order, and some a round late: as much as perf's marks allow."""
        late = []
        while self.lines:
            count = self.dice.randrange(1, 60)
            now, self.lines = self.lines[:count], self.lines[count:]
            later = [line for line in now if self.dice.random() < 0.2]
            now = late + [line for line in now if line not in later]
            self.dice.shuffle(now)
            late = later
            yield from now
            yield None, "round"
        yield from late

    def write(self):
        with open("script", "w") as script:
            print("event cycles:u sample=ip,tid,time,period", file=script)
            for b in self.binaries:
                if b.build_id:
                    print(f"build-id /table/{b.key} {b.build_id}", file=script)
            for line in self.before:
                print(line, file=script)
            for time, line in self.rounds():
                print(line if time is None else f"{line} @{time}", file=script)
        for b in self.binaries:
            with open(b.key + ".wanted", "w") as wanted:
                print(len(b.counts), file=wanted)
                for own, count in sorted(b.counts.items()):
                    print(f"{own:x}-{own:x}:{count}", file=wanted)
                print(0, file=wanted)
        with open("reasons", "w") as reasons:
            print(" ".join(f"{name}={count}" for name, count in self.reasons.items()), file=reasons)
        with open("places", "w") as places:
            for time, place in self.places:
                print(f"{time} {place}", file=places)


def main():
    seed, events, kind = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    world = World(seed, kind, [Binary(path) for path in sys.argv[4:]])
    world.run_before()
    world.run(events)
    world.write()


main()
