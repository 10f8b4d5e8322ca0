#!/bin/sh
# -fprofile-continuous-lag: with =loop, counts of a loop whose number of rounds is known beforehand may
# wait for its end, and no others; whichever way a loop ends, what it has counted is there. With =none
# code is as without the option.
. "$(dirname "$0")/lib.sh"

# Stock counters that no promotion makes inexact: a longjmp out of a loop loses what that has counted.
exact_stock() {
  case $kind in
    frontend) instrumentation frontend ;;
    ir) echo "$(instrumentation ir) -mllvm -do-counter-promotion=false" ;;
  esac
}

# build_stock N cc|cxx SOURCE: runs to its end, in stock/.
build_stock() {
  mkdir stock
  # shellcheck disable=SC2046 # a list of flags
  case $1 in
    cc) stock "$llvm" "$opt" $(exact_stock) "$2" "$TEST_DIR/ending.o" -o stock/program ;;
    cxx) stockxx "$llvm" "$opt" $(exact_stock) "$2" "$TEST_DIR/ending.o" -o stock/program ;;
  esac
  run_stock "$PWD/stock/profile.raw" stock/program exit
}

# build_ours DIRECTORY cc|cxx LAG SOURCE
build_ours() {
  mkdir "$1"
  # shellcheck disable=SC2046
  $2 "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" \
    "-fprofile-continuous-lag=$3" "$4" "$TEST_DIR/ending.o" -o "$1/program"
}

# The parent's counts are stock's, and the child's, which have a file of their own, those that land at
# once.
left_in_every_way() {
  build_stock cc "$PROGRAMS/loop_ends.c"
  for lag in none loop; do
    build_ours $lag cc $lag "$PROGRAMS/loop_ends.c"
    (cd $lag && LLVM_PROFILE_FILE=run.profraw expect_killed ./program kill >said 2>complaints)
    expect_empty $lag/complaints
    mv $lag/run.profraw $lag/parent.raw
    mv "$(the_profile $lag)" $lag/child.raw
    for process in parent child; do
      stock_counts "$llvm" $lag/$process.raw >$lag/$process.txt
    done
  done
  stock_counts "$llvm" stock/profile.raw >stock/counts.txt
  expect_same "counts" stock/counts.txt loop/parent.txt
  expect_calls loop/said loop/parent.txt
  expect_same "the child's counts" none/child.txt loop/child.txt
  ! cmp -s loop/child.txt loop/parent.txt
}

thrown_out_of() {
  build_stock cxx "$PROGRAMS/loop_throws.cpp"
  build_ours ours cxx loop "$PROGRAMS/loop_throws.cpp"
  kill_and_compare "$llvm"
}

# --- what is in flight when the program is killed

# serve LAG WORK ROUNDS: a program that is killed when it has begun that much; leaves its words in
# `begun` and `finished` and the counts of its function in $counts, largest first.
serve() {
  build_ours ours cc "$1" "$PROGRAMS/loop_serves.c"
  start ours/program "$2" progress
  wait_for 20 has_begun "$3"
  kill_hard "$PID"
  read_progress
  counts=$(stock_counts "$llvm" "$(the_profile)" | block_counts "$2")
}

read_progress() {
  # shellcheck disable=SC2046 # two words
  set -- $(od -A n -t u8 progress)
  begun=${1:-0} finished=${2:-0}
}

has_begun() {
  read_progress
  [ "$begun" -ge "$1" ]
}

# Of a function in a shown profile; the first may stand alone.
block_counts() {
  awk -v name="  $1:" '$0 == name { here = 1; next } here && /^  [^ ]/ { exit }
    here && /(Function count|Block counts):/ { sub(/.*:/, ""); gsub(/[^0-9]+/, "\n"); print }' |
    grep . | sort -rn | head -n 3 | tr '\n' ' '
}

# expect_between WHAT LEAST VALUE MOST
expect_between() {
  [ "$3" -ge "$2" ] && [ "$3" -le "$4" ] || die "$1: counted $3, not $2 to $4; told $begun, $finished"
}

