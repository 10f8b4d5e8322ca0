#!/bin/sh
# Lua 5.4, built by its own makefile with contprof-clang as the compiler, running a deterministic
# script: every counter is that of stock clang's static counters.
. "$(dirname "$0")/lib.sh"
. "$E2E/debian.sh"

# build_lua DIRECTORY COMPILER FLAG...: where Lua goes by addresses and time, to seed its hashes and
# in its cache of strings, it is made to do the same each time.
build_lua() {
  lua_dir=$1
  lua_cc=$2
  shift 2
  cp -R "$TEST_DIR/lua5.4" "$lua_dir"
  make -s -C "$lua_dir/src" linux CC="$lua_cc" MYLDFLAGS="$*" \
    MYCFLAGS="-D'luai_makeseed(L)=0' -DSTRCACHE_N=1 -DSTRCACHE_M=1 $*" \
    >"$lua_dir.log" 2>&1 || die "$(cat "$lua_dir.log")"
  mv "$lua_dir/src/lua" "$lua_dir/lua"
}

# run_lua COMMAND...: in run/, by COMMAND; the interpreter always goes by the same name, which it keeps.
run_lua() {
  mkdir run
  cd run
  "$@" ../build/lua "$PROGRAMS/work.lua" 2 >../said 2>../complaints
  cd ..
  expect_empty complaints
}

# Without counter promotion, which loses what a loop has counted when a coroutine leaves it by longjmp
# (unroll in ldo.c): stock clang too must count each step for the counts to be comparable.
build_stock_lua() {
  cd "$STOCK"
  # shellcheck disable=SC2046 # a list of flags
  build_lua build "clang-$llvm" $(instrumentation "$kind") -mllvm -do-counter-promotion=false
  LLVM_PROFILE_FILE=%p.profraw run_lua env
}

same_counts() {
  export CONTPROF_CLANG="clang-$llvm"
  # shellcheck disable=SC2046
  build_lua build "$BUILD/bin/contprof-clang" $(instrumentation "$kind") \
    "-fprofile-continuous=$mode"
  run_lua expect_killed env LD_PRELOAD="$TEST_DIR/kill_at_exit.so"
  expect_same "what it says" "$STOCK/said" said
  expect_same_run "$llvm" "$STOCK/run" run
}

# The script kills its own interpreter in the middle of its work.
killed_in_the_middle() {
  export CONTPROF_CLANG="clang-$llvm"
  build_lua build "$BUILD/bin/contprof-clang" -fprofile-instr-generate -fprofile-continuous
  # shellcheck disable=SC2016 # the inner shell expands it
  printf '%s\n' 'local n = 0' 'for i = 1, 1000000 do n = n + i end' \
    'io.popen("kill -9 $PPID"):read("a")' 'print("still here")' >dies.lua
  expect_killed build/lua dies.lua >said
  expect_empty said
  raw=$(the_profile .)
  stock_counts "$llvm" "$raw" >counts.txt
  loops=$(sed -n '/^  luaV_execute:/,/Block counts/p' counts.txt | tr -cs '0-9' '\n' |
    awk '$1 >= 1000000 && $1 < 1010000' | head -n 1)
  [ -n "$loops" ] || die "luaV_execute has not counted a million rounds"
}

check_lua() {
  STOCK=$TEST_DIR/$llvm-$kind
  mkdir "$STOCK"
  check "Lua, clang $llvm $kind: stock build" build_stock_lua
  for mode in segment pointer; do
    check "Lua, clang $llvm $kind $mode: same counts" same_counts
  done
}

debian_source lua5.4 "$TEST_DIR/lua5.4" >fetch.log 2>&1 || fail "source of Lua" "$(cat fetch.log)"
build_kill_at_exit
each_variant check_lua
llvm=$NEWEST
check "Lua, clang $llvm: killed in the middle" killed_in_the_middle
