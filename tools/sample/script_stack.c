#include "script_stack.h"

#include "../base/memory.h"

#include <stdlib.h>

// True if a file's name may end before `at`: what follows is the other address, or the flags, of
// which the first is the prediction, or nothing. A name may hold parentheses, slashes and spaces.
static bool is_behind_file(const char *at, const char *end) {
  if (at == end || *at == ' ')
    return true;
  if (*at != '/' || end - at < 2)
    return false;
  char last = end - at == 2 ? ' ' : at[2];
  return memchr("PMN-", at[1], 4) ? last == '/' || last == ' ' : at[1] == '0' && last == 'x';
}

// "(FILE)" behind an address.
static bool pass_file(struct contprof_scan *text) {
  if (!contprof_scan_sees(text, '('))
    return true;
  const char *at = text->at;
  while ((at = memchr(at, ')', (size_t)(text->end - at)))) {
    at++;
    if (is_behind_file(at, text->end)) {
      text->at = at;
      return true;
    }
  }
  return false;
}

// As llvm-profgen does, two characters are passed over for the prefix, whatever they are.
static bool take_address(struct contprof_scan *text, uint64_t *address) {
  const char *at = text->at;
  if (text->end - at < 3 || at[0] == ' ' || at[0] == '/' || at[1] == ' ' || at[1] == '/')
    return false;
  text->at += 2;
  return contprof_scan_hex(text, address) && pass_file(text);
}

static bool take_branch(struct contprof_scan *text, struct contprof_branch *branch) {
  if (!take_address(text, &branch->from) || !contprof_scan_character(text, '/') ||
      !take_address(text, &branch->to))
    return false;
  const char *at = text->at, *end = text->end;
  if (at < end && *at != '/' && *at != ' ')
    return false;
  while (at < end && *at != ' ')
    at++;
  text->at = at;
  return true;
}

static void pass_spaces(struct contprof_scan *text) {
  while (contprof_scan_sees(text, ' '))
    text->at++;
}

bool contprof_script_is_branch(struct contprof_scan text) {
  struct contprof_branch branch;
  return take_branch(&text, &branch);
}

bool contprof_script_stack_read(struct contprof_script_stack *stack, struct contprof_scan text) {
  stack->count = 0;
  for (pass_spaces(&text); !contprof_scan_is_at_end(&text); pass_spaces(&text)) {
    if (stack->count == stack->room) {
      stack->room = stack->room ? stack->room * 2 : 32;
      stack->branches = contprof_need_array(stack->branches, stack->room, sizeof *stack->branches);
    }
    if (!take_branch(&text, &stack->branches[stack->count]))
      return false;
    stack->count++;
  }
  return true;
}

void contprof_script_stack_free(struct contprof_script_stack *stack) {
  free(stack->branches);
  *stack = (struct contprof_script_stack){0};
}
