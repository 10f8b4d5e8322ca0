#!/usr/bin/env python3
"""Tells, in the language of test/recordings, what perf would have recorded of processes of a program.

tell_recording.py BINARY=PATH NAME=SAMPLES... [-- BINARY=PATH NAME=SAMPLES...]...

One process for each binary, which it has at an address of its own and under PATH, with so many samples
at the first instruction of each function whose (mangled) name has NAME in it; of several such names,
NAME#2 means the second, by address.
"""
import re
import subprocess
import sys

PAGE = 4096


def said_by(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def functions(binary):
    """(address, name), by address."""
    found = re.findall(r"^([0-9a-f]+) [tTW] (\S+)$", said_by("nm", binary), re.MULTILINE)
    return sorted((int(address, 16), name) for address, name in found)


def code_segment(binary):
    """(offset, address, size) of what is executable."""
    said = said_by("readelf", "-lW", binary)
    found = re.search(r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E", said)
    return [int(each, 16) for each in found.groups()]


def build_id(binary):
    return re.search(r"Build ID: (\w+)", said_by("readelf", "-n", binary)).group(1)


def address_of(binary, wanted):
    name, _, number = wanted.partition("#")
    found = [address for address, each in functions(binary) if name in each]
    return found[int(number or 1) - 1]


def process(pid, binary, path, samples):
    offset, address, size = code_segment(binary)
    bias = pid * 0x10000000
    start = address // PAGE * PAGE
    size = (address - start + size + PAGE - 1) // PAGE * PAGE
    print("exec %d program" % pid)
    print("mmap %d 0x%x 0x%x 0x%x %s" % (pid, bias + start, size, offset // PAGE * PAGE, path))
    for each in samples:
        name, _, count = each.partition("=")
        print("sample %d 0x%x times=%s" % (pid, bias + address_of(binary, name), count))


def main(words):
    print("event cpu-clock:u type=software config=0 sample=ip,tid,time,period period=1")
    groups = [[]]
    for word in words:
        if word == "--":
            groups.append([])
        else:
            groups[-1].append(word)
    for (place, *_) in groups:
        binary, _, path = place.partition("=")
        print("build-id %s %s" % (path, build_id(binary)))
    for number, (place, *samples) in enumerate(groups, 1):
        binary, _, path = place.partition("=")
        process(number * 100, binary, path, samples)


main(sys.argv[1:])
