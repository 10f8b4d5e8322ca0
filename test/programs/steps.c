// Does what its argument says, step by step, so that a test can put together a process's life:
//
//   steps "work 5; fork child; work 3; kill; work 2; exit"
//
// A step that makes a child (fork, vfork, clone, ...) begins the child's steps, which run up to the
// step that ends it; the parent waits for that end, and goes on behind it. Each child leaves its
// process id in a file pid-LABEL in the directory where the program started, its parent the wait
// status in status-LABEL. `work N` calls work() N times, `raise` makes its handler on_signal() run
// once. A step that is not possible ends the program with status 99.
//
// The steps that count nothing themselves use no stdio, so that they also do in a sandbox.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int home; // the directory where the program started
static volatile unsigned long sink;

__attribute__((noinline)) void work(void) {
  sink++;
}

__attribute__((noinline)) void on_signal(int number) {
  sink += (unsigned long)number;
}

static void impossible(const char *step) {
  dprintf(2, "steps: %s: %s\n", step, strerror(errno));
  _exit(99);
}

static void need(int holds, const char *step) {
  if (!holds)
    impossible(step);
}

static void leave_number(const char *what, const char *label, int number) {
  char name[64], text[16];
  int length = snprintf(text, sizeof text, "%d\n", number);
  snprintf(name, sizeof name, "%s-%s", what, label);
  int fd = openat(home, name, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
  // In a sandbox or on a full disk nobody asks for it.
  if (fd < 0 || write(fd, text, (size_t)length) < 0)
    return;
  close(fd);
}

// --- steps that make children: true in the child ------------------------------------------------

static void await(pid_t child, const char *label) {
  int status;
  need(waitpid(child, &status, __WALL) == child, "wait");
  leave_number("status", label, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static int in_child(pid_t pid, const char *label) {
  need(pid >= 0, label);
  if (pid == 0) {
    leave_number("pid", label, (int)getpid());
    return 1;
  }
  await(pid, label);
  return 0;
}

// As fork, without the C library's knowledge: no handler runs.
static pid_t raw_clone(void) {
  return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static int borrowing_child(void *times) {
  for (long i = 0; i < (long)times; i++)
    work();
  return 0;
}

// A child in this very memory, on a stack of its own.
static void clone_with_memory(const char *times) {
  static char stack[1 << 16] __attribute__((aligned(64)));
  pid_t child =
      clone(borrowing_child, stack + sizeof stack, CLONE_VM | SIGCHLD, (void *)atol(times));
  need(child > 0, "clone_vm");
  await(child, "clone_vm");
}

static void vfork_and_work(const char *times) {
  long count = atol(times);
  pid_t child = vfork();
  need(child >= 0, "vfork");
  if (child == 0) {
    for (long i = 0; i < count; i++)
      work();
    _exit(0);
  }
  await(child, "vfork");
}

static void spawn_shell(const char *command) {
  char *argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
  pid_t child;
  need(posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ) == 0, command);
  await(child, "spawn");
}

// --- steps that change the process --------------------------------------------------------------

static void become_user(const char *id) {
  uid_t user = (uid_t)atol(id);
  need(setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 &&
           setresuid(user, user, user) == 0,
       "user");
}

static void set_limit(int which, const char *value) {
  struct rlimit limit = {(rlim_t)atol(value), (rlim_t)atol(value)};
  need(setrlimit(which, &limit) == 0, "limit");
}

// The numbers of system calls that a filter refuses, as a jump for each, then `allow`, then
// `refuse`.
static void refuse(const long *calls, size_t count, unsigned how) {
  struct sock_filter filter[32] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  size_t at = 1;
  for (size_t i = 0; i < count; i++, at++)
    filter[at] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i],
                                              (unsigned char)(count - i), 0);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, how);
  struct sock_fprog program = {(unsigned short)at, filter};
  need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  need(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "seccomp");
}

