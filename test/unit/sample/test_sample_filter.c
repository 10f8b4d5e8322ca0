// Which samples are wanted, and what their events' names tell.
#include "tools/sample/sample_filter.h"

#include <criterion/criterion.h>

Test(sample_filter, without_lists_all_are_wanted) {
  struct contprof_convert_options options = {0};
  cr_expect(contprof_is_wanted_event(&options, "cycles"));
  cr_expect(contprof_is_wanted_event(&options, NULL));
  cr_expect(contprof_is_wanted_pid(&options, 7));
}

Test(sample_filter, lists_name_what_is_wanted) {
  static const int32_t PIDS[] = {3, 7};
  static const char *const EVENTS[] = {"cycles:u"};
  struct contprof_convert_options options = {
      .pids = PIDS, .pid_count = 2, .events = EVENTS, .event_count = 1};
  cr_expect(contprof_is_wanted_pid(&options, 7));
  cr_expect_not(contprof_is_wanted_pid(&options, 8));
  cr_expect(contprof_is_wanted_event(&options, "cycles:u"));
  cr_expect_not(contprof_is_wanted_event(&options, "cycles"));
}

Test(sample_filter, what_is_not_told_is_wanted) {
  static const int32_t PIDS[] = {3};
  static const char *const EVENTS[] = {"cycles:u"};
  struct contprof_convert_options options = {
      .pids = PIDS, .pid_count = 1, .events = EVENTS, .event_count = 1};
  cr_expect(contprof_is_wanted_pid(&options, CONTPROF_NO_PID));
  cr_expect(contprof_is_wanted_event(&options, NULL));
}

Test(sample_filter, names_are_taken_note_of) {
  struct contprof_name_notes notes = {0};
  contprof_note_event(&notes, "cycles");
  contprof_note_event(&notes, "cycles");
  cr_expect(notes.told.named);
  cr_expect_not(notes.told.several);
  cr_expect_not(notes.told.unnamed);
  contprof_note_event(&notes, "branches");
  contprof_note_event(&notes, NULL);
  cr_expect(notes.told.several);
  cr_expect(notes.told.unnamed);
}
