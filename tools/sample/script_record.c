// Source: perf's util/event.c (perf_event__fprintf_mmap2 and its kin).
#include "script_record.h"

#include <ctype.h>

// What follows the name of a record of one kind.
typedef bool record_reader(struct contprof_scan *text, struct contprof_script_record *record);

// "0x" and hexadecimal digits, or 0, as "%#lx" prints it.
static bool take_number(struct contprof_scan *text, uint64_t *number) {
  if (contprof_scan_text(text, "0x"))
    return contprof_scan_hex(text, number);
  *number = 0;
  return contprof_scan_character(text, '0');
}

// PID and TID; -1 is the kernel's.
static bool take_ids(struct contprof_scan *text, char between, int32_t *pid, int32_t *tid) {
  return contprof_scan_signed(text, pid) && contprof_scan_character(text, between) &&
         contprof_scan_signed(text, tid) && *pid >= -1 && *tid >= -1;
}

// " PID/TID: [START(SIZE) @ OFFSET".
static bool take_place(struct contprof_scan *text, struct contprof_script_record *record) {
  struct contprof_perf_mmap *map = &record->event.mmap;
  return contprof_scan_character(text, ' ') && take_ids(text, '/', &record->pid, &record->tid) &&
         contprof_scan_text(text, ": [") && take_number(text, &map->start) &&
         contprof_scan_character(text, '(') && take_number(text, &map->size) &&
         contprof_scan_text(text, ") @ ") && take_number(text, &map->file_offset);
}

static unsigned nibble(char digit) {
  return contprof_scan_is_decimal(digit) ? (unsigned)(digit - '0')
                                         : (unsigned)(tolower((unsigned char)digit) - 'a') + 10;
}

// " <BUILD-ID>", which stands in place of device and inode.
static bool take_build_id(struct contprof_scan *text, struct contprof_perf_mmap *map) {
  if (!contprof_scan_text(text, " <"))
    return true;
  while (text->end - text->at >= 2 && isxdigit((unsigned char)text->at[0]) &&
         isxdigit((unsigned char)text->at[1]) && map->build_id_size < CONTPROF_BUILD_ID_MAX) {
    map->build_id[map->build_id_size++] = (uint8_t)(nibble(text->at[0]) << 4 | nibble(text->at[1]));
    text->at += 2;
  }
  return contprof_scan_character(text, '>');
}

// "]: PROTECTION PATH", behind device and inode perhaps.
static bool take_path(struct contprof_scan *text, struct contprof_script_record *record) {
  static const char mark[] = "]: ";
  struct contprof_scan protection;
  const char *at = memmem(text->at, (size_t)(text->end - text->at), mark, sizeof mark - 1);
  if (!at)
    return false;
  text->at = at + sizeof mark - 1;
  if (!contprof_scan_word(text, &protection) || !contprof_scan_character(text, ' '))
    return false;
  size_t length = (size_t)(text->end - text->at);
  if (length >= sizeof record->path)
    return false;
  memcpy(record->path, text->at, length);
  record->path[length] = 0;
  record->event.mmap.path = record->path;
  record->event.kernel = record->pid == -1;
  record->is_event =
      record->event.kernel || memchr(protection.at, 'x', (size_t)(protection.end - protection.at));
  return true;
}

static bool read_map(struct contprof_scan *text, struct contprof_script_record *record) {
  record->event.kind = CONTPROF_PERF_MMAP;
  return take_place(text, record) && take_build_id(text, &record->event.mmap) &&
         take_path(text, record);
}

// "(PID:TID):(PARENT:PARENT'S TID)".
static bool take_family(struct contprof_scan *text, struct contprof_script_record *record) {
  int32_t parent_thread;
  return contprof_scan_character(text, '(') && take_ids(text, ':', &record->pid, &record->tid) &&
         contprof_scan_text(text, "):(") &&
         take_ids(text, ':', &record->event.parent, &parent_thread) &&
         contprof_scan_character(text, ')');
}

static bool read_fork(struct contprof_scan *text, struct contprof_script_record *record) {
  record->event.kind = CONTPROF_PERF_FORK;
  if (!take_family(text, record))
    return false;
  record->is_event = record->pid != record->event.parent;
  return true;
}

static bool read_exit(struct contprof_scan *text, struct contprof_script_record *record) {
  record->event.kind = CONTPROF_PERF_EXIT;
  record->is_event = true;
  return take_family(text, record);
}

// " exec: NAME:PID/TID" or ": NAME:PID/TID"; a name may have colons.
static bool read_comm(struct contprof_scan *text, struct contprof_script_record *record) {
  bool exec = contprof_scan_text(text, " exec");
  record->event.kind = exec ? CONTPROF_PERF_EXEC : CONTPROF_PERF_COMM;
  if (!contprof_scan_character(text, ':'))
    return false;
  contprof_scan_character(text, ' ');
  const char *last = memrchr(text->at, ':', (size_t)(text->end - text->at));
  if (!last || (size_t)(last - text->at) >= sizeof record->path)
    return false;
  memcpy(record->path, text->at, (size_t)(last - text->at));
  record->path[last - text->at] = 0;
  record->event.comm = record->path;
  text->at = last + 1;
  if (!take_ids(text, '/', &record->pid, &record->tid))
    return false;
  record->is_event = exec || record->pid == record->tid;
  return true;
}

// " lost COUNT".
static bool read_lost(struct contprof_scan *text, struct contprof_script_record *record) {
  record->event.kind = CONTPROF_PERF_LOST;
  record->is_event = true;
  return contprof_scan_text(text, " lost ") && contprof_scan_decimal(text, &record->event.count);
}

static const struct {
  const char *name;
  record_reader *read;
} kinds[] = {
    {"MMAP2", read_map}, {"MMAP", read_map},  {"FORK", read_fork},
    {"EXIT", read_exit}, {"COMM", read_comm}, {"LOST", read_lost},
};

bool contprof_script_record_read(struct contprof_scan text, struct contprof_script_record *record) {
  record->event = (struct contprof_perf_event){.pid = CONTPROF_NO_PID, .count = 1};
  record->is_event = false;
  record->pid = record->tid = CONTPROF_NO_PID;
  if (!contprof_scan_text(&text, "PERF_RECORD_"))
    return false;
  const char *name = text.at;
  while (text.at < text.end && (isupper((unsigned char)*text.at) || *text.at == '_' ||
                                contprof_scan_is_decimal(*text.at)))
    text.at++;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strlen(kinds[i].name) == (size_t)(text.at - name) &&
        memcmp(kinds[i].name, name, (size_t)(text.at - name)) == 0) {
      bool ok = kinds[i].read(&text, record);
      record->event.pid = record->pid;
      return ok;
    }
  return text.at > name;
}
