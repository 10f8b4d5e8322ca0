#include "thread_owners.h"

void contprof_thread_owners_set(struct contprof_thread_owners *owners, int32_t tid, int32_t pid) {
  if (tid >= 0 && pid >= 0)
    contprof_pid_map_need(&owners->pids, tid)->number = (uint64_t)pid;
}

int32_t contprof_thread_owner(const struct contprof_thread_owners *owners, int32_t tid) {
  const union contprof_pid_value *pid = contprof_pid_map_find(&owners->pids, tid);
  return pid ? (int32_t)pid->number : tid;
}

void contprof_thread_owners_free(struct contprof_thread_owners *owners) {
  contprof_pid_map_free(&owners->pids);
}
