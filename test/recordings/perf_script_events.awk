# Makes of perf script's output, -F pid,tid,time,[period,]event,ip[,brstack] --ns -G with
# --show-mmap-events and --show-task-events, the lines that dump_recording prints.
#
#   -v buildids=FILE   what perf buildid-list says: maps without a build-id get theirs from there
#   -v period=0        there is no period among the fields; it is what dump_recording says then, 1
#   -v swapped=1       perf 6.1 does not swap the protection of a map, so all count as executable

BEGIN {
  while (buildids && (getline line < buildids) > 0) {
    if (line !~ /^[0-9a-f]+ /)
      continue
    id = path = line
    sub(/ .*/, "", id)
    sub(/(00000000)+$/, "", id) # where the size is not told, zeros fill it up
    sub(/^[^ ]* */, "", path)
    buildid[path] = id
  }
}

function nanoseconds(time) {
  sub(/:$/, "", time)
  sub(/\./, "", time)
  sub(/^0+/, "", time)
  return time == "" ? "0" : time
}

function print_map(    head, id, path, rest) {
  head = substr($0, index($0, "[") + 1)
  path = head
  sub(/\]: [^ ]+ /, "\n", path)
  path = substr(path, index(path, "\n") + 1)
  rest = substr(head, index(head, "]: ") + 3)
  sub(/ .*/, "", rest)
  if (rest !~ /x|^---/ && !swapped) # of the kernel's own map nothing is said
    return
  id = "-"
  if (match(head, /<[0-9a-f]+>/))
    id = substr(head, RSTART + 1, RLENGTH - 2)
  else {
    known = path
    sub(/^\[kernel\.kallsyms\].*/, "[kernel.kallsyms]", known) # its map has a symbol's name behind it
    if (known in buildid)
      id = buildid[known]
  }
  split(head, parts, " ")
  sub(/\].*/, "", parts[3])
  split($4, pids, "/")
  print "mmap", pids[1], time, parts[1], "@", parts[3], id, path
}

function print_sample(    at, event, last, line) {
  at = 3
  line = 1
  if (period != "0")
    line = $(at++)
  for (last = NF; $last !~ /:$/; last--)
    ;
  event = $at
  while (at < last)
    event = event " " $(++at)
  sub(/:$/, "", event)
  line = "sample " ($(at + 1) ~ /^ffff/ ? "k" : "") pids[1] " " time " " event " " line " " $(at + 1)
  for (at += 2; at <= NF; at++)
    if (split($at, parts, "/") > 2)
      line = line " " parts[1] "/" parts[2]
  print line
}

{
  time = nanoseconds($2)
  split($1, pids, "/")
}

$3 ~ /^PERF_RECORD_MMAP/ { print_map(); next }

$3 ~ /^PERF_RECORD_FORK/ {
  split($3, parts, /[(:)]+/)
  if (parts[2] != parts[4])
    print "fork", parts[2], time, parts[4]
  next
}

$3 ~ /^PERF_RECORD_EXIT/ {
  split($3, parts, /[(:)]+/)
  if (parts[2] == parts[3])
    print "exit", parts[2], time
  next
}

$3 ~ /^PERF_RECORD_COMM/ {
  if ($4 == "exec:")
    print "exec", pids[1], time
  next
}

$3 !~ /^PERF_RECORD/ { print_sample() }
