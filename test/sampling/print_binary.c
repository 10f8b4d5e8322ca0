// print-binary MODE BINARY [DEBUG-BINARY|- [DWP]]: what tools/sample/binary.h says about a binary,
// for comparison with LLVM's tools.
//
//   functions      START END entry|part NAME, of every function range
//   instructions   ADDRESS SIZE [transfer] [barrier] [return], of every instruction
//   locations      ADDRESS FRAME @ FRAME..., of every instruction, innermost first, as
//                  llvm-profgen --show-disassembly-only --show-source-locations writes them
//   summary        how many functions, ranges, missing .dwo files and so on
#include "tools/sample/binary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_functions(struct contprof_binary *binary) {
  const struct contprof_function_range **ranges;
  size_t count = contprof_binary_ranges(binary, &ranges);
  for (size_t i = 0; i < count; i++)
    printf("%" PRIx64 " %" PRIx64 " %s %s\n", ranges[i]->start, ranges[i]->end,
           ranges[i]->is_entry ? "entry" : "part", ranges[i]->function->name);
}

static void print_instructions(struct contprof_binary *binary) {
  for (uint64_t at = contprof_instruction_next(binary, 0); at != UINT64_MAX;
       at = contprof_instruction_next(binary, at + 1)) {
    unsigned flags = contprof_instruction_at(binary, at);
    printf("%" PRIx64 " %u%s%s%s\n", at, contprof_instruction_size(binary, at),
           flags & CONTPROF_INSTRUCTION_TRANSFER ? " transfer" : "",
           flags & CONTPROF_INSTRUCTION_BARRIER ? " barrier" : "",
           flags & CONTPROF_INSTRUCTION_RETURN ? " return" : "");
  }
}

static void print_frames(const struct contprof_location *location) {
  for (size_t i = location->frame_count; i-- > 0;) {
    const struct contprof_frame *frame = &location->frames[i];
    printf("%s:%u", frame->name, frame->line_offset);
    if (frame->discriminator)
      printf(".%u", frame->discriminator);
    printf("%s", i ? " @ " : "");
  }
}

static void print_locations(struct contprof_binary *binary) {
  for (uint64_t at = contprof_instruction_next(binary, 0); at != UINT64_MAX;
       at = contprof_instruction_next(binary, at + 1)) {
    printf("%" PRIx64 " ", at);
    print_frames(contprof_binary_locate(binary, at));
    printf("\n");
  }
}

static void print_summary(struct contprof_binary *binary) {
  const struct contprof_binary_function **functions;
  const struct contprof_function_range **ranges;
  printf("functions %zu\n", contprof_binary_functions(binary, &functions));
  printf("ranges %zu\n", contprof_binary_ranges(binary, &ranges));
  printf("missing dwo %zu\n", contprof_binary_missing_dwo(binary));
  printf("fs discriminators %d\n", contprof_binary_fs_discriminators(binary));
  printf("text base %" PRIx64 "\n", contprof_binary_text_base(binary));
  printf("load base %" PRIx64 "\n", contprof_binary_load_base(binary));
  const struct contprof_image *image = contprof_binary_image(binary);
  printf("build id ");
  for (size_t i = 0; i < image->build_id_size; i++)
    printf("%02x", image->build_id[i]);
  printf("\n");
}

static const struct {
  const char *name;
  void (*print)(struct contprof_binary *binary);
} MODES[] = {
    {"functions", print_functions},
    {"instructions", print_instructions},
    {"locations", print_locations},
    {"summary", print_summary},
};

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  struct contprof_binary_options options = {.path = argv[2]};
  if (argc > 3 && strcmp(argv[3], "-") != 0)
    options.debug_binary = argv[3];
  if (argc > 4)
    options.dwp = argv[4];
  struct contprof_error error;
  contprof_error_clear(&error);
  struct contprof_binary *binary = contprof_binary_open(&options, &error);
  if (!binary) {
    char text[1200];
    fprintf(stderr, "%s\n", contprof_error_text(&error, text, sizeof text));
    return 1;
  }
  for (size_t i = 0; i < sizeof MODES / sizeof MODES[0]; i++)
    if (!strcmp(argv[1], MODES[i].name))
      MODES[i].print(binary);
  contprof_binary_close(binary);
  return 0;
}
