// The verbs of contprof, one file each: cmd_<verb>.c parses its options, calls the libraries and
// prints. A verb returns the exit status and never exits itself: 0 done, 1 failed (the reason is on
// stderr), 2 the command line was wrong.
#ifndef CONTPROF_VERBS_H
#define CONTPROF_VERBS_H

#define CONTPROF_EXIT_OK 0
#define CONTPROF_EXIT_FAILED 1
#define CONTPROF_EXIT_USAGE 2

// argv[0] is the verb's own name, and argv ends with NULL. Every verb understands --help.
int contprof_cmd_combine(int argc, char **argv);
int contprof_cmd_merge(int argc, char **argv);
int contprof_cmd_overlap(int argc, char **argv);
int contprof_cmd_sample(int argc, char **argv);
int contprof_cmd_show(int argc, char **argv);
int contprof_cmd_sync(int argc, char **argv);

#endif
