// A table by PID against a plain array: values are found, and go, whatever stands around them.
#include "tools/base/mt19937.h"
#include "tools/sample/pid_map.h"

#include <criterion/criterion.h>

enum { PIDS = 500, ROUNDS = 30000 };

// Far apart and near, and negative ones.
static int32_t pid_of(uint32_t i) {
  return i % 3 == 0 ? (int32_t)i : i % 3 == 1 ? (int32_t)(i << 20) : -(int32_t)i;
}

Test(pid_map, empty) {
  struct contprof_pid_map map = {0};
  cr_expect_null(contprof_pid_map_find(&map, 0));
  contprof_pid_map_remove(&map, 0);
  contprof_pid_map_free(&map);
}

Test(pid_map, a_new_value_is_zero) {
  struct contprof_pid_map map = {0};
  contprof_pid_map_need(&map, 7)->number = 3;
  contprof_pid_map_remove(&map, 7);
  cr_expect_null(contprof_pid_map_find(&map, 7));
  cr_expect_eq(contprof_pid_map_need(&map, 7)->number, 0);
  contprof_pid_map_free(&map);
}

Test(pid_map, as_a_plain_array) {
  static uint64_t plain[PIDS]; // 0: none
  struct contprof_pid_map map = {0};
  struct contprof_mt19937 dice = {0};
  size_t count = 0;
  for (uint64_t round = 1; round <= ROUNDS; round++) {
    uint32_t i = contprof_mt19937_below(&dice, PIDS);
    count -= plain[i] != 0;
    if (contprof_mt19937_below(&dice, 2)) {
      contprof_pid_map_remove(&map, pid_of(i));
      plain[i] = 0;
    } else {
      contprof_pid_map_need(&map, pid_of(i))->number = plain[i] = round;
    }
    count += plain[i] != 0;
    uint32_t other = contprof_mt19937_below(&dice, PIDS);
    const union contprof_pid_value *found = contprof_pid_map_find(&map, pid_of(other));
    cr_assert_eq(found ? found->number : 0, plain[other]);
    cr_assert_eq(map.count, count);
  }
  contprof_pid_map_free(&map);
}
