# What the driver's tests share on top of lib.sh. Their programs have IR instrumentation, the one
# that -fprofile-continuous implies: llvm-profdata shows its counters but no function counts. With
# ENTRY among the flags a function's first counter is its entry.
# shellcheck shell=sh
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2034 # for the scripts
ENTRY="-mllvm -pgo-instrument-entry=true"

# entry_count SHOW-TEXT FUNCTION
entry_count() {
  awk -v name="  $2:" '$0 == name { here = 1; next }
    here && /Function count:/ { print $3; exit }
    here && /Block counts:/ { gsub(/[^0-9 ]/, ""); print $1; exit }
    here && /^  [^ ]/ { exit }' "$1"
}

# expect_entries SAID SHOW-TEXT: each line `calls FUNCTION N` that the program said is what was
# counted.
expect_entries() {
  grep -q '^calls ' "$1" || die "$1: the program said no counts"
  while read -r word function count; do
    [ "$word" = calls ] || continue
    expect "entries of $function" "$count" "$(entry_count "$2" "$function")"
  done <"$1"
}
