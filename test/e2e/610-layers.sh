#!/bin/sh
# The layers of docs/architecture.md hold: its table of who may include whom is compared with the
# #include lines of the sources. Also the rules around it: no cycles among a directory's headers,
# file names unique in the repository, LLVM's C++ in plugin.cpp and loop_facts.cpp alone, no stdio in the runtime.
. "$(dirname "$0")/lib.sh"

# "DIRECTORY -> DIRECTORY..." of the document's ```layers block.
# shellcheck disable=SC2016 # backquotes of the document
sed -n '/^```layers$/,/^```$/p' "$ROOT/docs/architecture.md" | grep -e '->' >table

# Every file of a layer, relative to the repository.
layer_files() {
  (cd "$ROOT" && find "$1" -maxdepth 1 -name '*.[ch]' -o -maxdepth 1 -name '*.cpp')
}

# FILE INCLUDED, both relative to the repository, for each `#include "..."` that names a file there.
# Others come from outside: LLVM's headers, generated ones.
inclusions() {
  layer_files "$1" | while read -r file; do
    sed -n 's/^ *# *include "\(.*\)".*/\1/p' "$ROOT/$file" | while read -r name; do
      path=$(realpath -m --relative-to="$ROOT" "$ROOT/$(dirname "$file")/$name")
      [ ! -f "$ROOT/$path" ] || echo "$file $path"
    done
  done
}

# Each directory of sources has its line, and each line its directory.
table_is_complete() {
  (cd "$ROOT" && find runtime instrument-pass tools docs -name '*.[ch]' -exec dirname {} \;) |
    sort -u >../directories
  sed 's/ *->.*//' ../table | sort -u >../lines
  expect_same "layers in the table" ../directories ../lines
}

# A layer may include itself and those after its arrow, which must stand above it in the table.
includes_run_downward() {
  sed 's/ *->.*//' ../table >known
  while read -r layer _ allowed; do
    for lower in $allowed; do
      sed "/^$(echo "$layer" | sed 's|/|\\/|')\$/,\$d" known | grep -qx "$lower" ||
        die "$layer may include $lower, which does not stand above it"
    done
    inclusions "$layer" >found
    while read -r file path; do
      case " $layer $allowed " in
        *" $(dirname "$path") "*) ;;
        *) die "$file includes $path; $layer may include: $layer $allowed" ;;
      esac
    done <found
  done <../table
}

no_cycles() {
  while read -r layer _ allowed; do
    inclusions "$layer" | awk '$1 ~ /\.h$/' >>headers
  done <../table
  tsort headers >/dev/null 2>cycle || die "headers include each other: $(cat cycle)"
}

names_are_unique() {
  (cd "$ROOT" && find runtime instrument-pass tools docs test -name '*.[ch]' -o -name '*.cpp') |
    sed 's|.*/||' | sort | uniq -d >twice
  expect_empty twice
}

pass_logic_is_c() {
  grep -rn '"llvm/' "$ROOT/instrument-pass" | grep -vE '/(plugin\.cpp|loop_facts\.[ch]pp):' >found || true
  expect_empty found
}

runtime_is_bare() {
  grep -nE '# *include <(stdio|stdlib|malloc)\.h>' "$ROOT"/runtime/*.[ch] >found || true
  expect_empty found
}

check "every directory of sources stands in the table" table_is_complete
check "includes run downward only" includes_run_downward
check "no cycles among headers" no_cycles
check "file names are unique" names_are_unique
check "LLVM's C++ in plugin.cpp and loop_facts.cpp alone" pass_logic_is_c
check "no stdio and no allocation in the runtime" runtime_is_bare
