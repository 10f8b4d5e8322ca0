// kvd: a small key-value server. A master makes the store and the sockets, forks the workers,
// replaces those that die, and ends them on SIGTERM. Each worker listens on a socket of its own on
// the same port (SO_REUSEPORT: the kernel deals the clients out); the master keeps these sockets
// open, so that clients who come while a worker is being replaced wait instead of being refused.
#include "store.h"
#include "worker.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS_MAX = 64, BACKLOG = 128 };

struct server {
  const char *directory;      // where kvd.port and kvd.pids are written
  int workers;                // how many there shall be
  int listeners[WORKERS_MAX]; // one socket a worker
  pid_t pids[WORKERS_MAX];    // 0: not running
  time_t started[WORKERS_MAX];
  in_port_t port;      // host byte order
  struct store *store; // shared with the workers
};

static void die(const char *what) {
  fprintf(stderr, "kvd: %s: %s\n", what, strerror(errno));
  exit(EXIT_FAILURE);
}

// Writes DIRECTORY/NAME so that it appears whole: under another name first, then renamed.
static void write_run_file(const struct server *server, const char *name, const char *text) {
  char path[4096], temporary[4100];
  snprintf(path, sizeof path, "%s/%s", server->directory, name);
  snprintf(temporary, sizeof temporary, "%s.new", path);
  FILE *file = fopen(temporary, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0 || rename(temporary, path) != 0)
    die(path);
}

static void remove_run_file(const struct server *server, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", server->directory, name);
  unlink(path);
}

// The master first, so that `kill -9 $(cat kvd.pids)` leaves nobody to start new workers.
static void write_pids(const struct server *server) {
  char text[32 * (WORKERS_MAX + 1)];
  int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
  for (int i = 0; i < server->workers; i++)
    if (server->pids[i] > 0)
      length +=
          snprintf(text + length, sizeof text - (size_t)length, "%ld\n", (long)server->pids[i]);
  write_run_file(server, "kvd.pids", text);
}

static int open_listener(in_port_t *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
  socklen_t size = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &(int){1}, sizeof(int)) < 0 ||
      bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, BACKLOG) < 0 ||
      getsockname(fd, (struct sockaddr *)&address, &size) < 0)
    die("cannot listen on 127.0.0.1");
  *port = ntohs(address.sin_port); // the kernel's choice, if it was 0
  return fd;
}

static void run_child(const struct server *server, int index, pid_t master) {
  // Nobody could stop or replace a worker without a master. It can go at any moment: the store's
  // locks are robust, and a client sees a closed connection.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != master)
    _exit(EXIT_FAILURE);
  for (int i = 0; i < server->workers; i++)
    if (i != index)
      close(server->listeners[i]);
  exit(worker_run(server->listeners[index], server->store));
}

static void start_worker(struct server *server, int index) {
  pid_t master = getpid(), pid = fork();
  if (pid == 0)
    run_child(server, index, master);
  if (pid < 0)
    fprintf(stderr, "kvd: cannot start a worker: %s\n", strerror(errno));
  server->pids[index] = pid > 0 ? pid : 0;
  server->started[index] = time(NULL);
}

static void replace_dead_workers(struct server *server) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
    for (int i = 0; i < server->workers; i++)
      if (server->pids[i] == pid) {
        fprintf(stderr, "kvd: worker %ld ended (%s %d)\n", (long)pid,
                WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        server->pids[i] = 0;
      }
  for (int i = 0; i < server->workers; i++)
    if (server->pids[i] == 0) {
      if (time(NULL) - server->started[i] < 1) // one that can't even start: don't spin
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
      start_worker(server, i);
    }
  write_pids(server);
}

static void stop_workers(struct server *server) {
  struct rusage used;
  for (int i = 0; i < server->workers; i++)
    if (server->pids[i] > 0)
      kill(server->pids[i], SIGTERM);
  while (wait(NULL) > 0 || errno == EINTR)
    ;
  getrusage(RUSAGE_CHILDREN, &used);
  fprintf(stderr,
          "kvd: stopped; workers used %ld.%03ld s of CPU in user mode, %ld.%03ld s in the kernel\n",
          (long)used.ru_utime.tv_sec, (long)used.ru_utime.tv_usec / 1000,
          (long)used.ru_stime.tv_sec, (long)used.ru_stime.tv_usec / 1000);
  remove_run_file(server, "kvd.port");
  remove_run_file(server, "kvd.pids");
}

static void usage(int status) {
  fputs("usage: kvd [-d DIRECTORY] [-p PORT] [-w WORKERS]\n"
        "Serves on 127.0.0.1. DIRECTORY (default .) gets kvd.port and kvd.pids;\n"
        "PORT 0 (default) lets the kernel choose; WORKERS is 1 to 64 (default 2).\n",
        status ? stderr : stdout);
  exit(status);
}

static long number_of(const char *text, long least, long most) {
  char *end;
  long number = strtol(text, &end, 10);
  if (end == text || *end != '\0' || number < least || number > most)
    usage(2);
  return number;
}

static void parse_options(int argc, char **argv, struct server *server) {
  int option;
  while ((option = getopt(argc, argv, "d:p:w:h")) != -1) {
    switch (option) {
    case 'd':
      server->directory = optarg;
      break;
    case 'p':
      server->port = (in_port_t)number_of(optarg, 0, 65535);
      break;
    case 'w':
      server->workers = (int)number_of(optarg, 1, WORKERS_MAX);
      break;
    default:
      usage(option == 'h' ? 0 : 2);
    }
  }
  if (optind != argc)
    usage(2);
}

int main(int argc, char **argv) {
  static struct server server = {.directory = ".", .workers = 2};
  parse_options(argc, argv, &server);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  if ((server.store = store_create()) == NULL)
    die("cannot map the store");
  for (int i = 0; i < server.workers; i++)
    server.listeners[i] = open_listener(&server.port);
  for (int i = 0; i < server.workers; i++)
    start_worker(&server, i);
  write_pids(&server);
  char port[16];
  snprintf(port, sizeof port, "%u\n", (unsigned)server.port);
  write_run_file(&server, "kvd.port", port); // last: who sees it may connect
  int number;
  while (sigwait(&signals, &number) == 0 && number == SIGCHLD)
    replace_dead_workers(&server);
  stop_workers(&server);
  return EXIT_SUCCESS;
}
