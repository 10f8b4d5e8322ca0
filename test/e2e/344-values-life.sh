#!/bin/sh
# What becomes of values when a process forks, resets its counts, changes the file's name, is
# followed by another in its pool, or loads and unloads a shared object; and of sites of all kinds.
. "$(dirname "$0")/lib.sh"

MANY=$PROGRAMS/many_targets.c

# seen N RAW FUNCTION (or a part of its name): "TARGET COUNT" and ", LENGTH COUNT" of the function's sites, in order.
seen() {
  profdata "$1" show --function="$3" --ic-targets --memop-sizes "$2" |
    sed -n 's/^	\[ *[0-9]*, *\([^,]*\), *\([1-9][0-9]*\) \].*/\1 \2/p' | sort
}

# expect_seen WHAT WANTED RAW FUNCTION
expect_seen() {
  expect "$1" "$2" "$(seen "$llvm" "$3" "$4" | tr '\n' ' ')"
}

# The program's main becomes one(WORD...), for a main of its own.
many_and() {
  sed 's/int main(int argc, char \*\*argv)/static int run(int argc, char **argv)/' "$MANY" >own.c
  printf '%s\n' '#define CALL(...) do { char *words[] = {"", __VA_ARGS__, 0}; run((int)(sizeof words / sizeof *words) - 1, words); } while (0)' >>own.c
  cat >>own.c
  sed -i '1i #include <stdint.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>' own.c
}

build() {
  cc "$llvm" -O2 -fprofile-continuous="$mode" "$@"
}

forked_child_starts_empty() {
  many_and <<'END'
int main(void) {
  CALL("10-12*5");
  if (fork() == 0) {
    CALL("12-13*7");
    raise(SIGKILL);
  }
  wait(0);
  CALL("12-12*2");
  return raise(SIGKILL);
}
END
  build own.c -o own
  LLVM_PROFILE_FILE=parent.profraw expect_killed ./own
  expect_seen parent "target10 5 target11 5 target12 7 " parent.profraw apply
  expect_seen child "target12 7 target13 7 " parent-*.profraw apply
}

reset_and_renamed() {
  many_and <<'END'
void __llvm_profile_reset_counters(void);
void __llvm_profile_set_filename(const char *);
int main(void) {
  CALL("10-17*5");
  __llvm_profile_reset_counters();
  CALL("20-26*3");
  __llvm_profile_set_filename("moved.profraw");
  CALL("25-27*2");
  return raise(SIGKILL);
}
END
  build own.c -o own
  LLVM_PROFILE_FILE=own.profraw expect_killed ./own
  wanted=
  for target in 20 21 22 23 24; do
    wanted="$wanted""target$target 3 "
  done
  expect_seen values "${wanted}target25 5 target26 5 target27 2 " moved.profraw apply
}

# Three processes one after another; the site's slots are full after the first.
pool_adds_up() {
  build "$MANY" -o many
  for _ in 1 2 3; do
    LLVM_PROFILE_FILE=pool/%m.profraw expect_killed ./many '10-16*10' kill
  done
  wanted=
  for target in 10 11 12 13 14 15 16; do
    wanted="$wanted""target$target 30 "
  done
  expect_seen values "$wanted" "$(the_profile pool)" apply
}

