// kvload: load for kvd. Several connections each send batches of requests and check every answer
// against what they themselves have stored: the keys of a connection are its own, so it knows.
// One thread, one poll loop. Ends after a number of requests or a time, whichever comes first.
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS_MAX = 64, DEPTH_MAX = 128, KEYS = 400 };      // KEYS are those of one client
enum { LINE_SIZE = 512, VALUE_SIZE = 192, PATIENCE = 5000 }; // bytes, bytes, milliseconds

// The version of a key at first: an earlier load may have left it on the server.
#define UNKNOWN UINT32_MAX

// What a client knows of one of its keys.
struct key {
  uint32_t version;  // of the value last stored; 0: not there, or UNKNOWN
  int64_t gone_from; // from when on the server may have dropped it, in milliseconds, or INT64_MAX
  int64_t gone_by;   // when it has dropped it at the latest; known once the storing is answered
};

enum kind { GET, SET, DEL, COUNT, STATS, NONSENSE };

// A request on its way, and what its answer must be.
struct request {
  enum kind kind;
  int key;           // index into the client's keys
  struct key before; // what the key was before this request
  uint32_t stored;   // SET: the version it stores
  int lifetime;      // SET: milliseconds from when the server carries it out; 0: no end
  long least, most;  // COUNT: how many keys may be found
};

struct client {
  int fd;
  int number;
  uint64_t random;   // state of its generator, never 0
  uint32_t versions; // given out so far
  struct key keys[KEYS];
  struct request requests[DEPTH_MAX]; // of the batch on its way
  int sent;                           // requests in the batch
  int answered;                       // of them
  char in[DEPTH_MAX * LINE_SIZE];     // answers not yet complete
  size_t in_end;                      // bytes in `in`
};

static struct {
  const char *directory;
  int clients;
  int depth;       // requests in a batch
  int64_t limit;   // requests in all
  int64_t seconds; // at most
  uint64_t seed;
} options = {.directory = ".", .clients = 8, .depth = 32, .limit = INT64_MAX, .seconds = 10};

static int64_t requests_sent, requests_answered;

// Answers by which the server has lost a key: a server whose worker was killed in the middle of a
// change may. An error in the end, unless the server is gone altogether.
static int64_t answers_missing;

