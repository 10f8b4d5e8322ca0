"""A large program in C, made of nothing: for measuring what reads its code and debug information.

Each file has functions with loops, conditions, switches, static functions that are inlined two deep,
and calls to functions of the same file and of others, without recursion. The same arguments make
the same program.
"""

import os
import random

INLINED = 6  # static functions of a file that all others inline


def inlined(file, number):
    deeper = "f%d_in%d(a + %d, b)" % (file, number - 1, number) if number else "b * 3"
    return """static inline __attribute__((always_inline)) unsigned f%d_in%d(unsigned a, unsigned b) {
  unsigned sum = a ^ %d;
  if (b & %d)
    sum += %s;
  else
    sum -= table[(a + %d) %% 256];
  return sum * 31;
}
""" % (file, number, number * 7 + 1, 1 << number % 5, deeper, number)


def statement(file, function, number, choose, callees):
    kind = choose.randrange(6)
    if kind == 0:
        return """  for (unsigned i = 0; i < (a & %d); i++)
    if (table[i %% 256] & %d)
      sum += f%d_in%d(i, sum);
    else
      sum ^= table[(i + %d) %% 256] << (sum & 3);
""" % (choose.choice((7, 15, 31)), 1 << choose.randrange(5), file, choose.randrange(INLINED), number)
    if kind == 1 and callees:
        return """  if ((sum ^ b) & %d)
    sum += %s(sum, b + %d);
""" % (1 << choose.randrange(4), choose.choice(callees), number)
    if kind == 2:
        return """  switch (sum %% 5) {
  case 0: sum += a * %d; break;
  case 1: sum ^= f%d_in%d(a, b); break;
  case 2: table[b %% 256] += sum; break;
  case 3: sum = sum / %d + b; break;
  default: sum -= b; break;
  }
""" % (number + 3, file, choose.randrange(INLINED), number + 7)
    if kind == 3:
        return """  while (sum > a + %d && b) {
    sum >>= 1;
    b--;
    table[(sum + %d) %% 256] ^= f%d_in%d(sum, b);
  }
""" % (number * 10, function % 251, file, choose.randrange(INLINED))
    if kind == 4 and callees:
        return "  sum ^= %s(b, sum) + %d;\n" % (choose.choice(callees), number)
    return "  if (sum & %d)\n    sum = sum * %d + f%d_in%d(b, a);\n" % (
        1 << choose.randrange(6), number + 5, file, choose.randrange(INLINED))


def source(file, functions, statements):
    choose = random.Random(file)
    parts = ["extern unsigned table[256];\n"]
    if file:
        parts += ["unsigned f%d_%d(unsigned a, unsigned b);\n" % (file - 1, i)
                  for i in range(functions)]
    parts += [inlined(file, number) for number in range(INLINED)]
    for function in range(functions):
        callees = ["f%d_%d" % (file, i) for i in range(max(0, function - 8), function)]
        callees += ["f%d_%d" % (file - 1, choose.randrange(functions))] if file else []
        parts.append("unsigned f%d_%d(unsigned a, unsigned b) {\n  unsigned sum = a + b;\n" %
                     (file, function))
        parts += [statement(file, function, number, choose, callees) for number in range(statements)]
        parts.append("  return sum;\n}\n")
    return "\n".join(parts)


def main_source(files, functions):
    calls = "".join("  sum += f%d_%d(sum, %d);\n" % (files - 1, i, i) for i in range(functions))
    declared = "".join("unsigned f%d_%d(unsigned a, unsigned b);\n" % (files - 1, i)
                       for i in range(functions))
    return "unsigned table[256];\n%sint main(int argc, char **argv) {\n  (void)argv;\n" \
           "  unsigned sum = (unsigned)argc;\n%s  return (int)sum;\n}\n" % (declared, calls)


def write_sources(directory, files, functions, statements):
    """`files` files of `functions` functions each. Returns their paths."""
    paths = []
    for file in range(files + 1):
        paths.append(os.path.join(directory, "made%d.c" % file))
        with open(paths[-1], "w") as to:
            to.write(main_source(files, functions) if file == files
                     else source(file, functions, statements))
    return paths
