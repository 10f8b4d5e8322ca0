// Sorting the functions of a profile by name. Names of a program have long beginnings in common and
// lie all over memory, so that comparing whole names is dear: what tells them apart is compared
// eight bytes at a time, from a copy beside each pointer.
#ifndef CONTPROF_INSTR_NAME_ORDER_H
#define CONTPROF_INSTR_NAME_ORDER_H

#include "profile.h"

// Sorts by the names' bytes (of two that begin alike the shorter one first), then by hash.
void contprof_name_order(struct contprof_function **functions, size_t count);

#endif
