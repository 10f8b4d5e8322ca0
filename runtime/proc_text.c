#include "proc_text.h"

#include <fcntl.h>

#include "platform.h"

int contprof_proc_read(const char *path, char *buffer, size_t size) {
  int fd = contprof_open_following(path, O_RDONLY, 0);
  buffer[0] = 0;
  if (fd < 0)
    return fd;
  int64_t got = contprof_read_some(fd, buffer, size - 1, 0);
  contprof_close(fd);
  buffer[got < 0 ? 0 : got] = 0;
  return got < 0 ? (int)got : 0;
}

uint64_t contprof_parse_decimal(const char **at) {
  uint64_t value = 0;
  while (**at >= '0' && **at <= '9')
    value = value * 10 + (uint64_t)(*(*at)++ - '0');
  return value;
}

bool contprof_parse_hex(const char **at, uint64_t *value) {
  const char *start = *at;
  for (*value = 0;; (*at)++) {
    char c = **at;
    if (c >= '0' && c <= '9')
      *value = *value << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      *value = *value << 4 | (uint64_t)(c - 'a' + 10);
    else
      return *at != start;
  }
}
