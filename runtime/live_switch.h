// Changing the live file under running threads: every increment lands in the old or the new file.
#ifndef CONTPROF_RUNTIME_LIVE_SWITCH_H
#define CONTPROF_RUNTIME_LIVE_SWITCH_H

#include <stdbool.h>

// Goes on in a new file under the module's pattern, mapped where the old one is; `carry` takes the
// counts along, and the old file goes unless live.written. Else that stays, released. If
// module->live.written, files that are there already are neither adopted nor replaced. The caller
// holds the module's lock. 0 or a negated errno; then nothing has changed.
//
// An update of one instruction lands in one of the two files, whatever other threads do. One of
// several instructions may carry the old count over: what is too much to have been counted since is
// taken out again (see profile_add.h).
int contprof_switch_file(bool carry);

// Begins anew at nothing counted, in a file that takes the live file's name and its place in
// memory: what other threads count goes to one or the other, each update whole. 0 or a negated
// errno; then all is as before.
int contprof_restart_file(void);

#endif
