#!/bin/sh
# What clang makes of contprof's profile of a program that SIGKILL ended is byte for byte what it makes of
# stock's profile of the same run's clean exit: Lua, all of its code, as linked.
. "$(dirname "$0")/lib.sh"
. "$E2E/debian.sh"

# Where Lua goes by addresses and time, it is made to do the same each time: see 500-lua.sh.
lua_objects() {
  objects_compiler=$1
  shift
  for source in "$TEST_DIR"/lua5.4/src/*.c; do
    [ "${source##*/}" = luac.c ] || echo "$source"
  done | xargs -P 4 -n 4 "$objects_compiler" -O2 -w -DLUA_COMPAT_5_3 -DLUA_USE_LINUX \
    '-Dluai_makeseed(L)=0' -DSTRCACHE_N=1 -DSTRCACHE_M=1 "$@" -c
}

# lua_program COMPILER FLAG...
lua_program() {
  lua_objects "$@"
  "$@" ./*.o -lm -ldl -o lua
  rm ./*.o
}

# used DIRECTORY PROFILE: the code of Lua optimised by it.
used() {
  (
    cd "$1"
    lua_program "clang-$llvm" "-fprofile-use=$2"
    "llvm-objcopy-$llvm" -O binary --only-section=.text lua text
    [ "$(wc -c <text)" -gt 50000 ] || die "no code"
  )
}

# Without counter promotion stock's counts are those of each step, too.
same_code() {
  mkdir stock ours
  (
    cd stock
    # shellcheck disable=SC2046 # a list of flags
    lua_program "clang-$llvm" $(instrumentation "$kind") -mllvm -do-counter-promotion=false
    LLVM_PROFILE_FILE=stock.profraw ./lua "$PROGRAMS/work.lua" 1 >said
    profdata "$llvm" merge -o stock.profdata stock.profraw
  )
  (
    cd ours
    export CONTPROF_CLANG="clang-$llvm"
    # shellcheck disable=SC2046
    lua_program "$BUILD/bin/contprof-clang" $(instrumentation "$kind") -fprofile-continuous
    expect_killed env LD_PRELOAD="$TEST_DIR/kill_at_exit.so" LLVM_PROFILE_FILE=ours.profraw \
      ./lua "$PROGRAMS/work.lua" 1 >said
    "$CONTPROF" merge -o ours.profdata ours.profraw
  )
  expect_same "what it says" stock/said ours/said
  mv stock/stock.profdata stock/a.profdata
  mv ours/ours.profdata ours/a.profdata
  used stock a.profdata
  used ours a.profdata
  cmp stock/text ours/text
}

debian_source lua5.4 "$TEST_DIR/lua5.4" >fetch.log 2>&1 || fail "source of Lua" "$(cat fetch.log)"
build_kill_at_exit
llvm=$NEWEST
kind=plain-ir # ./run bench pgo has front-end instrumentation as well, and SQLite
check "Lua, clang $llvm $kind: the same code" same_code
