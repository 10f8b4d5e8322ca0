# Of a test's RUN lines keeps those with the numbers (from 1) in -v keep="3 4", and all else.
BEGIN {
  count = split(keep, list, " ")
  for (i = 1; i <= count; i++)
    wanted[list[i]] = 1
}

/RUN:/ && !(++line in wanted) { next }

{ print }
