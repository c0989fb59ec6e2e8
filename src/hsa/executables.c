/* executables.c - executables: loads code into them, takes definitions by the program, freezes them. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "hsa/code.h"

struct og_hsa_executable *og_hsa_executable(hsa_executable_t handle) {
  struct og_hsa_executable *executable = og_hsa.executables;
  while (executable && (uintptr_t)executable != handle.handle)
    executable = executable->next;
  return executable;
}

static hsa_status_t create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, bool frozen,
                           hsa_executable_t *handle) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(handle && (profile == HSA_PROFILE_BASE || profile == HSA_PROFILE_FULL) &&
                       rounding <= HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
  struct og_arena *arena = og_arena_new();
  struct og_hsa_executable *executable = OG_NEW(arena, struct og_hsa_executable);
  *executable = (struct og_hsa_executable){.arena = arena, .profile = profile, .rounding = rounding, .frozen = frozen};
  executable->last_loaded = &executable->loaded;
  og_hsa_code_lock();
  executable->next = og_hsa.executables;
  og_hsa.executables = executable;
  handle->handle = (uintptr_t)executable;
  return og_hsa_code_unlock(HSA_STATUS_SUCCESS);
}

hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t state, const char *options,
                                   hsa_executable_t *executable) {
  (void)options;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(state == HSA_EXECUTABLE_STATE_UNFROZEN || state == HSA_EXECUTABLE_STATE_FROZEN);
  return create(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, state == HSA_EXECUTABLE_STATE_FROZEN, executable);
}

hsa_status_t hsa_executable_create_alt(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding,
                                       const char *options, hsa_executable_t *executable) {
  (void)options;
  return create(profile, rounding, false, executable);
}

static void destroy(struct og_hsa_executable *executable) {
  struct og_hsa_executable **link = &og_hsa.executables;
  while (*link != executable)
    link = &(*link)->next;
  *link = executable->next;
  for (struct og_hsa_loaded *loaded = executable->loaded; loaded; loaded = loaded->next)
    og_unload(loaded->code);
  og_arena_free(executable->arena);
}

hsa_status_t hsa_executable_destroy(hsa_executable_t handle) {
  OG_HSA_NEED_OPEN();
  og_hsa_code_lock();
  struct og_hsa_executable *executable = og_hsa_executable(handle);
  if (executable)
    destroy(executable);
  return og_hsa_code_unlock(executable ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

void og_hsa_code_close(void) {
  og_hsa_code_lock();
  while (og_hsa.executables)
    destroy(og_hsa.executables);
  og_hsa_files_close();
  og_hsa_code_unlock(HSA_STATUS_SUCCESS);
}

/* ---- symbols by name --------------------------------------------------------------------------------------------- */

/* An agent sees its own symbols and the program's. */
static bool is_seen(const struct og_hsa_agent *owner, const struct og_hsa_agent *agent) {
  return !owner || owner == agent;
}

static const struct og_hsa_symbol *find_definition(const struct og_hsa_executable *executable,
                                                   const struct og_hsa_agent *agent, const char *name) {
  for (const struct og_hsa_definition *d = executable->definitions; d; d = d->next)
    if (is_seen(d->symbol.agent, agent) && strcmp(d->symbol.name, name) == 0)
      return &d->symbol;
  return NULL;
}

