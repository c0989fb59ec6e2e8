/* code_objects.c - bytes of code objects: readers, and the older functions that GCC's libgomp calls. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hsa/code.h"

struct og_hsa_file *og_hsa_file(uint64_t handle, bool is_reader) {
  struct og_hsa_file *file = og_hsa.files;
  while (file && ((uintptr_t)file != handle || file->is_reader != is_reader))
    file = file->next;
  return file;
}

static struct og_hsa_file *add_file(const void *bytes, size_t size, bool is_reader) {
  struct og_hsa_file *file = calloc(1, sizeof *file);
  if (!file)
    return NULL;
  *file = (struct og_hsa_file){
      .next = og_hsa.files, .bytes = bytes, .size = size, .descriptor = -1, .is_reader = is_reader};
  og_hsa.files = file;
  return file;
}

static void remove_file(struct og_hsa_file *file) {
  struct og_hsa_file **link = &og_hsa.files;
  while (*link != file)
    link = &(*link)->next;
  *link = file->next;
  og_arena_free(file->arena);
  free(file->owned);
  free(file);
}

void og_hsa_files_close(void) {
  while (og_hsa.files)
    remove_file(og_hsa.files);
}

/* ---- readers ----------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_code_object_reader_create_from_memory(const void *code_object, size_t size,
                                                       hsa_code_object_reader_t *reader) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(code_object && size && reader);
  og_hsa_code_lock();
  struct og_hsa_file *file = add_file(code_object, size, true);
  reader->handle = (uintptr_t)file;
  return og_hsa_code_unlock(file ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES);
}

static bool read_fully(int descriptor, uint8_t *bytes, size_t size, size_t offset) {
  size_t done = 0;
  while (done < size) {
    ssize_t got = pread(descriptor, bytes + done, size - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    done += (size_t)got;
  }
  return true;
}

/* Reads a file's bytes at once: if they were mapped, and the file became shorter, the process would end. */
static hsa_status_t read_range(int descriptor, size_t offset, size_t size, hsa_code_object_reader_t *reader) {
  OG_HSA_NEED(size && size <= OG_FILE_MOST, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  uint8_t *bytes = malloc(size);
  OG_HSA_NEED(bytes, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  if (!read_fully(descriptor, bytes, size, offset)) {
    free(bytes);
    return HSA_STATUS_ERROR_INVALID_FILE;
  }
  og_hsa_code_lock();
  struct og_hsa_file *file = add_file(bytes, size, true);
  if (file) {
    file->owned = bytes;
    file->descriptor = descriptor;
    file->offset = offset;
    reader->handle = (uintptr_t)file;
  }
  og_hsa_code_unlock(HSA_STATUS_SUCCESS);
  if (!file)
    free(bytes);
  return file ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* The size of a file; false: it cannot be read as one. */
static bool file_size(int descriptor, size_t *size) {
  struct stat status;
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY || fstat(descriptor, &status) != 0 || status.st_size < 0)
    return false;
  *size = (size_t)status.st_size;
  return true;
}

hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file, hsa_code_object_reader_t *reader) {
  size_t size;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(reader);
  OG_HSA_NEED(file_size(file, &size), HSA_STATUS_ERROR_INVALID_FILE);
  return read_range(file, 0, size, reader);
}

hsa_status_t hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
    hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t *reader) {
  size_t whole;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(reader);
  OG_HSA_NEED(file_size(file, &whole), HSA_STATUS_ERROR_INVALID_FILE);
  OG_HSA_NEED(offset < whole && size <= whole - offset, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  return read_range(file, offset, size, reader);
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t reader) {
  OG_HSA_NEED_OPEN();
  og_hsa_code_lock();
  struct og_hsa_file *file = og_hsa_file(reader.handle, true);
  if (file)
    remove_file(file);
  return og_hsa_code_unlock(file ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
}

/* ---- code objects of the older functions ------------------------------------------------------------------------- */

hsa_status_t hsa_code_object_deserialize(void *bytes, size_t size, const char *options, hsa_code_object_t *made) {
  (void)options;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(bytes && size && made);
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  const void *copy = og_arena_copy_input(arena, "code object", bytes, size, diagnostics);
  struct og_code_object *code = copy ? og_code_object_open(arena, "code object", copy, size, diagnostics) : NULL;
  og_hsa_log_diagnostics(diagnostics);
  og_diagnostics_free(diagnostics);
  hsa_status_t status = !copy  ? HSA_STATUS_ERROR_OUT_OF_RESOURCES
                        : code ? HSA_STATUS_SUCCESS
                               : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  og_hsa_code_lock();
  struct og_hsa_file *file = code ? add_file(copy, size, false) : NULL;
  if (file) {
    file->arena = arena;
    file->code = code;
    og_hsa_symbols_read(arena, code, 0, NULL, &file->symbols);
    made->handle = (uintptr_t)file;
  } else {
    og_arena_free(arena);
  }
  return og_hsa_code_unlock(code && !file ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : status);
}

hsa_status_t hsa_code_object_serialize(hsa_code_object_t code_object,
                                       hsa_status_t (*allocate)(size_t size, hsa_callback_data_t data, void **address),
                                       hsa_callback_data_t data, const char *options, void **bytes, size_t *size) {
  (void)options;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(allocate && bytes && size);
  og_hsa_code_lock();
  const struct og_hsa_file *file = og_hsa_file(code_object.handle, false);
  hsa_status_t status = file ? allocate(file->size, data, bytes) : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  if (status == HSA_STATUS_SUCCESS && !*bytes)
    status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (status == HSA_STATUS_SUCCESS) {
    memcpy(*bytes, file->bytes, file->size);
    *size = file->size;
  }
  return og_hsa_code_unlock(status);
}

hsa_status_t hsa_code_object_destroy(hsa_code_object_t code_object) {
  OG_HSA_NEED_OPEN();
  og_hsa_code_lock();
  struct og_hsa_file *file = og_hsa_file(code_object.handle, false);
  if (file)
    remove_file(file);
  return og_hsa_code_unlock(file ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}

/* The first agent that runs the code; 0: there is none. */
static hsa_isa_t isa_of(const struct og_code_object *code) {
  const char *differs;
  for (uint32_t i = 0; i < og_hsa.agent_count; i++)
    if (og_hsa.agents[i].target.processor && og_target_runs(&og_hsa.agents[i].target, &code->target, &differs))
      return (hsa_isa_t){(uintptr_t)&og_hsa.agents[i]};
  return (hsa_isa_t){0};
}

static hsa_status_t code_object_info(const struct og_code_object *code, hsa_code_object_info_t attribute,
                                     void *value) {
  switch (attribute) {
  case HSA_CODE_OBJECT_INFO_VERSION: /* 64 characters */
    memset(value, 0, 64);
    snprintf(value, 64, "%d.0", code->version);
    return HSA_STATUS_SUCCESS;
  case HSA_CODE_OBJECT_INFO_TYPE: *(hsa_code_object_type_t *)value = HSA_CODE_OBJECT_TYPE_PROGRAM; break;
  case HSA_CODE_OBJECT_INFO_ISA: *(hsa_isa_t *)value = isa_of(code); break;
  case HSA_CODE_OBJECT_INFO_MACHINE_MODEL: *(hsa_machine_model_t *)value = HSA_MACHINE_MODEL_LARGE; break;
  case HSA_CODE_OBJECT_INFO_PROFILE: *(hsa_profile_t *)value = HSA_PROFILE_BASE; break;
  case HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
    *(hsa_default_float_rounding_mode_t *)value = HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR;
    break;
  default: return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_code_object_get_info(hsa_code_object_t code_object, hsa_code_object_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(value);
  og_hsa_code_lock();
  const struct og_hsa_file *file = og_hsa_file(code_object.handle, false);
  return og_hsa_code_unlock(file ? code_object_info(file->code, attribute, value)
                                 : HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}

hsa_status_t hsa_code_object_get_symbol(hsa_code_object_t code_object, const char *name, hsa_code_symbol_t *symbol) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(name && symbol);
  og_hsa_code_lock();
  const struct og_hsa_file *file = og_hsa_file(code_object.handle, false);
  const struct og_hsa_symbol *found = file ? og_map_get(&file->symbols.by_name, og_text(name)) : NULL;
  symbol->handle = (uintptr_t)found;
  return og_hsa_code_unlock(found  ? HSA_STATUS_SUCCESS
                            : file ? HSA_STATUS_ERROR_INVALID_SYMBOL_NAME
                                   : HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}

/* AMD's code objects have no modules, so that with the name of one nothing is found. */
hsa_status_t hsa_code_object_get_symbol_from_name(hsa_code_object_t code_object, const char *module, const char *name,
                                                  hsa_code_symbol_t *symbol) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(!module || !*module, HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  return hsa_code_object_get_symbol(code_object, name, symbol);
}

hsa_status_t hsa_code_object_iterate_symbols(hsa_code_object_t code_object,
                                             hsa_status_t (*callback)(hsa_code_object_t code_object,
                                                                      hsa_code_symbol_t symbol, void *data),
                                             void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(callback);
  og_hsa_code_lock();
  const struct og_hsa_file *file = og_hsa_file(code_object.handle, false);
  hsa_status_t status = file ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  for (uint32_t i = 0; file && i < file->symbols.count && status == HSA_STATUS_SUCCESS; i++)
    status = callback(code_object, (hsa_code_symbol_t){(uintptr_t)&file->symbols.items[i]}, data);
  return og_hsa_code_unlock(status);
}

hsa_status_t hsa_code_symbol_get_info(hsa_code_symbol_t handle, hsa_code_symbol_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(value && attribute <= HSA_CODE_SYMBOL_INFO_KERNEL_CALL_CONVENTION);
  og_hsa_code_lock();
  hsa_status_t status = HSA_STATUS_ERROR_INVALID_CODE_SYMBOL;
  for (const struct og_hsa_file *file = og_hsa.files; file; file = file->next)
    if (og_hsa_is_symbol(&file->symbols, handle.handle))
      status = og_hsa_symbol_info((const struct og_hsa_symbol *)(uintptr_t)handle.handle, attribute, value);
  return og_hsa_code_unlock(status);
}

hsa_status_t hsa_executable_load_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                             hsa_code_object_t code_object, const char *options) {
  (void)options;
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *on = og_hsa_agent(agent);
  OG_HSA_NEED(on && on->target.processor, HSA_STATUS_ERROR_INVALID_AGENT);
  og_hsa_code_lock();
  const struct og_hsa_file *file = og_hsa_file(code_object.handle, false);
  return og_hsa_code_unlock(file ? og_hsa_load(og_hsa_executable(executable), on, file, NULL)
                                 : HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