// "files": what opens, makes and names files; "maps": that, and what makes mappings; "quota": what
// reserves blocks, as if the user had used up what it may; "strict": the kernel's own few calls.
static void enter_sandbox(const char *kind) {
  static const long files[] = {
#ifdef SYS_open
      SYS_open,   SYS_creat,      SYS_mkdir,      SYS_readlink, SYS_unlink,
      SYS_rename, SYS_link,
#endif
      SYS_openat, SYS_mkdirat,    SYS_readlinkat, SYS_unlinkat, SYS_renameat2,
      SYS_linkat, SYS_newfstatat, SYS_statx,      SYS_mmap,     SYS_mremap};
  static const long blocks[] = {SYS_fallocate, SYS_pwrite64};
  size_t count = sizeof files / sizeof *files;
  if (strcmp(kind, "strict") == 0)
    need(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0, "seccomp");
  else if (strcmp(kind, "quota") == 0)
    refuse(blocks, sizeof blocks / sizeof *blocks, SECCOMP_RET_ERRNO | EDQUOT);
  else
    refuse(files, strcmp(kind, "maps") == 0 ? count : count - 2, SECCOMP_RET_ERRNO | EPERM);
}

static void close_everything(void) {
  closefrom(0);
}

static void bind_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  need(fd >= 0 && bind(fd, (void *)&address, sizeof address) == 0, "socket");
  close(fd);
}

static void wait_for_file(const char *path) {
  struct stat status;
  struct timespec pause = {0, 5 * 1000 * 1000};
  for (int i = 0; i < 12000 && stat(path, &status) != 0; i++)
    nanosleep(&pause, NULL);
}

// --- steps that end the process -----------------------------------------------------------------

__attribute__((noinline)) static unsigned long overflow(unsigned long depth) {
  volatile char room[4096];
  room[depth % sizeof room] = 1;
  return overflow(depth + 1) + (unsigned long)room[0];
}

static int is_ending(const char *step) {
  static const char *const endings[] = {"exit",     "_exit", "raw_exit", "kill",  "abort",
                                        "overflow", "segv",  "exec",     "pause", NULL};
  for (const char *const *ending = endings; *ending; ending++)
    if (strcmp(step, *ending) == 0)
      return 1;
  return 0;
}

static void execute(char *command) {
  char *argv[16];
  int count = 0;
  for (char *word = strtok(command, " "); word && count < 15; word = strtok(NULL, " "))
    argv[count++] = word;
  argv[count] = NULL;
  execv(argv[0], argv);
  impossible("exec");
}

static void end(const char *how, char *argument) {
  if (strcmp(how, "exit") == 0)
    exit(argument ? atoi(argument) : 0);
  if (strcmp(how, "_exit") == 0)
    _exit(argument ? atoi(argument) : 0);
  if (strcmp(how, "raw_exit") == 0)
    syscall(SYS_exit, 0);
  if (strcmp(how, "kill") == 0)
    kill(getpid(), SIGKILL);
  if (strcmp(how, "abort") == 0)
    abort();
  if (strcmp(how, "overflow") == 0)
    sink += overflow(0);
  if (strcmp(how, "segv") == 0)
    *(volatile int *volatile)0 = 1;
  if (strcmp(how, "exec") == 0)
    execute(argument);
  for (;;)
    pause();
}

// --- the interpreter ----------------------------------------------------------------------------

struct step {
  char *name;
  char *argument; // NULL if there is none
};

static char *rest; // of the steps

// The next step, its end put to 0. False at the end of them all.
static int next_step(struct step *step) {
  rest += strspn(rest, "; \n");
  if (!*rest)
    return 0;
  step->name = rest;
  size_t length = strcspn(rest, ";\n");
  rest += length + (rest[length] != 0);
  step->name[length] = 0;
  step->argument = strchr(step->name, ' ');
  if (step->argument)
    *step->argument++ = 0;
  return 1;
}

