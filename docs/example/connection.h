// One client: a non-blocking socket with a buffer for each direction. While answers wait to be
// sent, nothing more is read: a client that does not listen stops only itself.
#ifndef KVD_CONNECTION_H
#define KVD_CONNECTION_H

#include "store.h"

// What the connection waits for next.
enum connection_state { CONNECTION_READS, CONNECTION_WRITES, CONNECTION_OVER };

struct connection;

// Takes over the non-blocking socket `fd`. NULL when memory runs out; the socket is closed then.
struct connection *connection_open(int fd);

int connection_fd(const struct connection *connection);

// Does what can be done without waiting: sends, reads once, answers complete lines.
enum connection_state connection_serve(struct connection *connection, struct store *store);

// Closes the socket, frees the connection.
void connection_close(struct connection *connection);

#endif
