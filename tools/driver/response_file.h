// Response files: `@FILE` on a command line stands for the words in FILE, which may name further
// response files. The rules are clang's own on Unix (llvm/Support/CommandLine.h,
// TokenizeGNUCommandLine): words parted by white space; a backslash takes the next character as it
// is, inside quotes too; a word may mix quoted and bare parts. `@FILE` that can't be read is an
// ordinary word. Relative names are relative to the working directory, also in nested files.
#ifndef CONTPROF_DRIVER_RESPONSE_FILE_H
#define CONTPROF_DRIVER_RESPONSE_FILE_H

#include "word_list.h"

// Appends the words in the `size` bytes of `text` to `list`, splitting only: `@` means nothing.
void contprof_response_split(const char *text, size_t size, struct contprof_word_list *list);

// Appends `words` (up to its NULL) to `list`, each response file replaced by what it holds. A file
// that includes itself, directly or through others, is left as it stands at some depth.
void contprof_response_expand(const char *const *words, struct contprof_word_list *list);

// The words, quoted so that splitting gives them back, one a line. In the list's arena.
const char *contprof_response_join(const struct contprof_word_list *list, size_t *size);

#endif
