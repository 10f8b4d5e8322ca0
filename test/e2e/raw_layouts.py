"""raw_layouts.py IN OUT little|big 4|8: a raw profile of version 8 or 10, of a 64-bit little-endian
program, as a program of that byte order and pointer size would have written it. From the description
of the format (compiler-rt's InstrProfData.inc) alone; shares nothing with contprof's reader."""
import struct
import sys

FIELDS = {
    8: "magic version ids records pad_before counters pad_after names counters_delta names_delta"
       " last_kind",
    10: "magic version ids records pad_before counters pad_after bitmap pad_bitmap names"
        " counters_delta bitmap_delta names_delta vtables vtable_names last_kind",
}
RECORD_SIZE = {(8, 8): 48, (8, 4): 40, (10, 8): 64, (10, 4): 48}
MAGIC = {8: 0xFF6C70726F667281, 4: 0xFF6C70726F665281}
COUNTERS_DELTA, BITMAP_DELTA = 0x100000, 0x200000  # any distances that stay positive
MEMOP_SIZES = 1  # the kind of values that are no addresses
BYTE_COVERAGE = 1 << 60


def padded(data):
    return data + bytes(-len(data) % 8)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def bytes(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def align(self):
        self.at += -self.at % 8


class Converter:
    def __init__(self, raw, order, pointer):
        self.order, self.pointer = order, pointer
        self.pointer_code = "Q" if pointer == 8 else "I"
        self.raw = Reader(raw)
        version = struct.unpack_from("<Q", raw, 8)[0]
        self.version, self.coverage = version & 0xFF, bool(version & BYTE_COVERAGE)

    def put(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def address(self, value):
        return self.put(self.pointer_code, value & (1 << 8 * self.pointer) - 1)

    def ids(self, data):
        ids, out = Reader(data), b""
        while ids.at < len(data):
            size, = ids.take("Q")
            out += self.put("Q", size) + padded(ids.bytes(size))
            ids.align()
        return out

    def record(self, index, header):
        """One data record, its distances counted anew from its own new place."""
        old_size, new_size = RECORD_SIZE[self.version, 8], RECORD_SIZE[self.version, self.pointer]
        start = self.raw.at
        name, digest, counters = self.raw.take("QQQ")
        bitmap, = self.raw.take("Q") if self.version > 8 else (0,)
        function, _, count = self.raw.take("QQI")
        sites = self.raw.take("HH" if self.version == 8 else "HHH")
        bits = struct.unpack_from("<I", self.raw.data, start + 60)[0] if self.version > 8 else 0
        self.raw.at = start + old_size
        moved = lambda old, delta, new: old - (delta - index * old_size) + new - index * new_size
        out = self.put("QQ", name, digest)
        out += self.address(moved(counters, header["counters_delta"], COUNTERS_DELTA))
        if self.version > 8:
            out += self.address(moved(bitmap, header["bitmap_delta"], BITMAP_DELTA) if bits else 0)
        out += self.address(function) + self.address(0) + self.put("I", count)
        out += self.put("H" * len(sites), *sites)
        if self.version > 8:
            out += bytes(-len(out) % 4) + self.put("I", bits)
        self.has_values.append(any(sites))
        return out + bytes(new_size - len(out))

    def vtable(self):
        name, start, size = self.raw.take("QQI4x")
        return padded(self.put("Q", name) + self.address(start) + self.put("I", size))

    def values(self):
        size, kinds = self.raw.take("II")
        out = self.put("II", size, kinds)
        for _ in range(kinds):
            kind, sites = self.raw.take("II")
            counts = self.raw.bytes(sites)
            out += self.put("II", kind, sites) + padded(counts)
            self.raw.align()
            for _ in range(sum(counts)):
                value, count = self.raw.take("QQ")
                if kind != MEMOP_SIZES:
                    value &= (1 << 8 * self.pointer) - 1
                out += self.put("QQ", value, count)
        return out

    def convert(self):
        names = FIELDS[self.version].split()
        header = dict(zip(names, self.raw.take("Q" * len(names))))
        ids = self.ids(self.raw.bytes(header["ids"]))
        self.has_values = []
        records = b"".join(self.record(i, header) for i in range(header["records"]))
        self.raw.bytes(header["pad_before"])
        counters = self.raw.bytes(header["counters"] * (1 if self.coverage else 8))
        if not self.coverage:
            numbers = struct.unpack("<%dQ" % (len(counters) // 8), counters)
            counters = self.put("%dQ" % len(numbers), *numbers)
        self.raw.bytes(header["pad_after"])
        bitmap = self.raw.bytes(header.get("bitmap", 0))
        self.raw.bytes(header.get("pad_bitmap", 0))
        texts = padded(self.raw.bytes(header["names"]))
        self.raw.align()
        vtables = b"".join(self.vtable() for _ in range(header.get("vtables", 0)))
        vtable_names = padded(self.raw.bytes(header.get("vtable_names", 0)))
        self.raw.align()
        values = b"".join(self.values() for has in self.has_values if has)
        header.update(magic=MAGIC[self.pointer], pad_before=0, pad_after=-len(counters) % 8,
                      pad_bitmap=-len(bitmap) % 8, counters_delta=COUNTERS_DELTA,
                      bitmap_delta=BITMAP_DELTA, names_delta=0)
        return (b"".join(self.put("Q", header[name]) for name in names) + ids + records +
                padded(counters) + padded(bitmap) + texts + vtables + vtable_names + values)


source, target, order, pointer = sys.argv[1:]
with open(source, "rb") as file:
    converter = Converter(file.read(), {"little": "<", "big": ">"}[order], int(pointer))
with open(target, "wb") as file:
    file.write(converter.convert())
