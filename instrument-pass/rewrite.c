// In reading order: which mode; the globals that redirected code needs; how an address is
// redirected; which uses there are and what each kind asks for; the walk that finds them; the entry
// points. See rewrite.h.
#include "rewrite.h"
#include "counter_address.h"
#include "grown_array.h"
#include "link_marker.h"
#include "one_instruction.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pointers of this address space are relative to GS (LLVM: X86, "Address Spaces").
enum { GS_ADDRESS_SPACE = 256 };

static const char *const bias_names[CONTPROF_KINDS] = {NULL, CONTPROF_COUNTER_BIAS,
                                                       "__llvm_profile_bitmap_bias"};

// An operand that holds the address of a counter or bitmap.
struct use {
  LLVMValueRef user;       // the instruction
  unsigned operand;        // index in `user`
  enum contprof_kind kind; // of what the address belongs to
};

// An instruction that computes an address from that of a counter or bitmap.
struct derived {
  LLVMValueRef value;      // the instruction
  enum contprof_kind kind; // of what the address belongs to
};

// One walk over one function.
struct walk {
  LLVMModuleRef module;    // of the function
  LLVMContextRef context;  // of the module
  LLVMValueRef function;   // walked over
  LLVMBuilderRef builder;  // owned
  enum contprof_mode mode; // of the module; not AUTO
  bool segment;            // counters are reached through the GS base
  bool in_place;           // or at their own address
  bool final;              // report what can't be redirected
  bool mixed;              // an instruction chooses between a counter's and another address
  bool changed;            // result
  bool reported;           // an error was
  LLVMValueRef bias[CONTPROF_KINDS];  // loaded in the entry block by this walk, or NULL
  bool unoptimised;                   // no later pass makes one instruction of an update
  LLVMValueRef pair_load;             // valid with pair_operand
  LLVMValueRef pair_operand;          // see redirect_access; or NULL
  LLVMValueRef pair_block;            // valid with pair_operand
  LLVMValueRef pair_address;          // valid with pair_operand
  struct use *uses;                   // in the order of instructions; owned
  size_t use_count, use_room;         // used and allocated of `uses`
  struct derived *derived;            // in the order found; owned
  size_t derived_count, derived_room; // used and allocated of `derived`
};

static bool has_prefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// ---- Which mode

static uint64_t module_flag(LLVMModuleRef module, const char *name) {
  LLVMMetadataRef flag = LLVMGetModuleFlag(module, name, strlen(name));
  if (!flag)
    return 0;
  LLVMValueRef value;
  LLVMGetMDNodeOperands(LLVMMetadataAsValue(LLVMGetModuleContext(module), flag), &value);
  return LLVMConstIntGetZExtValue(value);
}

// x32 has GS too, but 32-bit pointers.
static bool has_segments(LLVMModuleRef module) {
  const char *target = LLVMGetTarget(module);
  return has_prefix(target, "x86_64") && !strstr(target, "x32");
}

static const char sanitized_mark[] = "contprof.thread_sanitizer";

// ThreadSanitizer makes calls of atomic updates, and passes them the address without its segment.
// Left in the module, so that what is asked for each function is looked for once.
void contprof_note_sanitizer(LLVMModuleRef module) {
  static const char name[] = "sanitize_thread";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMValueRef function = LLVMGetFirstFunction(module);
  while (function && !LLVMGetEnumAttributeAtIndex(
                         function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind))
    function = LLVMGetNextFunction(function);
  if (function)
    LLVMGetOrInsertNamedMetadata(module, sanitized_mark, sizeof sanitized_mark - 1);
}

static bool has_thread_sanitizer(LLVMModuleRef module) {
  return LLVMGetNamedMetadata(module, sanitized_mark, sizeof sanitized_mark - 1) != NULL;
}

// The levels are what -fPIC, -fpic, -fPIE and -fpie leave in the module.
static enum contprof_mode mode_of(LLVMModuleRef module, enum contprof_mode mode) {
  if (mode == CONTPROF_MODE_SHADOW)
    return mode;
  if (!has_segments(module) || has_thread_sanitizer(module))
    return CONTPROF_MODE_POINTER;
  if (mode != CONTPROF_MODE_AUTO)
    return mode;
  return module_flag(module, "PIC Level") == 0 || module_flag(module, "PIE Level") != 0
             ? CONTPROF_MODE_SEGMENT
             : CONTPROF_MODE_POINTER;
}

