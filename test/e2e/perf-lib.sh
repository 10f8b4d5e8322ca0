# For tests that record with perf, sourced after lib.sh and steps-lib.sh: processes of spins.c, and the
# comparison of what contprof counts with where perf script says the samples are.
# shellcheck shell=sh
# shellcheck disable=SC2154 # lib.sh's

# Whether perf may record processes of this user, in user space, without a PMU.
may_record() {
  perf record -q -F 2000 -e cpu-clock:u -o may_record.data true >may_record.said 2>&1
}

# record NAME COMMAND...: leaves NAME.data. RECORD_FLAGS are perf's options.
record() {
  record_name=$1
  shift
  # shellcheck disable=SC2086 # words
  perf record -q -F 2000 -e cpu-clock:u ${RECORD_FLAGS:-} -o "$record_name.data" -- "$@"
}

# build_spins OUT FLAG...
build_spins() {
  spins_out=$1
  shift
  stock "$NEWEST" -O1 -g "$@" "$PROGRAMS/spins.c" -o "$spins_out" -lpthread
}

# ip_counts ELF OUT ARGUMENT...: `ADDRESS COUNT` lines of contprof's. Each sample counts once, not as
# the nanoseconds that are its period.
ip_counts() {
  ip_elf=$1
  ip_out=$2
  shift 2
  "$CONTPROF" sample --binary="$ip_elf" --leading-ip-only --skip-symbolization --use-offset=false \
    --sample-period=1 -o "$ip_out.ranges" "$@" 2>"$ip_out.said"
  python3 "$E2E/perf_truth.py" counts "$ip_out.ranges" >"$ip_out"
}

# truth_by_symbols NAME ELF PATH OUT FLAG...: the flags are perf script's.
truth_by_symbols() {
  truth_name=$1
  truth_elf=$2
  truth_path=$3
  truth_out=$4
  shift 4
  perf script -i "$truth_name.data" -F pid,ip,sym,symoff,dso "$@" >truth.script 2>truth.said
  python3 "$E2E/perf_truth.py" symbols "$truth_elf" "$truth_path" <truth.script >"$truth_out"
}

# truth_by_maps NAME ELF PATH OUT
truth_by_maps() {
  perf script -i "$1.data" -F pid,ip --show-mmap-events >truth.script 2>truth.said
  python3 "$E2E/perf_truth.py" maps "$2" "$3" <truth.script >"$4"
}

# expect_functions COUNTS ELF FUNCTION...: each of them has at least 20 of the samples.
expect_functions() {
  functions_counts=$1
  functions_elf=$2
  shift 2
  for each in "$@"; do
    functions_range=$(nm -S "$functions_elf" | awk -v name="$each" '$4 == name { print "0x" $1, "0x" $2 }')
    functions_start=$((${functions_range% *}))
    functions_end=$((functions_start + ${functions_range#* }))
    functions_sum=0
    while read -r address count; do
      [ $((0x$address)) -lt $functions_start ] || [ $((0x$address)) -ge $functions_end ] ||
        functions_sum=$((functions_sum + count))
    done <"$functions_counts"
    [ "$functions_sum" -ge 20 ] || die "$each has $functions_sum samples"
  done
}

# expect_as_perf_says NAME ELF [FUNCTION...]: contprof counts each sample at the address where perf
# says it was, from the recording and from its text, and the functions have samples.
expect_as_perf_says() {
  says_name=$1
  says_elf=$2
  shift 2
  truth_by_symbols "$says_name" "$says_elf" "$(realpath "$says_elf")" wanted
  ip_counts "$says_elf" got --perfdata="$says_name.data"
  expect_same "addresses in $says_elf" wanted got
  perf script -i "$says_name.data" -F pid,ip --show-mmap-events --show-task-events >as.script 2>as.said
  ip_counts "$says_elf" got_of_text --perfscript=as.script
  expect_same "addresses in $says_elf, from text" wanted got_of_text
  expect_functions wanted "$says_elf" "$@"
}
