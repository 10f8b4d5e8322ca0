#!/bin/sh
# Many files of few builds, which contprof merge adds as arrays: the same profile as llvm-profdata's,
# for programs loaded elsewhere each time, with value sites, bitmaps, single-byte counters, weights,
# and whatever is wrong with one file in between.
. "$(dirname "$0")/lib.sh"

# same_text N INPUT...
same_text() {
  text_llvm=$1
  shift
  profdata "$text_llvm" merge --text -num-threads=1 -o stock.proftext "$@"
  "$CONTPROF" merge --text -o ours.proftext "$@"
  expect_same "the text" stock.proftext ours.proftext
  "$CONTPROF" merge --llvm="$text_llvm" -o ours.profdata "$@"
  profdata "$text_llvm" merge --text -o from_ours.proftext ours.profdata
  expect_same "the indexed profile" stock.proftext from_ours.proftext
  for threads in 1 2 5; do
    "$CONTPROF" merge --num-threads=$threads --llvm="$text_llvm" -o threads.profdata "$@"
    cmp ours.profdata threads.profdata
  done
}

values() {
  stock "$1" -O2 -fPIE -pie -fprofile-generate "$PROGRAMS/targets.c" -o targets
  for i in 10 20 77 300 301; do
    run_stock "$PWD/targets-$i.profraw" ./targets $i
  done
  same_text "$1" targets-*.profraw
  expect_text stock.proftext '^# ValueKind = IPVK_IndirectCallTarget'
  same_text "$1" --weighted-input=3,targets-77.profraw targets-10.profraw targets-20.profraw \
    targets-300.profraw
}

# Files of two builds and of one kind, in turn; a text and an indexed profile among them.
two_builds() {
  # shellcheck disable=SC2046 # a list of flags
  for level in 0 2; do
    stock "$1" -O$level $(instrumentation "$2") "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" \
      -o calls-$level
    for i in 1 2 3 4; do
      run_stock "$PWD/$i-$level.profraw" ./calls-$level exit
    done
  done
  profdata "$1" merge -o 2-x.profdata 1-0.profraw 1-2.profraw
  profdata "$1" merge --text -o 3-x.proftext 2-0.profraw
  same_text "$1" 1-0.profraw 1-2.profraw 2-0.profraw 2-2.profraw 2-x.profdata 3-0.profraw \
    3-2.profraw 3-x.proftext 4-0.profraw 4-2.profraw
  "$CONTPROF" merge --text -o back.proftext 4-2.profraw 4-0.profraw 3-x.proftext 3-2.profraw \
    3-0.profraw 2-x.profdata 2-2.profraw 2-0.profraw 1-2.profraw 1-0.profraw
  expect_same "the other way round" ours.proftext back.proftext
}

bitmaps() {
  stock 19 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc "$PROGRAMS/conditions.c" \
    "$PROGRAMS/ending.c" -o program
  for i in 1 2 3 4; do
    run_stock "$PWD/$i.profraw" ./program exit
  done
  same_text 19 1.profraw 2.profraw 3.profraw 4.profraw
  expect_text stock.proftext '^# Bitmap Byte Values:'
}

byte_counters() {
  stock 19 -O1 -fprofile-generate -mllvm -pgo-block-coverage "$PROGRAMS/calls.c" \
    "$PROGRAMS/ending.c" -o program
  for i in 1 2 3; do
    run_stock "$PWD/$i.profraw" ./program exit
  done
  same_text 19 1.profraw 2.profraw 3.profraw
}

# Live files: value slots of fixed number, most of them unused; owner records that differ.
live_files() {
  cc "$1" -O2 -fprofile-continuous "$PROGRAMS/targets.c" -o targets
  for i in 10 20 77 300 301; do
    LLVM_PROFILE_FILE=$PWD/targets-$i.profraw ./targets $i >/dev/null
  done
  "$CONTPROF" merge --text -o all.proftext targets-*.profraw
  for i in 10 20 77 300 301; do
    "$CONTPROF" merge --text -o $i.proftext targets-$i.profraw
  done
  "$CONTPROF" merge --text -o slow.proftext 10.proftext 20.proftext 77.proftext 300.proftext \
    301.proftext
  expect_same "one by one" slow.proftext all.proftext
}

# A file of the build that is cut, longer, or damaged where the others are the same, is found out
# by the general way, named, and the rest is as without it.
damaged_among_many() {
  stock "$NEWEST" -O2 -fprofile-generate -mllvm -enable-name-compression=false "$PROGRAMS/targets.c" -o targets
  for i in 1 2 3 4; do
    run_stock "$PWD/$i.profraw" ./targets 77
  done
  "$CONTPROF" merge -o good.profdata [1-4].profraw
  size=$(stat -c %s 3.profraw)
  head -c $((size - 8)) 3.profraw >3-cut.profraw
  { cat 3.profraw && printf 'more'; } >3-long.profraw
  cp 3.profraw 3-name.profraw
  at=$(grep -abo main 3.profraw | head -n 1 | cut -d : -f 1)
  printf X | dd of=3-name.profraw bs=1 seek="$at" conv=notrunc 2>/dev/null
  for bad in 3-cut 3-long 3-name; do
    expect_status 0 "$CONTPROF" merge --failure-mode=all -o out.profdata 1.profraw 2.profraw \
      $bad.profraw 3.profraw 4.profraw 2>said
    expect_text said "^contprof: warning: $bad\\.profraw: "
    cmp good.profdata out.profdata
  done
}

