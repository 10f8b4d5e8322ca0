"""Raw and text profiles in any number and size, made without a compiler: front-end
instrumentation, a build-id, names uncompressed, no value sites. Files of one build differ in their
counters alone. Layouts: compiler-rt's InstrProfData.inc, versions 8 (LLVM 14, 16) and 10 (LLVM 19).
"""

import array
import hashlib
import random
import struct

MAGIC = 0xFF6C70726F667281  # 64 bits, in the machine's byte order
COUNTERS = 10  # of a function
TEXT_COUNTERS = 200  # of a function in text
HEADER = {8: 11, 10: 16}  # fields of 8 bytes
RECORD = {8: 48, 10: 64}  # bytes of a data record
COUNTERS_ADDRESS = 0x10000000  # of the counters from the records, where the program had them


def name_of(build, number):
    return b"_ZN5build%d6module%d8functionEPKcm%d" % (build, number // 50, number)


def record(version, build, number):
    name_ref = hashlib.md5(name_of(build, number)).digest()[:8]
    pointer = COUNTERS_ADDRESS + number * (COUNTERS * 8 - RECORD[version])
    front = name_ref + struct.pack("<QQ", build * 1000003 + number, pointer & (2**64 - 1))
    bitmap = b"" if version == 8 else bytes(8)
    rest = struct.pack("<QQI", 0, 0, COUNTERS)  # function, values, number of counters
    sites = bytes(4) if version == 8 else bytes(12)  # with padding and the bitmap's size
    return front + bitmap + rest + sites


def header(version, functions, names_size):
    ids, counters = 32, functions * COUNTERS
    if version == 8:
        fields = [ids, functions, 0, counters, 0, names_size, COUNTERS_ADDRESS, 0, 1]
    else:
        fields = [ids, functions, 0, counters, 0, 0, 0, names_size, COUNTERS_ADDRESS, 0, 0, 0, 0, 2]
    packed = struct.pack("<%dQ" % (2 + len(fields)), MAGIC, version, *fields)
    assert len(packed) == HEADER[version] * 8
    return packed


def uleb128(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


class Build:
    """One program. profile(run) is the raw file that its run of that number leaves."""

    def __init__(self, version, number, functions):
        names = b"\x01".join(name_of(number, i) for i in range(functions))
        names = uleb128(len(names)) + b"\0" + names
        build_id = struct.pack("<Q", 20) + hashlib.sha1(b"%d" % number).digest() + bytes(4)
        self.front = header(version, functions, len(names)) + build_id
        self.front += b"".join(record(version, number, i) for i in range(functions))
        self.back = names + bytes(-len(names) % 8)
        source = random.Random(number)
        # As in programs: a third of the counters never runs, a few are very hot.
        self.counters = array.array(
            "Q", (int(source.paretovariate(0.4)) % 10**12 * (source.random() > 0.33)
                  for _ in range(functions * COUNTERS)))

    def profile(self, run):
        shift = run * 7919 % len(self.counters)
        return self.front + (self.counters[shift:] + self.counters[:shift]).tobytes() + self.back


def functions_for(version, size):
    """How many functions make a file of about that many bytes."""
    one = RECORD[version] + COUNTERS * 8 + len(name_of(7, 5000)) + 1
    return max(1, size // one)


def text_functions(size):
    """A text profile of about `size` bytes, function by function; those of text are large."""
    source = random.Random(1)
    counts = [str(int(source.paretovariate(0.4)) % 10**12) for _ in range(20011)]
    written = number = 0
    while written < size:
        first = number * TEXT_COUNTERS % (len(counts) - TEXT_COUNTERS)
        piece = "%s\n%d\n%d\n%s\n\n" % (name_of(1, number).decode(), number + 7, TEXT_COUNTERS,
                                        "\n".join(counts[first:first + TEXT_COUNTERS]))
        yield piece
        written += len(piece)
        number += 1
