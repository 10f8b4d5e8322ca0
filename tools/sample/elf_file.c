#include "elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

// ELFCOMPRESS_ZSTD of the gABI, which elfutils knows from 0.189 on only.
enum { COMPRESSED_ZSTD = 2 };

// How many times its compressed size a section may have; debug information compresses to a third.
enum { MOST_COMPRESSION = 128 };

static bool fail(const struct contprof_elf_file *file, enum contprof_code code, const char *what,
                 struct contprof_error *error) {
  return contprof_fail(error, code, file->path, NULL, CONTPROF_NO_OFFSET, "%s", what);
}

static bool fail_elf(const struct contprof_elf_file *file, const char *what,
                     struct contprof_error *error) {
  return contprof_fail(error, CONTPROF_CORRUPT, file->path, NULL, CONTPROF_NO_OFFSET, "%s: %s",
                       what, elf_errmsg(-1));
}

// --- opening ------------------------------------------------------------------------------------

static bool read_header(struct contprof_elf_file *file, struct contprof_error *error) {
  GElf_Ehdr header;
  if (elf_kind(file->elf) != ELF_K_ELF)
    return fail(file, CONTPROF_UNSUPPORTED, "not an ELF file", error);
  if (!gelf_getehdr(file->elf, &header))
    return fail_elf(file, "its ELF header can't be read", error);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64))
    return fail(file, CONTPROF_UNSUPPORTED,
                "not an ELF file of x86-64 or AArch64 (64 bits, little-endian)", error);
  file->machine = header.e_machine;
  file->type = header.e_type;
  return true;
}

static bool read_sections(struct contprof_elf_file *file, struct contprof_error *error) {
  size_t count, names;
  if (elf_getshdrnum(file->elf, &count) || elf_getshdrstrndx(file->elf, &names))
    return fail_elf(file, "its section headers can't be read", error);
  if (count > file->size / sizeof(Elf64_Shdr))
    return fail(file, CONTPROF_CORRUPT, "it has more section headers than bytes", error);
  file->sections = contprof_arena_zeros(&file->arena, count + 1, sizeof *file->sections);
  for (size_t i = 0; i < count; i++) {
    struct contprof_elf_section *section = &file->sections[i];
    if (!gelf_getshdr(elf_getscn(file->elf, i), &section->header))
      return fail_elf(file, "a section header can't be read", error);
    const char *name = elf_strptr(file->elf, names, section->header.sh_name);
    section->name = name ? contprof_arena_string(&file->arena, name, strlen(name)) : "";
  }
  file->section_count = count;
  return true;
}

bool contprof_elf_open(const char *path, struct contprof_elf_file *file,
                       struct contprof_error *error) {
  memset(file, 0, sizeof *file);
  file->path = contprof_arena_string(&file->arena, path, strlen(path));
  // A FIFO would have open wait for a writer.
  file->descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat status;
  bool good = true;
  if (file->descriptor < 0)
    good = contprof_fail_errno(error, errno, path, "can't open");
  else if (fstat(file->descriptor, &status) || !S_ISREG(status.st_mode))
    good = fail(file, CONTPROF_UNSUPPORTED, "not a regular file", error);
  else
    file->size = (uint64_t)status.st_size;
  elf_version(EV_CURRENT);
  // ELF_C_READ reads what is asked for into memory; a mapping would be a way to get SIGBUS.
  if (good && !(file->elf = elf_begin(file->descriptor, ELF_C_READ, NULL)))
    good = fail_elf(file, "can't be read as an ELF file", error);
  if (good && read_header(file, error) && read_sections(file, error))
    return true;
  contprof_elf_close(file);
  return false;
}

static void free_sections(struct contprof_elf_file *file) {
  for (size_t i = 0; i < file->section_count; i++)
    free((void *)file->sections[i].data.bytes);
}

