/* executable_symbols.c - an executable's kernels and variables: found by name, listed, and their attributes. */
#include "hsa/code.h"

static bool is_item(const struct og_hsa_symbol *items, uint32_t count, uint64_t handle) {
  uint64_t offset = handle - (uintptr_t)items;
  return offset < count * sizeof *items && offset % sizeof *items == 0;
}

bool og_hsa_is_symbol(const struct og_hsa_symbols *symbols, uint64_t handle) {
  return symbols->items && is_item(symbols->items, symbols->count, handle);
}

static const struct og_hsa_symbol *symbol_of(uint64_t handle) {
  const struct og_hsa_symbol *symbol = (const struct og_hsa_symbol *)(uintptr_t)handle;
  for (const struct og_hsa_executable *e = og_hsa.executables; e; e = e->next) {
    for (const struct og_hsa_loaded *loaded = e->loaded; loaded; loaded = loaded->next)
      if (og_hsa_is_symbol(&loaded->symbols, handle))
        return symbol;
    for (const struct og_hsa_definition *d = e->definitions; d; d = d->next)
      if (is_item(&d->symbol, 1, handle))
        return symbol;
  }
  return NULL;
}

hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t handle, hsa_executable_symbol_info_t attribute,
                                            void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(value);
  og_hsa_code_lock();
  const struct og_hsa_symbol *symbol = symbol_of(handle.handle);
  return og_hsa_code_unlock(symbol ? og_hsa_symbol_info(symbol, attribute, value)
                                   : HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
}

hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t handle, const char *name, const hsa_agent_t *agent,
                                               hsa_executable_symbol_t *symbol) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(name && symbol);
  OG_HSA_NEED(!agent || og_hsa_agent(*agent), HSA_STATUS_ERROR_INVALID_AGENT);
  og_hsa_code_lock();
  const struct og_hsa_executable *executable = og_hsa_executable(handle);
  const struct og_hsa_symbol *found =
      executable ? og_hsa_find_symbol(executable, agent ? og_hsa_agent(*agent) : NULL, name) : NULL;
  symbol->handle = (uintptr_t)found;
  return og_hsa_code_unlock(found        ? HSA_STATUS_SUCCESS
                            : executable ? HSA_STATUS_ERROR_INVALID_SYMBOL_NAME
                                         : HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

/* AMD's code objects have no modules, so that with the name of one nothing is found. */
hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char *module, const char *name,
                                       hsa_agent_t agent, int32_t call_convention, hsa_executable_symbol_t *symbol) {
  (void)call_convention;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(!module || !*module, HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  return hsa_executable_get_symbol_by_name(executable, name, agent.handle ? &agent : NULL, symbol);
}

/* ---- one after the other ----------------------------------------------------------------------------------------- */

/* Whose symbols are listed: the program's, an agent's, or everybody's. */
enum owners { OF_PROGRAM, OF_AGENT, OF_ANY };

struct visit {
  hsa_executable_t executable;
  enum owners owners;
  hsa_agent_t agent; /* used by OF_AGENT */
  hsa_status_t (*callback)(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data);
  hsa_status_t (*agent_callback)(hsa_executable_t executable, hsa_agent_t agent, hsa_executable_symbol_t symbol,
                                 void *data);
  void *data;
};

static hsa_status_t visit_symbol(const struct visit *visit, const struct og_hsa_symbol *symbol) {
  hsa_executable_symbol_t handle = {(uintptr_t)symbol};
  uint64_t owner = symbol->agent ? og_hsa_agent_handle(symbol->agent).handle : 0;
  if (visit->owners != OF_ANY && owner != visit->agent.handle)
    return HSA_STATUS_SUCCESS;
  return visit->callback ? visit->callback(visit->executable, handle, visit->data)
                         : visit->agent_callback(visit->executable, visit->agent, handle, visit->data);
}

static hsa_status_t visit_symbols(const struct visit *visit) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(visit->callback || visit->agent_callback);
  OG_HSA_NEED(visit->owners != OF_AGENT || og_hsa_agent(visit->agent), HSA_STATUS_ERROR_INVALID_AGENT);
  og_hsa_code_lock();
  const struct og_hsa_executable *executable = og_hsa_executable(visit->executable);
  hsa_status_t status = executable ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  for (const struct og_hsa_loaded *loaded = executable ? executable->loaded : NULL; loaded; loaded = loaded->next)
    for (uint32_t i = 0; i < loaded->symbols.count && status == HSA_STATUS_SUCCESS; i++)
      status = visit_symbol(visit, &loaded->symbols.items[i]);
  for (const struct og_hsa_definition *d = executable ? executable->definitions : NULL;
       d && status == HSA_STATUS_SUCCESS; d = d->next)
    status = visit_symbol(visit, &d->symbol);
  return og_hsa_code_unlock(status);
}

hsa_status_t hsa_executable_iterate_symbols(hsa_executable_t executable,
                                            hsa_status_t (*callback)(hsa_executable_t executable,
                                                                     hsa_executable_symbol_t symbol, void *data),
                                            void *data) {
  return visit_symbols(&(struct visit){.executable = executable, .owners = OF_ANY, .callback = callback, .data = data});
}

hsa_status_t hsa_executable_iterate_program_symbols(hsa_executable_t executable,
                                                    hsa_status_t (*callback)(hsa_executable_t executable,
                                                                             hsa_executable_symbol_t symbol,
                                                                             void *data),
                                                    void *data) {
  return visit_symbols(
      &(struct visit){.executable = executable, .owners = OF_PROGRAM, .callback = callback, .data = data});
}

hsa_status_t hsa_executable_iterate_agent_symbols(hsa_executable_t executable, hsa_agent_t agent,
                                                  hsa_status_t (*callback)(hsa_executable_t executable,
                                                                           hsa_agent_t agent,
                                                                           hsa_executable_symbol_t symbol,
                                                                           void *data),
                                                  void *data) {
  return visit_symbols(&(struct visit){
      .executable = executable, .owners = OF_AGENT, .agent = agent, .agent_callback = callback, .data = data});
}
