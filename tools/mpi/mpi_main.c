// contprof-mpi merge: contprof merge by all ranks of an MPI program.
#include "../contprof/messages.h"
#include "../contprof/verbs.h"
#include "rank_merge.h"

#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: mpirun contprof-mpi merge [OPTION]... -o OUT INPUT...\n"
    "\n"
    "What contprof merge does, by all ranks together: each reads a part of the inputs,\n"
    "and rank 0 writes the profile, byte for byte that of contprof merge with the same\n"
    "arguments. All ranks must see the same files under the same names.\n"
    "\n"
    "contprof-mpi merge --help tells the options; contprof-mpi --version prints the version.\n";

static bool is_option(const char *argument, const char *name) {
  return strcmp(argument + strspn(argument, "-"), name) == 0;
}

// On rank 0, for all: nothing of it needs the others.
static int run_other(const char *argument) {
  if (argument && is_option(argument, "version")) {
    puts("contprof-mpi " CONTPROF_VERSION);
  } else if (argument && (is_option(argument, "help") || strcmp(argument, "-h") == 0)) {
    fputs(HELP, stdout);
  } else {
    contprof_say_error(argument ? "%s is not a verb of contprof-mpi" : "no verb given%s",
                       argument ? argument : "");
    fputs(HELP, stderr);
    return CONTPROF_EXIT_USAGE;
  }
  return CONTPROF_EXIT_OK;
}

static int run(int argc, char **argv) {
  int rank, status = CONTPROF_EXIT_OK;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && strcmp(argv[1], "merge") == 0)
    return contprof_rank_merge(argc - 1, argv + 1);
  if (!rank)
    status = run_other(argv[1]);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return status;
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // as in contprof's main.c
  MPI_Init(&argc, &argv);
  int status = run(argc, argv);
  if (fflush(stdout) != 0 && status == CONTPROF_EXIT_OK) {
    contprof_say_error("can't write to standard output");
    status = CONTPROF_EXIT_FAILED;
  }
  MPI_Finalize();
  return status;
}