# Values of a shared object loaded ten times. What it calls of the program and of libc has no name.
loaded_again() {
  cat >plugin.c <<'END'
#include <string.h>
static volatile int sink;
static char from[1024], to[1024];
__attribute__((noinline)) static void mine(void) { sink++; }
__attribute__((noinline)) static void apply(void (*target)(void)) { target(); sink++; }
void plugin(void (*theirs)(void), void (*others)(void), unsigned long size) {
  apply(mine);
  apply(theirs);
  apply(others);
  memcpy(to, from, size);
  sink = to[0];
}
END
  cat >host.c <<'END'
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>
static void own(void) {}
int main(void) {
  for (unsigned i = 0; i < 10; i++) {
    void *library = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    void (*plugin)(void (*)(void), void (*)(void), unsigned long) = dlsym(library, "plugin");
    plugin(own, (void (*)(void))getppid, i % 2 ? 3 : 40);
    dlclose(library);
  }
  return raise(SIGKILL);
}
END
  build -fPIC -shared plugin.c -o plugin.so
  stock "$llvm" host.c -o host
  LLVM_PROFILE_FILE=p.profraw expect_killed ./host
  raw=$(the_profile)
  seen "$llvm" "$raw" apply | sed 's/^\*.*\*\* / /; s/plugin.c[:;]//' |
    awk '/^ / { nameless += $1; next } { print } END { print "nameless", nameless }' >calls.txt
  expect calls "mine 10 nameless 20 " "$(tr '\n' ' ' <calls.txt)"
  seen "$llvm" "$raw" plugin | grep '^[0-9]' >lengths.txt # of all functions of plugin.c
  expect lengths "3 5 33 5 " "$(tr '\n' ' ' <lengths.txt)"
}

# Copies alone; functions of one name in two files; inline functions that both files have.
kinds_of_sites() {
  for part in a b; do
    cat >$part.cpp <<END
#include <cstring>
inline __attribute__((noinline)) void shared(void (*target)()) { target(); asm volatile(""); }
static volatile int sink;
static char from[1024], to[1024];
static __attribute__((noinline)) void local(void (*target)()) { target(); sink++; }
static __attribute__((noinline)) void copy(size_t size) { memcpy(to, from, size); sink = to[0]; }
extern "C" void target_$part() { sink++; }
static void (*volatile target)() = target_$part;
extern "C" void part_$part(size_t size) {
  copy(size);
  for (int i = 0; i < 3; i++) {
    local(target);
    shared(target);
  }
}
END
  done
  cat >main.cpp <<'END'
#include <csignal>
#include <cstddef>
extern "C" void part_a(size_t), part_b(size_t);
int main() {
  part_a(5);
  part_b(17);
  part_b(600);
  return raise(SIGKILL);
}
END
  cxx "$llvm" -O2 -fprofile-continuous="$mode" "$@" a.cpp b.cpp main.cpp -o parts
  LLVM_PROFILE_FILE=parts.profraw expect_killed ./parts
  profdata "$llvm" show --all-functions parts.profraw >names.txt
  name_of() { sed -n "s/^  \([^ ]*$1[^ ]*\):$/\1/p" names.txt; }
  expect_seen shared "target_a 3 target_b 6 " parts.profraw "$(name_of '_Z6shared.*')"
  expect_seen "a's local" "target_a 3 " parts.profraw "$(name_of 'a.cpp.*local')"
  expect_seen "b's local" "target_b 6 " parts.profraw "$(name_of 'b.cpp.*local')"
  expect_seen "a's copy" "5 1 " parts.profraw "$(name_of 'a.cpp.*copy')"
  expect_seen "b's copy" "17 1 513 1 " parts.profraw "$(name_of 'b.cpp.*copy')"
}

# Frontend instrumentation knows indirect calls, too, when asked.
frontend() {
  cc "$llvm" -O2 -fprofile-instr-generate -mllvm -enable-value-profiling \
    -fprofile-continuous="$mode" "$MANY" -o many
  LLVM_PROFILE_FILE=many.profraw expect_killed ./many '10-11*4' kill
  expect_seen values "target10 4 target11 4 " many.profraw apply
}

for llvm in $LLVMS; do
  for mode in $MODES; do
    check "clang $llvm $mode: a forked child starts empty" forked_child_starts_empty
    check "clang $llvm $mode: reset, and another name" reset_and_renamed
    check "clang $llvm $mode: a pool adds up" pool_adds_up
    check "clang $llvm $mode: sites of all kinds" kinds_of_sites
  done
  mode=pointer
  check "clang $llvm: a shared object loaded again" loaded_again
  check "clang $llvm: without static lists" kinds_of_sites -mllvm -vp-static-alloc=false
  mode=auto
  check "clang $llvm: frontend instrumentation" frontend
done
