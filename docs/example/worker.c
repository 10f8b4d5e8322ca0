#include "worker.h"

#include "connection.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { EVENTS_AT_ONCE = 64 };

static volatile sig_atomic_t stop;

static void on_sigterm(int number) {
  (void)number;
  stop = 1;
}

// Watches `fd` for what `state` says; `connection` is NULL for the listener.
static int watch(int epoll, int operation, int fd, enum connection_state state,
                 struct connection *connection) {
  struct epoll_event event = {
      .events = state == CONNECTION_WRITES ? EPOLLOUT : EPOLLIN,
      .data.ptr = connection,
  };
  return epoll_ctl(epoll, operation, fd, &event);
}

static void accept_clients(int epoll, int listener) {
  int fd;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    struct connection *connection = connection_open(fd);
    if (connection != NULL && watch(epoll, EPOLL_CTL_ADD, fd, CONNECTION_READS, connection) < 0)
      connection_close(connection);
  }
}

static void serve(int epoll, struct connection *connection, struct store *store) {
  enum connection_state state = connection_serve(connection, store);
  if (state != CONNECTION_OVER &&
      watch(epoll, EPOLL_CTL_MOD, connection_fd(connection), state, connection) < 0)
    state = CONNECTION_OVER;
  if (state == CONNECTION_OVER)
    connection_close(connection);
}

int worker_run(int listener, struct store *store) {
  struct sigaction action = {.sa_handler = on_sigterm};
  sigset_t none;
  sigemptyset(&none);
  sigaction(SIGTERM, &action, NULL);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0 || watch(epoll, EPOLL_CTL_ADD, listener, CONNECTION_READS, NULL) < 0) {
    perror("kvd: epoll");
    return EXIT_FAILURE;
  }
  while (!stop) {
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_pwait(epoll, events, EVENTS_AT_ONCE, -1, &none);
    for (int i = 0; i < count; i++) {
      if (events[i].data.ptr == NULL)
        accept_clients(epoll, listener);
      else
        serve(epoll, events[i].data.ptr, store);
    }
  }
  return EXIT_SUCCESS;
}
