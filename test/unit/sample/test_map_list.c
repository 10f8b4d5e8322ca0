// Lists of what is mapped: replaced ranges, joined neighbours, sharing.
#include "tools/sample/map_list.h"

#include <criterion/criterion.h>

static struct contprof_map_range range(uint64_t start, uint64_t end, uint64_t slide) {
  return (struct contprof_map_range){
      .start = start, .end = end, .slide = slide, .where = CONTPROF_WHERE_HERE};
}

static void put(struct contprof_map_list **list, uint64_t start, uint64_t end, uint64_t slide) {
  struct contprof_map_range new = range(start, end, slide);
  contprof_map_list_put(list, &new);
}

static uint64_t slide_at(const struct contprof_map_list *list, uint64_t address) {
  const struct contprof_map_range *found = contprof_map_list_find(list, address);
  return found ? found->slide : 0;
}

Test(map_list, null_is_the_empty_list) {
  cr_expect_null(contprof_map_list_find(NULL, 0));
  cr_expect_eq(contprof_map_list_seek(NULL, 0), 0);
  cr_expect_null(contprof_map_list_share(NULL));
  contprof_map_list_drop(NULL);
}

Test(map_list, a_range_in_the_middle_makes_three) {
  struct contprof_map_list *list = NULL;
  put(&list, 100, 200, 1);
  put(&list, 140, 160, 2);
  cr_expect_eq(list->count, 3);
  cr_expect_eq(slide_at(list, 139), 1);
  cr_expect_eq(slide_at(list, 140), 2);
  cr_expect_eq(slide_at(list, 159), 2);
  cr_expect_eq(slide_at(list, 160), 1);
  cr_expect_null(contprof_map_list_find(list, 200));
  contprof_map_list_drop(list);
}

Test(map_list, a_range_over_several_leaves_their_ends) {
  struct contprof_map_list *list = NULL;
  put(&list, 100, 120, 1);
  put(&list, 130, 150, 2);
  put(&list, 160, 180, 3);
  put(&list, 110, 170, 4);
  cr_expect_eq(list->count, 3);
  cr_expect_eq(slide_at(list, 109), 1);
  cr_expect_eq(slide_at(list, 125), 4);
  cr_expect_eq(slide_at(list, 169), 4);
  cr_expect_eq(slide_at(list, 170), 3);
  contprof_map_list_drop(list);
}

Test(map_list, neighbours_that_agree_become_one) {
  struct contprof_map_list *list = NULL;
  for (uint64_t i = 0; i < 1000; i += 2)
    put(&list, i * 10, i * 10 + 10, 7);
  for (uint64_t i = 1; i < 1000; i += 2)
    put(&list, i * 10, i * 10 + 10, 7);
  cr_expect_eq(list->count, 1);
  cr_expect_eq(list->ranges[0].end, 10000);
  contprof_map_list_drop(list);
}

Test(map_list, a_change_leaves_other_holders_alone) {
  struct contprof_map_list *parent = NULL;
  put(&parent, 100, 200, 1);
  struct contprof_map_list *child = contprof_map_list_share(parent);
  cr_expect_eq(child, parent);
  put(&child, 100, 150, 2);
  cr_expect_neq(child, parent);
  cr_expect_eq(slide_at(parent, 120), 1);
  cr_expect_eq(slide_at(child, 120), 2);
  cr_expect_eq(slide_at(child, 170), 1);
  struct contprof_map_list *alone = child;
  put(&child, 300, 310, 3); // nobody else has it any more: no copy
  cr_expect_eq(child, alone);
  contprof_map_list_drop(parent);
  contprof_map_list_drop(child);
}
