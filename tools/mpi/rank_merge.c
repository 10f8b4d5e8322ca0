#include "rank_merge.h"

#include "../base/memory.h"
#include "../contprof/merge_samples.h"
#include "../contprof/merger.h"
#include "../contprof/verbs.h"
#include "merge_plan.h"
#include "profile_reduce.h"
#include "profile_wire.h"
#include "rank_bytes.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What a rank has to say of its part.
struct part {
  struct contprof_merger merger;
  char *said; // for stderr; owned
  size_t said_size;
  uint64_t bad; // inputs
};

static int rank_of(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int rank_count(void) {
  int count;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

// --- a rank's own inputs ------------------------------------------------------------------------

// As rank 0 would at the end of them all.
static void finish(struct contprof_merger *merger) {
  for (size_t i = 0; i < merger->target_count; i++) {
    struct contprof_profile_sum *sum = &merger->targets[i].sum;
    struct contprof_merge_report report = {0};
    contprof_profile_sum_finish(sum, &report);
    merger->ordered |= report.functions_dropped || report.functions_saturated;
  }
}

static void add_part(struct part *part, const struct contprof_merge_options *options) {
  FILE *terminal = stderr; // the C library lets it be another stream
  size_t count = options->inputs.count, rank = (size_t)rank_of(), ranks = (size_t)rank_count();
  stderr = contprof_need(open_memstream(&part->said, &part->said_size));
  if (contprof_merger_begin(&part->merger, options) == CONTPROF_EXIT_OK)
    part->bad =
        contprof_merger_add(&part->merger, count * rank / ranks, count * (rank + 1) / ranks);
  else
    part->merger.ordered = true; // rank 0 will say what is wrong with the options
  finish(&part->merger);
  fclose(stderr);
  stderr = terminal;
}

// --- putting together ---------------------------------------------------------------------------

// Makes the targets of all ranks known to all. Ranks take theirs in the order of the inputs.
static void put_targets(const struct contprof_merger *merger, struct contprof_byte_writer *out) {
  contprof_put_u64(out, merger->target_count);
  for (size_t i = 0; i < merger->target_count; i++) {
    const char *build = merger->targets[i].build;
    contprof_wire_put_text(out, build, build ? strlen(build) : 0);
  }
}

// Each name to its target, which is made if it is not there. Returns the names' indices, owned.
static size_t *take_targets(struct contprof_merger *merger, const struct contprof_byte_writer *in,
                            size_t *count) {
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_cursor cursor =
      contprof_cursor_over(in->bytes, in->size, 0, "another rank", "builds", &error);
  *count = (size_t)contprof_take_u64(&cursor);
  size_t *indices = contprof_need_array(NULL, *count + 1, sizeof *indices);
  for (size_t i = 0; i < *count; i++) {
    size_t length;
    const char *build = contprof_wire_take_text(&cursor, &length);
    char *own = merger->options->by_build ? contprof_need(strndup(build, length)) : NULL;
    indices[i] = (size_t)(contprof_merger_target(merger, own) - merger->targets);
  }
  return indices;
}

static size_t *agree_on_targets(struct contprof_merger *merger, size_t *count) {
  struct contprof_byte_writer bytes = {0};
  if (rank_of()) {
    put_targets(merger, &bytes);
    contprof_rank_send(&bytes, 0, MPI_COMM_WORLD);
  }
  for (int from = 1; !rank_of() && from < rank_count(); from++) {
    contprof_rank_receive(&bytes, from, MPI_COMM_WORLD);
    free(take_targets(merger, &bytes, count));
  }
  contprof_byte_writer_free(&bytes);
  if (!rank_of())
    put_targets(merger, &bytes);
  contprof_rank_broadcast(&bytes);
  size_t *indices = take_targets(merger, &bytes, count);
  contprof_byte_writer_free(&bytes);
  return indices;
}

// Returns whether rank 0 has all now; the same on all ranks.
static bool put_together(struct contprof_merger *merger) {
  size_t count;
  if (contprof_rank_any(merger->ordered))
    return false;
  size_t *indices = agree_on_targets(merger, &count);
  bool ok = true;
  for (size_t i = 0; i < count; i++)
    ok &= contprof_profile_reduce(&merger->targets[indices[i]].sum.profile);
  free(indices);
  return !contprof_rank_any(!ok);
}

// --- what became of the inputs ------------------------------------------------------------------

static void send_account(const struct part *part) {
  const struct contprof_merge_journal *journal = &part->merger.journal;
  struct contprof_byte_writer bytes = {0};
  contprof_put_u64(&bytes, part->bad);
  contprof_put_u64(&bytes, journal->merged);
  contprof_put_u64(&bytes, journal->skipped);
  contprof_wire_put_text(&bytes, part->said, part->said_size);
  contprof_wire_put_text(&bytes, journal->text.bytes, journal->text.size);
  contprof_rank_send(&bytes, 0, MPI_COMM_WORLD);
  contprof_byte_writer_free(&bytes);
}

static void take_account(struct part *part, int from) {
  struct contprof_byte_writer bytes = {0};
  struct contprof_merge_journal other = {0};
  struct contprof_error error;
  size_t length;
  contprof_error_clear(&error);
  contprof_rank_receive(&bytes, from, MPI_COMM_WORLD);
  struct contprof_cursor in =
      contprof_cursor_over(bytes.bytes, bytes.size, 0, "another rank", "account", &error);
  part->bad += contprof_take_u64(&in);
  other.merged = contprof_take_u64(&in);
  other.skipped = contprof_take_u64(&in);
  const char *said = contprof_wire_take_text(&in, &length);
  fwrite(said, 1, length, stderr);
  const char *entries = contprof_wire_take_text(&in, &length);
  contprof_put_bytes(&other.text, entries, length);
  contprof_journal_append(&part->merger.journal, &other);
  contprof_journal_free(&other);
  contprof_byte_writer_free(&bytes);
}

// On rank 0, which has all.
static int conclude(struct part *part) {
  fwrite(part->said, 1, part->said_size, stderr);
  for (int from = 1; from < rank_count(); from++)
    take_account(part, from);
  bool ok = contprof_merger_judge(part->merger.options, part->bad) &&
            contprof_merger_write(&part->merger);
  ok &= contprof_merger_report(&part->merger);
  return ok ? CONTPROF_EXIT_OK : CONTPROF_EXIT_FAILED;
}

// --- the whole ----------------------------------------------------------------------------------

// Returns the exit status on rank 0.
static int merge_together(const struct contprof_merge_options *options) {
  struct part part = {0};
  int status = CONTPROF_EXIT_OK;
  add_part(&part, options);
  bool together = put_together(&part.merger);
  if (rank_of() && together)
    send_account(&part);
  else if (together)
    status = conclude(&part);
  contprof_merger_free(&part.merger);
  free(part.said);
  return rank_of() || together ? status : contprof_merge(options);
}

// What can be read once, or on one machine alone. A file that is not there is like any other.
static bool is_stream(const char *path) {
  struct stat status;
  return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

// Sample profiles are few and small: one rank merges them.
static bool can_be_split(const struct contprof_merge_options *options) {
  if (options->sample || rank_count() == 1 || (options->remapping && is_stream(options->remapping)))
    return false;
  for (size_t i = 0; i < options->inputs.count; i++)
    if (is_stream(options->inputs.inputs[i].path))
      return false;
  return true;
}

static int lead(int argc, char **argv) {
  struct contprof_merge_options options;
  struct contprof_byte_writer plan = {0};
  int status;
  bool go = contprof_merge_parse(argc, argv, &options, &status);
  bool split = go && can_be_split(&options);
  if (split && !options.threads)
    options.threads = 1; // ranks are as many as are to work
  if (split)
    contprof_plan_put(&options, &plan);
  contprof_rank_broadcast(&plan);
  if (go)
    status = split            ? merge_together(&options)
             : options.sample ? contprof_merge_samples(&options)
                              : contprof_merge(&options);
  contprof_merge_options_free(&options);
  contprof_byte_writer_free(&plan);
  return status;
}

static void follow(void) {
  struct contprof_merge_options options;
  struct contprof_byte_writer plan = {0};
  contprof_rank_broadcast(&plan);
  if (plan.size) {
    contprof_plan_take(&plan, &options);
    merge_together(&options);
    contprof_merge_options_free(&options);
  }
  contprof_byte_writer_free(&plan);
}

int contprof_rank_merge(int argc, char **argv) {
  int status = 0;
  if (rank_of())
    follow();
  else
    status = lead(argc, argv);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return status;
}
