#!/bin/sh
# __llvm_profile_get_path_prefix tells the directory of the profile's name, as stock's runtime does:
# for names from the environment, the compiler and the program, relative and absolute.
. "$(dirname "$0")/lib.sh"

write_program() {
  cat >prefix.c <<'END'
#include <stdio.h>
const char *__llvm_profile_get_path_prefix(void);
void __llvm_profile_set_filename(const char *name);
int main(int argc, char **argv) {
  printf("[%s]", __llvm_profile_get_path_prefix());
  for (int i = 1; i < argc; i++) {
    __llvm_profile_set_filename(argv[i]);
    printf(" [%s]", __llvm_profile_get_path_prefix());
  }
  printf("\n");
  return 0;
}
END
}

# Stock's own processes have other ids: no %p in the directories.
same_prefixes() {
  write_program
  # shellcheck disable=SC2086 # flags
  for kind in -fprofile-instr-generate "-fprofile-generate=$PWD/dir" -fprofile-generate=some/where; do
    cc "$1" -fprofile-continuous="$2" $kind prefix.c -o ours
    stock "$1" $kind prefix.c -o stock
    for name in x.profraw a/b/x.profraw ./x.profraw /tmp/../tmp/x-%p.profraw %t/x.profraw ''; do
      for program in ours stock; do
        TMPDIR=$PWD/t LLVM_PROFILE_FILE=$name "./$program" y.profraw c/y.profraw "$PWD/d/y" \
          >$program.txt
      done
      expect "prefixes for '$name', $kind" "$(cat stock.txt)" "$(cat ours.txt)"
    done
  done
}

for llvm in $LLVMS; do
  for mode in segment pointer; do
    check "prefixes, clang $llvm, $mode" same_prefixes "$llvm" "$mode"
  done
done
