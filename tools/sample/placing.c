#include "placing.h"

#include "../base/memory.h"

#include <stdlib.h>

static struct contprof_spaces *new_spaces(struct contprof_placing *placing) {
  struct contprof_spaces *spaces = contprof_spaces_new(placing->images, placing->count);
  contprof_spaces_note_files(spaces, &placing->seen);
  return spaces;
}

void contprof_placing_begin(struct contprof_placing *placing,
                            struct contprof_binary *const *binaries, size_t count,
                            const struct contprof_convert_options *options) {
  *placing = (struct contprof_placing){.binaries = binaries, .options = options, .count = count};
  placing->images = contprof_need(calloc(count ? count : 1, sizeof *placing->images));
  for (size_t i = 0; i < count; i++)
    placing->images[i] = *contprof_binary_image(binaries[i]);
  placing->spaces = new_spaces(placing);
}

void contprof_placing_free(struct contprof_placing *placing) {
  contprof_spaces_free(placing->spaces);
  contprof_seen_files_free(&placing->seen);
  free(placing->images);
}

void contprof_placing_restart(struct contprof_placing *placing) {
  contprof_spaces_free(placing->spaces);
  placing->spaces = new_spaces(placing);
}

// Of two processes' answers about an address the one that holds for both: a process that has
// nothing there says nothing; if one has a binary there, the other must have the same place of it.
static struct contprof_place agreed(struct contprof_place a, struct contprof_place b) {
  if (a.where == CONTPROF_WHERE_UNMAPPED || b.where == CONTPROF_WHERE_UNMAPPED)
    return a.where == CONTPROF_WHERE_UNMAPPED ? b : a;
  bool is_here = a.where == CONTPROF_WHERE_HERE || b.where == CONTPROF_WHERE_HERE;
  if (is_here && (a.where != b.where || a.image != b.image || a.address != b.address))
    return (struct contprof_place){.where = CONTPROF_WHERE_AMBIGUOUS};
  return a;
}

// A sample without a PID belongs to one of the wanted processes, if there are such.
static struct contprof_place resolve(struct contprof_placing *placing, int32_t pid,
                                     uint64_t address) {
  const struct contprof_convert_options *options = placing->options;
  if (pid != CONTPROF_NO_PID || !options->pid_count)
    return contprof_spaces_resolve(placing->spaces, pid, address);
  struct contprof_place found = {.where = CONTPROF_WHERE_UNMAPPED};
  for (size_t i = 0; i < options->pid_count && found.where != CONTPROF_WHERE_AMBIGUOUS; i++)
    found = agreed(found, contprof_spaces_resolve(placing->spaces, options->pids[i], address));
  return found;
}

static struct contprof_branch_end end_at(const struct contprof_placing *placing,
                                         const struct contprof_place *place) {
  struct contprof_branch_end end = {.binary = CONTPROF_OUTSIDE, .where = place->where};
  if (place->where == CONTPROF_WHERE_OTHER)
    end.file = (uint32_t)place->image;
  if (place->where != CONTPROF_WHERE_HERE)
    return end;
  struct contprof_binary *binary = placing->binaries[place->image];
  if (!(contprof_instruction_at(binary, place->address) & CONTPROF_INSTRUCTION_STARTS))
    return end;
  end.binary = (uint32_t)place->image;
  end.place = place->address;
  return end;
}

struct contprof_branch_end contprof_place_end(struct contprof_placing *placing, int32_t pid,
                                              uint64_t address) {
  struct contprof_place place = resolve(placing, pid, address);
  return end_at(placing, &place);
}

// perf's versions differ in what they print. Addresses of what may stand anywhere are no offsets in
// it; of what is linked to low addresses they may be.
static struct contprof_place address_or_offset(const struct contprof_placing *placing,
                                               struct contprof_place address,
                                               struct contprof_place offset) {
  bool here = offset.where == CONTPROF_WHERE_HERE;
  if (here && !placing->images[offset.image].position_independent)
    return (struct contprof_place){.where = CONTPROF_WHERE_UNMAPPED};
  if (address.where == CONTPROF_WHERE_UNMAPPED)
    return offset;
  bool elsewhere = address.where != CONTPROF_WHERE_HERE || address.image != offset.image;
  bool other = address.where == CONTPROF_WHERE_HERE && offset.where == CONTPROF_WHERE_OTHER;
  return (here && elsewhere) || other ? offset : address;
}

struct contprof_branch_end contprof_place_leaf(struct contprof_placing *placing, int32_t pid,
                                               uint64_t number, const char *path, bool *is_offset) {
  struct contprof_place address = resolve(placing, pid, number);
  struct contprof_place offset = contprof_spaces_in_file(placing->spaces, path, number);
  struct contprof_place place = address_or_offset(placing, address, offset);
  *is_offset = place.where == CONTPROF_WHERE_HERE &&
               (address.where != place.where || address.address != place.address);
  return end_at(placing, &place);
}

bool contprof_is_in_frame_code(const struct contprof_placing *placing,
                               const struct contprof_branch_end *end) {
  struct contprof_binary *binary = placing->binaries[end->binary];
  uint64_t address = end->place;
  const struct contprof_function_range *range = contprof_binary_range_at(binary, address);
  if (range &&
      (range->start == address || contprof_instruction_next(binary, range->start + 1) == address))
    return true;
  uint64_t next = contprof_instruction_next(binary, address + 1);
  return (contprof_instruction_at(binary, address) & CONTPROF_INSTRUCTION_RETURN) ||
         (next != UINT64_MAX &&
          (contprof_instruction_at(binary, next) & CONTPROF_INSTRUCTION_RETURN));
}