# The sizes are the program's. Compilers order its words and the counts of two loops as they like, so
# these may be one step apart.
all_but_the_innermost() {
  rows=20 inner=500
  serve loop serve 1000
  # shellcheck disable=SC2086
  set -- $counts
  expect_between "requests" "$finished" "$3" $((begun + 1))
  expect_between "rows" $((finished * rows)) "$2" $((begun * rows + 1))
  expect_between "rounds of the inner loop" $((($2 - 1) * inner)) "$1" $((($2 + 1) * inner))
  [ "$1" -ge $((finished * rows * inner)) ] || die "a finished request is not in the file: $counts"
}

# One that takes for ever is what a user must know of: so is that the option does something.
one_loop_for_ever() {
  serve "$1" count 100000
  case $1 in
    none) [ "${counts%% *}" -ge $((begun - 1)) ] || die "counted $counts, told $begun" ;;
    loop) [ "${counts%% *}" -le 1 ] || die "counted $counts" ;;
  esac
}

# --- the option itself

none_is_the_default() {
  for lag in "" -fprofile-continuous-lag=none \
    "-fprofile-continuous-lag=loop -fprofile-continuous-lag=none"; do
    # shellcheck disable=SC2086,SC2046
    cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" $lag \
      -c "$PROGRAMS/loop_ends.c" -o "object.o"
    [ -e default.o ] || mv object.o default.o
    [ ! -e object.o ] || cmp default.o object.o
  done
  # shellcheck disable=SC2046
  cc "$llvm" "$opt" $(instrumentation "$kind") "-fprofile-continuous=$mode" \
    -fprofile-continuous-lag=loop -c "$PROGRAMS/loop_ends.c" -o object.o
  ! cmp -s default.o object.o
}

# Instrumented by the linker, which must know the option, too.
in_the_linker() {
  # shellcheck disable=SC2046
  stock "$llvm" -O2 $(instrumentation plain-ir) "$PROGRAMS/loop_ends.c" "$TEST_DIR/ending.o" -o first
  run_stock first.profraw ./first exit
  profdata "$llvm" merge -o first.profdata first.profraw
  for lag in none loop; do
    cc "$llvm" -O2 -fprofile-continuous "-fprofile-continuous-lag=$lag" -flto="$1" \
      "-fuse-ld=lld-$llvm" -fprofile-use="$PWD/first.profdata" -fcs-profile-generate \
      "$PROGRAMS/loop_ends.c" "$TEST_DIR/ending.o" -o $lag
    LLVM_PROFILE_FILE=$lag.profraw expect_killed ./$lag kill >$lag.said
    profdata "$llvm" show --all-functions --counts --showcs $lag.profraw >$lag.txt
  done
  expect_text none.txt "Block counts"
  expect_same "counts" none.txt loop.txt
  ! cmp -s none loop
}

refuses_other_words() {
  expect_status 1 cc "$llvm" -fprofile-continuous -fprofile-continuous-lag=all -c \
    "$PROGRAMS/loop_ends.c" 2>words
  expect_text words "invalid value in '-fprofile-continuous-lag=all'; use none or loop"
}

check_kind() {
  for mode in $MODES; do
    for opt in -O1 -O2 -O3; do
      [ "$opt" = -O2 ] || [ "$mode" = segment ] || [ "$MODES" = pointer ] || continue
      check "clang $llvm $kind $opt $mode: left in every way" left_in_every_way
      [ "$opt" = -O1 ] ||
        check "clang $llvm $kind $opt $mode: thrown out of" thrown_out_of
      check "clang $llvm $kind $opt $mode: killed, all but the innermost loop" all_but_the_innermost
    done
    opt=-O2
    for lag in none loop; do
      check "clang $llvm $kind $opt $mode: lag=$lag, a loop that takes for ever" \
        one_loop_for_ever $lag
    done
    check "clang $llvm $kind $opt $mode: none is the default" none_is_the_default
  done
}

stock $NEWEST -c "$PROGRAMS/ending.c" -o ending.o
for llvm in $LLVMS; do
  for kind in frontend ir; do
    check_kind
  done
  # Not in shadow mode: there the linker knows no mode but auto.
  [ "$llvm" -lt 15 ] || [ -n "$TARGET" ] || [ "$MODES" = shadow ] || for lto in thin full; do
    check "clang $llvm, $lto LTO: instrumented by the linker" in_the_linker $lto
  done
done
llvm=$NEWEST
check "other words are refused" refuses_other_words
