#!/usr/bin/env python3
"""What the tests of combining do with profiles as text.

text_profiles.py like INSTR SHARE [NAME=FACTOR]...   a sample profile (on standard output) that says
                        the same as the counts, SHARE of them: of local functions, by their plain
                        names; functions named are FACTOR times as hot
text_profiles.py factors BEFORE AFTER   a line for each function: what its counters were multiplied by;
                        ends with 1 if the counters of one were not multiplied by one whole number
text_profiles.py overlap INSTR SAMPLE   the sum of the smaller shares of function heat, in percent
"""
import re
import sys


def instr(path):
    """{(name, hash): counters}; of value sites nothing."""
    with open(path, encoding="ascii") as file:
        lines = [line.strip() for line in file]
    lines = [line for line in lines if line and line[0] not in ":#"]
    functions, at = {}, 0
    while at < len(lines):
        name, cfg_hash, count = lines[at], lines[at + 1], int(lines[at + 2])
        assert (name, cfg_hash) not in functions, name
        functions[name, cfg_hash] = [int(each) for each in lines[at + 3:at + 3 + count]]
        at += 3 + count
        if at < len(lines) and lines[at].isdigit():
            at = skip_values(lines, at)
    return functions


def skip_values(lines, at):
    """Number of kinds; of each its number and that of its sites; of each that of its values."""
    kinds, at = int(lines[at]), at + 1
    for _ in range(kinds):
        sites, at = int(lines[at + 1]), at + 2
        for _ in range(sites):
            at += 1 + int(lines[at])
    return at


def plain(name):
    return re.split("[:;]", name)[-1]


def like(path, share, *changes):
    factors = {name: float(factor) for name, factor in (each.split("=") for each in changes)}
    heats = {}
    for (name, _), counters in instr(path).items():
        heats.setdefault(plain(name), []).append(max(counters))
    for name, each in heats.items():
        heat = int(sum(each) * float(share) * factors.get(name, 1))
        if heat:
            print("%s:%d:%d\n 1: %d\n 2: %d" % (name, heat + heat // 2, heat // 2, heat, heat // 2))


def factors(before, after):
    old, new = instr(before), instr(after)
    wrong = 0
    for function, counters in old.items():
        if function not in new:
            print("dropped", plain(function[0]))
            continue
        if new[function][0] >= 2**64 - 2:
            print("marked", plain(function[0]))
            continue
        quotients = {b / a if a else b for a, b in zip(counters, new[function])} - {0}
        whole = {b % a if a else b for a, b in zip(counters, new[function])} == {0}
        wrong |= len(quotients) > 1 or not whole
        print(int(max(quotients, default=0)), plain(function[0]))
    sys.exit(wrong)


def samples(path):
    """{name: heat}: of profiles without inlined functions."""
    heats, name = {}, None
    with open(path, encoding="ascii") as file:
        for line in file:
            if line[0] != " ":
                name, _, head = line.rsplit(":", 2)
                heats[name] = int(head)
            else:
                heats[name] = max(heats[name], int(line.split()[1]))
    return heats


def overlap(instr_path, sample_path):
    counted = {}
    for (name, _), counters in instr(instr_path).items():
        counted[plain(name)] = counted.get(plain(name), 0) + max(counters)
    sampled = samples(sample_path)
    total, other = sum(counted.values()), sum(sampled.values())
    print("%.3f%%" % (100 * sum(min(counted.get(name, 0) / total, heat / other)
                                for name, heat in sampled.items())))


globals()[sys.argv[1]](*sys.argv[2:])
