// A line of text with columns that begin at fixed places, as llvm::formatted_raw_ostream makes
// them: between two columns there is a blank at least, also before the first.
#ifndef CONTPROF_COLUMN_TEXT_H
#define CONTPROF_COLUMN_TEXT_H

#include <stdio.h>

struct contprof_column_line {
  FILE *to;
  int width; // characters of the line so far
};

// Begins a line on `to`.
struct contprof_column_line contprof_column_line_begin(FILE *to);

// Blanks up to `column`, counted from 0, or one if the line has come further.
void contprof_column_start(struct contprof_column_line *line, int column);

void contprof_column_print(struct contprof_column_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
