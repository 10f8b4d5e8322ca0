// The values of a site in the order llvm-profdata keeps and prints them, hottest first.
// Source: InstrProfValueSiteRecord::sortByCount in llvm/ProfileData/InstrProf.h.
#ifndef CONTPROF_INSTR_HOT_VALUES_H
#define CONTPROF_INSTR_HOT_VALUES_H

#include "profile.h"

// A copy of the site's values, by falling count; values seen equally often stay in their order.
// Free with free(); NULL if the site has none.
struct contprof_value *contprof_hot_values(const struct contprof_value_site *site);

// The same in the order of the file that the site was read from, as llvm-profdata show prints them;
// but a site that was put together of several comes hottest first.
struct contprof_value *contprof_values_as_read(const struct contprof_value_site *site);

#endif
