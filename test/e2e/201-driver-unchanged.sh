#!/bin/sh
# Without -fprofile-continuous contprof-clang is clang: the same command line, the same objects, the
# same words and status.
. "$(dirname "$0")/lib.sh"

# A clang that says its command line, a word a line. Its name says a version.
fake_clang() {
  mkdir -p fake
  for name in "clang-$NEWEST" "clang++-$NEWEST"; do
    # shellcheck disable=SC2016 # for the script to expand
    printf '#!/bin/sh\nprintf "%%s\\n" "$0" "$@"\nexit 7\n' >"fake/$name"
    chmod +x "fake/$name"
  done
  CONTPROF_CLANG=$PWD/fake/clang-$NEWEST
  export CONTPROF_CLANG
}

# expect_words COMPILER WORD...: clang is run with exactly these, and its status comes back.
expect_words() {
  compiler=$1
  shift
  case $compiler in
    *++) printf '%s\n' "$PWD/fake/clang++-$NEWEST" "$@" >wanted ;;
    *) printf '%s\n' "$PWD/fake/clang-$NEWEST" "$@" >wanted ;;
  esac
  status=0
  "$BUILD/bin/$compiler" "$@" >got 2>complaints || status=$?
  expect "status" 7 "$status"
  expect_same "command line" wanted got
  expect_empty complaints
}

same_words() {
  fake_clang
  echo '-DX "a b" @inner.rsp' >args.rsp
  echo '-o x' >inner.rsp
  for compiler in contprof-clang contprof-clang++; do
    expect_words "$compiler" -c a.c -o 'b c.o' '' '-DX="y"'
    expect_words "$compiler" @args.rsp a.c -- -b.c
    expect_words "$compiler" -cc1 -fprofile-continuous -x c a.c
    expect_words "$compiler" -cc1as -filetype obj a.s
    expect_words "$compiler" -fprofile-generate -shared -fPIC a.c -o liba.so
    expect_words "$compiler" -Xclang -fprofile-continuous -o -fprofile-continuous
    expect_words "$compiler" @missing.rsp @
    expect_words "$compiler" -dumpversion
    expect_words "$compiler" a.c -o
  done
}

# same_object WHAT SOURCE ARG...
same_object() {
  what=$1
  source=$2
  shift 2
  case $source in
    *.cpp) ours=cxx theirs=stockxx ;;
    *) ours=cc theirs=stock ;;
  esac
  $theirs "$llvm" "$@" "$source" -o one.out
  mv one.out theirs.out
  $ours "$llvm" "$@" "$source" -o one.out
  cmp theirs.out one.out || die "$what differs"
}

same_objects() {
  same_object "object" "$PROGRAMS/calls.c" -c -O2 -g
  same_object "object, C++" "$PROGRAMS/shapes.cpp" -c -O2 -g
  same_object "object, instrumented" "$PROGRAMS/calls.c" -c -O2 -fprofile-generate
  same_object "object with coverage" "$PROGRAMS/calls.c" -c -fprofile-instr-generate -fcoverage-mapping
  same_object "assembler" "$PROGRAMS/calls.c" -S -O1
  same_object "preprocessed" "$PROGRAMS/calls.c" -E -dD
  same_object "bitcode" "$PROGRAMS/calls.c" -c -flto -O2
  same_object "cancelled" "$PROGRAMS/calls.c" -c -O2
  cc "$llvm" -fprofile-continuous -fno-profile-continuous -c -O2 "$PROGRAMS/calls.c" -o again.out
  cmp one.out again.out || die "cancelled -fprofile-continuous changes the object"
}

# same_answer ARG...: what is printed, and the status.
same_answer() {
  for ours in cc cxx; do
    theirs=stock
    [ $ours = cc ] || theirs=stockxx
    wanted=0 got=0
    $theirs "$llvm" "$@" >theirs.txt 2>&1 || wanted=$?
    $ours "$llvm" "$@" >ours.txt 2>&1 || got=$?
    expect "status of $*" "$wanted" "$got"
    expect_same "answer to $*" theirs.txt ours.txt
  done
}

same_answers() {
  echo 'int broken' >broken.c
  echo 'int main(void) { return 0; }' >good.c
  same_answer --version
  same_answer -dumpversion
  same_answer -dumpmachine
  same_answer -print-search-dirs
  same_answer -print-prog-name=ld
  same_answer -print-resource-dir
  same_answer -v
  same_answer -fsyntax-only broken.c
  same_answer
  same_answer -### -c good.c -o good.o
}

# Also with the option on the line; nothing is compiled, so nothing differs.
same_answers_with_it() {
  for query in --version -v -dumpversion -print-search-dirs; do
    stock "$llvm" $query >theirs.txt 2>&1
    cc "$llvm" -fprofile-continuous $query >ours.txt 2>&1
    expect_same "answer to $query" theirs.txt ours.txt
  done
  printf '#define ONE 1\nint one = ONE;\n' >one.c
  stock "$llvm" -fprofile-generate -E -dD one.c >theirs.txt
  cc "$llvm" -fprofile-continuous -E -dD one.c >ours.txt
  expect_same "preprocessor's output" theirs.txt ours.txt
}

help_is_both() {
  cc "$llvm" --help >ours.txt
  stock "$llvm" --help >theirs.txt
  expect_text ours.txt '-fprofile-continuous\[=auto\|segment\|pointer\|shadow\]'
  tail -n "$(wc -l <theirs.txt)" ours.txt >end.txt
  expect_same "clang's own help" theirs.txt end.txt
}

check "the same command line" same_words
for llvm in $LLVMS; do
  check "the same objects, clang $llvm" same_objects
  check "the same answers, clang $llvm" same_answers
  check "the same answers with -fprofile-continuous, clang $llvm" same_answers_with_it
  check "--help says both, clang $llvm" help_is_both
done
