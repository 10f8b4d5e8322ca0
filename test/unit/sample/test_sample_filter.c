// Which samples are wanted, and what their events' names tell.
#include "tools/sample/sample_filter.h"

#include <criterion/criterion.h>
#include <stdio.h>

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
  struct contprof_event_notes notes = {0};
  char name[] = "cycles";
  contprof_note_event(&notes, name, 1);
  contprof_note_event(&notes, name, 2);
  contprof_note_event(&notes, "branches", 4);
  contprof_note_event(&notes, NULL, 8);
  contprof_note_event(&notes, "cycles", 16);
  cr_assert_eq(notes.count, 2);
  cr_expect_str_eq(notes.notes[0].name, "cycles");
  cr_expect_eq(notes.notes[0].samples, 19);
  cr_expect_eq(notes.notes[1].samples, 4);
  cr_expect_eq(notes.unnamed, 8);
}

// Of another recording the same memory may hold another name.
Test(sample_filter, names_that_go_are_not_mixed_up) {
  struct contprof_event_notes notes = {0};
  char name[] = "cycles";
  contprof_note_event(&notes, name, 1);
  contprof_notes_detach(&notes);
  name[0] = 'C';
  contprof_note_event(&notes, name, 1);
  cr_expect_eq(notes.count, 2);
}

Test(sample_filter, there_are_no_more_names_than_places) {
  struct contprof_event_notes notes = {0};
  char name[CONTPROF_EVENTS_NOTED + 10][8];
  for (int i = 0; i < CONTPROF_EVENTS_NOTED + 10; i++) {
    snprintf(name[i], sizeof name[i], "e%d", i);
    contprof_note_event(&notes, name[i], 1);
    contprof_note_event(&notes, name[i], 1);
  }
  cr_expect_eq(notes.count, CONTPROF_EVENTS_NOTED);
  cr_expect_eq(notes.notes[CONTPROF_EVENTS_NOTED - 1].samples, 2);
}
