# Real programs for the tests: Debian's source packages, fetched once into build/test-sources with
# apt settings of our own, so that the machine's stay as they are; and the counts of stock builds.
# Sourced after lib.sh.
# shellcheck shell=sh disable=SC2034

# The machine's own archives, asked for sources.
write_source_lists() {
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] || continue
    sed -n 's/^deb /deb-src /p' "$list" >"$1/$(basename "$list" .list).list"
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -e "$list" ] || continue
    sed 's/^Types:.*/Types: deb-src/' "$list" >"$1/$(basename "$list")"
  done
}

# private_apt PROGRAM COMMAND...: apt-get or apt-cache, with lists and cache under $SOURCES/apt.
private_apt() {
  apt_program=$1
  shift
  "$apt_program" -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$SOURCES/apt/parts" \
    -o Dir::State::lists="$SOURCES/apt/lists" -o Dir::Cache="$SOURCES/apt/cache" \
    -o APT::Sandbox::User=root "$@"
}

# The newest version that the archive has. Its lists may name one that it has no more; then an older
# one, which has the same upstream sources, does as well.
download_source() {
  private_apt apt-get source --download-only "$1" && return
  for version in $(private_apt apt-cache showsrc "$1" | sed -n 's/^Version: //p' | sort -Vr); do
    private_apt apt-get source --download-only "$1=$version" && return
  done
  return 1
}

# Under the lock: two tests may want the same package.
fetch_source() {
  if [ ! -e "$SOURCES/apt/updated" ]; then
    mkdir -p "$SOURCES/apt/parts" "$SOURCES/apt/lists/partial" "$SOURCES/apt/cache/archives/partial"
    write_source_lists "$SOURCES/apt/parts"
    private_apt apt-get update
    touch "$SOURCES/apt/updated"
  fi
  mkdir -p "$SOURCES/$1"
  (cd "$SOURCES/$1" && download_source "$1")
  touch "$SOURCES/$1/fetched"
}

# debian_source PACKAGE DIRECTORY: the upstream part of its source, unpacked into DIRECTORY.
debian_source() {
  debian_source_parts "$1" "$2" '*'
}

# debian_source_parts PACKAGE DIRECTORY PATTERN...: of that, what tar finds for these patterns.
debian_source_parts() {
  mkdir -p "$SOURCES"
  (
    flock 9
    [ -e "$SOURCES/$1/fetched" ] || fetch_source "$1"
  ) 9>"$SOURCES/lock"
  mkdir "$2"
  source_tarball=$(find "$SOURCES/$1" -name '*.orig.tar.*' ! -name '*.asc')
  source_directory=$2
  shift 2
  tar -xf "$source_tarball" -C "$source_directory" --strip-components=1 --wildcards "$@"
}

# The variants of a real program, for the loops of the tests.
each_variant() {
  for llvm in $LLVMS; do
    for kind in frontend plain-ir; do
      "$@"
    done
  done
}

# A library that, preloaded, ends a program by SIGKILL at the end of its exit(), where all of its
# own code has run.
build_kill_at_exit() {
  stock "$NEWEST" -O1 -fPIC -shared "$PROGRAMS/kill_at_exit.c" -o "$TEST_DIR/kill_at_exit.so"
}

# expect_same_run N RAW-DIRECTORY-STOCK RAW-DIRECTORY-OURS: the same counts of the same modules, each
# merged, since the names of the files differ.
expect_same_run() {
  profdata "$1" merge -o stock.profdata "$2"/*.profraw
  stock_counts "$1" stock.profdata >stock.txt
  profdata "$1" merge -o ours.profdata "$3"/*.profraw
  stock_counts "$1" ours.profdata >ours.txt
  expect_same_functions "counts" stock.txt ours.txt
  "$CONTPROF" merge -o merged.profdata "$3"
  stock_counts "$1" merged.profdata >merged.txt
  expect_same_functions "counts merged by contprof" stock.txt merged.txt
  counters=$(grep -cE 'Block counts: .*[1-9]|Function count: [1-9]' stock.txt)
  [ "$counters" -ge 20 ] || die "only $counters functions have counted"
}
