# What the tests of a binary's instructions and locations share: what llvm-profgen says of them.
# shellcheck shell=sh
PRINT=$BUILD/test/sampling/print-binary
PROFGEN=llvm-profgen-$NEWEST

# disassembled OUT BINARY [DEBUG-BINARY|- [DWP]] [--show-source-locations]: llvm-profgen's lines of
# instructions and of bytes that are none. It wants samples, too, and has them: none.
disassembled() {
  disassembled_to=$1
  disassembled_from=$2
  shift 2
  set -- "${1:--}" "${2:-}" "${3:-}"
  [ "$1" = - ] || disassembled_from="$disassembled_from --debug-binary=$1"
  # shellcheck disable=SC2086 # words
  "$PROFGEN" --binary=$disassembled_from ${2:+"--dwp=$2"} $3 --show-disassembly-only \
    --perfscript=/dev/null --output=/dev/null 2>profgen_said |
    grep -aE '^ *[0-9a-f]+:' >"$disassembled_to" || die "llvm-profgen: $(cat profgen_said)"
}

# same_locations BINARY [DEBUG-BINARY|- [DWP]]: the inline stack of every instruction is llvm-profgen's.
# Its lines are told from the instructions that they stand behind by a listing without them.
same_locations() {
  disassembled listed "$1" "${2:--}" "${3:-}"
  disassembled listed_places "$1" "${2:--}" "${3:-}" --show-source-locations
  awk 'NR == FNR { bare[FNR] = $0; next }
    bare[FNR] !~ /<unknown>$/ { at = $1; sub(/:.*/, "", at); place = substr($0, length(bare[FNR]) + 1)
      sub(/^ */, "", place); print at " " place }' listed listed_places >wanted
  "$PRINT" locations "$@" >got
  [ "$(grep -c ' @ ' wanted)" -ge "${STACKS:-20}" ] || die "$1: hardly anything is inlined"
  expect_same "locations of $*" wanted got
}