static void die(const char *what, const char *why) {
  fprintf(stderr, "kvload: %s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

// How many requests it has carried out lies between the two numbers.
static void server_gone(void) {
  fprintf(stderr, "kvload: the server is gone: %" PRId64 " requests sent, %" PRId64 " answered\n",
          requests_sent, requests_answered);
  exit(EXIT_FAILURE);
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

// Marsaglia's xorshift64; the same seed gives the same requests.
static uint64_t random_below(struct client *client, uint64_t limit) {
  client->random ^= client->random << 13;
  client->random ^= client->random >> 7;
  client->random ^= client->random << 17;
  return (client->random >> 16) % limit;
}

// The value a key has at a version, of 12 to 180 bytes: different for any other key or version.
static int value_at(const struct client *client, int key, uint32_t version, char *value) {
  static const char filler[] = "the quick brown fox jumps over the lazy dog, then sits down and "
                               "waits for the dog to notice; the dog, being lazy, does not, and so "
                               "the two of them stay where they are";
  int fill = (int)((version * 37u + (unsigned)key * 11u) % (sizeof filler - 1));
  return snprintf(value, VALUE_SIZE, "%02d.%03d.%u.%.*s", client->number, key, version, fill,
                  filler);
}

static enum kind choose_kind(struct client *client) {
  uint64_t dice = random_below(client, 10000);
  if (dice < 7200)
    return GET;
  if (dice < 9200)
    return SET;
  if (dice < 9900)
    return DEL;
  return dice < 9980 ? COUNT : dice < 9990 ? STATS : NONSENSE;
}

// Some keys are much more in demand than others: the product of two dice favours the low ones.
static int choose_key(struct client *client) {
  uint64_t one = random_below(client, KEYS), other = random_below(client, KEYS);
  return (int)(one * other / KEYS);
}

static int write_set(struct client *client, struct request *request, char *line, int64_t now) {
  char value[VALUE_SIZE];
  struct key *key = &client->keys[request->key];
  int seconds = random_below(client, 20) == 0 ? 1 : 0; // few expire
  request->lifetime = seconds * 1000;
  request->stored = key->version = ++client->versions;
  key->gone_from = seconds ? now + request->lifetime : INT64_MAX;
  key->gone_by = INT64_MAX;
  value_at(client, request->key, key->version, value);
  return snprintf(line, LINE_SIZE, "SET c%02d:key%03d %d %s\n", client->number, request->key,
                  seconds, value);
}

// Asks for the number of the client's keys whose last digit but one is even. Those of a known
// version are there, except where their time is over now, or will be before the server looks.
static int write_count(struct client *client, struct request *request, char *line, int64_t now) {
  request->least = request->most = 0;
  for (int i = 0; i < KEYS; i++) {
    const struct key *key = &client->keys[i];
    if (i / 10 % 2 != 0 || key->version == 0)
      continue;
    request->most += now < key->gone_by || key->version == UNKNOWN;
    request->least += key->gone_from == INT64_MAX && key->version != UNKNOWN;
  }
  return snprintf(line, LINE_SIZE, "COUNT c%02d:*[02468]?\n", client->number);
}

// Writes one more request of the batch to `line`. Returns its length.
static int write_request(struct client *client, char *line, int64_t now) {
  struct request *request = &client->requests[client->sent++];
  request->kind = choose_kind(client);
  request->key = choose_key(client);
  request->before = client->keys[request->key];
  switch (request->kind) {
  case GET:
    return snprintf(line, LINE_SIZE, "GET c%02d:key%03d\n", client->number, request->key);
  case SET:
    return write_set(client, request, line, now);
  case DEL:
    client->keys[request->key].version = 0;
    return snprintf(line, LINE_SIZE, "DEL c%02d:key%03d\n", client->number, request->key);
  case COUNT:
    return write_count(client, request, line, now);
  case STATS:
    return snprintf(line, LINE_SIZE, "STATS\n");
  default:
    return snprintf(line, LINE_SIZE, "FETCH c%02d:key%03d\n", client->number, request->key);
  }
}

static void send_batch(struct client *client) {
  static char batch[DEPTH_MAX * LINE_SIZE];
  size_t length = 0, done = 0;
  int64_t now = milliseconds_now();
  client->sent = client->answered = 0;
  while (client->sent < options.depth && requests_sent < options.limit) {
    length += (size_t)write_request(client, batch + length, now);
    requests_sent++;
  }
  while (done < length) {
    ssize_t sent = send(client->fd, batch + done, length - done, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR)
      server_gone();
    done += sent > 0 ? (size_t)sent : 0;
  }
}

// Whether `answer` tells the key as it was before the request; `found` is what it says of one that
// is there.
static bool tells_key(const struct key *key, const char *answer, const char *found) {
  if (strcmp(answer, "NONE") != 0)
    return key->version != 0 && strcmp(answer, found) == 0;
  bool may_be_gone =
      key->version == 0 || key->version == UNKNOWN || milliseconds_now() >= key->gone_from;
  answers_missing += !may_be_gone;
  return true;
}

static bool get_is_right(const struct client *client, const struct request *request,
                         const char *answer) {
  char found[VALUE_SIZE + 8] = "VALUE ";
  if (request->before.version == UNKNOWN && strncmp(answer, found, 6) == 0)
    return true;
  value_at(client, request->key, request->before.version, found + 6);
  return tells_key(&request->before, answer, found);
}

static bool count_is_right(const struct request *request, const char *answer) {
  char *end;
  if (strncmp(answer, "COUNT ", 6) != 0)
    return false;
  long count = strtol(answer + 6, &end, 10);
  answers_missing += count < request->least;
  return *end == '\0' && count <= request->most;
}

// The answer tells that the key's time has begun to run, if it is still the same one.
static bool set_is_right(struct client *client, const struct request *request, const char *answer) {
  struct key *key = &client->keys[request->key];
  if (request->lifetime && key->version == request->stored)
    key->gone_by = milliseconds_now() + request->lifetime;
  return strcmp(answer, "STORED") == 0;
}

static bool answer_is_right(struct client *client, const struct request *request,
                            const char *answer) {
  switch (request->kind) {
  case GET:
    return get_is_right(client, request, answer);
  case SET:
    return set_is_right(client, request, answer);
  case DEL:
    return tells_key(&request->before, answer, "DELETED");
  case COUNT:
    return count_is_right(request, answer);
  case STATS:
    return strncmp(answer, "STATS hits=", 11) == 0;
  default:
    return strcmp(answer, "ERROR unknown command") == 0;
  }
}

// Checks the complete lines in the buffer.
static void check_answers(struct client *client) {
  char *start = client->in, *end = client->in + client->in_end, *newline;
  while ((newline = memchr(start, '\n', (size_t)(end - start))) != NULL) {
    *newline = '\0';
    if (client->answered == client->sent)
      die("an answer to nothing", start);
    if (!answer_is_right(client, &client->requests[client->answered++], start))
      die("wrong answer", start);
    requests_answered++;
    start = newline + 1;
  }
  client->in_end = (size_t)(end - start);
  memmove(client->in, start, client->in_end);
}

static void receive_answers(struct client *client) {
  ssize_t got =
      recv(client->fd, client->in + client->in_end, sizeof client->in - client->in_end, 0);
  if (got < 0 && errno == EINTR)
    return;
  if (got <= 0)
    server_gone();
  client->in_end += (size_t)got;
  check_answers(client);
}

static in_port_t read_port(void) {
  char path[4096];
  unsigned port = 0;
  snprintf(path, sizeof path, "%s/kvd.port", options.directory);
  for (int waited = 0; waited < PATIENCE; waited += 20) {
    FILE *file = fopen(path, "r");
    if (file != NULL) {
      if (fscanf(file, "%u", &port) != 1)
        port = 0;
      fclose(file);
    }
    if (port > 0 && port < 65536)
      return (in_port_t)port;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  die(path, "no port number there");
  return 0;
}

static void connect_client(struct client *client, int number, in_port_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  client->number = number;
  for (int i = 0; i < KEYS; i++)
    client->keys[i] =
        (struct key){.version = UNKNOWN, .gone_from = INT64_MAX, .gone_by = INT64_MAX};
  client->random = (options.seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)number * 2 + 1;
  client->random |= 1; // the generator's only forbidden state is 0
  client->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client->fd < 0 || connect(client->fd, (struct sockaddr *)&address, sizeof address) < 0)
    die("cannot connect", strerror(errno));
}

// The time is over, or everything is sent.
static bool finished(int64_t start) {
  return requests_sent >= options.limit || milliseconds_now() - start >= options.seconds * 1000;
}

// Sends and receives until all is sent, or the time is over, and every request is answered.
static void run_load(struct client *clients, int64_t start) {
  struct pollfd waits[CLIENTS_MAX];
  int busy = 0;
  for (int i = 0; i < options.clients; i++) {
    send_batch(&clients[i]);
    waits[i] = (struct pollfd){.fd = clients[i].sent ? clients[i].fd : -1, .events = POLLIN};
    busy += clients[i].sent > 0;
  }
  while (busy > 0) {
    int ready = poll(waits, (nfds_t)options.clients, PATIENCE);
    if (ready == 0)
      die("no answer", "waited five seconds");
    for (int i = 0; i < options.clients; i++) {
      if (ready < 0 || waits[i].fd < 0 || waits[i].revents == 0)
        continue;
      receive_answers(&clients[i]);
      if (clients[i].answered < clients[i].sent)
        continue;
      if (!finished(start)) {
        send_batch(&clients[i]);
      } else {
        waits[i].fd = -1;
        busy--;
      }
    }
  }
}

static void usage(int status) {
  fputs("usage: kvload [-d DIRECTORY] [-c CONNECTIONS] [-b BATCH] [-n REQUESTS] [-t SECONDS] [-s "
        "SEED]\n"
        "DIRECTORY (default .) holds the server's kvd.port. Defaults: 8 connections (64 at most),\n"
        "batches of 32 requests (128 at most), no bound on requests, 10 seconds.\n",
        status ? stderr : stdout);
  exit(status);
}

static int64_t number_of(const char *text, int64_t least, int64_t most) {
  char *end;
  int64_t number = strtoll(text, &end, 10);
  if (end == text || *end != '\0' || number < least || number > most)
    usage(2);
  return number;
}

static void parse_options(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "d:c:b:n:t:s:h")) != -1) {
    if (option == 'd')
      options.directory = optarg;
    else if (option == 'c')
      options.clients = (int)number_of(optarg, 1, CLIENTS_MAX);
    else if (option == 'b')
      options.depth = (int)number_of(optarg, 1, DEPTH_MAX);
    else if (option == 'n')
      options.limit = number_of(optarg, 1, INT64_MAX);
    else if (option == 't')
      options.seconds = number_of(optarg, 1, 86400);
    else if (option == 's')
      options.seed = (uint64_t)number_of(optarg, 0, INT64_MAX);
    else
      usage(option == 'h' ? 0 : 2);
  }
  if (optind != argc)
    usage(2);
}

int main(int argc, char **argv) {
  static struct client clients[CLIENTS_MAX];
  parse_options(argc, argv);
  in_port_t port = read_port();
  for (int i = 0; i < options.clients; i++)
    connect_client(&clients[i], i, port);
  int64_t start = milliseconds_now();
  run_load(clients, start);
  if (answers_missing > 0)
    die("the server has lost keys", "its answers are not what was stored");
  double seconds = (double)(milliseconds_now() - start) / 1000.0;
  printf("%" PRId64 " requests in %.2f s, %.0f requests/s, every answer right\n", requests_sent,
         seconds, (double)requests_sent / (seconds > 0 ? seconds : 0.001));
  return EXIT_SUCCESS;
}
