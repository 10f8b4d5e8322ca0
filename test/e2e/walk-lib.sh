# Recordings with branch stacks of programs that were never run: walk_code goes through their code at
# random. Sourced after lib.sh.
# shellcheck shell=sh disable=SC2034 # for the scripts

WALK=$BUILD/test/recordings/walk_code
PROFGEN=llvm-profgen-$NEWEST
BIAS=0x555555000000 # where position-independent binaries are mapped

# sampled N cc|cxx PROGRAM FLAG...: builds it by stock clang as what is recorded: optimised, with debug
# information for profiles.
sampled() {
  sampled_compiler=stock
  [ "$2" = cc ] || sampled_compiler=stockxx
  sampled_llvm=$1
  sampled_program=$3
  shift 3
  case $sampled_program in
    *.cpp) sampled_source=$PROGRAMS/$sampled_program ;;
    *) sampled_source=$PROGRAMS/$sampled_program.c ;;
  esac
  $sampled_compiler "$sampled_llvm" -O2 -g -fdebug-info-for-profiling -Wl,--build-id "$sampled_source" \
    -o "$(basename "${sampled_program%.cpp}")" "$@"
}

# code_of BINARY BIAS: walk_code's words for it, and its listing as BINARY.code.
code_of() {
  "llvm-objdump-$NEWEST" -d --no-show-raw-insn "$1" >"$1.code"
  "llvm-readelf-$NEWEST" -lW "$1" | awk -v path="$PWD/$1" -v bias="$2" '/file type is EXEC/ { bias = 0 }
    $1 == "LOAD" && / R E / { print path, bias, $3, $2, $5, path ".code"; exit }'
}

# make_walk OUT SEED SAMPLES PIDS BINARY...: in one process a binary has the addresses of its place in
# the list.
make_walk() {
  walk_out=$1
  walk_seed=$2
  walk_samples=$3
  walk_pids=$4
  shift 4
  walk_words=
  walk_bias=$BIAS
  for walk_binary in "$@"; do
    walk_words="$walk_words $(code_of "$walk_binary" "$walk_bias")"
    walk_bias=$(printf '0x%x' $((walk_bias + 0x1000000)))
  done
  # shellcheck disable=SC2086 # words
  "$WALK" ${WALK_OPTION:-} "$walk_out" "$walk_seed" "$walk_samples" $walk_pids -- $walk_words
}
