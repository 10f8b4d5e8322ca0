// The value data behind an image of a raw profile: for each function that has value sites, in the
// data's order, what the sites have seen.
// Layout: ValueProfData and ValueProfRecord in compiler-rt's profile/InstrProfData.inc.
#ifndef CONTPROF_INSTR_RAW_VALUES_H
#define CONTPROF_INSTR_RAW_VALUES_H

#include "address_map.h"
#include "raw_image.h"

// What turns the addresses a program has recorded into names. Not owned.
struct contprof_raw_targets {
  const struct contprof_address_map *functions, *vtables;
  uint64_t moved; // how far the program's addresses are above those of the maps; may be "negative"
};

// Reads the value data at the cursor's place into the sites of `function`, which was added to
// `profile` with the record's numbers of sites. A record without sites has no value data. Unused
// slots (count 0) are left out, addresses not known become 0.
bool contprof_raw_take_values(struct contprof_cursor *file, const struct contprof_raw_image *image,
                              const struct contprof_raw_targets *targets,
                              struct contprof_profile *profile, struct contprof_function *function);

#endif
