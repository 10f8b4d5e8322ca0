// Order files (-forder-file-instrumentation): the functions' hashes, in the order of their first
// calls, which instrumented code keeps in a buffer of its own in memory.
#include "contprof.h"

#include <string.h>

#include "file_name.h"
#include "log.h"
#include "module.h"
#include "platform.h"

extern char __start___llvm_orderfile[] CONTPROF_WEAK_HIDDEN;
extern char __stop___llvm_orderfile[] CONTPROF_WEAK_HIDDEN;

CONTPROF_HIDDEN uint32_t *__llvm_profile_begin_orderfile(void) {
  return (uint32_t *)__start___llvm_orderfile;
}

static int order_file_path(char *path) {
  struct contprof_module *module = &contprof_module;
  struct contprof_name_values values = contprof_module_name_values(&module->pattern, 0);
  if (module->live.path[0])
    memcpy(path, module->live.path, CONTPROF_PATH_SIZE);
  else if (contprof_pattern_expand(&module->pattern, &values, path))
    return -1;
  if (strlen(path) + sizeof ".order" > CONTPROF_PATH_SIZE)
    return -1;
  strcat(path, ".order");
  return 0;
}

// As much as LLVM's runtime writes: that many entries of four bytes.
static uint64_t order_size(void) {
  uint64_t size = (uintptr_t)__stop___llvm_orderfile - (uintptr_t)__start___llvm_orderfile;
  uint64_t most = INSTR_ORDER_FILE_BUFFER_SIZE * sizeof(uint32_t);
  return size < most ? size : most;
}

static int write_order(const char *path) {
  struct contprof_new_file file;
  char temporary[contprof_temporary_size(path)];
  int error = contprof_new_file(&file, path, temporary);
  if (error)
    return error;
  error = contprof_write_at(file.fd, __start___llvm_orderfile, order_size(), 0);
  if (!error)
    error = contprof_replace_name(&file, path);
  contprof_new_file_abandon(&file);
  return error;
}

CONTPROF_HIDDEN int __llvm_orderfile_write_file(void) {
  static char path[CONTPROF_PATH_SIZE];
  int result = -1;
  if (!order_size())
    return -1; // no object of this module keeps an order
  contprof_lock();
  if (order_file_path(path) == 0) {
    int error = write_order(path);
    if (error)
      contprof_log_errno("can't write the order file", path, -error, "the order is not kept");
    result = error ? -1 : 0;
  }
  contprof_unlock();
  return result;
}

int __llvm_orderfile_dump(void) {
  return __llvm_orderfile_write_file();
}
