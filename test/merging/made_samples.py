#!/usr/bin/env python3
"""made_samples.py KIND SEED FUNCTIONS: a sample profile as text, made at random.

Kinds: plain; probe (checksums of functions); preinlined (attributes); context (calling contexts with
attributes); probe-context (contexts with checksums). Names have colons, spaces and suffixes, lines
stand in any order and twice, counts are of any size.
"""

import random
import sys


class Maker:
    def __init__(self, kind, seed, functions):
        self.random = random.Random(seed)
        self.kind = kind
        self.functions = functions
        self.has_contexts = kind.endswith("context")
        self.has_probes = kind.startswith("probe")
        self.lines = []
        self.names = self.make_names()

    def make_names(self):
        names = ["f%d" % i for i in range(self.functions)]
        names += ["_ZN1a1bI%dEEv" % i for i in range(self.functions // 3)]
        names += ["g%d.__uniq.%d" % (i, self.random.randrange(10**20)) for i in range(self.functions // 20)]
        if not self.has_contexts:
            names += ["std::list<char *>::push<int, %d>" % i for i in range(self.functions // 10 + 1)]
        self.random.shuffle(names)
        return names

    def count(self):
        large = [self.random.randrange(100), self.random.randrange(10**6), self.random.randrange(2**40)]
        return self.random.choice([0, 1, 2] + large)

    def say(self, indent, text):
        self.lines.append(" " * indent + text)

    def place(self):
        discriminator = 0 if self.has_probes else self.random.choice([0, 0, 0, 1, 2, self.random.randrange(2**20)])
        return "%d%s" % (self.random.randrange(200), ".%d" % discriminator if discriminator else "")

    def bodies(self, indent):
        for _ in range(self.random.randrange(7)):
            targets = self.random.sample(self.names, self.random.randrange(1, min(5, len(self.names) + 1)))
            called = "".join(" %s:%d" % (name, self.count()) for name in targets)
            self.say(indent, "%s: %d%s" % (self.place(), self.count(), called if self.random.random() < 0.25 else ""))

    def metadata(self, indent):
        if self.has_probes:
            self.say(indent, "!CFGChecksum: %d" % self.random.randrange(1, 2**60))
        if (self.has_contexts or self.kind == "preinlined") and self.random.random() < 0.5:
            self.say(indent, "!Attributes: %d" % self.random.choice([1, 2, 3, 4]))

    def function(self, indent):
        self.bodies(indent)
        inlined = self.random.randrange(3) if not self.has_contexts and indent < 6 and self.random.random() < 0.4 else 0
        for _ in range(inlined):
            self.say(indent, "%s: %s:%d" % (self.place(), self.random.choice(self.names), self.count()))
            self.function(indent + 1)
        self.metadata(indent)

    def context(self):
        frames = [self.random.choice(self.names) for _ in range(self.random.randrange(1, 12))]
        return "[%s]" % " @ ".join(["%s:%s" % (name, self.place()) for name in frames[:-1]] + frames[-1:])

    def profile(self):
        heads = self.names[: self.functions]
        if self.has_contexts:
            heads = dict.fromkeys(self.context() for _ in range(self.functions))
        for head in heads:
            self.say(0, "%s:%d:%d" % (head, self.count(), self.count()))
            self.function(1)
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(Maker(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])).profile())
