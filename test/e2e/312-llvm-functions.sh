#!/bin/sh
# Every function that stock's profile runtime of each LLVM exports for programs is there: a program
# that refers to all of them, as nm lists them, links. What is left out has its reason here.
. "$(dirname "$0")/lib.sh"

# Stock's libclang_rt.profile for this machine, wherever that LLVM keeps it.
stock_runtime() {
  directory=$(stock "$1" -print-resource-dir)
  find "$directory/lib" -name 'libclang_rt.profile*.a' | grep -E "(/|-)$(uname -m)(-|/|\.)" |
    head -n 1
}

# What stands in stock's archive, but not in its InstrProfiling.h or any other header of its own for
# programs:
internals() {
  sed 's/#.*//; s/ *$//; /^$/d' <<'END'
lprof.*                                        # between the archive's members
(InstrProf|InstProf|VP|CurrentVNode|EndVNode|FreeHook|DynamicBufferIOBuffer).* # the same
(getFirst|getValueProf|serializeValueProf|initBufferWriter).*                   # the same
__llvm_write_binary_ids                        # the same: takes lprof's writer
__llvm_profile_(get_size_for_buffer|write_buffer)_internal # the same: the public ones fill in its arguments
__llvm_profile_counter_bias_default            # a variable, for its own test of whether there is a bias
(llvm_gcda|llvm_gcov|__gcov)_.*                # gcov's runtime, which shares the archive (GCDAProfiling.c)
llvm_(delete_reset_function_list|register_reset_function|register_writeout_function) # gcov
llvm_(reset_counters|writeout_files|delete_flush_function_list|delete_writeout_function_list) # gcov
(reset|writeout|flush)_fn_list                 # gcov
END
}

public_functions() {
  nm -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 && $2 ~ /^[TtWw]$/ { print $3 }' | sort -u
}

every_function_links() {
  runtime=$(stock_runtime "$1")
  [ -n "$runtime" ] || die "where is stock's runtime of LLVM $1?"
  internals >left_out
  public_functions "$runtime" | grep -vxE -f left_out >functions
  [ "$(wc -l <functions)" -ge 40 ] || die "only: $(cat functions)"
  {
    sed 's/.*/void &(void);/' functions
    echo 'void (*const volatile all[])(void) = {'
    sed 's/$/,/' functions
    echo '}; int main(void) { return !all[0]; }'
  } >all.c
  cc "$1" "$2" -fprofile-continuous all.c -o all
  ./all
}

for llvm in $LLVMS; do
  check "clang $llvm, frontend: every function of stock's runtime" every_function_links "$llvm" \
    -fprofile-instr-generate
  check "clang $llvm, ir: every function of stock's runtime" every_function_links "$llvm" \
    -fprofile-generate
done