static int makes_child(const char *name) {
  return strcmp(name, "fork") == 0 || strcmp(name, "_Fork") == 0 || strcmp(name, "clone") == 0 ||
         strcmp(name, "thread_fork") == 0;
}

// Past the steps of a child that has run them.
static void skip_child(void) {
  struct step step;
  for (int depth = 1; depth && next_step(&step);)
    depth += makes_child(step.name) - is_ending(step.name);
}

static void run_steps(void);

// The child goes on with the steps, in this thread.
static void *forking_thread(void *label) {
  if (in_child(fork(), label))
    run_steps();
  return NULL;
}

static int fork_in_small_thread(char *label) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16384); // PTHREAD_STACK_MIN where it is smallest
  need(pthread_create(&thread, &attributes, forking_thread, label) == 0, "thread");
  pthread_join(thread, NULL);
  return 0;
}

static int make_child(const char *how, char *label) {
  if (strcmp(how, "thread_fork") == 0)
    return fork_in_small_thread(label);
  pid_t pid = strcmp(how, "fork") == 0 ? fork() : strcmp(how, "_Fork") == 0 ? _Fork() : raw_clone();
  return in_child(pid, label);
}

static void change(const char *name, char *argument) {
  if (strcmp(name, "user") == 0)
    become_user(argument);
  else if (strcmp(name, "chroot") == 0)
    need(chroot(argument) == 0 && chdir("/") == 0, name);
  else if (strcmp(name, "chdir") == 0)
    need(chdir(argument) == 0, name);
  else if (strcmp(name, "setsid") == 0)
    need(setsid() >= 0, name);
  else if (strcmp(name, "daemon") == 0)
    need(daemon(0, 0) == 0, name);
  else if (strcmp(name, "close_all") == 0)
    close_everything();
  else if (strcmp(name, "file_size") == 0)
    set_limit(RLIMIT_FSIZE, argument);
  else if (strcmp(name, "files") == 0)
    set_limit(RLIMIT_NOFILE, argument);
  else if (strcmp(name, "processes") == 0)
    set_limit(RLIMIT_NPROC, argument);
  else if (strcmp(name, "socket") == 0)
    bind_socket(argument);
  else if (strcmp(name, "sandbox") == 0)
    enter_sandbox(argument);
  else
    impossible(name);
}

static void fork_in_vain(void) {
  need(fork() < 0, "fork succeeded");
}

static void do_step(const char *name, char *argument) {
  if (strcmp(name, "work") == 0)
    for (long i = atol(argument); i > 0; i--)
      work();
  else if (strcmp(name, "raise") == 0)
    need(signal(SIGUSR1, on_signal) != SIG_ERR && raise(SIGUSR1) == 0, name);
  else if (strcmp(name, "vfork") == 0)
    vfork_and_work(argument);
  else if (strcmp(name, "clone_vm") == 0)
    clone_with_memory(argument);
  else if (strcmp(name, "spawn") == 0)
    spawn_shell(argument);
  else if (strcmp(name, "run") == 0)
    need(system(argument) == 0, argument);
  else if (strcmp(name, "fork_in_vain") == 0)
    fork_in_vain();
  else if (strcmp(name, "leave_pid") == 0)
    leave_number("pid", argument, (int)getpid());
  else if (strcmp(name, "wait") == 0)
    wait_for_file(argument);
  else if (strcmp(name, "say") == 0)
    dprintf(1, "%s\n", argument);
  else
    change(name, argument);
}

static void run_steps(void) {
  struct step step;
  while (next_step(&step)) {
    if (is_ending(step.name))
      end(step.name, step.argument);
    if (!makes_child(step.name))
      do_step(step.name, step.argument);
    else if (!make_child(step.name, step.argument))
      skip_child();
  }
}

int main(int argc, char **argv) {
  home = open(".", O_DIRECTORY | O_CLOEXEC);
  if (argc != 2)
    return 2;
  rest = argv[1];
  run_steps();
  return 0;
}
