// Changing the live file under running threads: every increment lands in the old or the new file.
#ifndef CONTPROF_RUNTIME_LIVE_SWITCH_H
#define CONTPROF_RUNTIME_LIVE_SWITCH_H

// What becomes of the counts so far.
enum contprof_change {
  CONTPROF_ROTATE, // they stay in the old file, released; the new one is named by the pattern
  CONTPROF_MOVE,   // they come along to a file named by the pattern; the old one goes, if unwritten
  CONTPROF_RESET,  // they go: a file at nothing counted takes the old one's name
};

// Goes on in another file, mapped where the old one is. If module->live.written, files that are
// there already are neither adopted nor replaced. The caller holds the module's lock. 0 or a
// negated errno; then nothing has changed.
//
// An update of one instruction lands in one of the two files, whatever other threads do. One of
// several instructions may carry the old count over: what is too much to have been counted since is
// taken out again (see profile_add.h).
int contprof_switch_file(enum contprof_change change);

#endif