const struct og_hsa_symbol *og_hsa_find_symbol(const struct og_hsa_executable *executable,
                                               const struct og_hsa_agent *agent, const char *name) {
  for (const struct og_hsa_loaded *loaded = executable->loaded; loaded; loaded = loaded->next) {
    const struct og_hsa_symbol *symbol =
        is_seen(loaded->agent, agent) ? og_map_get(&loaded->symbols.by_name, og_text(name)) : NULL;
    if (symbol)
      return symbol;
  }
  return find_definition(executable, agent, name);
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* Finds a symbol that a code object leaves open: first among the program's definitions, then in the executable. */
static bool resolve(void *context, const struct og_symbol *symbol, uint64_t *address) {
  struct og_hsa_loaded *asking = context;
  const struct og_hsa_executable *executable = asking->executable;
  const struct og_hsa_symbol *definition = find_definition(executable, asking->agent, symbol->name);
  if (definition)
    return *address = definition->address, true;
  uint64_t size;
  for (const struct og_hsa_loaded *other = executable->loaded; other; other = other->next)
    if (other != asking && is_seen(other->agent, asking->agent) &&
        og_executable_symbol(other->code, og_text(symbol->name), address, &size))
      return true;
  if (symbol->binding != STB_WEAK)
    asking->undefined = true;
  return false;
}

/* "file://" and the path as hsa_ven_amd_loader.h says: other characters as %XX. */
static const char *encode_path(struct og_arena *arena, const char *path) {
  struct og_buffer out = {0};
  for (; *path; path++)
    if ((*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') || (*path >= '0' && *path <= '9') ||
        strchr("/_.~-", *path))
      og_buffer_u8(&out, (uint8_t)*path);
    else
      og_buffer_printf(&out, "%%%02X", (uint8_t)*path);
  const char *text = og_arena_copy(arena, (const char *)out.data, out.size);
  og_buffer_free(&out);
  return text;
}

/* Describes where the code came from. */
static void describe(struct og_arena *arena, struct og_hsa_loaded *loaded, const struct og_hsa_file *file) {
  loaded->memory = file->bytes;
  loaded->size = file->size;
  loaded->offset = file->offset;
  loaded->descriptor = file->descriptor;
  if (file->descriptor < 0) {
    loaded->storage = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
    loaded->uri = og_arena_printf(arena, "memory://%d#offset=0x%" PRIxPTR "&size=%zu", (int)getpid(),
                                  (uintptr_t)file->bytes, file->size);
    return;
  }
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file->descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[OG_MAX(length, 0)] = 0;
  loaded->storage = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
  loaded->path = og_arena_printf(arena, "%s", path);
  loaded->uri = og_arena_printf(arena, "file://%s#offset=%zu&size=%zu", encode_path(arena, path), file->offset,
                                file->size);
}

/* Whether the executable already has a symbol of that name for that agent. */
static bool is_defined_twice(const struct og_hsa_executable *executable, const struct og_hsa_loaded *loaded) {
  for (uint32_t i = 0; i < loaded->symbols.count; i++) {
    const struct og_hsa_symbol *symbol = &loaded->symbols.items[i];
    const struct og_hsa_symbol *other =
        symbol->module ? NULL : og_hsa_find_symbol(executable, loaded->agent, symbol->name);
    if (other && !other->module) {
      og_hsa_log(OG_HSA_LOG_ERRORS, "code object: '%s' is defined in the executable already", symbol->name);
      return true;
    }
  }
  return false;
}

hsa_status_t og_hsa_load(struct og_hsa_executable *executable, const struct og_hsa_agent *agent,
                         const struct og_hsa_file *file, hsa_loaded_code_object_t *handle) {
  OG_HSA_NEED(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  OG_HSA_NEED(!executable->frozen, HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  bool unfit = false;
  struct og_hsa_loaded *loaded = OG_NEW(executable->arena, struct og_hsa_loaded);
  *loaded = (struct og_hsa_loaded){.executable = executable, .agent = agent};
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_load_options options = {.agent = agent ? &agent->target : NULL,
                                    .resolve = resolve,
                                    .context = loaded,
                                    .whole_pages = true,
                                    .unrelocated = true,
                                    .unfit = &unfit};
  loaded->code = og_load_with(og_hsa.runtime, "code object", file->bytes, file->size, &options, diagnostics);
  og_hsa_log_diagnostics(diagnostics);
  og_diagnostics_free(diagnostics);
  if (!loaded->code)
    return unfit ? HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  og_hsa_symbols_read(executable->arena, loaded->code->code, loaded->code->start, agent, &loaded->symbols);
  if (is_defined_twice(executable, loaded)) {
    og_unload(loaded->code);
    return HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
  }
  describe(executable->arena, loaded, file);
  *executable->last_loaded = loaded;
  executable->last_loaded = &loaded->next;
  if (handle)
    handle->handle = (uintptr_t)loaded;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                                   hsa_code_object_reader_t reader, const char *options,
                                                   hsa_loaded_code_object_t *loaded) {
  (void)options;
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *on = og_hsa_agent(agent);
  OG_HSA_NEED(on && on->target.processor, HSA_STATUS_ERROR_INVALID_AGENT);
  og_hsa_code_lock();
  const struct og_hsa_file *file = og_hsa_file(reader.handle, true);
  return og_hsa_code_unlock(file ? og_hsa_load(og_hsa_executable(executable), on, file, loaded)
                                 : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
}

hsa_status_t hsa_executable_load_program_code_object(hsa_executable_t executable, hsa_code_object_reader_t reader,
                                                     const char *options, hsa_loaded_code_object_t *loaded) {
  (void)options;
  OG_HSA_NEED_OPEN();
  og_hsa_code_lock();
  const struct og_hsa_file *file = og_hsa_file(reader.handle, true);
  return og_hsa_code_unlock(file ? og_hsa_load(og_hsa_executable(executable), NULL, file, loaded)
                                 : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static hsa_status_t define(hsa_executable_t handle, const struct og_hsa_agent *agent, const char *name, void *address,
                           bool readonly) {
  OG_HSA_NEED_ARGUMENT(name);
  og_hsa_code_lock();
  struct og_hsa_executable *executable = og_hsa_executable(handle);
  hsa_status_t status = !executable         ? HSA_STATUS_ERROR_INVALID_EXECUTABLE
                        : executable->frozen ? HSA_STATUS_ERROR_FROZEN_EXECUTABLE
                        : og_hsa_find_symbol(executable, agent, name) ? HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED
                                                                      : HSA_STATUS_SUCCESS;
  if (status == HSA_STATUS_SUCCESS) {
    struct og_hsa_definition *definition = OG_NEW(executable->arena, struct og_hsa_definition);
    definition->symbol = (struct og_hsa_symbol){.name = og_arena_printf(executable->arena, "%s", name),
                                                .agent = agent,
                                                .address = (uintptr_t)address,
                                                .alignment = 1,
                                                .readonly = readonly,
                                                .external = true};
    definition->next = executable->definitions;
    executable->definitions = definition;
  }
  return og_hsa_code_unlock(status);
}

hsa_status_t hsa_executable_global_variable_define(hsa_executable_t executable, const char *name, void *address) {
  OG_HSA_NEED_OPEN();
  return define(executable, NULL, name, address, false);
}

hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                         const char *name, void *address) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  return define(executable, og_hsa_agent(agent), name, address, false);
}

hsa_status_t hsa_executable_readonly_variable_define(hsa_executable_t executable, hsa_agent_t agent, const char *name,
                                                     void *address) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  return define(executable, og_hsa_agent(agent), name, address, true);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Gives every relocated place its value. */
static hsa_status_t relocate(struct og_hsa_executable *executable, bool quietly) {
  hsa_status_t status = HSA_STATUS_SUCCESS;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  for (struct og_hsa_loaded *loaded = executable->loaded; loaded; loaded = loaded->next) {
    loaded->undefined = false;
    if (!og_load_relocate(loaded->code, diagnostics))
      status = loaded->undefined ? HSA_STATUS_ERROR_VARIABLE_UNDEFINED : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  }
  if (!quietly)
    og_hsa_log_diagnostics(diagnostics);
  og_diagnostics_free(diagnostics);
  return status;
}

hsa_status_t hsa_executable_freeze(hsa_executable_t handle, const char *options) {
  (void)options;
  OG_HSA_NEED_OPEN();
  og_hsa_code_lock();
  struct og_hsa_executable *executable = og_hsa_executable(handle);
  hsa_status_t status = !executable          ? HSA_STATUS_ERROR_INVALID_EXECUTABLE
                        : executable->frozen ? HSA_STATUS_ERROR_FROZEN_EXECUTABLE
                                             : relocate(executable, false);
  if (status == HSA_STATUS_SUCCESS)
    executable->frozen = true;
  return og_hsa_code_unlock(status);
}

hsa_status_t hsa_executable_validate(hsa_executable_t handle, uint32_t *result) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(result);
  og_hsa_code_lock();
  struct og_hsa_executable *executable = og_hsa_executable(handle);
  if (executable)
    *result = executable->frozen ? 0 : relocate(executable, true) != HSA_STATUS_SUCCESS;
  return og_hsa_code_unlock(executable ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

hsa_status_t hsa_executable_validate_alt(hsa_executable_t executable, const char *options, uint32_t *result) {
  (void)options;
  return hsa_executable_validate(executable, result);
}

hsa_status_t hsa_executable_get_info(hsa_executable_t handle, hsa_executable_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(value);
  og_hsa_code_lock();
  const struct og_hsa_executable *executable = og_hsa_executable(handle);
  hsa_status_t status = executable ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (executable)
    switch (attribute) {
    case HSA_EXECUTABLE_INFO_PROFILE: *(hsa_profile_t *)value = executable->profile; break;
    case HSA_EXECUTABLE_INFO_STATE:
      *(hsa_executable_state_t *)value =
          executable->frozen ? HSA_EXECUTABLE_STATE_FROZEN : HSA_EXECUTABLE_STATE_UNFROZEN;
      break;
    case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
      *(hsa_default_float_rounding_mode_t *)value = executable->rounding;
      break;
    default: status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return og_hsa_code_unlock(status);
}
