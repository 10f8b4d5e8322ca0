// What contprof sample --help prints.
#ifndef CONTPROF_SAMPLE_HELP_H
#define CONTPROF_SAMPLE_HELP_H

extern const char contprof_sample_help[];

#endif
