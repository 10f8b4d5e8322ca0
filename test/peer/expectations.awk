# compiler-rt-profile.expected, for one LLVM (-v llvm=19): a line `VERDICT TEST REASON` for each test.
/^#/ || NF == 0 { next }

/^[^ ]/ {
  verdict = $1
  reason = $0
  sub(/^[^ ]* */, "", reason)
  next
}

{
  for (field = 2; field <= NF; field++)
    if ($field == llvm)
      print verdict, $1, reason
}
