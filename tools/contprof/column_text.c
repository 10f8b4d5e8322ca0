#include "column_text.h"

#include <stdarg.h>

struct contprof_column_line contprof_column_line_begin(FILE *to) {
  return (struct contprof_column_line){.to = to};
}

void contprof_column_start(struct contprof_column_line *line, int column) {
  int blanks = column > line->width ? column - line->width : 1;
  line->width += fprintf(line->to, "%*s", blanks, "");
}

void contprof_column_print(struct contprof_column_line *line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  line->width += vfprintf(line->to, format, arguments);
  va_end(arguments);
}
