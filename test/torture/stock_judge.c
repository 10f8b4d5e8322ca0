#include "stock_judge.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_COUNTERS = 64, LINE = 4096 };

static void become_profdata(const struct judge *judge) {
  char list[LINE];
  snprintf(list, sizeof list, "--input-files=%s", judge->list);
  int messages = open(judge->messages, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (messages >= 0 && dup2(messages, 1) == 1 && dup2(messages, 2) == 2)
    execlp(judge->program, judge->program, "merge", "--text", "--failure-mode=any", list, "-o",
           judge->text, (char *)NULL);
  _exit(98);
}

static bool run_profdata(const struct judge *judge) {
  struct stat messages;
  int status;
  pid_t pid = fork();
  if (pid == 0)
    become_profdata(judge);
  if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
    return false;
  return stat(judge->messages, &messages) == 0 && messages.st_size == 0;
}

// The next number on a line of its own; comments are skipped.
static bool next_number(FILE *text, uint64_t *number) {
  char line[LINE], *end;
  do {
    if (!fgets(line, sizeof line, text))
      return false;
  } while (line[0] == '#');
  *number = strtoull(line, &end, 0);
  return *end == '\n' && end != line;
}

// A record is the function's name, then numbers: hash, how many counters, the counters (InstrProf's
// text format). What follows of value sites is no name that counts_add knows.
static bool add_record(FILE *text, const char *name, struct counts *sum) {
  uint64_t hash, number, counters[MOST_COUNTERS];
  if (!next_number(text, &hash) || !next_number(text, &number) || number > MOST_COUNTERS)
    return false;
  for (uint64_t i = 0; i < number; i++)
    if (!next_number(text, &counters[i]))
      return false;
  counts_add(sum, name, counters, number);
  return true;
}

// Names stand where an empty line or the head of the file is before them.
static bool read_text(FILE *text, struct counts *sum) {
  char line[LINE];
  bool name_is_next = true;
  while (fgets(line, sizeof line, text)) {
    if (line[0] == '#' || line[0] == ':')
      continue;
    line[strcspn(line, "\n")] = 0;
    if (line[0] && name_is_next && !add_record(text, line, sum))
      return false;
    name_is_next = !line[0];
  }
  return true;
}

bool judge_sum(const struct judge *judge, struct counts *sum) {
  if (!run_profdata(judge))
    return false;
  FILE *text = fopen(judge->text, "r");
  bool ok = text && read_text(text, sum);
  if (text)
    fclose(text);
  return ok;
}
