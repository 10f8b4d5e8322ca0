// The torture test: kills a program built with -fprofile-continuous at random moments, a thousand
// times or more, and looks at the files that it leaves. test/e2e/370-torture.sh compiles the
// victims and runs this for each.
//
//   torture --victim=PROGRAM --guests=DIRECTORY --llvm-profdata=PROGRAM
//           --kills=N --seed=N [--first=N] [--only=SCENARIO] [--frontend] [--atomic]
//
// Kill number I of a seed makes the same choices in each run (the machine does not): --first=I
// --kills=1 repeats one. The exit status is 0 if nothing was wrong, 1 if something was (its files
// are kept, and named), 2 if the command line was.
#include "hunt.h"
#include "scenarios.h"
#include "stock_judge.h"
#include "verdict.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH = 50, WHY = 1024, PATH = 4096, MOST_WRONG = 5 };

struct options {
  const char *victim, *guests, *profdata;
  const char *only; // a scenario's name, or NULL
  uint64_t kills, seed, first;
  bool frontend, atomic;
};

struct torture {
  struct options options;
  char work[PATH];                   // directory of everything
  char batch[PATH + 64];             // of this batch, below it
  FILE *list;                        // paths of this batch's files
  struct counts sum;                 // of this batch's files, by our reader
  struct counts before[PLACE_COUNT]; // what the shared places held after the kill before
  struct figures figures;
  uint64_t first_record; // nanoseconds from the fork to a victim's first record, when quick
  unsigned wrong, wrong_before;
  unsigned files, temporaries, inside, silent; // as in struct verdict
  unsigned none;                               // kills that left no file
  unsigned *done;                              // kills of each scenario
};

static const char *const patterns[PLACE_COUNT] = {"%p.profraw", "one.profraw", "%m.profraw"};
static const char *const places[PLACE_COUNT] = {"kill", "one", "pool"};

static void say_wrong(struct torture *torture, uint64_t kill, const char *scenario,
                      const char *why) {
  torture->wrong++;
  printf("WRONG: kill %" PRIu64 " of seed %" PRIu64 " (%s): %s; see %s\n", kill,
         torture->options.seed, scenario, why, torture->batch);
}

// ---- Files

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where) {
  (void)status, (void)type, (void)where;
  return remove(path);
}

static void remove_tree(const char *path) {
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool copy_file(const char *from, const char *to) {
  char bytes[1 << 16];
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0666);
  ssize_t got = -1;
  while (in >= 0 && out >= 0 && (got = read(in, bytes, sizeof bytes)) > 0)
    if (write(out, bytes, (size_t)got) != got)
      break;
  close(in);
  close(out);
  return got == 0;
}

// The files of a shared place as they are after this kill, since the next one changes them.
static bool copy_place(const char *from, const char *to) {
  char source[2 * PATH], target[2 * PATH];
  DIR *directory = opendir(from);
  bool ok = directory != NULL || errno == ENOENT;
  mkdir(to, 0777);
  for (struct dirent *entry; ok && directory && (entry = readdir(directory));) {
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    if (entry->d_name[0] != '.')
      ok = copy_file(source, target);
    if (ok && strstr(entry->d_name, ".tmp")) // counted once
      remove(source);
  }
  if (directory)
    closedir(directory);
  return ok;
}

// ---- One kill

// Mostly small, so that many die early, where the files are new.
static uint64_t skewed(uint64_t *random, uint64_t most) {
  uint64_t limit = most >> hunt_random(random) % 4;
  return most ? hunt_random(random) % (limit ? limit : 1) : 0;
}

// A busy machine makes some starts very long; the moments worth dying at are those of the others.
// Falls fast and rises slowly, so it settles at the short ones.
static void learn_start(struct torture *torture, uint64_t taken) {
  if (taken && taken < torture->first_record)
    torture->first_record -= (torture->first_record - taken) / 4;
  else if (taken)
    torture->first_record += torture->first_record / 32;
}

// Anywhere in the start, every other time in its second half: the loader comes before the runtime.
static uint64_t moment_of_start(const struct torture *torture, uint64_t *random) {
  uint64_t whole = torture->first_record, half = whole / 2;
  return hunt_random(random) % 2 ? half + hunt_random(random) % half
                                 : hunt_random(random) % (whole * 5 / 4);
}

