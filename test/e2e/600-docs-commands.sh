#!/bin/sh
# Every command shown in the documentation runs: the ```sh blocks of a document, and the set-up in
# its <!--sh ... --> comments, in their order, as one script in a fresh directory. `clang`,
# `llvm-profdata` and `llvm-cov` mean those of each LLVM in turn.
. "$(dirname "$0")/lib.sh"

DOCUMENTS="README.md docs/architecture.md docs/guide.md docs/merge.md docs/show.md \
  docs/overlap.md docs/sample.md docs/sample-formats.md docs/combine.md docs/api.md docs/scale-out.md"

# The script in a document. Each block says its line first, so that a failure can be found.
blocks() {
  awk '/^```sh$/ || /^<!--sh$/ { inside = 1; printf "echo \"--- line %d\"\n", NR; next }
       /^```$/ || /^-->$/ { inside = 0 }
       inside' "$1"
}

# Plain names for the tools of one LLVM, as a user's machine has them.
plain_names() {
  mkdir names
  for tool in clang clang++ llvm-profdata llvm-cov; do
    ln -s "$(command -v "$tool-$1")" "names/$tool"
  done
}

# The processes that the script has left behind run in its directory; end those.
end_strays() {
  for each in /proc/[0-9]*/cwd; do
    [ "$(readlink "$each" 2>/dev/null)" = "$PWD/place" ] || continue
    each=${each#/proc/}
    kill -KILL "${each%/cwd}" 2>/dev/null || true
  done
}

commands_run() {
  plain_names "$1"
  blocks "$ROOT/$2" >script
  mkdir place
  status=0
  (cd place && PATH="$TEST_DIR/case-$CASES/names:$BUILD/bin:$PATH" timeout 300 sh -eux ../script) ||
    status=$?
  end_strays
  expect "status of the commands in $2" 0 "$status"
}

# A block that is not run must not look as if it were: sh, shell, bash and console blocks are
# either `sh` or not there.
no_other_fences() {
  # shellcheck disable=SC2086 # a list
  grep -nE '^```(shell|bash|console|zsh)' $DOCUMENTS >"$TEST_DIR/fences" || true
  expect_empty "$TEST_DIR/fences"
}

fences_are_known() {
  cd "$ROOT"
  no_other_fences
}

# The guide explains every line that the runtime may write: what it begins with, as the sources
# have it.
lines_are_explained() {
  cat "$ROOT"/runtime/*.c | tr '\n' ' ' | grep -oE 'contprof_log(_errno)?\( *"[^"]*"' |
    sed 's/.*( *"//; s/"$//' | sort -u >lines
  [ -s lines ] || die "the runtime says nothing at all?"
  while read -r line; do
    grep -qF "| \`$line\` |" "$ROOT/docs/guide.md" || die "not in docs/guide.md: $line"
  done <lines
}

for llvm in $LLVMS; do
  for document in $DOCUMENTS; do
    grep -q '^```sh$' "$ROOT/$document" || continue
    check "commands of $document, LLVM $llvm" commands_run "$llvm" "$document"
  done
done
check "only sh blocks show commands" fences_are_known
check "the guide explains the runtime's lines" lines_are_explained
