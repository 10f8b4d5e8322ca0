#!/bin/sh
# What clang makes of contprof's profile of a program that SIGKILL ended is byte for byte what it makes of
# stock's profile of the same run's clean exit: all the code of Lua, as linked, and of MuJS, an interpreter of
# JavaScript. That reaches 22 functions by one call, and by others many equally often: so the profiles must be
# the same in all that clang is told, and in order. Lua reaches more from one place than stock keeps.
. "$(dirname "$0")/lib.sh"
. "$E2E/debian.sh"

# Where Lua goes by addresses and time, it is made to do the same each time: see 500-lua.sh.
lua_sources() {
  find "$TEST_DIR/lua5.4/src" -name '*.c' ! -name luac.c
}
LUA_FLAGS='-DLUA_COMPAT_5_3 -DLUA_USE_LINUX -Dluai_makeseed(L)=0 -DSTRCACHE_N=1 -DSTRCACHE_M=1'
LUA_WORK="$PROGRAMS/work.lua 1"

mujs_sources() {
  printf '%s\n' "$TEST_DIR/mujs/main.c" "$TEST_DIR/mujs/one.c"
}
MUJS_FLAGS=
MUJS_WORK=$PROGRAMS/work.js

# program COMPILER FLAG...: the one that `name` says, in the working directory.
program() {
  # shellcheck disable=SC2086 # lists of flags
  "${name}_sources" | sort | xargs -P 4 -n 4 "$@" -O2 -w $flags -c
  "$@" ./*.o -lm -ldl -o program
  rm ./*.o
}

# Without counter promotion stock's counts are those of each step, too.
run_of_stock() {
  cd stock
  # shellcheck disable=SC2046 # a list of flags
  program "clang-$llvm" $(instrumentation "$kind") -mllvm -do-counter-promotion=false
  # shellcheck disable=SC2086 # words
  LLVM_PROFILE_FILE=stock.profraw ./program $work >said
  profdata "$llvm" merge -o a.profdata stock.profraw
}

run_of_ours() {
  cd ours
  export CONTPROF_CLANG="clang-$llvm"
  # shellcheck disable=SC2046
  program "$BUILD/bin/contprof-clang" $(instrumentation "$kind") -fprofile-continuous
  # shellcheck disable=SC2086
  expect_killed env LD_PRELOAD="$TEST_DIR/kill_at_exit.so" LLVM_PROFILE_FILE=ours.profraw \
    ./program $work >said
  "$CONTPROF" merge -o a.profdata ours.profraw
}

# both_run lua|mujs
both_run() {
  name=$1
  case $name in
    lua) flags=$LUA_FLAGS work=$LUA_WORK ;;
    mujs) flags=$MUJS_FLAGS work=$MUJS_WORK ;;
  esac
  mkdir stock ours
  (run_of_stock) || die "stock's run"
  (run_of_ours) || die "our run"
  expect_same "what it says" stock/said ours/said
}

# used DIRECTORY: the code of the program optimised by its profile.
used() {
  (
    cd "$1"
    program "clang-$llvm" -fprofile-use=a.profdata
    "llvm-objcopy-$llvm" -O binary --only-section=.text program text
    [ "$(wc -c <text)" -gt 50000 ] || die "no code"
  )
}

compare_code() {
  used stock
  used ours
  cmp stock/text ours/text
}

compare_profiles() {
  profdata "$llvm" merge --text -o stock.txt stock/a.profdata
  profdata "$llvm" merge --text -o ours.txt ours/a.profdata
  expect_same "profiles" stock.txt ours.txt
}

same_code_of_lua() {
  both_run lua
  compare_code
}

# The same profile is the same code; one clang is asked.
same_profile_of_mujs() {
  both_run mujs
  compare_profiles
  [ "$llvm" != "$NEWEST" ] || compare_code
}

same_profile_of_lua() {
  both_run lua
  compare_profiles
}

# ./run bench pgo has SQLite, and the code by front-end instrumentation.
for package in lua5.4 mujs; do
  debian_source "$package" "$TEST_DIR/$package" >fetch.log 2>&1 ||
    fail "source of $package" "$(cat fetch.log)"
done
build_kill_at_exit
for llvm in $LLVMS; do
  kind=plain-ir
  check "Lua, clang $llvm $kind: the same code" same_code_of_lua
  check "MuJS, clang $llvm $kind: the same profile" same_profile_of_mujs
done
kind=frontend
check "Lua, clang $llvm $kind: the same profile" same_profile_of_lua
