#include "image.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "log.h"
#include "platform.h"
#include "shadow.h"
#include "value_sites.h"

// Bounds that the linker defines for every section whose name is a C identifier.
#define SECTION(name)                                                                              \
  extern char __start_##name[] CONTPROF_WEAK_HIDDEN;                                               \
  extern char __stop_##name[] CONTPROF_WEAK_HIDDEN;
SECTION(__llvm_prf_data)
SECTION(__llvm_prf_cnts)
SECTION(__llvm_prf_bits)
SECTION(__llvm_prf_names)
SECTION(__llvm_prf_vtab)
SECTION(__llvm_prf_vns)

// Frontend instrumentation defines no version; IR instrumentation's definition wins over this one.
__attribute__((weak)) CONTPROF_HIDDEN uint64_t __llvm_profile_raw_version = INSTR_PROF_RAW_VERSION;

__attribute__((weak)) char __llvm_profile_filename[] = "";

// A word at a time, for the sake of modules with many functions; the shift brings high bits down.
static uint64_t hash_word(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    hash = hash_word(hash, bytes[i]);
  return hash;
}

// A build-id tells builds apart, unless a linker was told which. So where the segments lie counts,
// too: code of another length makes another build; and so do the functions' names, hashes and
// places. Builds that differ in none of it have the same records, and so the same profile.
uint64_t contprof_image_signature(const struct contprof_image *image) {
  uint64_t hash = 14695981039346656037u;
  hash = hash_word(hash, image->version);
  hash = hash_word(hash, contprof_image_counters_size(image));
  hash = hash_word(hash, (uint64_t)(image->data_end - image->data));
  hash = hash_word(hash, image->segments);
  hash = hash_word(hash, image->records);
  return hash_bytes(hash, image->build_id, image->build_id_size);
}

static void take_build_id(struct contprof_image *image, const char *id, uint64_t size) {
  static const char digits[] = "0123456789abcdef";
  if (size > sizeof image->build_id)
    size = sizeof image->build_id;
  memcpy(image->build_id, id, size);
  image->build_id_size = size;
  for (uint64_t i = 0; i < size; i++) {
    image->build_id_text[2 * i] = digits[image->build_id[i] >> 4];
    image->build_id_text[2 * i + 1] = digits[image->build_id[i] & 15];
  }
}

static uint64_t align4(uint64_t value) {
  return (value + 3) & ~(uint64_t)3;
}

// Notes: size of name, size of description, type; name and description padded to 4 bytes.
static void search_notes(struct contprof_image *image, const char *notes, uint64_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)notes;
    const char *name = notes + sizeof *note;
    uint64_t whole = sizeof *note + align4(note->n_namesz) + align4(note->n_descsz);
    if (whole > size)
      return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
      take_build_id(image, name + 4, note->n_descsz);
      return;
    }
    notes += whole;
    size -= whole;
  }
}

static void find_build_id(struct contprof_image *image, const struct dl_phdr_info *module) {
  for (int i = 0; i < module->dlpi_phnum && !image->build_id_size; i++) {
    const ElfW(Phdr) *header = &module->dlpi_phdr[i];
    if (header->p_type == PT_NOTE)
      search_notes(image, (const char *)(module->dlpi_addr + header->p_vaddr), header->p_memsz);
  }
}

// A number for what the linker laid out; the headers hold nothing of where it is loaded.
static uint64_t hash_segments(const struct dl_phdr_info *module) {
  const unsigned char *headers = (const unsigned char *)module->dlpi_phdr;
  return hash_bytes(0, headers, module->dlpi_phnum * sizeof *module->dlpi_phdr);
}

static bool find_bounds(const struct dl_phdr_info *module, uint64_t *start, uint64_t *end) {
  *start = UINT64_MAX;
  *end = 0;
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &module->dlpi_phdr[i];
    uint64_t low = module->dlpi_addr + header->p_vaddr;
    if (header->p_type != PT_LOAD)
      continue;
    *start = low < *start ? low : *start;
    *end = low + header->p_memsz > *end ? low + header->p_memsz : *end;
  }
  return *end != 0;
}

