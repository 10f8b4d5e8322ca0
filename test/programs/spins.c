// Spends time in functions that are known by name, in as many processes and programs as it is told.
// Its words are done one after the other:
//
//   a=N  b=N       N million rounds in spin_a, in spin_b
//   forks=N        N children at once, each of which does the words that follow; the parent waits
//   exec=PROGRAM   becomes that program, which gets the words that follow
//   load=FILE:N    N million rounds in spin_plugin of that shared object
//   thread         a thread does the words that follow; the first thread ends
//   say            prints the PID
//
// SPIN_B_SECTION is the section of spin_b, if it shall have another one.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void spin_a(uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; i++)
    __asm__ volatile("");
}

#ifdef SPIN_B_SECTION
__attribute__((section(SPIN_B_SECTION)))
#endif
__attribute__((noinline)) static void
spin_b(uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; i++)
    __asm__ volatile("nop");
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t millions(const char *word) {
  return strtoull(word, NULL, 10) * 1000000;
}

static void load(const char *word) {
  const char *colon = strchr(word, ':');
  char *path = colon ? strndup(word, (size_t)(colon - word)) : NULL;
  void *object = path ? dlopen(path, RTLD_NOW) : NULL;
  void (*spin)(uint64_t) = object ? (void (*)(uint64_t))dlsym(object, "spin_plugin") : NULL;
  if (!spin)
    fail(word);
  spin(millions(colon + 1));
  free(path);
}

// Returns in the children alone.
static void fork_children(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    pid_t pid = fork();
    if (pid < 0)
      fail("fork");
    if (pid == 0)
      return;
  }
  while (wait(NULL) > 0) {
  }
  exit(0);
}

static void *do_words(void *first_word);

static void go_on_in_a_thread(char **words) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, do_words, words) != 0)
    fail("pthread_create");
  pthread_exit(NULL);
}

static void do_word(char **word) {
  if (!strncmp(*word, "a=", 2))
    spin_a(millions(*word + 2));
  else if (!strncmp(*word, "b=", 2))
    spin_b(millions(*word + 2));
  else if (!strncmp(*word, "forks=", 6))
    fork_children((unsigned)atoi(*word + 6));
  else if (!strncmp(*word, "load=", 5))
    load(*word + 5);
  else if (!strcmp(*word, "thread"))
    go_on_in_a_thread(word + 1);
  else if (!strcmp(*word, "say"))
    dprintf(1, "%d\n", getpid());
  else if (!strncmp(*word, "exec=", 5))
    execv(*word + 5, word);
  else
    fail(*word);
}

static void *do_words(void *first_word) {
  for (char **word = first_word; *word; word++)
    do_word(word);
  exit(0);
}

int main(int argc, char **argv) {
  (void)argc;
  do_words(argv + 1);
}
