#include "recording_parts.h"
#include "tools/base/memory.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

enum { MISC_BIT_13 = 1 << 13, MISC_MMAP_BUILD_ID = 1 << 14 };
enum { BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19 }; // of branch_sample_type

static void put_trailer(struct recording *recording, const struct recording_place *place) {
  const struct recording_event *event = &recording->events[place->event];
  struct record_bytes *to = &recording->record;
  uint64_t id = place->no_id || !event->id_count ? 0 : event->ids[place->cpu % event->id_count];
  if (!(event->flags >> 18 & 1))
    return;
  if (event->sample_type & PERF_SAMPLE_TID) {
    put_u32(to, (uint32_t)place->pid);
    put_u32(to, (uint32_t)place->tid);
  }
  if (event->sample_type & PERF_SAMPLE_TIME)
    put_u64(to, place->time);
  if (event->sample_type & PERF_SAMPLE_ID)
    put_u64(to, id);
  if (event->sample_type & PERF_SAMPLE_STREAM_ID)
    put_u64(to, id);
  if (event->sample_type & PERF_SAMPLE_CPU) {
    put_u32(to, place->cpu);
    put_u32(to, 0);
  }
  if (event->sample_type & PERF_SAMPLE_IDENTIFIER)
    put_u64(to, id);
}

static void put_task(struct recording *recording, const struct recording_place *place) {
  put_u32(&recording->record, (uint32_t)place->pid);
  put_u32(&recording->record, (uint32_t)place->tid);
}

// --- samples ------------------------------------------------------------------------------------

// struct read_format. The first counter is the event's own and grows by the period, as perf script
// expects it; others are nobody's.
static void put_read(struct recording *recording, const struct recording_event *event,
                     const struct recording_sample *sample) {
  struct record_bytes *to = &recording->record;
  const uint64_t format = event->read_format;
  bool group = format & PERF_FORMAT_GROUP;
  size_t counters = group ? (sample->counters ? sample->counters : 1) : 1;
  recording->counters += sample->period;
  put_u64(to, group ? counters : recording->counters);
  if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
    put_u64(to, 1000);
  if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
    put_u64(to, 1000);
  for (size_t i = 0; i < counters; i++) {
    if (group)
      put_u64(to, recording->counters);
    if (format & PERF_FORMAT_ID)
      put_u64(to, i || !event->id_count ? 0xfffff000 + i : event->ids[0]);
    if (format & 1U << 4) // PERF_FORMAT_LOST
      put_u64(to, 0);
  }
}

static void put_branches(struct record_bytes *to, const struct recording_event *event,
                         const struct recording_sample *sample) {
  put_u64(to, sample->branch_count);
  if (event->branch_sample_type & BRANCH_HW_INDEX)
    put_u64(to, 7);
  for (size_t i = 0; i < sample->branch_count; i++) {
    put_u64(to, sample->branches[i].from);
    put_u64(to, sample->branches[i].to);
    put_u64(to, to->big_endian ? UINT64_C(1) << 62 : 2); // predicted, the second bit-field
  }
  for (size_t i = 0; event->branch_sample_type & BRANCH_COUNTERS && i < sample->branch_count; i++)
    put_u64(to, i);
}

static void put_registers(struct record_bytes *to, uint64_t mask) {
  put_u64(to, PERF_SAMPLE_REGS_ABI_64);
  for (; mask; mask &= mask - 1)
    put_u64(to, mask);
}

static void put_stack(struct record_bytes *to, uint32_t size) {
  put_u64(to, size);
  put_zeros(to, size);
  if (size)
    put_u64(to, size / 2);
}

