"""Where perf itself says that samples are: reads what `perf script` printed, writes `ADDRESS COUNT`
lines, sorted, with the ELF file's own addresses in hexadecimal. Lines about other files are passed
over.

    perf_truth.py symbols ELF PATH   of `-F pid,ip,sym,symoff,dso`: by perf's symbol and the distance
                                     from it
    perf_truth.py maps ELF PATH      of `-F pid,ip --show-mmap-events`: by the last map around it; for
                                     processes that neither fork nor exec after their first map
    perf_truth.py counts FILE        of an unsymbolised profile's ranges, for comparison

PATH is the file as perf has recorded it. Stubs of the PLT are left out: they are no code of a source.
"""
import collections
import re
import subprocess
import sys

SYMBOL = re.compile(r'^\s*(?:\d+\s+)?([0-9a-f]+) (\S+)\+0x([0-9a-f]+) \((.*)\)$')
MAP = re.compile(r'PERF_RECORD_MMAP2 (\d+)/\d+: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (\S+) .*\]: (\S+) (.*)$')
SAMPLE = re.compile(r'^\s*(\d+)\s+([0-9a-f]+)\s*$')


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def stubs(elf):
    """(start, end) of the sections of the PLT, whose first stub has no name of its own."""
    for line in run('readelf', '-SW', elf):
        section = re.match(r' *\[ *\d+\] (\.plt\S*) +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)', line)
        if section:
            start = int(section[2], 16)
            yield start, start + int(section[3], 16)


def symbols(elf, path, lines):
    values = {}
    for line in run('nm', '--defined-only', elf):
        value, _, name = line.split()
        values[name] = int(value, 16)
    for line in lines:
        sample = SYMBOL.match(line)
        if sample and sample[4] == path and not sample[2].endswith('@plt'):
            yield values[sample[2]] + int(sample[3], 16)


def code_segment(elf):
    """Address minus file offset of the one segment of code."""
    rows = [line.split() for line in run('readelf', '-lW', elf) if ' R E ' in line and 'LOAD' in line]
    (row,) = rows
    return int(row[2], 16) - int(row[1], 16)


def maps(elf, path, lines):
    distance = code_segment(elf)
    known = collections.defaultdict(list)
    for line in lines:
        mapped = MAP.search(line)
        if mapped:
            start, size = int(mapped[2], 16), int(mapped[3], 16)
            known[mapped[1]].insert(0, (start, start + size, int(mapped[4], 0), mapped[6]))
            continue
        sample = SAMPLE.match(line)
        if not sample:
            continue
        ip = int(sample[2], 16)
        around = [one for one in known[sample[1]] if one[0] <= ip < one[1]]
        if around and around[0][3] == path:
            yield ip - around[0][0] + around[0][2] + distance


def counts(path):
    with open(path) as file:
        lines = file.read().split()
    found = collections.Counter()
    for line in lines[1:int(lines[0]) + 1]:
        first, last, count = re.fullmatch(r'([0-9a-f]+)-([0-9a-f]+):(\d+)', line).groups()
        assert first == last, line
        found[int(first, 16)] += int(count)
    return found


def main(kind, *words):
    if kind == 'counts':
        found = counts(*words)
    else:
        plt = list(stubs(words[0]))
        found = collections.Counter(
            address for address in {'symbols': symbols, 'maps': maps}[kind](*words, sys.stdin)
            if not any(start <= address < end for start, end in plt))
    for address, count in sorted(found.items()):
        print(f'{address:x} {count}')


main(*sys.argv[1:])