void contprof_elf_close(struct contprof_elf_file *file) {
  free_sections(file);
  if (file->elf)
    elf_end(file->elf);
  if (file->path && file->descriptor >= 0)
    close(file->descriptor);
  contprof_arena_free(&file->arena);
  memset(file, 0, sizeof *file);
}

void contprof_elf_finish(struct contprof_elf_file *file) {
  elf_cntl(file->elf, ELF_C_FDDONE);
  close(file->descriptor);
  file->descriptor = -1;
}

// --- sections -----------------------------------------------------------------------------------

struct contprof_elf_section *contprof_elf_find(const struct contprof_elf_file *file,
                                               const char *name) {
  for (size_t i = 1; i < file->section_count; i++)
    if (file->sections[i].header.sh_type != SHT_NOBITS && !strcmp(file->sections[i].name, name))
      return &file->sections[i];
  return NULL;
}

// Room for the section's bytes, followed by zeros; NULL with `error` set if there is none.
static uint8_t *new_bytes(struct contprof_elf_file *file, struct contprof_elf_section *section,
                          uint64_t size, struct contprof_error *error) {
  uint8_t *bytes =
      size <= SIZE_MAX - CONTPROF_ELF_PADDING ? malloc(size + CONTPROF_ELF_PADDING) : NULL;
  if (!bytes) {
    fail(file, CONTPROF_NO_MEMORY, "no memory for a section", error);
    return NULL;
  }
  memset(bytes + size, 0, CONTPROF_ELF_PADDING);
  section->data = (struct contprof_bytes){bytes, size};
  return bytes;
}

static void drop_bytes(struct contprof_elf_section *section) {
  free((void *)section->data.bytes);
  section->data = (struct contprof_bytes){NULL, 0};
}

static bool read_zstd(struct contprof_elf_file *file, struct contprof_elf_section *section,
                      uint64_t size, struct contprof_error *error) {
  const Elf_Data *raw = elf_rawdata(elf_getscn(file->elf, section - file->sections), NULL);
  if (!raw || !raw->d_buf || raw->d_size < sizeof(Elf64_Chdr))
    return fail_elf(file, "a section can't be read", error);
  uint8_t *bytes = new_bytes(file, section, size, error);
  if (!bytes)
    return false;
  const uint8_t *from = (const uint8_t *)raw->d_buf + sizeof(Elf64_Chdr);
  size_t got = ZSTD_decompress(bytes, size, from, raw->d_size - sizeof(Elf64_Chdr));
  if (!ZSTD_isError(got) && got == size)
    return true;
  drop_bytes(section);
  return fail(file, CONTPROF_CORRUPT, "a section compressed by zstd is damaged", error);
}

// What libelf has uncompressed.
static bool copy_data(struct contprof_elf_file *file, struct contprof_elf_section *section,
                      struct contprof_error *error) {
  const Elf_Data *data = elf_getdata(elf_getscn(file->elf, section - file->sections), NULL);
  if (!data)
    return fail_elf(file, "a compressed section can't be read", error);
  uint8_t *bytes = new_bytes(file, section, data->d_buf ? data->d_size : 0, error);
  if (bytes && section->data.size)
    memcpy(bytes, data->d_buf, data->d_size);
  return bytes;
}

static bool read_zlib(struct contprof_elf_file *file, struct contprof_elf_section *section,
                      struct contprof_error *error) {
  if (elf_compress(elf_getscn(file->elf, section - file->sections), 0, 0) < 0)
    return fail_elf(file, "a compressed section can't be read", error);
  return copy_data(file, section, error);
}

static bool read_compressed(struct contprof_elf_file *file, struct contprof_elf_section *section,
                            struct contprof_error *error) {
  GElf_Chdr header;
  if (!gelf_getchdr(elf_getscn(file->elf, section - file->sections), &header))
    return fail_elf(file, "a compressed section has no header", error);
  if (header.ch_size / MOST_COMPRESSION > section->header.sh_size)
    return fail(file, CONTPROF_CORRUPT, "a compressed section has an unlikely size", error);
  return header.ch_type == COMPRESSED_ZSTD ? read_zstd(file, section, header.ch_size, error)
                                           : read_zlib(file, section, error);
}