static void take_base_name(char *name, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  size_t length = strlen(base);
  if (length >= CONTPROF_NAME_SIZE)
    length = CONTPROF_NAME_SIZE - 1;
  memcpy(name, base, length);
  name[length] = 0;
}

static bool is_executable(const struct dl_phdr_info *module) {
  return (uintptr_t)module->dlpi_phdr == getauxval(AT_PHDR);
}

// The loader's list begins with the executable and has in order what was loaded with it, itself
// (at AT_BASE) among that, then what was opened later. So what stands between executable and loader
// was there from the start. Namespaces of dlmopen have lists without the executable.
static void note_order(struct contprof_image *image, const struct dl_phdr_info *module) {
  if (is_executable(module))
    image->loaded_at_start = getauxval(AT_BASE) != 0; // 0 if the loader was run as the program
  else if (module->dlpi_addr == getauxval(AT_BASE))
    image->loaded_at_start = false;
}

// The loader's list of modules has this one: the one whose segments hold the counters.
static int visit_module(struct dl_phdr_info *module, size_t size, void *argument) {
  struct contprof_image *image = argument;
  uint64_t start, end, here = (uint64_t)(uintptr_t)image->counters;
  (void)size;
  note_order(image, module);
  if (!find_bounds(module, &start, &end) || here < start || here >= end)
    return 0;
  image->start = start;
  image->end = end;
  image->load_bias = module->dlpi_addr;
  image->executable = is_executable(module);
  take_base_name(image->name, module->dlpi_name ? module->dlpi_name : "");
  find_build_id(image, module);
  image->segments = hash_segments(module);
  return 1;
}

static const char *executed_name(void) {
  const char *name = (const char *)getauxval(AT_EXECFN);
  return name ? name : "program";
}

// Whether the loader was run as the program, with the program's path as its argument.
// /proc/self/exe is the loader then; it has put into AT_PHDR and AT_EXECFN what belongs to the
// program.
static bool run_by_loader(void) {
  const ElfW(Phdr) *header = (const void *)getauxval(AT_PHDR);
  bool dynamic = false;
  for (uint64_t left = header ? getauxval(AT_PHNUM) : 0; left; left--, header++)
    dynamic |= header->p_type == PT_INTERP;
  return dynamic && getauxval(AT_BASE) == 0;
}

// A program that was deleted or replaced while it ran shows as "name (deleted)".
void contprof_image_find_program(struct contprof_image *image) {
  char path[4096];
  const char *name = executed_name();
  if (!run_by_loader() && contprof_read_link("/proc/self/exe", path, sizeof path) > 0) {
    size_t length = strlen(path), tail = strlen(" (deleted)");
    if (length > tail && strcmp(path + length - tail, " (deleted)") == 0)
      path[length - tail] = 0;
    name = path;
  }
  take_base_name(image->program, name);
}

static void find_sections(struct contprof_image *image) {
  image->data = (const void *)__start___llvm_prf_data;
  image->data_end = (const void *)__stop___llvm_prf_data;
  image->counters = __start___llvm_prf_cnts;
  image->counters_end = __stop___llvm_prf_cnts;
  image->names = __start___llvm_prf_names;
  image->names_end = __stop___llvm_prf_names;
#if CONTPROF_RAW_VERSION >= 10
  image->bitmap = __start___llvm_prf_bits;
  image->bitmap_end = __stop___llvm_prf_bits;
  image->vtables = __start___llvm_prf_vtab;
  image->vtables_end = __stop___llvm_prf_vtab;
  image->vtable_names = __start___llvm_prf_vns;
  image->vtable_names_end = __stop___llvm_prf_vns;
#endif
}

static void put_word(const void *place, uint64_t value) {
  if (memcmp(place, &value, sizeof value) != 0) // else a page that is still the file's stays so
    memcpy((void *)place, &value, sizeof value);
}

