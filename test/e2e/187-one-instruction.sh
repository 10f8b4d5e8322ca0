#!/bin/sh
# The machine code of a counter's update is one instruction, whatever the kind of instrumentation:
# GS-relative in segment mode, at the counter's own address in shadow mode. Pointer mode leaves GS alone.
. "$(dirname "$0")/lib.sh"

compile() {
  # shellcheck disable=SC2046,SC2086 # lists of flags
  cc "$llvm" ${level:--O2} $flags $(instrumentation "$kind") "-fprofile-continuous=$mode" -c \
    "$PROGRAMS/calls.c" -o calls.o
  objdump --no-show-raw-insn -dr calls.o >code.txt
}

# The instructions that have a counter's address in them: objdump writes the relocation after its
# instruction.
instructions_on_counters() {
  awk '/R_X86_64_.*(__profc_|__llvm_prf_cnts)/ { print last } !/R_X86_64_/ { last = $0 }' code.txt |
    sed 's/^ *[0-9a-f]*:[ \t]*//'
}

one_instruction() {
  compile
  instructions_on_counters >updates.txt
  [ "$(wc -l <updates.txt)" -ge 10 ] || die "only $(wc -l <updates.txt) updates"
  grep -vE "^${lock}(incq|addq? +(\\\$0x[0-9a-f]+|%r[a-z0-9]+),) *$place" updates.txt >others.txt || true
  expect_merged_arms
}

# The optimiser merges arms of the switch in `choose`: these take their counters' addresses first,
# and then have one update, in segment mode through GS as well.
expect_merged_arms() {
  [ -s others.txt ] || return 0
  expect_no_text others.txt '<(leaf|rounds|descend|both|never|main)'
  grep -v 'lea .*<choose' others.txt >not_merged.txt || true
  expect_empty not_merged.txt
  expect_text code.txt "${lock}(incq|addq) .*$base\(%r"
}

# Where nothing is optimised, the pass itself makes the one instruction.
one_instruction_unoptimised() {
  compile
  instructions_on_counters >updates.txt
  [ "$(wc -l <updates.txt)" -ge 10 ] || die "only $(wc -l <updates.txt) updates"
  grep -vE '^addq? +(\$0x1|%r[a-z0-9]+),'"$place" updates.txt >others.txt || true
  expect_empty others.txt
}

no_segment() {
  compile
  instructions_on_counters >updates.txt
  [ -s updates.txt ] || die "no instruction has a counter's address"
  expect_no_text code.txt '%gs:'
}

# in_one_instruction MODE BASE PLACE: where the instructions' counters are, in objdump's words.
in_one_instruction() {
  mode=$1 base=$2 place=$3 lock= level=
  for flags in -fPIE -fno-pie; do
    check "clang $llvm $kind $mode $flags: one instruction an update" one_instruction
  done
  flags="-fPIE -fprofile-update=atomic" lock="lock "
  check "clang $llvm $kind $mode: one instruction an atomic update" one_instruction
  flags=-fPIE level=-O0
  check "clang $llvm $kind $mode -O0: one instruction an update" one_instruction_unoptimised
}

for llvm in $LLVMS; do
  for kind in frontend ir; do
    in_one_instruction segment %gs: %gs:
    in_one_instruction shadow "" '0x[0-9a-f]+\(%r[a-z0-9]+\)'
    mode=pointer flags=-fPIC level=
    check "clang $llvm $kind: pointer mode leaves GS alone" no_segment
  done
done