static bool read_gnu_zlib(struct contprof_elf_file *file, struct contprof_elf_section *section,
                          struct contprof_error *error) {
  if (elf_compress_gnu(elf_getscn(file->elf, section - file->sections), 0, 0) < 0)
    return fail_elf(file, "a compressed section can't be read", error);
  return copy_data(file, section, error);
}

// libelf would read it without room behind it.
static bool read_plain(struct contprof_elf_file *file, struct contprof_elf_section *section,
                       struct contprof_error *error) {
  uint64_t offset = section->header.sh_offset, size = section->header.sh_size;
  if (offset > file->size || size > file->size - offset)
    return fail(file, CONTPROF_CORRUPT, "a section ends behind the file's end", error);
  uint8_t *bytes = new_bytes(file, section, size, error);
  for (uint64_t done = 0; bytes && done < size;) {
    ssize_t got = pread(file->descriptor, bytes + done, size - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      drop_bytes(section);
      return fail(file, CONTPROF_IO, "a section can't be read", error);
    }
    done += (uint64_t)got;
  }
  return bytes;
}

static bool read_section(struct contprof_elf_file *file, struct contprof_elf_section *section,
                         struct contprof_error *error) {
  if (section->header.sh_flags & SHF_COMPRESSED)
    return read_compressed(file, section, error);
  if (!strncmp(section->name, ".zdebug_", 8))
    return read_gnu_zlib(file, section, error);
  return read_plain(file, section, error);
}

bool contprof_elf_bytes(struct contprof_elf_file *file, struct contprof_elf_section *section,
                        struct contprof_bytes *bytes, struct contprof_error *error) {
  *bytes = (struct contprof_bytes){NULL, 0};
  if (!section->is_read && section->header.sh_type != SHT_NOBITS &&
      !read_section(file, section, error))
    return false;
  section->is_read = true;
  *bytes = section->data;
  return true;
}

struct contprof_bytes contprof_elf_debug_bytes(struct contprof_elf_file *file, const char *name) {
  char full[64];
  snprintf(full, sizeof full, ".debug_%s", name);
  struct contprof_elf_section *section = contprof_elf_find(file, full);
  snprintf(full, sizeof full, ".zdebug_%s", name);
  section = section ? section : contprof_elf_find(file, full);
  struct contprof_bytes bytes = {NULL, 0};
  struct contprof_error error;
  contprof_error_clear(&error);
  if (section && !contprof_elf_bytes(file, section, &bytes, &error))
    contprof_fail(&file->unread, error.code, file->path, NULL, CONTPROF_NO_OFFSET, "%s: %s",
                  section->name, error.message);
  return bytes;
}

// --- build-id -----------------------------------------------------------------------------------

// That of the notes in `data`.
static size_t build_id_in(Elf_Data *data, uint8_t *id, size_t room) {
  GElf_Nhdr note;
  size_t name, text, offset = 0;
  while ((offset = gelf_getnote(data, offset, &note, &name, &text)) > 0) {
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof ELF_NOTE_GNU ||
        memcmp((const uint8_t *)data->d_buf + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0)
      continue;
    size_t size = note.n_descsz < room ? note.n_descsz : room;
    memcpy(id, (const uint8_t *)data->d_buf + text, size);
    return size;
  }
  return 0;
}

size_t contprof_elf_build_id(struct contprof_elf_file *file, uint8_t *id, size_t room) {
  for (size_t i = 1; i < file->section_count; i++) {
    if (file->sections[i].header.sh_type != SHT_NOTE)
      continue;
    Elf_Data *data = elf_getdata(elf_getscn(file->elf, i), NULL);
    size_t size = data && data->d_buf ? build_id_in(data, id, room) : 0;
    if (size)
      return size;
  }
  return 0;
}
