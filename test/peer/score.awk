# Compares what lit has found with what is expected, of one suite (-v suite=) for one LLVM (-v
# llvm=19): the files are the lines of expectations.awk and `TEST RESULT` lines of each column
# (-v columns="stock ours..."): first stock's, then ours. Prints each test that neither passes nor is
# accounted for, or passes against expectation, and the score.
BEGIN { column_count = split(columns, column, " ") }

FNR == 1 { file++ }

file == 1 {
  verdict[$2] = $1
  next
}

{
  result[$1, column[file - 1]] = $2
  tests[$1] = 1
}

function differs(test, why, each) {
  printf "LLVM %s: %s: %s (", llvm, test, why
  for (each = 1; each <= column_count; each++)
    printf "%s%s %s", (each > 1 ? ", " : ""), column[each], result[test, column[each]]
  print ")"
  differences++
}

function passes(test, each) {
  return result[test, column[each]] == "PASS"
}

# In how many of our columns the test passes.
function ours(test, each, count) {
  for (each = 2; each <= column_count; each++)
    count += passes(test, each)
  return count + 0
}

function judge(test, each) {
  if (verdict[test] == "n/a") {
    if (ours(test))
      differs(test, "passes, though said not to apply")
    not_applicable++
    return
  }
  applicable++
  for (each = 1; each <= column_count; each++)
    passed[each] += passes(test, each)
  if (verdict[test] == "" && ours(test) < column_count - 1)
    differs(test, "does not pass")
  if (verdict[test] == "fails" && ours(test))
    differs(test, "passes, though expected to fail")
}

END {
  for (test in tests)
    judge(test)
  for (test in verdict)
    if (!(test in tests) && verdict[test] != "skip")
      differs(test, "is not among the tests")
  printf "%s, LLVM %s: of %d applicable", suite, llvm, applicable
  for (each = 1; each <= column_count; each++)
    printf "%s %s passes %d", (each > 1 ? "," : ""), column[each], passed[each]
  printf "; %d do not apply\n", not_applicable
  if (differences)
    printf "LLVM %s: %d otherwise than expected; see %s/*.log\n", llvm, differences, logs
  exit differences != 0
}
