// Preloaded, has a server listen on 127.0.0.1 alone that would listen everywhere.
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static const struct in6_addr MAPPED_LOOPBACK = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}}};

int bind(int socket, const struct sockaddr *address, socklen_t size) {
  int (*real)(int, const struct sockaddr *, socklen_t);
  *(void **)&real = dlsym(RTLD_NEXT, "bind");
  union {
    struct sockaddr_storage any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
  } here = {{0}};
  if (size > sizeof here)
    return real(socket, address, size);
  memcpy(&here, address, size);
  if (address->sa_family == AF_INET)
    here.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (address->sa_family == AF_INET6)
    here.v6.sin6_addr = MAPPED_LOOPBACK;
  return real(socket, (const struct sockaddr *)&here, size);
}
