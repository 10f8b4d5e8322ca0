// walk_code [--ip] OUT SEED SAMPLES PID... -- PATH BIAS ADDRESS OFFSET SIZE LISTING [PATH ...]
//
// Writes a perf.data file with branch stacks for code that nobody has run: walks at random through
// what llvm-objdump -d has printed (LISTING) of each binary (x86-64 or AArch64), taking branches,
// calls and returns as the instructions have them. Conditions and indirect targets are thrown,
// calls into other files go to another of the binaries or to where there is none. PATH is what the
// recording calls the binary; ADDRESS, OFFSET and SIZE are those of its executable segment. Process
// I (from 0) has it BIAS + I * 0x10000000 above its own addresses. All numbers as C has them.
#include "recording.h"

#include "tools/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { PLAIN, JUMP, CONDITIONAL, CALL, RETURN, INDIRECT_JUMP, INDIRECT_CALL, STOP };

struct instruction {
  uint64_t address;
  uint64_t target; // of a direct branch
  enum kind kind;
  bool entry; // the first one behind a label
};

enum { STACK = 32, DEEPEST = 12, PAGE = 4096, SPREAD = 0x10000000, ROUND = 4096 };

// Where code is that is none of the binaries'.
#define ELSEWHERE UINT64_C(0x7f0000000000)
enum { PLACES_ELSEWHERE = 1000 };

struct code {
  const char *path;
  uint64_t bias, address, offset, size;
  struct instruction *instructions; // sorted by address; owned
  size_t count;
  size_t *entries; // indices; owned
  size_t entry_count;
};

// A place to return to.
struct frame {
  const struct code *code;
  size_t index;
};

struct walk {
  struct code *codes;
  size_t code_count;
  uint64_t random;
  const struct code *code; // where it is
  size_t index;
  struct frame frames[DEEPEST];
  size_t depth;
  uint64_t shift;                          // of the process
  struct recording_branch branches[STACK]; // newest first
  size_t branch_count;
  bool ip_only;
};

// --- listings -----------------------------------------------------------------------------------

