// A kernel that cannot give a GS base, as far as one process can have it. One source, two parts:
//
//   -DLIBRARY  preloaded: getauxval() says that the instruction is not there
//   else       `refuse_gs PROGRAM ARGUMENT...`: runs it under a seccomp filter that lets no system
//              call set the GS base
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/auxv.h>

#ifdef LIBRARY

#include <dlfcn.h>

unsigned long getauxval(unsigned long type) {
  unsigned long (*real)(unsigned long) =
      (unsigned long (*)(unsigned long))dlsym(RTLD_NEXT, "getauxval");
  return type == AT_HWCAP2 ? 0 : real(type);
}

#else

#include <asm/prctl.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH_SET_GS, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
    perror("refuse_gs");
    return 2;
  }
  execv(argv[1], argv + 1);
  perror(argv[1]);
  return 2;
}

#endif
