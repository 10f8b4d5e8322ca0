// What contprof knows of clang's options, so as to tell inputs from options' values.
#ifndef CONTPROF_DRIVER_CLANG_OPTIONS_H
#define CONTPROF_DRIVER_CLANG_OPTIONS_H

#include <stdbool.h>

// True if `option`, standing alone as one word, takes the next word as its value. Asked of clang
// 14, 16 and 19 themselves: options for which they say "argument to ... is missing".
bool contprof_option_takes_value(const char *option);

// True if `option` ends the work before any code is generated (-E, -M, -fsyntax-only...).
bool contprof_option_makes_text(const char *option);

// True if `option` ends the work with generated code (-c, -S...).
bool contprof_option_makes_code(const char *option);

#endif
