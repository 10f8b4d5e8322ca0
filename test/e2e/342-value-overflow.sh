#!/bin/sh
# A call that reaches more functions than it has slots: the hottest are found, whenever they came,
# and no count is too high.
. "$(dirname "$0")/lib.sh"

MANY=$PROGRAMS/many_targets.c

# The targets that llvm-profdata shows for the call, hottest first, as "NAME COUNT".
hottest() {
  profdata "$1" show --function=apply --ic-targets overflow.profraw |
    sed -n 's/^	\[ *[0-9]*, \([^,]*\), *\([1-9][0-9]*\) \].*/\1 \2/p' | sort -k2,2nr
}

run() {
  LLVM_PROFILE_FILE=overflow.profraw expect_killed ./many "$@" kill
  hottest "$llvm" >hottest.txt
  cat hottest.txt # for the log of a check that fails
}

# expect_hot RANK NAME AT-LEAST AT-MOST
expect_hot() {
  sed -n "${1}p" hottest.txt >line
  read -r name count <line
  # shellcheck disable=SC2254 # a pattern
  case $name in
    $2) ;;
    *) die "rank $1: $name, not $2" ;;
  esac
  [ "$count" -ge "$3" ] && [ "$count" -le "$4" ] || die "$name: $count, not in $3 to $4"
}

# Two hot ones there from the start, then eighty cold ones between their calls: exact.
early() {
  run '10-11*100' '12-91*20' '10-10*3000' '12-91*20' '11-11*2000' '12-91*20'
  expect_hot 1 target10 3100 3100
  expect_hot 2 target11 2100 2100
}

# All slots taken by lukewarm ones and cold ones all along; then two hot ones in turn.
late() {
  run '10-16*500' '20-89*10' '98-99*20000' '20-89*10'
  expect_hot 1 'target9[89]' 17000 20000
  expect_hot 2 'target9[89]' 17000 20000
}

# Of equal ones in turn the ranks are anyone's, but counts stay below the truth.
never_too_high() {
  run '10-99*200'
  expect "targets" 8 "$(grep -c . hottest.txt)"
  awk '$2 > 200 { exit 1 }' hottest.txt
}

# Merging two such files brings the same ones to the top, without a warning.
merged() {
  run '10-16*500' '20-89*10' '98-99*20000'
  mv overflow.profraw first.profraw
  run '98-98*9000' '20-89*30' '12-12*30000'
  profdata "$llvm" merge -o both.profdata first.profraw overflow.profraw 2>warnings
  expect_empty warnings
  "$CONTPROF" merge -o ours.profdata first.profraw overflow.profraw
  for file in both.profdata ours.profdata; do
    profdata "$llvm" show --function=apply --ic-targets $file >shown.txt
    expect_text shown.txt 'target12, +30[0-9]* '
    expect_text shown.txt 'target98, +2[89][0-9]* '
  done
}

# Several threads at a call with more targets than slots: the hot ones come out, and counts are those
# of their calls but for those that met a replacement: a thread that is stopped within one keeps the
# others' new values out until it goes on, on a busy machine for their whole time.
in_threads() {
  sed 's/int main(/static int one(/' "$MANY" >threads.c
  cat >>threads.c <<'END'
#include <pthread.h>
static void *work(void *argument) {
  char *words[] = {"", "10-99*30", "40-41*20000", "10-99*30", NULL};
  one(4, words);
  return argument;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return raise(SIGKILL);
}
END
  cc "$llvm" -O2 -pthread -fprofile-continuous="$mode" -fprofile-continuous-value-slots=8 threads.c -o many
  run
  expect_hot 1 'target4[01]' 19000 60180
  expect_hot 2 'target4[01]' 19000 60180
}

each() {
  cc "$llvm" -O2 -fprofile-continuous="$mode" -fprofile-continuous-value-slots=8 "$MANY" -o many
  for part in early late never_too_high merged in_threads; do
    $part || die "$part"
  done
}

for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: the hottest of ninety targets in eight slots" each
  done
done
