# Compares what lit has found with what is expected, for one LLVM (-v llvm=19): the files are the
# lines of expectations.awk and `TEST RESULT` lines, first stock's, then ours by mode. Prints each
# test that neither passes nor is accounted for, or passes against expectation, and the score.
FNR == 1 { file++ }

file == 1 {
  verdict[$2] = $1
  reason[$2] = $0
  sub(/^[^ ]* [^ ]* /, "", reason[$2])
  next
}

{
  column = file == 2 ? "stock" : file == 3 ? "segment" : "pointer"
  result[$1, column] = $2
  tests[$1] = 1
}

function differs(test, why) {
  printf "LLVM %s: %s: %s (stock %s, segment mode %s, pointer mode %s)\n", llvm, test, why,
    result[test, "stock"], result[test, "segment"], result[test, "pointer"]
  differences++
}

function passes(test, column) {
  return result[test, column] == "PASS"
}

function judge(test, both, none) {
  both = passes(test, "segment") && passes(test, "pointer")
  none = !passes(test, "segment") && !passes(test, "pointer")
  if (verdict[test] == "n/a") {
    if (!none)
      differs(test, "passes, though said not to apply")
    not_applicable++
    return
  }
  applicable++
  stock += passes(test, "stock")
  segment += passes(test, "segment")
  pointer += passes(test, "pointer")
  if (verdict[test] == "" && !both)
    differs(test, "does not pass")
  if (verdict[test] == "fails" && !none)
    differs(test, "passes, though expected to fail")
}

END {
  for (test in tests)
    judge(test)
  for (test in verdict)
    if (!(test in tests) && verdict[test] != "skip")
      differs(test, "is not among the tests")
  printf "compiler-rt-profile, LLVM %s: %d of %d applicable pass in segment mode, %d in pointer mode; " \
    "stock passes %d of them; %d do not apply\n", llvm, segment, applicable, pointer, stock,
    not_applicable
  if (differences)
    printf "LLVM %s: %d otherwise than expected; see %s/*.log\n", llvm, differences, logs
  exit differences != 0
}
