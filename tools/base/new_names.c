#include "new_names.h"

#include "file_view.h"
#include "line_reader.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static void add(struct contprof_renames *renames, const char *old, size_t old_length,
                const char *renamed, size_t length) {
  size_t at = renames->old.count;
  struct contprof_name name = {
      .ref = contprof_name_ref(old, old_length), .text = old, .length = old_length};
  contprof_name_table_add(&renames->old, &name);
  if (renames->old.count == at)
    return; // it has one already
  if (at == renames->room) {
    renames->room = renames->room ? renames->room * 2 : 64;
    renames->renamed = contprof_need_array(renames->renamed, renames->room, sizeof name);
  }
  renames->renamed[at] =
      (struct contprof_name){.ref = contprof_name_ref(renamed, length),
                             .text = contprof_arena_string(&renames->arena, renamed, length),
                             .length = length};
}

static bool take_line(struct contprof_renames *renames, struct contprof_line_reader *lines) {
  const char *end = lines->line + lines->length;
  const char *blank = memchr(lines->line, ' ', lines->length);
  if (!blank || blank == lines->line || blank + 1 == end ||
      memchr(blank + 1, ' ', (size_t)(end - blank - 1)) || memchr(lines->line, 0, lines->length))
    return contprof_line_is_not(lines, "'old_symbol new_symbol'");
  add(renames, lines->line, (size_t)(blank - lines->line), blank + 1, (size_t)(end - blank - 1));
  contprof_next_line(lines);
  return true;
}

bool contprof_renames_read(struct contprof_renames *renames, const char *path,
                           struct contprof_error *error) {
  struct contprof_file_view file;
  if (!contprof_file_open(path, &file, error))
    return false;
  struct contprof_line_reader lines = contprof_lines_over(file.bytes, file.size, file.path, error);
  bool ok = true;
  while (ok && contprof_has_line(&lines))
    ok = take_line(renames, &lines);
  contprof_file_close(&file);
  return ok;
}

const struct contprof_name *contprof_renames_find(const struct contprof_renames *renames,
                                                  uint64_t name_ref) {
  const struct contprof_name *old = contprof_name_table_find(&renames->old, name_ref);
  return old ? &renames->renamed[old - renames->old.names] : NULL;
}

void contprof_renames_free(struct contprof_renames *renames) {
  contprof_name_table_free(&renames->old);
  contprof_arena_free(&renames->arena);
  free(renames->renamed);
  *renames = (struct contprof_renames){0};
}
