#include "show_sections.h"

#include "../sample/sample_sections.h"

#include <inttypes.h>

static const char *name_of(uint64_t type) {
  static const char *const NAMES[] = {[0] = "InvalidSection",
                                      [CONTPROF_SECTION_SUMMARY] = "ProfileSummarySection",
                                      [CONTPROF_SECTION_NAMES] = "NameTableSection",
                                      [CONTPROF_SECTION_SYMBOLS] = "ProfileSymbolListSection",
                                      [CONTPROF_SECTION_OFFSETS] = "FuncOffsetTableSection",
                                      [CONTPROF_SECTION_METADATA] = "FunctionMetadata",
                                      [CONTPROF_SECTION_CONTEXTS] = "CSNameTableSection",
                                      [CONTPROF_SECTION_SAMPLES] = "LBRProfileSection"};
  const char *name = type < sizeof NAMES / sizeof *NAMES ? NAMES[type] : NULL;
  return name ? name : "UnknownSection";
}

struct flag_name {
  uint64_t type; // of the sections that have it; 0: all
  uint64_t flag;
  uint64_t unless; // not said beside this one
  const char *name;
};

static const struct flag_name FLAGS[] = {
    {0, CONTPROF_FLAG_COMPRESSED, 0, "compressed"},
    {0, CONTPROF_FLAG_FLAT, 0, "flat"},
    {CONTPROF_SECTION_NAMES, CONTPROF_NAMES_FIXED_MD5, 0, "fixlenmd5"},
    {CONTPROF_SECTION_NAMES, CONTPROF_NAMES_MD5, CONTPROF_NAMES_FIXED_MD5, "md5"},
    {CONTPROF_SECTION_NAMES, CONTPROF_NAMES_UNIQUE, 0, "uniq"},
    {CONTPROF_SECTION_SUMMARY, CONTPROF_SUMMARY_PARTIAL, 0, "partial"},
    {CONTPROF_SECTION_SUMMARY, CONTPROF_SUMMARY_CONTEXT, 0, "context"},
    {CONTPROF_SECTION_SUMMARY, CONTPROF_SUMMARY_PREINLINED, 0, "preInlined"},
    {CONTPROF_SECTION_SUMMARY, CONTPROF_SUMMARY_FS, 0, "fs-discriminator"},
    {CONTPROF_SECTION_OFFSETS, CONTPROF_OFFSETS_ORDERED, 0, "ordered"},
    {CONTPROF_SECTION_METADATA, CONTPROF_METADATA_PROBES, 0, "probe"},
    {CONTPROF_SECTION_METADATA, CONTPROF_METADATA_ATTRIBUTES, 0, "attr"}};

static void print_flags(FILE *to, const struct contprof_sample_section *section) {
  bool some = false;
  fputc('{', to);
  for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++) {
    const struct flag_name *flag = &FLAGS[i];
    if ((flag->type && flag->type != section->type) || !(section->flags & flag->flag) ||
        section->flags & flag->unless)
      continue;
    fprintf(to, "%s%s", some ? "," : "", flag->name);
    some = true;
  }
  fputc('}', to);
}

static void print_sections(FILE *to, const struct contprof_sample_sections *sections) {
  uint64_t total = 0, file = 0;
  for (size_t i = 0; i < sections->count; i++) {
    const struct contprof_sample_section *section = &sections->sections[i];
    fprintf(to, "%s - Offset: %" PRIu64 ", Size: %" PRIu64 ", Flags: ", name_of(section->type),
            section->offset, section->size);
    print_flags(to, section);
    fputc('\n', to);
    total += section->size;
    if (section->offset + section->size > file)
      file = section->offset + section->size;
  }
  fprintf(to, "Header Size: %" PRIu64 "\n", sections->sections[0].offset);
  fprintf(to, "Total Sections Size: %" PRIu64 "\n", total);
  fprintf(to, "File Size: %" PRIu64 "\n", file);
}

bool contprof_show_sections(FILE *to, const struct contprof_file_view *file,
                            struct contprof_error *error) {
  struct contprof_sample_sections sections;
  struct contprof_cursor cursor =
      contprof_cursor_over(file->bytes, file->size, 0, file->path, "header", error);
  bool ok = contprof_sample_sections_read(&cursor, &sections);
  if (ok)
    print_sections(to, &sections);
  contprof_sample_sections_free(&sections);
  return ok;
}
