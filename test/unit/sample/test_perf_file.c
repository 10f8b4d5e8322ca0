// A perf.data's outside: each rule of its header has a message of its own, with the place.
#include "tools/sample/perf_data.h"
#include "tools/sample/perf_file.h"
#include "tools/sample/perf_format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ATTR_SIZE = 128, ENTRY = ATTR_SIZE + 16, DATA = 104 + 8 + ENTRY, SIZE = DATA + 64 };

// Header, an id at 104, an attr at 112, 64 bytes of data.
static void make(uint8_t bytes[SIZE]) {
  const uint64_t header[] = {104, ENTRY, 112, ENTRY, DATA, 64, 0, 0, 0, 0, 0, 0};
  const uint64_t id = 77, ids[] = {104, 8};
  const uint32_t attr_size = ATTR_SIZE;
  memset(bytes, 0, SIZE);
  memcpy(bytes, "PERFILE2", 8);
  memcpy(bytes + 8, header, sizeof header);
  memcpy(bytes + 104, &id, sizeof id);
  memcpy(bytes + 116, &attr_size, sizeof attr_size);
  memcpy(bytes + 112 + ATTR_SIZE, ids, sizeof ids);
}

static bool open_bytes(const uint8_t *bytes, size_t size, struct contprof_perf_file *file,
                       struct contprof_perf_catalog *catalog, struct contprof_error *error) {
  char path[64];
  int fd = memfd_create("file", 0);
  cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  contprof_error_clear(error);
  *catalog = (struct contprof_perf_catalog){0};
  bool ok = contprof_perf_file_open(path, file, catalog, error);
  close(fd);
  return ok;
}

Test(perf_file, a_file) {
  uint8_t bytes[SIZE], read_bytes[100];
  struct contprof_perf_file file;
  struct contprof_perf_catalog catalog;
  struct contprof_error error;
  make(bytes);
  cr_assert(open_bytes(bytes, SIZE, &file, &catalog, &error));
  cr_expect(!file.is_stream && !file.swap && !file.unfinished && file.data_offset == DATA);
  cr_expect_eq(catalog.attr_count, 1);
  cr_expect_eq(contprof_perf_catalog_find_id(&catalog, 77), 0);
  cr_expect_eq(contprof_perf_file_pass(&file, 60), 60);
  cr_expect_eq(contprof_perf_file_pass(&file, 5), 0, "no more than there is");
  cr_expect_eq(contprof_perf_file_fill(&file, read_bytes, sizeof read_bytes, &error), 4);
  cr_expect_eq(contprof_perf_file_fill(&file, read_bytes, sizeof read_bytes, &error), 0);
  contprof_perf_file_close(&file);
  contprof_perf_catalog_free(&catalog);
}

Test(perf_file, bad_headers) {
  static const struct {
    size_t at; // of the 64 bits that are set to `value`
    uint64_t value;
    enum contprof_code code;
    uint64_t offset; // of the error
    const char *words;
  } cases[] = {
      {8, 103, CONTPROF_CORRUPT, 16, "header of 103 bytes"},
      {16, 79, CONTPROF_CORRUPT, 16, "80 is the least"},
      {16, UINT64_MAX, CONTPROF_OK, 0, ""}, // no event fits; what records there are will say so
      {24, SIZE, CONTPROF_TRUNCATED, 24, "events should be"},
      {24, UINT64_MAX, CONTPROF_TRUNCATED, 24, "events should be"},
      {32, SIZE, CONTPROF_TRUNCATED, 24, "events should be"},
      {32, UINT64_MAX - 100, CONTPROF_TRUNCATED, 24, "events should be"},
      {40, SIZE, CONTPROF_TRUNCATED, 40, "records should be"},
      {48, 65, CONTPROF_TRUNCATED, 40, "records should be"},
      {48, UINT64_MAX, CONTPROF_TRUNCATED, 40, "records should be"},
      {72, UINT64_C(1) << 12, CONTPROF_TRUNCATED, SIZE, "a feature's entry should be"},
      {112 + ATTR_SIZE, SIZE, CONTPROF_TRUNCATED, 112 + ATTR_SIZE, "ids should be"},
      {112 + ATTR_SIZE + 8, UINT64_MAX, CONTPROF_CORRUPT, 112 + ATTR_SIZE, "ids of"},
      {112, UINT64_C(63) << 32, CONTPROF_CORRUPT, 120, "description says it has 63 bytes"},
      {112, UINT64_C(129) << 32, CONTPROF_CORRUPT, 120, "description says it has 129 bytes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t bytes[SIZE];
    struct contprof_perf_file file;
    struct contprof_perf_catalog catalog;
    struct contprof_error error;
    make(bytes);
    memcpy(bytes + cases[i].at, &cases[i].value, sizeof cases[i].value);
    bool ok = open_bytes(bytes, SIZE, &file, &catalog, &error);
    cr_expect_eq(ok, cases[i].code == CONTPROF_OK, "case %zu", i);
    cr_expect_eq(error.code, cases[i].code, "case %zu: %s", i, error.message);
    cr_expect(ok || error.offset == cases[i].offset, "case %zu: at %lu", i,
              (unsigned long)error.offset);
    cr_expect(strstr(error.message, cases[i].words), "case %zu: %s", i, error.message);
    if (ok)
      contprof_perf_file_close(&file);
    contprof_perf_catalog_free(&catalog);
  }
}

static void expect_beginning(const char *bytes, size_t size, uint64_t offset, const char *words) {
  struct contprof_perf_file file;
  struct contprof_perf_catalog catalog;
  struct contprof_error error;
  cr_expect_not(open_bytes((const uint8_t *)bytes, size, &file, &catalog, &error));
  cr_expect_eq(error.offset, offset, "%s: at %lu", words, (unsigned long)error.offset);
  cr_expect(strstr(error.message, words), "%s: %s", words, error.message);
}

Test(perf_file, beginnings) {
  expect_beginning("", 0, 0, "not a perf.data file");
  expect_beginning("PERFILE", 7, 0, "not a perf.data file");
  expect_beginning("PERFFILE", 8, 0, "version 1");
  expect_beginning("PERFILE2", 8, 8, "cut short");
  expect_beginning("2ELIFREP\0\0\0\0\0\0\0\x11", 16, 16, "a header of 17 bytes");
  expect_beginning("PERFILE2\x68\0\0\0\0\0\0", 16, 16, "cut short");
}

Test(perf_file, a_stream_of_the_other_order) {
  struct contprof_perf_file file;
  struct contprof_perf_catalog catalog;
  struct contprof_error error;
  const char *bytes = "2ELIFREP\0\0\0\0\0\0\0\x10";
  cr_assert(open_bytes((const uint8_t *)bytes, 16, &file, &catalog, &error));
  cr_expect(file.is_stream && file.data_offset == 16);
  cr_expect_eq(file.swap, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  contprof_perf_file_close(&file);
}

Test(perf_file, magic) {
  cr_expect(contprof_is_perf_data((const uint8_t *)"PERFILE2", 8));
  cr_expect(contprof_is_perf_data((const uint8_t *)"2ELIFREPmore", 12));
  cr_expect_not(contprof_is_perf_data((const uint8_t *)"PERFILE2", 7));
  cr_expect_not(contprof_is_perf_data((const uint8_t *)"PERFFILE", 8));
}
