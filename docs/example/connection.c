#include "connection.h"

#include "request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { IN_SIZE = 16384, OUT_SIZE = 32768, LINE_MAX_LENGTH = 512 }; // bytes

struct connection {
  int fd;
  bool over;        // no more requests: the client has closed, or broken the protocol
  size_t in_start;  // of the first byte in `in` not yet handled
  size_t in_end;    // end of the bytes in `in`
  size_t out_start; // of the first byte in `out` not yet sent
  size_t out_end;   // end of the bytes in `out`
  char in[IN_SIZE];
  char out[OUT_SIZE];
};

struct connection *connection_open(int fd) {
  struct connection *connection = malloc(sizeof *connection);
  if (connection == NULL) {
    close(fd);
    return NULL;
  }
  connection->fd = fd;
  connection->over = false;
  connection->in_start = connection->in_end = 0;
  connection->out_start = connection->out_end = 0;
  return connection;
}

int connection_fd(const struct connection *connection) {
  return connection->fd;
}

void connection_close(struct connection *connection) {
  close(connection->fd);
  free(connection);
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void receive(struct connection *connection) {
  size_t kept = connection->in_end - connection->in_start;
  memmove(connection->in, connection->in + connection->in_start, kept);
  connection->in_start = 0;
  connection->in_end = kept;
  ssize_t got = recv(connection->fd, connection->in + kept, IN_SIZE - kept, 0);
  if (got > 0)
    connection->in_end += (size_t)got;
  else if (got == 0 || (errno != EAGAIN && errno != EINTR))
    connection->over = true;
}

// Answers complete lines while there is room for answers. Returns whether it ended for want of
// room.
static bool answer_lines(struct connection *connection, struct store *store, int64_t now) {
  while (connection->out_end + ANSWER_MAX <= OUT_SIZE) {
    const char *start = connection->in + connection->in_start;
    size_t left = connection->in_end - connection->in_start;
    const char *newline = memchr(start, '\n', left);
    size_t length = newline ? (size_t)(newline - start) : left;
    char *out = connection->out + connection->out_end;
    if (length > LINE_MAX_LENGTH) {
      static const char complaint[] = "ERROR line too long\n";
      memcpy(out, complaint, sizeof complaint - 1);
      connection->out_end += sizeof complaint - 1;
      connection->over = true;
      connection->in_start = connection->in_end;
      return false;
    }
    if (newline == NULL)
      return false;
    connection->out_end += request_run(store, (struct slice){start, length}, now, out);
    connection->in_start += length + 1;
  }
  return true;
}

// Returns false when the client is gone.
static bool send_answers(struct connection *connection) {
  while (connection->out_start < connection->out_end) {
    ssize_t sent = send(connection->fd, connection->out + connection->out_start,
                        connection->out_end - connection->out_start, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0)
      return errno == EAGAIN;
    connection->out_start += (size_t)sent;
  }
  connection->out_start = connection->out_end = 0;
  return true;
}

enum connection_state connection_serve(struct connection *connection, struct store *store) {
  if (!send_answers(connection))
    return CONNECTION_OVER;
  if (connection->out_end > 0)
    return CONNECTION_WRITES;
  if (!connection->over)
    receive(connection);
  int64_t now = milliseconds_now();
  for (bool more = true; more;) {
    more = answer_lines(connection, store, now);
    if (!send_answers(connection))
      return CONNECTION_OVER;
    if (connection->out_end > 0)
      return CONNECTION_WRITES;
  }
  return connection->over ? CONNECTION_OVER : CONNECTION_READS;
}