static bool hunt_one(struct torture *torture, const struct scenario *scenario, uint64_t *random,
                     const char *pattern, char *why) {
  char seed[24], complaints[PATH + 96];
  snprintf(seed, sizeof seed, "%" PRIu64, hunt_random(random) >> 1);
  snprintf(complaints, sizeof complaints, "%s/complaints", torture->batch);
  char *argv[] = {(char *)torture->options.victim, (char *)scenario->victim, seed,
                  (char *)torture->options.guests, NULL};
  struct hunt hunt = {.program = torture->options.victim,
                      .argv = argv,
                      .pattern = pattern,
                      .records =
                          scenario->most_records ? 1 + skewed(random, scenario->most_records) : 0,
                      .one_by_one = scenario->pause != 0,
                      .pause = scenario->pause,
                      .random = random,
                      .figures = &torture->figures};
  hunt.wait = hunt.records ? skewed(random, scenario->most_wait) : moment_of_start(torture, random);
  figures_forget(&torture->figures);
  hunt.complaints = open(complaints, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool ok = hunt_down(&hunt, why, WHY);
  learn_start(torture, hunt.first_record);
  ssize_t said = pread(hunt.complaints, why + strlen(why), WHY - 1 - strlen(why), 0);
  close(hunt.complaints);
  return ok && said == 0;
}

// In a shared place, whoever was killed before it said anything may not have come to its file.
static bool compare(struct torture *torture, struct verdict *verdict, enum place place, char *why) {
  const struct counts *before = place == PLACE_POOL ? &torture->before[place] : NULL;
  bool ok = verdict_compare(verdict, before, why, WHY);
  if (!ok && place == PLACE_ONE_NAME && !torture->figures.count)
    ok = verdict_compare(verdict, &torture->before[place], why, WHY);
  if (ok && place == PLACE_ONE_NAME && verdict->files > 1) {
    snprintf(why, WHY, "%u files where one process ran at a time", verdict->files);
    ok = false;
  }
  torture->before[place] = verdict->sum;
  return ok;
}

// Stock llvm-profdata's reading of one kill's files.
static bool ask_judge(struct torture *torture, const char *list, const struct counts *ours,
                      char *why) {
  char text[2 * PATH + 16], messages[2 * PATH + 16];
  snprintf(text, sizeof text, "%s.text", list);
  snprintf(messages, sizeof messages, "%s.messages", list);
  struct judge judge = {torture->options.profdata, list, text, messages};
  struct counts stock = {.frontend = torture->options.frontend};
  if (!judge_sum(&judge, &stock))
    snprintf(why, WHY, "llvm-profdata does not take the files: see .messages there");
  else if (!counts_equal(&stock, ours))
    snprintf(why, WHY, "llvm-profdata reads other counts than we: see .text there");
  else
    return true;
  return false;
}

static void append(FILE *to, const char *path) {
  char line[PATH];
  FILE *from = fopen(path, "r");
  while (from && fgets(line, sizeof line, from))
    fputs(line, to);
  if (from)
    fclose(from);
}

static bool judge_kill(struct torture *torture, const struct scenario *scenario,
                       const char *directory, bool thoroughly, char *why) {
  char list[2 * PATH];
  snprintf(list, sizeof list, "%s.list", directory);
  struct verdict verdict = {.directory = directory,
                            .figures = &torture->figures,
                            .list = fopen(list, "w"),
                            .together = scenario->together,
                            .frontend = torture->options.frontend,
                            .atomic = torture->options.atomic};
  if (!verdict.list)
    return false;
  bool ok = verdict_read(&verdict, why, WHY);
  fclose(verdict.list);
  append(torture->list, list);
  if (ok)
    ok = compare(torture, &verdict, scenario->place, why);
  if (ok && thoroughly && verdict.files)
    ok = ask_judge(torture, list, &verdict.sum, why);
  counts_add_counts(&torture->sum, &verdict.sum);
  torture->files += verdict.files;
  torture->temporaries += verdict.temporaries;
  torture->inside += verdict.inside;
  torture->silent += verdict.silent;
  torture->none += verdict.files == 0;
  verdict_free(&verdict);
  return ok;
}

static void kill_once(struct torture *torture, uint64_t number) {
  char own[PATH + 128], place[PATH + 128], pattern[PATH + 256], why[WHY] = "";
  uint64_t random = torture->options.seed * UINT64_C(0x100000001b3) + number;
  size_t pick = scenario_pick(hunt_random(&random), torture->options.only);
  const struct scenario *scenario = &scenarios[pick];
  bool shared = scenario->place != PLACE_OWN;
  snprintf(own, sizeof own, "%s/kill-%" PRIu64, torture->batch, number);
  snprintf(place, sizeof place, "%s/%s", torture->batch, places[scenario->place]);
  snprintf(pattern, sizeof pattern, "%s/%s", shared ? place : own, patterns[scenario->place]);
  bool thoroughly = hunt_random(&random) % 12 == 0;
  bool ok = hunt_one(torture, scenario, &random, pattern, why);
  if (shared && !copy_place(place, own))
    ok = false;
  if (ok)
    ok = judge_kill(torture, scenario, own, thoroughly, why);
  if (!ok)
    say_wrong(torture, number, scenario->name, why);
  torture->done[pick]++;
}

// ---- Batches

static bool begin_batch(struct torture *torture, uint64_t first) {
  char path[PATH + 96];
  snprintf(torture->batch, sizeof torture->batch, "%s/from-%" PRIu64, torture->work, first);
  snprintf(path, sizeof path, "%s/list", torture->batch);
  torture->sum = (struct counts){.frontend = torture->options.frontend};
  memset(torture->before, 0, sizeof torture->before);
  torture->wrong_before = torture->wrong;
  if (mkdir(torture->batch, 0777) != 0 || !(torture->list = fopen(path, "w"))) {
    perror(torture->batch);
    return false;
  }
  return true;
}

static void end_batch(struct torture *torture, uint64_t last) {
  char list[PATH + 96], why[WHY] = "";
  snprintf(list, sizeof list, "%s/list", torture->batch);
  bool empty = ftell(torture->list) == 0;
  fclose(torture->list);
  // Where a file was bad, its sum lacks it as well.
  if (!empty && torture->wrong == torture->wrong_before &&
      !ask_judge(torture, list, &torture->sum, why))
    say_wrong(torture, last, "batch", why);
  if (torture->wrong == torture->wrong_before)
    remove_tree(torture->batch);
}

static bool kill_all(struct torture *torture) {
  uint64_t number = torture->options.first, end = number + torture->options.kills;
  while (number < end && torture->wrong < MOST_WRONG) {
    uint64_t stop = number + BATCH < end ? number + BATCH : end;
    if (!begin_batch(torture, number))
      return false;
    for (; number < stop && torture->wrong < MOST_WRONG; number++)
      kill_once(torture, number);
    end_batch(torture, number - 1);
  }
  return true;
}

static void say_result(const struct torture *torture) {
  unsigned kills = 0;
  for (size_t i = 0; i < scenario_count; i++) {
    printf("  %5u %s\n", torture->done[i], scenarios[i].name);
    kills += torture->done[i];
  }
  printf("%u kills of seed %" PRIu64
         ", %u of them before there was a file; %u profiles, %u of them "
         "of processes that had told nothing; %u tasks in the middle of a run; %u temporary files "
         "left; %u wrong\n",
         kills, torture->options.seed, torture->none, torture->files, torture->silent,
         torture->inside, torture->temporaries, torture->wrong);
}

// ---- The command line

static bool parse(int argc, char **argv, struct options *options) {
  enum { NUMBERS = 4, FLAGS = 7, END = 9 };
  static const struct option known[] = {
      {"victim", required_argument, NULL, 0},
      {"guests", required_argument, NULL, 1},
      {"llvm-profdata", required_argument, NULL, 2},
      {"only", required_argument, NULL, 3},
      {"kills", required_argument, NULL, NUMBERS},
      {"seed", required_argument, NULL, NUMBERS + 1},
      {"first", required_argument, NULL, NUMBERS + 2},
      {"frontend", no_argument, NULL, FLAGS},
      {"atomic", no_argument, NULL, FLAGS + 1},
      {NULL, 0, NULL, 0},
  };
  const char **texts[] = {&options->victim, &options->guests, &options->profdata, &options->only};
  uint64_t *numbers[] = {&options->kills, &options->seed, &options->first};
  bool *flags[] = {&options->frontend, &options->atomic};
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    if (option >= END)
      return false;
    if (option >= FLAGS)
      *flags[option - FLAGS] = true;
    else if (option >= NUMBERS)
      *numbers[option - NUMBERS] = strtoull(optarg, NULL, 10);
    else
      *texts[option] = optarg;
  }
  return optind == argc && (!options->only || scenario_known(options->only)) && options->victim &&
         options->guests && options->profdata && options->kills;
}

int main(int argc, char **argv) {
  static struct torture torture = {.first_record = 3000000};
  const char *directory = getenv("TMPDIR");
  if (!parse(argc, argv, &torture.options)) {
    fprintf(stderr, "torture: wrong command line; see the head of torture.c\n");
    return 2;
  }
  torture.done = calloc(scenario_count, sizeof *torture.done);
  snprintf(torture.work, sizeof torture.work, "%s/contprof-torture.XXXXXX",
           directory && *directory ? directory : "/tmp");
  if (!torture.done || !mkdtemp(torture.work) || !hunt_prepare()) {
    perror("torture");
    return 2;
  }
  bool ok = kill_all(&torture) && torture.wrong == 0;
  say_result(&torture);
  if (ok)
    remove_tree(torture.work);
  figures_free(&torture.figures);
  free(torture.done);
  return ok ? 0 : 1;
}