bool contprof_wants_segment(LLVMModuleRef module, enum contprof_mode mode) {
  return mode_of(module, mode) == CONTPROF_MODE_SEGMENT;
}

// ---- The globals that redirected code needs

// Zero until the runtime has set it. The same definition as that of stock counter relocation, whose
// objects may be in the same link.
static LLVMValueRef bias_variable(struct walk *walk, enum contprof_kind kind) {
  LLVMValueRef variable = LLVMGetNamedGlobal(walk->module, bias_names[kind]);
  if (variable)
    return variable;
  LLVMTypeRef i64 = LLVMInt64TypeInContext(walk->context);
  variable = contprof_add_shared_global(walk->module, i64, bias_names[kind]);
  LLVMSetInitializer(variable, LLVMConstInt(i64, 0, false));
  LLVMSetAlignment(variable, 8);
  return variable;
}

// ---- How an address is redirected

static void set_flag(struct walk *walk, LLVMValueRef instruction, const char *name) {
  unsigned kind = LLVMGetMDKindIDInContext(walk->context, name, (unsigned)strlen(name));
  LLVMMetadataRef empty = LLVMMDNodeInContext2(walk->context, NULL, 0);
  LLVMSetMetadata(instruction, kind, LLVMMetadataAsValue(walk->context, empty));
}

