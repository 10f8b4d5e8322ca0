// Entries, their attributes, and what is found through references between them.
#include "dwarf_abbrev.h"

// How many entries a chain of references may have; LLVM follows any number of distinct ones, real
// ones have three.
enum { MOST_REFERENCES = 64 };

static struct contprof_cursor cursor_at(struct contprof_dwarf_unit *unit, uint64_t offset,
                                        struct contprof_error *error) {
  error->code = CONTPROF_OK; // the rest is filled with the code
  return contprof_cursor_over(unit->file->info.bytes + offset, unit->end - offset, offset,
                              unit->file->elf->path, ".debug_info", error);
}

bool contprof_die_at(struct contprof_dwarf_unit *unit, uint64_t offset, struct contprof_die *die) {
  if (offset < unit->first_die || offset >= unit->end)
    return false;
  if (!unit->abbrevs)
    unit->abbrevs = contprof_abbrevs_load(unit);
  struct contprof_error error;
  struct contprof_cursor cursor = cursor_at(unit, offset, &error);
  uint64_t code = contprof_take_uleb128(&cursor);
  if (error.code != CONTPROF_OK)
    return false;
  *die = (struct contprof_die){unit, offset, offset + cursor.offset, NULL};
  if (code)
    die->abbrev = contprof_abbrev_of(unit->abbrevs, code);
  return !code || die->abbrev;
}

// --- attributes ---------------------------------------------------------------------------------

// NULL if no abbreviation of the unit has any.
static const struct contprof_abbrev_attribute *attributes_of(const struct contprof_die *die) {
  const struct contprof_abbrev_attribute *all = die->unit->abbrevs->attributes;
  return all ? all + die->abbrev->first : NULL;
}

// Takes the values of the first `count` attributes; `value` is the last of them.
static bool take_up_to(const struct contprof_die *die, uint32_t count,
                       struct contprof_dwarf_value *value, uint64_t *end) {
  const struct contprof_abbrev_attribute *attributes = attributes_of(die);
  struct contprof_form_sizes sizes = contprof_unit_sizes(die->unit);
  uint32_t from = 0; // the last one whose place is settled
  while (from + 1 < count && attributes[from + 1].at >= 0)
    from++;
  uint64_t start = die->attributes + (count ? (uint64_t)attributes[from].at : 0);
  if (start > die->unit->end)
    return false;
  struct contprof_error error;
  struct contprof_cursor cursor = cursor_at(die->unit, start, &error);
  for (uint32_t i = from; i < count; i++)
    if (!contprof_take_form(&cursor, attributes[i].form, &sizes, value))
      return false;
  *end = start + cursor.offset;
  return true;
}

bool contprof_die_find(const struct contprof_die *die, uint32_t name,
                       struct contprof_dwarf_value *value) {
  if (!die->abbrev)
    return false;
  const struct contprof_abbrev_attribute *attributes = attributes_of(die);
  uint32_t i = 0;
  while (i < die->abbrev->count && attributes[i].name != name)
    i++;
  uint64_t end;
  if (i == die->abbrev->count || !take_up_to(die, i + 1, value, &end))
    return false;
  if (value->form == DW_FORM_implicit_const)
    value->number = (uint64_t)attributes[i].constant;
  return true;
}

// --- walks --------------------------------------------------------------------------------------

struct contprof_die_walk contprof_die_walk(struct contprof_dwarf_unit *unit) {
  return (struct contprof_die_walk){.die = {.unit = unit}, .next = unit->first_die};
}

// The offset behind an entry.
static bool end_of(const struct contprof_die *die, uint64_t *end) {
  *end = die->attributes + (die->abbrev ? (uint64_t)die->abbrev->size : 0);
  if (!die->abbrev || die->abbrev->size >= 0)
    return *end <= die->unit->end;
  struct contprof_dwarf_value value;
  return take_up_to(die, die->abbrev->count, &value, end);
}

bool contprof_die_next(struct contprof_die_walk *walk) {
  bool first = walk->next == walk->die.unit->first_die;
  if (walk->parent)
    walk->depth++;
  else if (!first && walk->depth == 0)
    return false;
  for (;;) {
    if (!contprof_die_at(walk->die.unit, walk->next, &walk->die) ||
        !end_of(&walk->die, &walk->next))
      return false;
    if (walk->die.abbrev)
      break;
    if (walk->depth <= 1)
      return false;
    walk->depth--;
  }
  walk->parent = walk->die.abbrev->has_children;
  return true;
}

// --- through references -------------------------------------------------------------------------

// The entries still to be looked at, as DWARFDie::findRecursively goes through them.
struct references {
  struct contprof_die dies[MOST_REFERENCES];
  size_t next; // on the stack
  size_t seen; // pushed altogether
};

static void push_reference(struct references *references, const struct contprof_die *from,
                           uint32_t name) {
  struct contprof_dwarf_value value;
  struct contprof_die die;
  if (references->seen == MOST_REFERENCES || references->next == MOST_REFERENCES ||
      !contprof_die_find(from, name, &value) || !contprof_value_reference(from->unit, &value, &die))
    return;
  references->seen++;
  references->dies[references->next++] = die;
}

// The first of two attributes (or of one, `other` being 0) that the entry or one that it refers to
// has.
static bool find_through(const struct contprof_die *die, uint32_t name, uint32_t other,
                         struct contprof_die *where, struct contprof_dwarf_value *value) {
  struct references references;
  references.dies[0] = *die;
  references.next = references.seen = 1;
  while (references.next > 0) {
    *where = references.dies[--references.next];
    if (contprof_die_find(where, name, value) || (other && contprof_die_find(where, other, value)))
      return true;
    struct contprof_die from = *where;
    push_reference(&references, &from, DW_AT_abstract_origin);
    push_reference(&references, &from, DW_AT_specification);
  }
  return false;
}

const char *contprof_die_name(const struct contprof_die *die) {
  struct contprof_die where;
  struct contprof_dwarf_value value;
  const char *name = NULL;
  if (find_through(die, DW_AT_MIPS_linkage_name, DW_AT_linkage_name, &where, &value))
    name = contprof_value_string(where.unit, &value);
  if (!name && find_through(die, DW_AT_name, 0, &where, &value))
    name = contprof_value_string(where.unit, &value);
  return name;
}

uint64_t contprof_die_decl_line(const struct contprof_die *die) {
  struct contprof_die where;
  struct contprof_dwarf_value value;
  uint64_t line;
  return find_through(die, DW_AT_decl_line, 0, &where, &value) &&
                 contprof_value_unsigned(&value, &line)
             ? line
             : 0;
}
