#!/bin/sh
# A rank of contprof-mpi merge that is killed: no rank goes on, the status says so, and the output is as
# it was, or is not there; never a part of it.
. "$(dirname "$0")/lib.sh"
. "$E2E/mpi-lib.sh"

# killed_at RANK CALL PATH: the rank is killed by the system call CALL, of PATH.
killed_at() {
  cat >killed.sh <<END
[ "\$OMPI_COMM_WORLD_RANK" = $1 ] || exec "\$@"
exec strace -qq -o "trace.$1" -P "$3" -e trace=$2 -e inject=$2:signal=SIGKILL "\$@"
END
  status=0
  AROUND="sh killed.sh" ranks 3 merge -o out.profdata [1-6].in 2>said || status=$?
  [ $status != 0 ] || die "status 0, with a rank killed"
  expect_text "trace.$1" 'killed by SIGKILL'
}

while_it_reads() {
  six_inputs
  killed_at "$1" openat "$2"
  [ ! -e out.profdata ] || die "an output of a part of the inputs"
  echo before >out.profdata
  killed_at "$1" openat "$2"
  expect "the output" before "$(cat out.profdata)"
}

# Rank 0 with all in hand, when the output's name is about to be given.
before_it_is_named() {
  six_inputs
  echo before >out.profdata
  cat >killed.sh <<'END'
[ "$OMPI_COMM_WORLD_RANK" = 0 ] || exec "$@"
exec strace -qq -o trace.0 -e trace=rename,renameat,renameat2 \
  -e inject=rename,renameat,renameat2:signal=SIGKILL:error=EIO "$@"
END
  status=0
  AROUND="sh killed.sh" ranks 3 merge -o out.profdata [1-6].in 2>said || status=$?
  [ $status != 0 ] || die "status 0, with rank 0 killed"
  expect_text trace.0 'killed by SIGKILL'
  expect "the output" before "$(cat out.profdata)"
}

check "rank 0 killed while it reads" while_it_reads 0 2.in
check "rank 2 killed while it reads" while_it_reads 2 5.in
check "rank 0 killed before the output has its name" before_it_is_named
