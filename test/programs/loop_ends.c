// Loops whose number of rounds is known beforehand, left in every way that there is: at their end,
// by return, break, goto, longjmp, fork, and, as the last thing, by the program's own end.
#include "ending.h"
#include "known.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 1000, MANY = 37 };

static volatile unsigned sink;
static unsigned numbers[ROUNDS];
static jmp_buf start;

KEEP void leaf(unsigned n) {
  sink += n;
}

KEEP unsigned plain(const unsigned *from, unsigned n) {
  unsigned large = 0;
  for (unsigned i = 0; i < n; i++)
    if (from[i] > ROUNDS / 2)
      large += from[i];
  return large;
}

KEEP unsigned nested(const unsigned *from, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) {
    if (from[i] % 3 == 0)
      sum++;
    for (unsigned j = 0; j < i; j++)
      for (unsigned k = 0; k < from[j] % 4; k++)
        if ((from[k] ^ j) & 1)
          sum += from[k];
    if (sum % 2)
      sum += i;
  }
  return sum;
}

KEEP unsigned choose(const unsigned *from, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    switch (from[i] % 7) {
    case 0:
      sum += 2;
      break;
    case 1:
    case 5:
      sum ^= i;
      // fallthrough
    case 3:
      continue;
    default:
      sum -= from[i];
    }
  return sum;
}

// An end that is not known, so each of its counts is to land at once.
KEEP unsigned find(const unsigned *from, unsigned n, unsigned wanted) {
  for (unsigned i = 0; i < n; i++) {
    if (from[i] == wanted)
      return i;
    if (from[i] == wanted + 1)
      goto found;
  }
  return n;
found:
  return wanted;
}

// Calls here and there.
KEEP unsigned calls_some(const unsigned *from, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) {
    sum += from[i] & 1;
    if (from[i] % 50 == 0)
      leaf(sum);
    if (from[i] % 100 == 1)
      for (unsigned j = 0; j < MANY; j++)
        sum ^= from[j];
  }
  return sum;
}

KEEP void jumps(const unsigned *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (from[i] % 2)
      sink++;
    if (i == n / 2)
      longjmp(start, 1);
  }
}

KEEP void is_jumped_out_of(void) {
  for (volatile int times = 0; times < MANY; times++)
    if (setjmp(start) == 0)
      jumps(numbers, ROUNDS);
}

// The child does the second half.
KEEP void forks(const unsigned *from, unsigned n) {
  pid_t child = 0;
  for (unsigned i = 0; i < n; i++) {
    if (from[i] % 2)
      sink++;
    if (i == n / 2 && (child = fork()) != 0)
      break;
  }
  if (child == 0)
    _exit(0);
  waitpid(child, 0, 0);
}

KEEP void ends(const unsigned *from, unsigned n, const char *how) {
  for (unsigned i = 0; i < n; i++) {
    sink += from[i] & 3;
    if (i == n / 2)
      the_end(how);
  }
}

int main(int argc, char **argv) {
  (void)argc;
  for (unsigned i = 0; i < ROUNDS; i++)
    numbers[i] = i * 617 % ROUNDS;
  sink += plain(numbers, ROUNDS) + plain(numbers, 0) + plain(numbers, 1);
  sink += nested(numbers, MANY) + nested(numbers, 0) + choose(numbers, ROUNDS);
  for (unsigned i = 0; i < MANY; i++)
    sink += find(numbers, ROUNDS, i * i) + find(numbers, MANY, ROUNDS);
  sink += calls_some(numbers, ROUNDS);
  is_jumped_out_of();
  forks(numbers, ROUNDS);
  SAY_CALLS(main, 1);
  SAY_CALLS(jumps, MANY);
  SAY_CALLS(ends, 1);
  ends(numbers, ROUNDS, argv[1]);
}
