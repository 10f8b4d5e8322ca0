#!/usr/bin/env python3
"""make_samples.py KIND SEED [FUNCTIONS]: a sample profile as text, always the same for the same words.

KIND is plain, probe (with checksums of the control flow), context (calling contexts with
attributes) or fs (flow-sensitive discriminators). Two seeds give profiles that have most functions,
lines, inlined functions and call targets in common, and some of them alone. No two functions have
the same total."""
import random
import sys

KIND, SEED = sys.argv[1], int(sys.argv[2])
FUNCTIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 40
NAMES = ["main", "_Z3fooi", "_ZN4deep4nameIiE3barEv", "local.llvm.123", "a:b", "cold.part.0",
         "once.__uniq.1234567890"] + [f"function_{i}" for i in range(FUNCTIONS)]
if KIND != "plain":
    NAMES.remove("a:b")
own = random.Random(SEED)  # what differs from seed to seed


def common(*what):
    """Choices that all seeds make alike."""
    return random.Random(repr(what))


def line(chance):
    offset = chance.randint(1, 60)
    if KIND == "probe" or chance.random() < 0.6:
        return f"{offset}"
    if KIND == "fs":
        return f"{offset}.{chance.choice([1, 2, 255, 4096, 1 << 20, (1 << 31) + 3])}"
    return f"{offset}.{chance.randint(1, 9)}"


def key(text):
    offset, _, discriminator = text.partition(".")
    return int(offset), int(discriminator or 0)


def count():
    return own.choice([0, 1, 7, 100, own.randint(1, 10**6), own.randint(1, 10**12)])


def body(name, path, indent):
    chance = common(name, path)
    lines = sorted({line(chance) for _ in range(chance.randint(0 if path else 1, 6))}, key=key)
    for where in lines:
        if own.random() < 0.2:
            continue
        text = f"{indent}{where}: {count()}"
        for callee in common(name, path, where).sample(NAMES, common(where, name).choice([0, 0, 1, 3])):
            text += f" {callee}:{count()}"
        print(text)


def inlined(name, path, indent):
    chance = common(name, path, "inlined")
    if len(path) == 3:
        return
    for where in sorted({line(chance) for _ in range(chance.choice([0, 0, 1, 2]))}, key=key):
        for callee in chance.sample(NAMES, chance.choice([1, 1, 2])):
            if own.random() < 0.2:
                continue
            print(f"{indent}{where}: {callee}:{own.randint(0, 10**7)}")
            function(callee, path + (where, callee), indent + " ")


def function(name, path, indent):
    body(name, path, indent)
    if KIND != "context":
        inlined(name, path, indent)
    if KIND == "probe":
        print(f"{indent}!CFGChecksum: {common(name, 'checksum').randint(1, 2**63)}")


def contexts():
    for name in NAMES:
        chance = common(name, "contexts")
        paths = {(name,)} if chance.random() < 0.7 else set()
        for _ in range(chance.randint(1, 4)):
            frames = tuple(f"{caller}:{line(chance)}"
                           for caller in chance.sample(NAMES, chance.randint(1, 3)))
            paths.add(frames + (name,))
        for path in sorted(paths):
            yield name, path


for number, (name, path) in enumerate(contexts() if KIND == "context" else
                                      ((name, (name,)) for name in NAMES)):
    if own.random() < 0.15 and name != "main":
        continue
    title = f"[{' @ '.join(path)}]" if KIND == "context" else name
    total = own.choice([number + 1, own.randint(0, 10**9) * 1000 + number])
    print(f"{title}:{total}:{count()}")
    function(name, path if KIND == "context" else (), " ")
    if KIND == "context" and common(path).random() < 0.5:
        print(f" !Attributes: {common(path, 'attributes').randint(1, 3)}")