// In the entry block, once per walk. Invariant, so that a register needn't be kept for it: the
// runtime sets a bias once, before user code runs.
static LLVMValueRef loaded_bias(struct walk *walk, enum contprof_kind kind) {
  if (walk->bias[kind])
    return walk->bias[kind];
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(walk->function));
  while (LLVMIsAAllocaInst(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(walk->builder, first);
  LLVMSetCurrentDebugLocation2(walk->builder, NULL);
  LLVMValueRef bias = LLVMBuildLoad2(walk->builder, LLVMInt64TypeInContext(walk->context),
                                     bias_variable(walk, kind), "");
  set_flag(walk, bias, "invariant.load");
  set_flag(walk, bias, "nosanitize");
  walk->bias[kind] = bias;
  return bias;
}

// The address as the optimiser must take it: of the same object, but not known to be the same
// address as before. That keeps LICM from holding a counter in a register for a whole loop. It
// costs nothing in the inliner and is gone before instruction selection (CodeGenPrepare).
static LLVMValueRef build_launder(struct walk *walk, LLVMValueRef address) {
  static const char name[] = "llvm.launder.invariant.group";
  unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
  LLVMTypeRef type = LLVMTypeOf(address);
  LLVMValueRef launder = LLVMGetIntrinsicDeclaration(walk->module, id, &type, 1);
  return LLVMBuildCall2(walk->builder, LLVMIntrinsicGetType(walk->context, id, &type, 1), launder,
                        &address, 1, "");
}

static LLVMValueRef build_offset(struct walk *walk, LLVMValueRef address, int64_t offset) {
  if (offset == 0)
    return address;
  LLVMTypeRef i8 = LLVMInt8TypeInContext(walk->context);
  LLVMValueRef index =
      LLVMConstInt(LLVMInt64TypeInContext(walk->context), (unsigned long long)offset, true);
  return LLVMBuildInBoundsGEP2(walk->builder, i8, address, &index, 1, "");
}

// GS-relative. The constant offset comes after the launder, so that all counters of a function
// share one base.
static LLVMValueRef build_segment_address(struct walk *walk, LLVMValueRef address) {
  LLVMTypeRef type = LLVMPointerType(LLVMInt8TypeInContext(walk->context), GS_ADDRESS_SPACE);
  if (!LLVMIsConstant(address)) {
    LLVMValueRef cast = LLVMBuildAddrSpaceCast(walk->builder, address, type, "");
    return build_launder(walk, cast);
  }
  LLVMValueRef base = LLVMConstAddrSpaceCast(contprof_base_of_constant(address), type);
  return build_offset(walk, build_launder(walk, base),
                      contprof_offset_of_constant(walk->module, address));
}

// What needs no bias.
static bool is_in_place(const struct walk *walk, enum contprof_kind kind) {
  return walk->in_place && kind == CONTPROF_COUNTER;
}

// With the bias of its kind added, unless it is in place.
static LLVMValueRef build_pointer_address(struct walk *walk, LLVMValueRef address,
                                          enum contprof_kind kind) {
  LLVMTypeRef i8 = LLVMInt8TypeInContext(walk->context);
  LLVMTypeRef type = LLVMPointerType(i8, 0);
  LLVMValueRef base = LLVMIsConstant(address)
                          ? LLVMConstBitCast(contprof_base_of_constant(address), type)
                          : LLVMBuildBitCast(walk->builder, address, type, "");
  LLVMValueRef laundered = build_launder(walk, base);
  LLVMValueRef moved = is_in_place(walk, kind)
                           ? laundered
                           : LLVMBuildGEP2(walk->builder, i8, laundered, &walk->bias[kind], 1, "");
  if (!LLVMIsConstant(address))
    return moved;
  return build_offset(walk, moved, contprof_offset_of_constant(walk->module, address));
}

// For what takes an ordinary pointer, in all modes.
static void redirect_through_bias(struct walk *walk, struct use use) {
  if (is_in_place(walk, use.kind))
    return;
  LLVMValueRef address = LLVMGetOperand(use.user, use.operand);
  loaded_bias(walk, use.kind);
  LLVMPositionBuilderBefore(walk->builder, use.user);
  LLVMValueRef moved = build_pointer_address(walk, address, use.kind);
  LLVMSetOperand(use.user, use.operand,
                 LLVMBuildBitCast(walk->builder, moved, LLVMTypeOf(address), ""));
  contprof_mark_mode(walk->module, walk->mode);
  walk->changed = true;
}

// ---- Uses

// The type in memory of what an instruction loads, stores or updates.
static LLVMTypeRef accessed_type(LLVMValueRef access) {
  if (LLVMGetInstructionOpcode(access) == LLVMLoad)
    return LLVMTypeOf(access);
  bool is_store = LLVMGetInstructionOpcode(access) == LLVMStore;
  return LLVMTypeOf(LLVMGetOperand(access, is_store ? 0 : 1));
}

static LLVMValueRef build_access_address(struct walk *walk, struct use use) {
  LLVMValueRef address = LLVMGetOperand(use.user, use.operand);
  bool segment = walk->segment && use.kind == CONTPROF_COUNTER;
  if (!segment && !is_in_place(walk, use.kind))
    loaded_bias(walk, use.kind);
  LLVMPositionBuilderBefore(walk->builder, use.user);
  LLVMValueRef moved = segment ? build_segment_address(walk, address)
                               : build_pointer_address(walk, address, use.kind);
  unsigned space = segment ? GS_ADDRESS_SPACE : 0;
  LLVMTypeRef type = LLVMPointerType(accessed_type(use.user), space);
  return LLVMBuildBitCast(walk->builder, moved, type, "");
}

// Where there is no bias to add, the assembly takes the static address; it has the segment itself.
static bool fold_update(struct walk *walk, struct use use, LLVMValueRef operand,
                        LLVMValueRef address) {
  bool segment = walk->segment && use.kind == CONTPROF_COUNTER;
  bool is_static = segment || is_in_place(walk, use.kind);
  return contprof_fold_update(walk->builder, walk->pair_load, use.user,
                              is_static ? operand : address, segment);
}

// A load and the store after it, to the same constant address in one block, are one update and
// share an address: it must stay visible that they may become one instruction.
static void redirect_access(struct walk *walk, struct use use) {
  LLVMValueRef operand = LLVMGetOperand(use.user, use.operand);
  LLVMValueRef block = LLVMBasicBlockAsValue(LLVMGetInstructionParent(use.user));
  bool second = LLVMGetInstructionOpcode(use.user) == LLVMStore && walk->pair_operand == operand &&
                walk->pair_block == block;
  LLVMValueRef address = second ? walk->pair_address : build_access_address(walk, use);
  walk->pair_operand = NULL;
  if (LLVMGetInstructionOpcode(use.user) == LLVMLoad && LLVMIsConstant(operand)) {
    walk->pair_load = use.user;
    walk->pair_operand = operand;
    walk->pair_block = block;
    walk->pair_address = address;
  }
  LLVMSetOperand(use.user, use.operand, address);
  if (second && walk->unoptimised && fold_update(walk, use, operand, address))
    return;
  // The counters are LLVM's own, and racy on purpose.
  set_flag(walk, use.user, "nosanitize");
  contprof_mark_mode(walk->module, walk->mode);
  walk->changed = true;
}

static const char *callee_name(LLVMValueRef call) {
  size_t length;
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  return callee ? LLVMGetValueName2(callee, &length) : "a pointer";
}

static bool starts_with_any(const char *name, const char *const *prefixes) {
  while (*prefixes && !has_prefix(name, *prefixes))
    prefixes++;
  return *prefixes != NULL;
}

// Callees that access the address they are given, at once, and don't keep it. The last two come
// from LLVM's lowering (InstrProfiling.cpp): temporal profiles and MC/DC.
static bool may_take_address(LLVMValueRef call) {
  static const char *const names[] = {"llvm.memset.",  "llvm.memcpy.",
                                      "llvm.memmove.", "__llvm_profile_set_timestamp",
                                      "rmw_or",        NULL};
  return starts_with_any(callee_name(call), names);
}

// Callees that access nothing. The first is ours.
static bool ignores_address(LLVMValueRef call) {
  static const char *const names[] = {"llvm.launder.invariant.group",
                                      "llvm.strip.invariant.group",
                                      "llvm.assume",
                                      "llvm.lifetime.",
                                      "llvm.invariant.",
                                      "llvm.objectsize.",
                                      "llvm.prefetch",
                                      NULL};
  return contprof_is_folded_update(call) || starts_with_any(callee_name(call), names);
}

static void report(struct walk *walk, LLVMValueRef user) {
  if (!walk->final || walk->reported)
    return;
  static const char format[] =
      "contprof: %.*s: in function '%.*s': a profile counter's address is used in a way that can't "
      "be redirected to the live file (%s); compile this file without -fprofile-continuous";
  size_t file_length, name_length;
  const char *file = LLVMGetSourceFileName(walk->module, &file_length);
  const char *name = LLVMGetValueName2(walk->function, &name_length);
  char *text = LLVMPrintValueToString(user);
  const char *use = text + strspn(text, " ");
  size_t size = sizeof format + file_length + name_length + strlen(use);
  char *message = malloc(size);
  if (!message)
    abort();
  snprintf(message, size, format, (int)file_length, file, (int)name_length, name, use);
  contprof_emit_error(walk->context, message);
  walk->reported = true;
  free(message);
  LLVMDisposeMessage(text);
}

static void redirect_call(struct walk *walk, struct use use) {
  if (ignores_address(use.user))
    return;
  if (may_take_address(use.user))
    redirect_through_bias(walk, use);
  else
    report(walk, use.user);
}

// Comparing accesses nothing; ptrtoint begins stock counter relocation; the cast is ours.
static bool reads_address_only(LLVMOpcode opcode) {
  return opcode == LLVMICmp || opcode == LLVMPtrToInt || opcode == LLVMAddrSpaceCast;
}

static void redirect(struct walk *walk, struct use use) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(use.user);
  bool is_call = opcode == LLVMCall || opcode == LLVMInvoke;
  if (walk->mixed && !LLVMIsConstant(LLVMGetOperand(use.user, use.operand)))
    report(walk, use.user);
  else if (is_call)
    redirect_call(walk, use);
  else if (opcode == LLVMLoad || (opcode == LLVMStore && use.operand == 1) ||
           ((opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg) && use.operand == 0))
    redirect_access(walk, use);
  else if (!reads_address_only(opcode))
    report(walk, use.user);
}

