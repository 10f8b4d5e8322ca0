// A worker: one process, one epoll loop, any number of clients.
#ifndef KVD_WORKER_H
#define KVD_WORKER_H

#include "store.h"

// Serves clients of the non-blocking listening socket `listener` until SIGTERM, which the caller
// has blocked. Returns the process's exit status.
int worker_run(int listener, struct store *store);

#endif