// Fields after the branches, in the order of the kernel's perf_output_sample.
static void put_rest(struct record_bytes *to, const struct recording_event *event) {
  const uint64_t has = event->sample_type;
  if (has & PERF_SAMPLE_REGS_USER)
    put_registers(to, event->regs_user);
  if (has & PERF_SAMPLE_STACK_USER)
    put_stack(to, event->stack_user);
  if (has & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
    put_u64(to, 3);
  if (has & PERF_SAMPLE_DATA_SRC)
    put_u64(to, 0);
  if (has & PERF_SAMPLE_TRANSACTION)
    put_u64(to, 0);
  if (has & PERF_SAMPLE_REGS_INTR)
    put_registers(to, event->regs_intr);
  if (has & PERF_SAMPLE_PHYS_ADDR)
    put_u64(to, 0x1000);
  if (has & PERF_SAMPLE_CGROUP)
    put_u64(to, 1);
  if (has & PERF_SAMPLE_DATA_PAGE_SIZE)
    put_u64(to, 4096);
  if (has & PERF_SAMPLE_CODE_PAGE_SIZE)
    put_u64(to, 4096);
  if (has & PERF_SAMPLE_AUX) {
    put_u64(to, 16);
    put_zeros(to, 16);
  }
}

static void put_identity(struct recording *recording, const struct recording_event *event,
                         const struct recording_sample *sample) {
  struct record_bytes *to = &recording->record;
  const struct recording_place *place = &sample->place;
  const uint64_t has = event->sample_type;
  uint64_t id = place->no_id || !event->id_count ? 0 : event->ids[place->cpu % event->id_count];
  if (has & PERF_SAMPLE_IDENTIFIER)
    put_u64(to, id);
  if (has & PERF_SAMPLE_IP)
    put_u64(to, sample->ip);
  if (has & PERF_SAMPLE_TID)
    put_task(recording, place);
  if (has & PERF_SAMPLE_TIME)
    put_u64(to, place->time);
  if (has & PERF_SAMPLE_ADDR)
    put_u64(to, 0);
  if (has & PERF_SAMPLE_ID)
    put_u64(to, id);
  if (has & PERF_SAMPLE_STREAM_ID)
    put_u64(to, id);
  if (has & PERF_SAMPLE_CPU) {
    put_u32(to, place->cpu);
    put_u32(to, 0);
  }
  if (has & PERF_SAMPLE_PERIOD)
    put_u64(to, sample->period);
}

void recording_sample(struct recording *recording, const struct recording_sample *sample) {
  const struct recording_event *event = &recording->events[sample->place.event];
  struct record_bytes *to = &recording->record;
  const uint64_t has = event->sample_type;
  recording_begin(recording, PERF_RECORD_SAMPLE,
                  sample->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
  put_identity(recording, event, sample);
  if (has & PERF_SAMPLE_READ)
    put_read(recording, event, sample);
  if (has & PERF_SAMPLE_CALLCHAIN) {
    put_u64(to, sample->chain_count);
    for (size_t i = 0; i < sample->chain_count; i++)
      put_u64(to, sample->chain[i]);
  }
  if (has & PERF_SAMPLE_RAW) {
    put_u32(to, sample->raw);
    put_zeros(to, sample->raw);
  }
  if (has & PERF_SAMPLE_BRANCH_STACK)
    put_branches(to, event, sample);
  put_rest(to, event);
  recording_end(recording);
}

// --- processes ----------------------------------------------------------------------------------

static void put_file(struct record_bytes *to, const struct recording_map *map) {
  if (!map->build_id) {
    put_u32(to, 8); // device
    put_u32(to, 1);
    put_u64(to, 42); // inode
    put_u64(to, 0);
    return;
  }
  put_u8(to, (uint8_t)map->build_id_size);
  put_zeros(to, 3);
  put_bytes(to, map->build_id, map->build_id_size);
  put_zeros(to, 20 - map->build_id_size);
}

void recording_map(struct recording *recording, const struct recording_map *map) {
  struct record_bytes *to = &recording->record;
  uint16_t misc = map->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
  if (!(map->protection & PROT_EXEC))
    misc |= MISC_BIT_13;
  if (map->build_id && !map->plain)
    misc |= MISC_MMAP_BUILD_ID;
  recording_begin(recording, map->plain ? PERF_RECORD_MMAP : PERF_RECORD_MMAP2, misc);
  put_task(recording, &map->place);
  put_u64(to, map->start);
  put_u64(to, map->size);
  put_u64(to, map->offset);
  if (!map->plain) {
    put_file(to, map);
    put_u32(to, map->protection);
    put_u32(to, MAP_PRIVATE);
  }
  put_name(to, map->path);
  put_trailer(recording, &map->place);
  recording_end(recording);
}

void recording_comm(struct recording *recording, const struct recording_place *place,
                    const char *name, bool exec) {
  recording_begin(recording, PERF_RECORD_COMM, exec ? MISC_BIT_13 : 0);
  put_task(recording, place);
  put_name(&recording->record, name);
  put_trailer(recording, place);
  recording_end(recording);
}

static void put_relation(struct recording *recording, const struct recording_place *place,
                         int32_t parent) {
  put_u32(&recording->record, (uint32_t)place->pid);
  put_u32(&recording->record, (uint32_t)parent);
  put_u32(&recording->record, (uint32_t)place->tid);
  put_u32(&recording->record, (uint32_t)parent);
  put_u64(&recording->record, place->time);
  put_trailer(recording, place);
  recording_end(recording);
}

void recording_fork(struct recording *recording, const struct recording_place *place,
                    int32_t parent, bool synthesised) {
  recording_begin(recording, PERF_RECORD_FORK, synthesised ? MISC_BIT_13 : 0);
  put_relation(recording, place, parent);
}

void recording_exit(struct recording *recording, const struct recording_place *place) {
  recording_begin(recording, PERF_RECORD_EXIT, 0);
  put_relation(recording, place, 1);
}

void recording_lost(struct recording *recording, const struct recording_place *place,
                    uint64_t count) {
  const struct recording_event *event = &recording->events[place->event];
  recording_begin(recording, PERF_RECORD_LOST, 0);
  put_u64(&recording->record, event->id_count ? event->ids[0] : 0);
  put_u64(&recording->record, count);
  put_trailer(recording, place);
  recording_end(recording);
}

void recording_lost_samples(struct recording *recording, const struct recording_place *place,
                            uint64_t count) {
  recording_begin(recording, PERF_RECORD_LOST_SAMPLES, 0);
  put_u64(&recording->record, count);
  put_trailer(recording, place);
  recording_end(recording);
}

void recording_any(struct recording *recording, const struct recording_place *place, uint32_t type,
                   uint16_t misc, const uint8_t *bytes, size_t size) {
  recording_begin(recording, type, misc);
  put_bytes(&recording->record, bytes, size);
  if (place)
    put_trailer(recording, place);
  recording_end(recording);
}
