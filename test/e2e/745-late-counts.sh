#!/bin/sh
# What a shared object counts after its own destructors: called back by other modules' destructors and
# exit handlers, and by a thread that runs on until the process is no more.
. "$(dirname "$0")/lib.sh"

build_library() {
  # shellcheck disable=SC2046 # a list of flags
  cc "$llvm" -O2 $(instrumentation "$kind") -fprofile-continuous -fPIC -shared -DLIBRARY \
    "$PROGRAMS/late.c" -L"$TEST_DIR" -lbase "-Wl,-rpath,$TEST_DIR" -o liblate.so
}

# Linked to it; or not, and the library opened.
build_host() {
  set -- -L"$TEST_DIR" -Wl,--no-as-needed -lbase "-Wl,-rpath,$TEST_DIR:$PWD" -ldl -lpthread -o late
  [ "$how" = opened ] || set -- liblate.so "$@"
  case $host in
    stock) stock "$llvm" "$PROGRAMS/late.c" "$@" ;;
    *) cc "$llvm" -fprofile-instr-generate "-fprofile-continuous=$host" "$PROGRAMS/late.c" "$@" ;;
  esac
}

# expect_told COUNT: what the thread told; it may have counted once more than it could tell.
expect_told() {
  told=$(od -A n -t u8 told | tr -d ' ')
  [ "$told" -gt 0 ] && [ $(($1 - told)) -ge 0 ] && [ $(($1 - told)) -le 1 ] ||
    die "the thread told $told, counted were $1"
}

counts_to_the_end() {
  build_library
  build_host
  # shellcheck disable=SC2046 # a path or nothing
  LLVM_PROFILE_FILE=p.profraw $RUN ./late "$threads" told $([ "$how" = linked ] || echo ./liblate.so) \
    >said 2>complaints
  expect_empty complaints
  stock_counts "$llvm" p-liblate.so.profraw >counts.txt
  expect_calls said counts.txt
  [ "$threads" = alone ] || expect_told "$(function_count counts.txt library_step)"
}

stock $NEWEST -fPIC -shared -DBASE "$PROGRAMS/late.c" -lpthread -o libbase.so
for llvm in $LLVMS; do
  for host in stock auto; do
    kind=ir
    [ $host = stock ] || kind=frontend
    for how in linked opened; do
      for threads in alone thread; do
        check "clang $llvm $kind, host $host: late counts, $how, $threads" counts_to_the_end
      done
    done
  done
done
