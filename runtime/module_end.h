// The end of a module: of the process, or of a shared object that is unloaded.
//
// A shared object's code may run after its own destructors: another module's destructors call it,
// and so do threads while the process exits. Such counts are kept; only an object that is really
// unloaded leaves its live file.
#ifndef CONTPROF_RUNTIME_MODULE_END_H
#define CONTPROF_RUNTIME_MODULE_END_H

// To be called once, at start, for contprof_end to tell the exit of the process from an unloading.
void contprof_watch_exit(void);

// To be called as the module's last destructor.
void contprof_end(void);

#endif
