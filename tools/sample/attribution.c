#include "attribution.h"

#include "../base/memory.h"

#include <stdlib.h>

void contprof_recordings_free(struct contprof_recordings *recordings) {
  free(recordings->ended);
  free(recordings->chosen);
}

void contprof_recording_ended(struct contprof_recordings *recordings) {
  recordings->ended =
      contprof_need_array(recordings->ended, recordings->count + 1, sizeof *recordings->ended);
  recordings->ended[recordings->count++] = recordings->now;
  recordings->now = (struct contprof_attributed){0};
}

static struct contprof_attribution choose(const struct contprof_attributed *of, bool ip_only) {
  struct contprof_attribution chosen = ip_only ? of->ips : of->stacks;
  chosen.samples = of->common.samples;
  chosen.other_event = of->common.other_event;
  chosen.other_pid = of->common.other_pid;
  chosen.lost = of->common.lost;
  return chosen;
}

static void add(struct contprof_attribution *sum, const struct contprof_attribution *part) {
  sum->samples += part->samples;
  for (int where = 0; where < CONTPROF_WHERES; where++)
    sum->by_where[where] += part->by_where[where];
  sum->as_offsets += part->as_offsets;
  sum->no_code += part->no_code;
  sum->other_pid += part->other_pid;
  sum->other_event += part->other_event;
  sum->no_branches += part->no_branches;
  sum->doubtful += part->doubtful;
  sum->lost += part->lost;
}

void contprof_recordings_ended(struct contprof_recordings *recordings, bool ip_only) {
  contprof_recording_ended(recordings);
  recordings->chosen = contprof_need_array(NULL, recordings->count, sizeof *recordings->chosen);
  for (size_t i = 0; i < recordings->count; i++) {
    recordings->chosen[i] = choose(&recordings->ended[i], ip_only);
    add(&recordings->sum, &recordings->chosen[i]);
  }
}
