#!/bin/sh
# Where instructions start, which of them are branches and which end a run of code: every one of real
# binaries as llvm-profgen decodes them.
. "$(dirname "$0")/lib.sh"
# shellcheck source=/dev/null
. "$E2E/binary-lib.sh"

# The flags that LLVM's descriptions give instructions, by the names that it prints.
flags_by_name() {
  awk -v machine="$1" '
    function flags(name, operand) {
      if (machine == "arm") {
        if (name ~ /^(b|bl|blr)$/) return " transfer barrier"
        if (name ~ /^(ret|eret|drps)$/) return " transfer barrier return"
        return name ~ /^(br|b\..*|cbz|cbnz|tbz|tbnz)$/ ? " transfer" : ""
      }
      if (name ~ /^l?call/) return " transfer barrier"
      if (name ~ /^(l?ret|iret)/) return " transfer barrier return"
      if (name ~ /^jmp/ && operand !~ /^\*/) return " transfer barrier"
      return name ~ /^(l?jmp|j|loop|xbegin)/ ? " transfer" : ""
    }
    /<unknown>$/ { next }
    { at = $1; sub(/:$/, "", at); i = 2
      while ($i ~ /^(rep|repne|notrack|data16|addr32|xacquire|xrelease)$/ && i < NF) i++
      print at flags($i, $(i + 1)) }'
}

# same_instructions x86|arm BINARY LEAST
same_instructions() {
  disassembled listing "$2"
  flags_by_name "$1" <listing >wanted
  [ "$(wc -l <wanted)" -ge "$3" ] || die "only $(wc -l <wanted) instructions"
  grep -q ' transfer$' wanted || die "no branch"
  grep -q ' barrier$' wanted || die "no jump"
  "$PRINT" instructions "$2" | sed 's/ [0-9]*//' >got
  expect_same "instructions of $2" wanted got
}

of_programs() {
  for level in -O0 -O2 -O3; do
    stockxx "$1" $level "$PROGRAMS/sampled_shapes.cpp" -o "shapes$level"
    same_instructions x86 "./shapes$level" 300
  done
}

# All of the C library that a program may need, with what was written in assembly.
of_library() {
  stock "$NEWEST" -static "$PROGRAMS/sampled_sort.c" -o static
  same_instructions x86 ./static 50000
}

# The forms that compilers hardly write.
of_assembly() {
  cat >forms.s <<'END'
.text
.globl _start
_start: jmp *%rax
 ljmp *(%rax)
 lcall *(%rax)
 call *(%rax)
 jmp _start
 jrcxz _start
 jecxz _start
 loop _start
 loopne _start
 xbegin _start
 syscall
 sysretq
 int3
 hlt
 ud2
 iretq
 lretq
 ret $8
 notrack jmp *%rax
 rep ret
 lock incl (%rax)
 lock cmpxchgq %rbx, (%rax)
 xacquire lock incl (%rax)
 xrelease movl %eax, (%rax)
 xchgl %eax, (%rbx)
 pause
 rep movsb
 .byte 0x06, 0x07, 0x90
 .byte 0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x00
 vpaddd %zmm0, %zmm1, %zmm2{%k1}
 nopw %cs:512(%rax,%rax)
.data
 .quad 0
END
  stock "$NEWEST" -nostdlib -static forms.s -o forms
  same_instructions x86 ./forms 30
}

of_arm() {
  for level in -O0 -O2; do
    clang-"$1" --target=aarch64-linux-gnu $level -ffreestanding -mno-outline-atomics -nostdlib -static \
      -fuse-ld="$(command -v "ld.lld-$1")" "$PROGRAMS/free_standing.c" -o "arm$level"
    same_instructions arm "./arm$level" 70
  done
}

for llvm in $LLVMS; do
  check "programs, clang $llvm" of_programs "$llvm"
  check "AArch64, clang $llvm" of_arm "$llvm"
done
check "a program with its C library in it" of_library
check "rare forms" of_assembly
