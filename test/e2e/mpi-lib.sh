# For the tests of contprof-mpi: ranks on this machine, over shared memory, and how to hold what they
# do against contprof merge.
# shellcheck shell=sh
# shellcheck disable=SC2154 # names of lib.sh

# The tests may run as root, on fewer cores than ranks, and where no process may read another's memory.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
MPIRUN="mpirun -q --oversubscribe --mca plm isolated --mca oob_tcp_if_include lo --mca pml ob1 \
  --mca btl self,vader --mca btl_vader_single_copy_mechanism none"

# ranks N ARG...: contprof-mpi on N ranks; each is started by the words of AROUND, if any.
ranks() {
  count=$1
  shift
  # shellcheck disable=SC2086 # words
  timeout 120 $MPIRUN -n "$count" ${AROUND:-} "$BUILD/bin/contprof-mpi" "$@" </dev/null
}

# same N ARG...: `merge ARG...` by N ranks writes what contprof merge writes: profile, report, messages
# and exit status. They are left in one/ and all/.
same() {
  count=$1
  shift
  rm -rf one all
  mkdir one all
  wanted=0
  "$CONTPROF" merge "$@" --report=one/report -o one/out.profdata 2>one/said || wanted=$?
  got=0
  ranks "$count" merge "$@" --report=all/report -o all/out.profdata 2>all/stderr || got=$?
  grep -E '^contprof: |are filtered\.$' all/stderr >all/said || true # the rest is mpirun's
  expect "status with $count ranks" "$wanted" "$got"
  mv all/stderr stderr
  diff -r one all || die "$count ranks differ from contprof merge: $*"
}

# six_inputs: good files of one build, 1.in to 6.in.
six_inputs() {
  # shellcheck disable=SC2046 # a list of flags
  stock "$NEWEST" -O2 $(instrumentation ir) "$PROGRAMS/targets.c" -o program
  for run in 1 2 3 4 5 6; do
    LLVM_PROFILE_FILE=$PWD/$run.in ./program $((run * 9)) >said
  done
}

# readers N ARG...: how many times each input is opened by `merge ARG...` on N ranks, "TIMES NAME", and
# what each rank opens in opened.RANK.
readers() {
  count=$1
  shift
  rm -f opened.*
  AROUND="sh $TEST_DIR/readers.sh" ranks "$count" merge "$@" 2>said
  cat opened.* | grep -o '"[^"]*\.in"' | sort | uniq -c | sed 's/^ *//; s/"//g' >opened
}

cat >"$TEST_DIR/readers.sh" <<'END'
exec strace -qq -e trace=openat,open -o "opened.$OMPI_COMM_WORLD_RANK" "$@"
END

# A library to be loaded before the ranks: it says when counts are added up by MPI_Reduce.
cat >"$TEST_DIR/reduced.c" <<'END'
#include <mpi.h>
#include <unistd.h>
int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  if (write(2, "reduced\n", 8) != 8)
    return MPI_ERR_OTHER;
  return PMPI_Reduce(from, to, count, type, op, root, comm);
}
END

# is_reduced N ARG...: whether `merge ARG...` on N ranks adds up so.
is_reduced() {
  count=$1
  shift
  [ -e ../reduced.so ] || mpicc -O1 -shared -fPIC ../reduced.c -o ../reduced.so
  AROUND="env LD_PRELOAD=$TEST_DIR/reduced.so" ranks "$count" merge "$@" 2>said
  grep -q '^reduced$' said
}
