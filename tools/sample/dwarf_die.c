// Entries, their attributes, and what is found through references between them.
#include "dwarf_unit.h"

#include "../base/cursor.h"

// --- walks --------------------------------------------------------------------------------------

struct contprof_die_walk contprof_die_walk(const struct contprof_dwarf_unit *unit) {
  return (struct contprof_die_walk){.unit = unit};
}

uint64_t contprof_die_offset(const struct contprof_dwarf_unit *unit, const Dwarf_Die *die) {
  return (uint64_t)((const uint8_t *)die->addr - unit->file->sections[CONTPROF_DEBUG_INFO].bytes);
}

Dwarf_Die contprof_die_at(const struct contprof_dwarf_unit *unit, uint64_t offset) {
  const uint8_t *at = unit->file->sections[CONTPROF_DEBUG_INFO].bytes + offset;
  return (Dwarf_Die){.addr = (void *)at, .cu = unit->root.cu};
}

// Goes on behind the null entry at `at`, and behind those that end more rows of siblings.
static bool leave_rows(struct contprof_die_walk *walk, const uint8_t *at, Dwarf_Die *next) {
  const uint8_t *end = walk->unit->file->sections[CONTPROF_DEBUG_INFO].bytes + walk->unit->end;
  for (; at && at < end && *at == 0; at++)
    if (walk->depth-- <= 1)
      return false;
  *next = (Dwarf_Die){.addr = (void *)at, .cu = walk->die.cu};
  return at && at < end;
}

// libdw goes from parent to child and from sibling to sibling, and behind a row of siblings it
// tells where that ends. Asking it for the sibling of an entry with children would have it read all
// of them, once for each level.
bool contprof_die_next(struct contprof_die_walk *walk) {
  Dwarf_Die next = walk->unit->root;
  if (walk->die.addr) {
    int child = dwarf_child(&walk->die, &next);
    if (child < 0 || (child > 0 && walk->depth == 0))
      return false;
    int sibling = child == 0 ? 0 : dwarf_siblingof(&walk->die, &next);
    if (sibling < 0 || (sibling > 0 && !leave_rows(walk, next.addr, &next)))
      return false;
    walk->depth += child == 0;
  }
  walk->die = next;
  return dwarf_tag(&walk->die) != DW_TAG_invalid;
}

// --- attributes ---------------------------------------------------------------------------------

const char *contprof_die_string(Dwarf_Die *die, unsigned name) {
  Dwarf_Attribute attribute;
  return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

const char *contprof_die_name(Dwarf_Die *die) {
  static const unsigned NAMES[] = {DW_AT_MIPS_linkage_name, DW_AT_linkage_name, DW_AT_name};
  const char *name = NULL;
  for (size_t i = 0; !name && i < sizeof NAMES / sizeof *NAMES; i++) {
    Dwarf_Attribute attribute;
    name = dwarf_formstring(dwarf_attr_integrate(die, NAMES[i], &attribute));
  }
  return name;
}

uint64_t contprof_die_number(Dwarf_Die *die, unsigned name) {
  Dwarf_Attribute attribute;
  uint64_t number;
  return dwarf_formudata(dwarf_attr(die, name, &attribute), &number) ? 0 : number;
}

uint64_t contprof_die_number_through(Dwarf_Die *die, unsigned name) {
  Dwarf_Attribute attribute;
  uint64_t number;
  return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &number) ? 0 : number;
}

// DWARFUnit::getAddrOffsetSectionItem.
bool contprof_unit_address(const struct contprof_dwarf_unit *unit, uint64_t index,
                           uint64_t *address) {
  uint64_t size = unit->address_size;
  return index < unit->addresses.size / size &&
         contprof_unsigned_at(unit->addresses.bytes, unit->addresses.size, index * size,
                              unit->address_size, address);
}

// libdw would look an index up in the unit's own file, where a split unit has no addresses.
bool contprof_attribute_address(const struct contprof_dwarf_unit *unit, Dwarf_Attribute *attribute,
                                uint64_t *address) {
  uint64_t index;
  switch (dwarf_whatform(attribute)) {
  case DW_FORM_addr:
    return dwarf_formaddr(attribute, address) == 0;
  case DW_FORM_addrx:
  case DW_FORM_addrx1:
  case DW_FORM_addrx2:
  case DW_FORM_addrx3:
  case DW_FORM_addrx4:
  case DW_FORM_GNU_addr_index:
    return !dwarf_formudata(attribute, &index) && contprof_unit_address(unit, index, address);
  default:
    return false;
  }
}
