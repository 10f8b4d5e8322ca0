// Changing the live file under running threads: every increment lands in the old or the new file.
#ifndef CONTPROF_RUNTIME_LIVE_SWITCH_H
#define CONTPROF_RUNTIME_LIVE_SWITCH_H

#include <stdbool.h>

// Goes on in a new file under the module's pattern, mapped where the old one is; `carry` takes the
// counts along. The old file stays with what it has. The caller holds the module's lock. 0 or a
// negated errno; then nothing has changed.
int contprof_switch_file(bool carry);

#endif
