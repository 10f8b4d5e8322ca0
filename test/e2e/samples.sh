# Sample profiles for the end-to-end tests, sourced after lib.sh.
# shellcheck shell=sh

# samples KIND SEED [FUNCTIONS]: a profile as text, on standard output (test/merging/make_samples.py).
# Each is made once a script: that takes ten times as long as to merge it.
samples() {
  samples_made=$TEST_DIR/samples-$1-$2-${3:-}
  [ -e "$samples_made" ] || python3 "$ROOT/test/merging/make_samples.py" "$@" >"$samples_made"
  cat "$samples_made"
}

# two_profiles KIND: one.prof and two.prof, and names.list, of functions that a program has.
two_profiles() {
  samples "$1" 1 >one.prof
  samples "$1" 2 >two.prof
  printf 'main\n_Z3fooi\n  never_sampled \n\nanother_one\n' >names.list
}

# as_text N FILE: what stock llvm-profdata-N reads in a sample profile.
as_text() {
  profdata "$1" merge --sample --text "$2" -o -
}
