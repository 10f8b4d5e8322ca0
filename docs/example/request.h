// The line protocol. A request is one line; the answer is one line, in the order of the requests.
//
//   SET key seconds value   STORED            the value is the rest of the line; 0 seconds: forever
//   GET key                 VALUE value       or NONE
//   DEL key                 DELETED           or NONE
//   COUNT pattern           COUNT entries     how many keys match, see glob.h; `*`: all
//   STATS                   STATS hits=N misses=N sets=N expired=N evicted=N resets=N
//
// Anything else is answered with ERROR and a reason, and the conversation goes on.
#ifndef KVD_REQUEST_H
#define KVD_REQUEST_H

#include "store.h"

// An answer, its newline included, is never longer than this.
enum { ANSWER_MAX = 256 }; // bytes

// Carries out the request `line` (no newline) and writes the answer to `answer`, which has room
// for ANSWER_MAX bytes. Returns the answer's length. `now` is in milliseconds, see store.h.
size_t request_run(struct store *store, struct slice line, int64_t now, char *answer);

#endif
