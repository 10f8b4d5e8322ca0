#include "tools/base/arena.h"

#include <criterion/criterion.h>
#include <string.h>

static bool all_zero(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i])
      return false;
  return true;
}

// Each piece is filled after it was checked, so that one that overlaps another is found out.
Test(arena, gives_zeros_that_do_not_overlap) {
  struct contprof_arena arena = {0};
  for (size_t size = 1; size < 3000; size++) {
    unsigned char *piece = contprof_arena_zeros(&arena, size, 1);
    cr_assert_eq((uintptr_t)piece % _Alignof(max_align_t), 0);
    cr_assert(all_zero(piece, size));
    memset(piece, 0xff, size);
  }
  contprof_arena_free(&arena);
}

Test(arena, gives_pieces_larger_than_a_block) {
  struct contprof_arena arena = {0};
  size_t size = 3 << 20;
  unsigned char *large = contprof_arena_zeros(&arena, size / 8, 8);
  cr_assert(all_zero(large, size));
  memset(large, 1, size);
  cr_assert(all_zero(contprof_arena_zeros(&arena, 16, 1), 16));
  contprof_arena_free(&arena);
}

Test(arena, copies_strings) {
  struct contprof_arena arena = {0};
  cr_assert_str_eq(contprof_arena_string(&arena, "abcdef", 3), "abc");
  cr_assert_str_eq(contprof_arena_string(&arena, NULL, 0), "");
  contprof_arena_free(&arena);
}

Test(arena, is_usable_after_free) {
  struct contprof_arena arena = {0};
  contprof_arena_zeros(&arena, 10, 10);
  contprof_arena_free(&arena);
  cr_assert_null(arena.blocks);
  cr_assert_not_null(contprof_arena_zeros(&arena, 10, 10));
  contprof_arena_free(&arena);
}
