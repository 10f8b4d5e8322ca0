// Split DWARF: finds for a skeleton unit the unit that it stands for, in a package (.dwp) or in the
// .dwo file that it names. GNU's form of DWARF 4 and that of DWARF 5 (7.3.2, 7.3.5). As llvm does
// it (DWARFUnit::parseDWO): where there is a package, .dwo files are not looked at. Not
// thread-safe.
#ifndef CONTPROF_SAMPLE_DWARF_SPLIT_H
#define CONTPROF_SAMPLE_DWARF_SPLIT_H

#include "dwarf_unit.h"

struct contprof_dwarf_split; // the split files that are open

// `package` is the .dwp; one that is not there is no error. Copies the path. `skeletons` must
// outlive it.
struct contprof_dwarf_split *contprof_dwarf_split_new(const char *package,
                                                      const struct contprof_dwarf_file *skeletons);
void contprof_dwarf_split_free(struct contprof_dwarf_split *split);

// Sets skeleton->dwo for all units of `file` that are skeletons. They live as long as `split`.
// Returns how many have none.
size_t contprof_dwarf_split_attach(struct contprof_dwarf_split *split,
                                   struct contprof_dwarf_file *file);

#endif