// ---- The walk

static enum contprof_kind kind_of_value(struct walk *walk, LLVMValueRef value) {
  if (LLVMIsConstant(value))
    return contprof_kind_of_constant(value);
  for (size_t i = 0; i < walk->derived_count; i++)
    if (walk->derived[i].value == value)
      return walk->derived[i].kind;
  return CONTPROF_NOT_PROFILE;
}

static bool derives_address(LLVMValueRef user, unsigned operand) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMFreeze:
    return operand == 0;
  case LLVMSelect:
    return operand != 0;
  case LLVMPHI:
    return true;
  default:
    return false;
  }
}

static void add_use(struct walk *walk, struct use use) {
  walk->uses = contprof_grown(walk->uses, walk->use_count, &walk->use_room, sizeof *walk->uses);
  walk->uses[walk->use_count++] = use;
}

static void add_derived(struct walk *walk, struct derived derived) {
  if (kind_of_value(walk, derived.value) != CONTPROF_NOT_PROFILE)
    return;
  walk->derived = contprof_grown(walk->derived, walk->derived_count, &walk->derived_room,
                                 sizeof *walk->derived);
  walk->derived[walk->derived_count++] = derived;
}

static void note_operand(struct walk *walk, struct use use) {
  if (derives_address(use.user, use.operand))
    add_derived(walk, (struct derived){use.user, use.kind});
  else
    add_use(walk, use);
}

