#!/bin/sh
# Killed at a random moment, a thousand times: while threads count, while workers are forked, while
# shared objects are loaded, while the program starts or takes its own place. Each counter is between
# what the program had counted and what it was about to, and each file is one that stock llvm-profdata
# takes. `370-torture.sh [--kills=N] [--seed=S]` is `./run torture`. test/torture has the parts.
. "$(dirname "$0")/lib.sh"

TORTURE=$ROOT/test/torture
KILLS=1000
SEED=$(od -A n -N 4 -t u4 /dev/urandom | tr -d ' ')
for word in "$@"; do
  case $word in
    --kills=*[0-9]) KILLS=${word#*=} ;;
    --seed=*[0-9]) SEED=${word#*=} ;;
    *)
      echo "usage: ./run torture [--kills=N] [--seed=S]" >&2
      exit 2
      ;;
  esac
done

# Kept, like the files of a kill that goes wrong, so that it can be repeated.
victims=$ROOT/build/torture

# The victim and its guests, whose modes are what the driver finds right for shared objects.
compile() {
  rm -rf "$at" && mkdir -p "$at"
  # shellcheck disable=SC2086 # a list of flags
  cc "$llvm" -O2 -pthread $flags "-fprofile-continuous=$mode" "$TORTURE/victim.c" -o "$at/victim" \
    -ldl
  for guest in a b; do
    # shellcheck disable=SC2086
    cc "$llvm" -O2 $flags -fprofile-continuous -fPIC -shared -DGUEST=$guest "$TORTURE/guest.c" \
      -o "$at/guest_$guest.so"
  done
}

# What is said goes to the log also when all is well. COMMAND... runs the harness.
kill_many() {
  if [ $# = 0 ]; then
    compile
  fi
  # shellcheck disable=SC2086
  "$@" env TMPDIR="$KEPT_DIR" "$BUILD/test/torture/torture" --victim="$at/victim" --guests="$at" \
    --llvm-profdata="llvm-profdata-$llvm" --kills="$kills" --seed="$SEED" $says >said || {
    sed "s/^/clang $llvm $mode: /" said
    die "again: ./run torture --kills=$KILLS --seed=$SEED"
  }
  sed "s/^/# clang $llvm $mode: /" said >&5
}

# Where /proc is missing, as where the file system has no files without a name, the runtime makes the
# file under a temporary name: which death may leave, and which no tool takes for a profile.
without_proc() {
  # shellcheck disable=SC2016 # for the inner shell
  kill_many unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh
}

exec 5>&1
KEPT_DIR=${TMPDIR:-/tmp}
kills=$(((KILLS + 5) / 6))
first=0
while read -r llvm mode kind update; do
  at=$victims/$llvm-$mode
  flags=$(instrumentation "$kind")
  says=
  [ "$kind" != frontend ] || says=--frontend
  [ "$update" = single ] || says="$says --atomic"
  flags="$flags -fprofile-update=$update"
  [ "$update" = atomic ] || flags="$flags -DLONGEST_RUN=200000"
  says="$says --first=$first"
  first=$((first + kills))
  check "clang $llvm $mode, $kind, $update: $kills kills of seed $SEED" kill_many
done <<'END_OF_BUILDS'
14 segment frontend single
14 pointer ir atomic
16 segment ir atomic
16 pointer frontend single
19 segment frontend atomic
19 pointer ir single
END_OF_BUILDS
llvm=19 mode=segment kills=$((KILLS / 20))
at=$victims/$llvm-$mode
says="--frontend --atomic --first=$first"
if [ "$(id -u)" = 0 ]; then
  check "clang $llvm $mode, without /proc: $kills kills of seed $SEED" without_proc
fi