static bool begins(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_word(const char *text, const char *word) {
  return strcspn(text, " \t\n") == strlen(word) && begins(text, word);
}

static enum kind arm_kind(const char *mnemonic) {
  if (begins(mnemonic, "b.") || begins(mnemonic, "cbz") || begins(mnemonic, "cbnz") ||
      begins(mnemonic, "tbz") || begins(mnemonic, "tbnz"))
    return CONDITIONAL;
  if (begins(mnemonic, "brk") || begins(mnemonic, "udf"))
    return STOP;
  return is_word(mnemonic, "b")     ? JUMP
         : is_word(mnemonic, "bl")  ? CALL
         : is_word(mnemonic, "br")  ? INDIRECT_JUMP
         : is_word(mnemonic, "blr") ? INDIRECT_CALL
                                    : PLAIN;
}

static enum kind kind_of(const char *mnemonic, bool direct) {
  if (begins(mnemonic, "ret"))
    return RETURN;
  if (begins(mnemonic, "call"))
    return direct ? CALL : INDIRECT_CALL;
  if (begins(mnemonic, "jmp"))
    return direct ? JUMP : INDIRECT_JUMP;
  if (mnemonic[0] == 'j')
    return CONDITIONAL;
  return begins(mnemonic, "ud2") || begins(mnemonic, "hlt") ? STOP : arm_kind(mnemonic);
}

// The last operand, if it is an address.
static const char *target_of(const char *operands) {
  for (const char *comma; (comma = strchr(operands, ',')) != NULL;)
    operands = comma + 1 + strspn(comma + 1, " ");
  return begins(operands, "0x") ? operands : NULL;
}

// "    1139: callq\t0x1030 <puts@plt>", or "0000000000001130 <main>:".
static bool read_line(const char *line, struct instruction *instruction, bool *label) {
  char *end;
  instruction->address = strtoull(line, &end, 16);
  *label = end != line && strncmp(end, " <", 2) == 0;
  if (end == line || *end != ':')
    return false;
  const char *mnemonic = end + 1 + strspn(end + 1, " \t");
  if (!*mnemonic || *mnemonic == '\n' || *mnemonic == '<')
    return false;
  const char *operands = mnemonic + strcspn(mnemonic, " \t\n");
  const char *target = target_of(operands + strspn(operands, " \t"));
  instruction->target = target ? strtoull(target, NULL, 16) : 0;
  instruction->kind = kind_of(mnemonic, target);
  return true;
}

static void add(struct code *code, struct instruction instruction) {
  if ((code->count & (code->count - 1)) == 0)
    code->instructions = contprof_need_array(code->instructions, code->count ? 2 * code->count : 1,
                                             sizeof *code->instructions);
  code->instructions[code->count++] = instruction;
}

static void find_entries(struct code *code) {
  code->entries = contprof_need_array(NULL, code->count + 1, sizeof *code->entries);
  for (size_t i = 0; i < code->count; i++)
    if (code->instructions[i].entry)
      code->entries[code->entry_count++] = i;
}

// Stubs of the PLT have no code of their own here: what calls them leaves the binary.
static void read_listing(struct code *code, const char *path) {
  FILE *file = fopen(path, "r");
  char line[1024];
  bool entry = false, wanted = true;
  while (file && fgets(line, sizeof line, file)) {
    struct instruction instruction = {0};
    bool label;
    if (strncmp(line, "Disassembly of section", 22) == 0)
      wanted = strstr(line, " .text") != NULL;
    if (read_line(line, &instruction, &label) && wanted) {
      instruction.entry = entry;
      add(code, instruction);
    }
    entry = label;
  }
  if (!file || !code->count) {
    fprintf(stderr, "walk_code: no code in %s\n", path);
    exit(1);
  }
  fclose(file);
  find_entries(code);
}

// --- the walk -----------------------------------------------------------------------------------

static uint64_t throw(struct walk * walk, uint64_t count) {
  walk->random = walk->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (walk->random >> 33) % count;
}

static bool find(const struct code *code, uint64_t address, size_t *index) {
  size_t low = 0, high = code->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (code->instructions[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  *index = low;
  return low < code->count && code->instructions[low].address == address;
}

static uint64_t place(const struct walk *walk, const struct code *code, uint64_t address) {
  return address + code->bias + walk->shift;
}

static uint64_t place_of(const struct walk *walk, const struct code *code, size_t index) {
  return place(walk, code, code->instructions[index].address);
}

static uint64_t here(const struct walk *walk) {
  return place_of(walk, walk->code, walk->index);
}

static uint64_t elsewhere(struct walk *walk) {
  return ELSEWHERE + throw(walk, PLACES_ELSEWHERE) * 16;
}

static void branch(struct walk *walk, uint64_t from, uint64_t to) {
  memmove(walk->branches + 1, walk->branches, (STACK - 1) * sizeof *walk->branches);
  walk->branches[0] = (struct recording_branch){from, to};
  if (walk->branch_count < STACK)
    walk->branch_count++;
}

static void go(struct walk *walk, const struct code *code, size_t index) {
  branch(walk, here(walk), place_of(walk, code, index));
  walk->code = code;
  walk->index = index;
}

// From nowhere to a function.
static void begin(struct walk *walk) {
  uint64_t from = elsewhere(walk);
  walk->code = &walk->codes[throw(walk, walk->code_count)];
  walk->index = walk->code->entries[throw(walk, walk->code->entry_count)];
  walk->depth = 0;
  branch(walk, from, here(walk));
}

static void give_back(struct walk *walk) {
  if (!walk->depth) {
    branch(walk, here(walk), elsewhere(walk));
    begin(walk);
    return;
  }
  const struct frame *frame = &walk->frames[--walk->depth];
  go(walk, frame->code, frame->index);
}

// A call to where there is no code that is known, and back.
static void call_outside(struct walk *walk, uint64_t stub) {
  uint64_t outside = elsewhere(walk);
  uint64_t there = stub ? place(walk, walk->code, stub) : outside;
  branch(walk, here(walk), there);
  if (stub)
    branch(walk, there, outside);
  branch(walk, elsewhere(walk), outside);
  walk->index++;
  branch(walk, outside + 8, here(walk));
}

static void call(struct walk *walk, const struct code *code, size_t index) {
  if (walk->depth == DEEPEST || walk->index + 1 == walk->code->count) {
    begin(walk);
    return;
  }
  walk->frames[walk->depth++] = (struct frame){walk->code, walk->index + 1};
  go(walk, code, index);
}

static void call_any(struct walk *walk, uint64_t stub) {
  const struct code *code = &walk->codes[throw(walk, walk->code_count)];
  if (throw(walk, 3) == 0 || walk->index + 1 == walk->code->count)
    call(walk, code, code->entries[throw(walk, code->entry_count)]);
  else
    call_outside(walk, stub);
}

static void step(struct walk *walk) {
  const struct instruction *instruction = &walk->code->instructions[walk->index];
  size_t target = 0;
  bool known = find(walk->code, instruction->target, &target);
  bool taken = instruction->kind != CONDITIONAL || throw(walk, 5) < 3;
  switch (instruction->kind) {
  case RETURN:
    give_back(walk);
    return;
  case CALL:
    known ? call(walk, walk->code, target) : call_any(walk, instruction->target);
    return;
  case INDIRECT_CALL:
    call_any(walk, 0);
    return;
  case JUMP:
  case CONDITIONAL:
    if (taken && known) {
      go(walk, walk->code, target);
      return;
    }
    break;
  case INDIRECT_JUMP:
  case STOP:
    give_back(walk);
    return;
  default:
    break;
  }
  if (instruction->kind == JUMP || walk->index + 1 == walk->code->count)
    give_back(walk);
  else
    walk->index++;
}

// --- the recording ------------------------------------------------------------------------------

static void write_maps(struct recording *recording, const struct walk *walk,
                       const struct recording_place *at) {
  for (size_t i = 0; i < walk->code_count; i++) {
    const struct code *code = &walk->codes[i];
    uint64_t start = code->address / PAGE * PAGE;
    uint64_t end = (code->address + code->size + PAGE - 1) / PAGE * PAGE;
    recording_map(recording, &(struct recording_map){.place = *at,
                                                     .start = place(walk, code, start),
                                                     .size = end - start,
                                                     .offset = code->offset / PAGE * PAGE,
                                                     .path = code->path,
                                                     .protection = 5});
  }
  recording_map(recording, &(struct recording_map){.place = *at,
                                                   .start = ELSEWHERE,
                                                   .size = (uint64_t)PLACES_ELSEWHERE * 32,
                                                   .path = "/usr/lib/elsewhere.so",
                                                   .protection = 5});
}

static void write_sample(struct recording *recording, struct walk *walk,
                         struct recording_place *at) {
  for (size_t steps = 20 + throw(walk, 400); steps; steps--)
    step(walk);
  at->time++;
  struct recording_sample sample = {.place = *at, .ip = here(walk)};
  if (walk->ip_only) {
    sample.period = 1000 + throw(walk, 1000);
  } else {
    sample.ip = walk->branches[0].to;
    sample.period = 1000;
    sample.branches = walk->branches;
    sample.branch_count = walk->branch_count;
  }
  recording_sample(recording, &sample);
}

enum { IP = 1, TID = 2, TIME = 4, PERIOD = 0x100, BRANCH_STACK = 0x800, SAMPLE_ID_ALL = 1 << 18 };

int main(int argc, char **argv) {
  bool ip_only = argc > 1 && strcmp(argv[1], "--ip") == 0;
  argc -= ip_only;
  argv += ip_only;
  int bar = 4;
  while (bar < argc && strcmp(argv[bar], "--") != 0)
    bar++;
  if (argc < 6 || bar == 4 || (argc - bar - 1) % 6 || argc == bar + 1) {
    fputs("usage: walk_code [--ip] OUT SEED SAMPLES PID... -- PATH BIAS ADDRESS OFFSET SIZE "
          "LISTING...\n",
          stderr);
    return 2;
  }
  struct walk walk = {.code_count = (size_t)(argc - bar - 1) / 6,
                      .random = strtoull(argv[2], NULL, 0),
                      .ip_only = ip_only};
  walk.codes = contprof_need(calloc(walk.code_count, sizeof *walk.codes));
  for (size_t i = 0; i < walk.code_count; i++) {
    char **words = argv + bar + 1 + 6 * i;
    walk.codes[i] = (struct code){.path = words[0],
                                  .bias = strtoull(words[1], NULL, 0),
                                  .address = strtoull(words[2], NULL, 0),
                                  .offset = strtoull(words[3], NULL, 0),
                                  .size = strtoull(words[4], NULL, 0)};
    read_listing(&walk.codes[i], words[5]);
  }
  struct recording_event event = {.name = "branches",
                                  .config = 4,
                                  .period = 1000,
                                  .sample_type = IP | TID | TIME | PERIOD,

                                  .flags = SAMPLE_ID_ALL};
  if (!ip_only) {
    event.sample_type |= BRANCH_STACK;
    event.branch_sample_type = 1 | 8; // of user space, any
  }
  struct recording_form form = {0};
  struct recording *recording = recording_open(argv[1], &form, &event, 1);
  uint64_t samples = strtoull(argv[3], NULL, 0);
  uint64_t time = 1000;
  for (int i = 4; i < bar; i++) {
    int32_t pid = (int32_t)strtol(argv[i], NULL, 0);
    struct recording_place at = {.pid = pid, .tid = pid, .time = ++time};
    walk.shift = (uint64_t)(i - 4) * SPREAD;
    walk.branch_count = 0;
    begin(&walk);
    write_maps(recording, &walk, &at);
    for (uint64_t j = 0; j < samples; j++) {
      write_sample(recording, &walk, &at);
      if (j % ROUND == ROUND - 1)
        recording_round(recording);
    }
    time = at.time;
  }
  recording_close(recording);
  for (size_t i = 0; i < walk.code_count; i++) {
    free(walk.codes[i].instructions);
    free(walk.codes[i].entries);
  }
  free(walk.codes);
  return 0;
}