static void note_uses_of_derived(struct walk *walk, struct derived derived) {
  for (LLVMUseRef link = LLVMGetFirstUse(derived.value); link; link = LLVMGetNextUse(link)) {
    LLVMValueRef user = LLVMGetUser(link);
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == derived.value)
        note_operand(walk, (struct use){user, (unsigned)i, derived.kind});
  }
}

static void note_direct_uses(struct walk *walk, LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    enum contprof_kind kind = operand && LLVMIsConstant(operand)
                                  ? contprof_kind_of_constant(operand)
                                  : CONTPROF_NOT_PROFILE;
    if (kind != CONTPROF_NOT_PROFILE)
      note_operand(walk, (struct use){instruction, (unsigned)i, kind});
  }
}

static void collect(struct walk *walk) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(walk->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
         instruction = LLVMGetNextInstruction(instruction))
      note_direct_uses(walk, instruction);
  for (size_t i = 0; i < walk->derived_count; i++)
    note_uses_of_derived(walk, walk->derived[i]);
}

// Whether a phi or select chooses from addresses that are redirected differently. Those of counters
// in place are as good as any other's.
static bool is_mixed(struct walk *walk, struct derived derived) {
  enum contprof_kind other = walk->in_place ? CONTPROF_COUNTER : CONTPROF_NOT_PROFILE;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(derived.value);
  if (opcode != LLVMPHI && opcode != LLVMSelect)
    return false;
  for (int i = opcode == LLVMSelect; i < LLVMGetNumOperands(derived.value); i++) {
    enum contprof_kind kind = kind_of_value(walk, LLVMGetOperand(derived.value, (unsigned)i));
    if ((kind ? kind : other) != derived.kind)
      return true;
  }
  return false;
}

static bool walk_function(LLVMValueRef function, enum contprof_mode mode, bool final) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct walk walk = {.module = module,
                      .context = context,
                      .function = function,
                      .builder = LLVMCreateBuilderInContext(context),
                      .mode = mode_of(module, mode),
                      .final = final,
                      .unoptimised = contprof_is_unoptimised(function)};
  walk.segment = walk.mode == CONTPROF_MODE_SEGMENT;
  walk.in_place = walk.mode == CONTPROF_MODE_SHADOW;
  collect(&walk);
  for (size_t i = 0; i < walk.derived_count; i++)
    walk.mixed |= is_mixed(&walk, walk.derived[i]);
  for (size_t i = 0; i < walk.use_count; i++)
    redirect(&walk, walk.uses[i]);
  LLVMDisposeBuilder(walk.builder);
  free(walk.uses);
  free(walk.derived);
  return walk.changed;
}

// ---- Entry points

static bool walk_module(LLVMModuleRef module, enum contprof_mode mode, bool final) {
  bool changed = false;
  contprof_note_sanitizer(module);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (LLVMCountBasicBlocks(function) != 0)
      changed |= walk_function(function, mode, final);
  return changed;
}

LLVMBool contprof_redirect_function(LLVMValueRef function, enum contprof_mode mode) {
  return walk_function(function, mode, false);
}

LLVMBool contprof_redirect_module(LLVMModuleRef module, enum contprof_mode mode) {
  return walk_module(module, mode, false);
}

static bool has_counters(LLVMModuleRef module) {
  LLVMValueRef global = LLVMGetFirstGlobal(module);
  while (global && contprof_kind_of_global(global) != CONTPROF_COUNTER)
    global = LLVMGetNextGlobal(global);
  return global != NULL;
}

LLVMBool contprof_redirect_module_finally(LLVMModuleRef module, enum contprof_mode mode) {
  if (mode == CONTPROF_MODE_SEGMENT && !has_segments(module) && has_counters(module))
    contprof_emit_error(LLVMGetModuleContext(module), "contprof: segment mode needs an x86-64 "
                                                      "target; use -fprofile-continuous=pointer");
  bool changed = walk_module(module, mode, true);
  // Records without a live access to their counters need their version's runtime, too. Stock
  // relocation's objects, told by their variable, may be linked with any.
  if (has_counters(module) && !LLVMGetNamedGlobal(module, bias_names[CONTPROF_COUNTER]))
    changed |= contprof_mark_mode(module, mode_of(module, mode));
  return changed;
}
