// The runtime's voice: lines on standard error, each of the form
//   contprof: <what> "<file>": <why>; <consequence>
// A line with the same `what` comes once in a process (in each module), so that a failure that
// repeats does not flood a service's log. Never touches errno; never allocates.
#ifndef CONTPROF_RUNTIME_LOG_H
#define CONTPROF_RUNTIME_LOG_H

// `what` and `consequence` are string literals; `file` is borrowed. `error` is an errno.
void contprof_log_errno(const char *what, const char *file, int error, const char *consequence);

// The same with the reason in words.
void contprof_log(const char *what, const char *file, const char *why, const char *consequence);

// Remembers what standard error is. A program that closes it, as daemons do, may get a file or a
// connection of its own under that number, and no line belongs there.
void contprof_log_remember_stderr(void);

#endif