// A record's pointers become what the file has, so that the records can be written as they stand
// and forked children share their pages. Nothing else reads them: call targets are matched to
// functions by readers, and before values are attached no one asks for them.
static void turn_record(const struct contprof_image *image, const struct contprof_raw_data *data) {
  if (data->FunctionPointer)
    put_word(&data->FunctionPointer,
             contprof_image_address(image, (uintptr_t)data->FunctionPointer));
  put_word(&data->Values, 0);
}

// Of functions in other modules the file has addresses that differ from process to process.
static uint64_t place_in_module(const struct contprof_image *image,
                                const struct contprof_raw_data *data) {
  uint64_t place = (uintptr_t)data->FunctionPointer;
  return place - (image->start - image->load_bias) < image->end - image->start ? place : 0;
}

// What of a record tells functions apart, each word multiplied without waiting for another: there
// may be a hundred thousand records.
static uint64_t hash_record(const struct contprof_image *image,
                            const struct contprof_raw_data *data) {
  return data->NameRef * 0x9e3779b97f4a7c15u + data->FuncHash * 0xc2b2ae3d27d4eb4fu +
         (uint64_t)(uintptr_t)data->CounterPtr * 0x165667b19e3779f9u +
         place_in_module(image, data) * 0xd6e8feb86659fd93u + data->NumCounters;
}

static void take_records(struct contprof_image *image) {
  uint64_t hash = 0;
  for (const struct contprof_raw_data *data = image->data; data < image->data_end; data++) {
    turn_record(image, data);
    hash = hash_word(hash, hash_record(image, data));
  }
  image->records = hash ? hash : 1;
  image->records_as_in_file = true;
}

// The link makes sure of it for objects of contprof-clang, not for those of stock clang, whose
// records would be taken for others.
static bool is_of_known_version(const struct contprof_image *image) {
  if (GET_VERSION(image->version) == CONTPROF_RAW_VERSION)
    return true;
  contprof_log("can't profile", image->name, "an LLVM of another raw version has instrumented it",
               "there is no profile");
  return false;
}

// Where data and names are left to the debug information or to sections that are not loaded
// (-debug-info-correlate, -profile-correlate), the counters are all there is.
bool contprof_image_find(struct contprof_image *image) {
  find_sections(image);
  image->version = __llvm_profile_raw_version;
  // Counters keep their place within a cache line, so the file depends on the build alone, and a
  // mapping at any page keeps their alignment. In shadow mode they keep their place within a page.
  image->alignment = contprof_shadow ? contprof_page_size() : CONTPROF_COUNTER_ALIGNMENT;
  if (image->counters == image->counters_end)
    return false;
  dl_iterate_phdr(visit_module, image);
  if (image->executable)
    take_base_name(image->name, executed_name());
  if (!is_of_known_version(image))
    return false;
  take_records(image);
  contprof_values_plan(image);
  return true;
}

uint64_t contprof_image_address(const struct contprof_image *image, uint64_t address) {
  return address >= image->start && address < image->end ? address - image->load_bias : address;
}

void contprof_image_layout(const struct contprof_image *image, struct contprof_layout *layout) {
  uint64_t id = image->build_id_size;
  struct contprof_sizes sizes = {
      .header = sizeof(struct contprof_raw_header),
      .binary_ids = id ? 8 + id + contprof_padding(id) : 0,
      .data = (uint64_t)((const char *)image->data_end - (const char *)image->data),
      .owner = sizeof(struct contprof_owner),
      .counters = contprof_image_counters_size(image),
      .bitmap = contprof_image_bitmap_size(image),
      .names = contprof_image_names_size(image),
      .vtables = (uint64_t)(image->vtables_end - image->vtables),
      .vtable_names = (uint64_t)(image->vtable_names_end - image->vtable_names),
      .values = image->values_size,
  };
  contprof_layout_compute(&sizes, contprof_image_residue(image), image->alignment, layout);
}
