#!/bin/sh
# What can't work is refused in one line that says what to do, with status 1 and nothing written.
. "$(dirname "$0")/lib.sh"

echo 'int main(void) { return 0; }' >"$TEST_DIR/good.c"
GOOD=$TEST_DIR/good.c

# refused PATTERN ARG...: one line, by the driver; nothing is left in the directory but that line.
refused() {
  pattern=$1
  shift
  mkdir -p empty
  status=0
  (cd empty && "$BUILD/bin/contprof-clang" "$@") >said 2>complaint || status=$?
  expect "status of $*" 1 "$status"
  expect_empty said
  expect "lines of complaint" 1 "$(wc -l <complaint)"
  expect_text complaint "^contprof-clang: error: .*$pattern"
  expect "files written" "" "$(ls -A empty)"
}

wrong_values() {
  export CONTPROF_CLANG="clang-$llvm"
  refused "'-fprofile-continuous=shade'; use auto, segment, pointer or shadow" \
    -fprofile-continuous=shade "$GOOD"
  refused "'-fprofile-continuous='; use" -fprofile-continuous= -c "$GOOD"
}

wrong_targets() {
  export CONTPROF_CLANG="clang-$llvm"
  refused "no contprof runtime for i386" -fprofile-continuous -m32 "$GOOD"
  refused "no contprof runtime for i386" -fprofile-continuous -m32 -c "$GOOD"
  refused "no contprof runtime for riscv64-linux-gnu, but for x86_64-linux-gnu and aarch64-linux-gnu" \
    -fprofile-continuous --target=riscv64-linux-gnu -c "$GOOD"
  refused "segment is for x86-64 only, not for aarch64" -fprofile-continuous=segment \
    --target=aarch64-linux-gnu -c "$GOOD"
  refused "no contprof runtime for i386" -fprofile-continuous=shadow -m32 -c "$GOOD"
  refused "no contprof runtime for x32" -fprofile-continuous=shadow -mx32 -c "$GOOD"
}

wrong_combinations() {
  export CONTPROF_CLANG="clang-$llvm"
  refused "segment can't go into a shared object" -fprofile-continuous=segment -fPIC -shared \
    "$GOOD" -o libgood.so
  refused "sharded and -fprofile-continuous=shadow exclude each other" -fprofile-continuous=shadow \
    -fprofile-update=sharded -c "$GOOD"
  refused "beside -fprofile-use needs -fcs-profile-generate" -fprofile-continuous \
    -fprofile-use=x.profdata -c "$GOOD"
  refused "instruments in the linker" -fprofile-continuous -fcs-profile-generate -flto "$GOOD"
}

no_clang() {
  export CONTPROF_CLANG=clang-that-is-not-there
  refused "CONTPROF_CLANG is 'clang-that-is-not-there': no such compiler" "$GOOD"
  export CONTPROF_CLANG="$BUILD/bin/contprof-clang"
  refused "that is contprof-clang itself" "$GOOD"
  unset CONTPROF_CLANG
  mkdir path
  ln -s "$BUILD/bin/contprof-clang" path/clang
  PATH=$PWD/path refused_without_path
}

# Only the shell's own words here: PATH holds nothing else.
refused_without_path() {
  status=0
  complaint=$("$BUILD/bin/contprof-clang" -c "$GOOD" 2>&1) || status=$?
  expect "status" 1 "$status"
  expect "complaint" \
    "contprof-clang: error: no clang on PATH; set CONTPROF_CLANG to the clang to use" "$complaint"
}

# A link by another name earlier on PATH does not make it run itself.
not_itself() {
  mkdir path
  ln -s "$BUILD/bin/contprof-clang" path/clang
  PATH=$PWD/path:$PATH "$BUILD/bin/contprof-clang" --version >said
  expect_text said 'clang version'
}

no_plugin() {
  mkdir fake
  printf '#!/bin/sh\necho "clang version 13.0.1"\n' >fake/clang
  chmod +x fake/clang
  export CONTPROF_CLANG="$PWD/fake/clang"
  refused "'$PWD/fake/clang' is clang 13, for which there is no contprof plugin; there are plugins for clang 14, 16, 19" \
    -fprofile-continuous -c "$GOOD"
  printf '#!/bin/sh\necho "gcc version 12"\n' >fake/clang
  refused "'$PWD/fake/clang --version' names no clang version" -fprofile-continuous -c "$GOOD"
}

# A copy of the program elsewhere has no plugins beside it.
no_installation() {
  mkdir -p elsewhere/bin elsewhere/lib/contprof empty
  cp "$BUILD/bin/contprof-clang" elsewhere/bin/
  export CONTPROF_CLANG="clang-$llvm"
  status=0
  elsewhere/bin/contprof-clang -fprofile-continuous -c "$GOOD" -o x.o 2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint "elsewhere/lib/contprof/contprof-pass-$llvm.so: the compiler plugin is missing"
  cp "$BUILD/lib/contprof/contprof-pass-$llvm.so" elsewhere/lib/contprof/
  elsewhere/bin/contprof-clang -fprofile-continuous -c "$GOOD" -o x.o
  status=0
  elsewhere/bin/contprof-clang -fprofile-continuous x.o -o x 2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint "elsewhere/lib/contprof/libcontprof-rt-v.*.a: the runtime is missing"
  cp "$BUILD"/lib/contprof/*.a elsewhere/lib/contprof/
  status=0
  elsewhere/bin/contprof-clang --target=aarch64-linux-gnu -fprofile-continuous "$GOOD" -o x \
    2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint "no contprof runtime for aarch64-linux-gnu in this installation, but for x86_64-linux-gnu\$"
  [ ! -e x ] || die "a program was written"
}

cxx_says_its_name() {
  status=0
  cxx "$NEWEST" -fprofile-continuous=x "$GOOD" 2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint '^contprof-clang\+\+: error: '
}

# What clang refuses, clang refuses.
clang_speaks() {
  status=0
  cc "$llvm" -fprofile-continuous "$GOOD" -o 2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint "error: argument to '-o' is missing"
  status=0
  cc "$llvm" -fprofile-continuous 2>complaint || status=$?
  expect "status" 1 "$status"
  expect_text complaint "error: no input files"
}

for llvm in $LLVMS; do
  check "wrong values, clang $llvm" wrong_values
  check "wrong targets, clang $llvm" wrong_targets
  check "wrong combinations, clang $llvm" wrong_combinations
  check "files that are missing, clang $llvm" no_installation
  check "clang's own errors, clang $llvm" clang_speaks
done
check "no clang" no_clang
check "never itself" not_itself
check "no plugin for that clang" no_plugin
check "contprof-clang++ says its name" cxx_says_its_name