# Files of over a megabyte, which threads read piece by piece: counts are the general way's, and one
# that is damaged anywhere, is cut or longer, is found out, with every number of threads.
large_files() {
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ROOT/test/merging" python3 - <<'END'
from made_profiles import Build, functions_for
build = Build(10, 1, functions_for(10, 1_500_000))
size = len(build.profile(0))
at = {"data": len(build.front) - 64 * 3000 + 9, "names": size - 1000}
for run in range(8):
    profile = bytearray(build.profile(run))
    open(f"{run}.profraw", "wb").write(profile)
    for name, offset in at.items():
        damaged = bytearray(profile)
        damaged[offset] ^= 1
        open(f"{run}-{name}.bad", "wb").write(damaged)
    open(f"{run}-long.bad", "wb").write(profile + b"more")
    open(f"{run}-cut.bad", "wb").write(profile[:-8])
END
  same_text 19 [0-7].profraw
  profdata 19 merge -o good.profdata [0-6].profraw
  for bad in data names long cut; do
    for threads in 1 2 3; do
      expect_status 0 "$CONTPROF" merge --num-threads=$threads --failure-mode=all --llvm=19 \
        --report=$threads.json -o $threads.profdata [0-3].profraw 7-$bad.bad [4-6].profraw \
        2>$threads.said
      cmp 1.profdata $threads.profdata
      cmp 1.said $threads.said
      cmp 1.json $threads.json
    done
    [ $bad = data ] || expect_text 1.said "7-$bad"
    [ $bad = data ] || cmp good.profdata 1.profdata
  done
}

# Large files, each second one of which can be read once only.
large_files_and_pipes() {
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$ROOT/test/merging" python3 - <<'END'
from made_profiles import Build, functions_for
build = Build(10, 1, functions_for(10, 1_100_000))
for run in range(16):
    open(f"{run + 10}.profraw", "wb").write(build.profile(run))
END
  profdata 19 merge -o wanted.profdata [12]?.profraw
  for run in 13 15 17 19 21 23 25; do
    mv $run.profraw $run.bytes
    mkfifo $run.profraw
  done
  for threads in 1 2 3; do
    for run in 13 15 17 19 21 23 25; do
      start sh -c "exec cat $run.bytes >$run.profraw"
    done
    timeout 60 "$CONTPROF" merge --num-threads=$threads --llvm=19 -o out.profdata [12]?.profraw
    cmp wanted.profdata out.profdata
  done
  # Few files may be open, and no thread is to take another's.
  for run in 13 15 17 19 21 23 25; do
    mv $run.bytes $run.profraw
  done
  set -- [12]?.profraw
  set -- "$@" "$@" "$@" "$@"
  profdata 19 merge -o wanted.profdata "$@"
  for _ in 1 2 3 4; do
    prlimit --nofile=8 "$CONTPROF" merge --num-threads=4 --llvm=19 -o out.profdata "$@"
    cmp wanted.profdata out.profdata
  done
}

# Hundreds of files, bad ones among them: every number of threads writes and says the same.
threads() {
  stock "$NEWEST" -O2 -fPIE -pie -fprofile-generate "$PROGRAMS/targets.c" -o targets
  stock "$NEWEST" -O0 -fprofile-generate "$PROGRAMS/targets.c" -o other
  for i in 1 2 3 4 5; do
    run_stock "$PWD/a$i.profraw" ./targets $((i * 7))
    run_stock "$PWD/b$i.profraw" ./other $((i * 11))
  done
  head -c 100 a1.profraw >cut.profraw
  : >empty.profraw
  for i in $(seq 60); do
    printf '%s\n' a1.profraw b$((i % 5 + 1)).profraw "$i,a$((i % 4 + 2)).profraw" gone.profraw \
      cut.profraw empty.profraw b1.profraw
  done >list
  for threads in 1 2 3 16; do
    expect_status 0 "$CONTPROF" merge --num-threads=$threads --failure-mode=all --report=$threads.json \
      -f list -o $threads.profdata 2>$threads.said
    cmp 1.profdata $threads.profdata
    cmp 1.said $threads.said
    cmp 1.json $threads.json
  done
  expect_text 1.said 'warning: 180 of 420 inputs skipped'
}

# Sums that reach the end, in both ways of adding.
saturation() {
  stock "$NEWEST" -fprofile-instr-generate "$PROGRAMS/calls.c" "$PROGRAMS/ending.c" -o program
  run_stock "$PWD/a.profraw" ./program exit
  cp a.profraw b.profraw
  cp a.profraw c.profraw
  expect_status 0 "$CONTPROF" merge --text -o ours.proftext a.profraw b.profraw \
    --weighted-input=18446744073709551610,c.profraw 2>said
  expect_text said 'warning: the sum: in [0-9]+ functions, the first .*, counts reached the largest'
  expect_text ours.proftext '^18446744073709551613$'
  profdata "$NEWEST" merge --text -o stock.proftext a.profraw b.profraw \
    --weighted-input=18446744073709551610,c.profraw 2>/dev/null || true
  expect_same "sums cut" stock.proftext ours.proftext
}

for llvm in $LLVMS; do
  check "value sites, clang $llvm" values "$llvm"
  check "two builds, frontend, clang $llvm" two_builds "$llvm" frontend
  check "two builds, IR, clang $llvm" two_builds "$llvm" ir
  check "live files, clang $llvm" live_files "$llvm"
done
check "MC/DC bitmaps" bitmaps
check "single-byte counters" byte_counters
check "a damaged file among many" damaged_among_many
check "large files" large_files
check "pipes among large files" large_files_and_pipes
check "threads" threads
check "sums that are cut" saturation
