/* symbols.c - kernels and variables of a code object, and their attributes. */
#include <string.h>

#include "hsa/code.h"

static bool is_variable(const struct og_symbol *symbol) {
  return symbol->type == STT_OBJECT && symbol->section != OG_SECTION_UNDEFINED && symbol->name[0] != 0;
}

/* The file has a section's alignment, but of a variable only its place. */
static void add_variable(const struct og_object *elf, const struct og_symbol *symbol, uint64_t start,
                         struct og_hsa_symbol *variable) {
  const struct og_section *section =
      symbol->section < elf->sections.count ? &elf->sections.items[symbol->section] : NULL;
  uint64_t alignment = section ? OG_MAX(section->alignment, 1u) : 1;
  while (alignment > 1 && symbol->value % alignment)
    alignment /= 2;
  variable->name = symbol->name;
  variable->address = symbol->section == OG_SECTION_ABSOLUTE ? symbol->value : start + symbol->value;
  variable->size = symbol->size;
  variable->alignment = (uint32_t)OG_MIN(alignment, 1u << 31);
  variable->readonly = section && !(section->flags & SHF_WRITE);
  variable->module = symbol->binding == STB_LOCAL;
}

static void index_symbol(struct og_arena *arena, struct og_hsa_symbols *symbols, const char *name,
                         struct og_hsa_symbol *symbol) {
  void **slot = og_map_at(arena, &symbols->by_name, og_text(name));
  if (!*slot)
    *slot = symbol;
}

void og_hsa_symbols_read(struct og_arena *arena, const struct og_code_object *code, uint64_t start,
                         const struct og_hsa_agent *agent, struct og_hsa_symbols *symbols) {
  const struct og_object *elf = code->elf;
  uint32_t most = code->kernel_count + elf->dynamic_symbols.count;
  symbols->items = OG_NEW_ARRAY(arena, struct og_hsa_symbol, most);
  for (uint32_t i = 0; i < code->kernel_count; i++) {
    const struct og_kernel *kernel = &code->kernels[i];
    struct og_hsa_symbol *symbol = &symbols->items[symbols->count++];
    *symbol = (struct og_hsa_symbol){
        .name = kernel->symbol, .kernel = kernel, .agent = agent, .address = start + kernel->object};
    index_symbol(arena, symbols, kernel->symbol, symbol);
    index_symbol(arena, symbols, kernel->name, symbol);
  }
  for (uint32_t i = 1; i < elf->dynamic_symbols.count; i++) {
    const struct og_symbol *symbol = &elf->dynamic_symbols.items[i];
    if (!is_variable(symbol) || og_map_get(&symbols->by_name, og_text(symbol->name)))
      continue;
    struct og_hsa_symbol *variable = &symbols->items[symbols->count++];
    variable->agent = agent;
    add_variable(elf, symbol, start, variable);
    index_symbol(arena, symbols, variable->name, variable);
  }
}

/* ---- attributes of a symbol
 * ---------------------------------------------------------------------------------------- */

#define ANSWER(type, what)          \
  do {                              \
    *(type *)value = (type)(what);  \
    return HSA_STATUS_SUCCESS;      \
  } while (0)

static hsa_status_t variable_info(const struct og_hsa_symbol *symbol, uint32_t attribute, void *value) {
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS: ANSWER(uint64_t, symbol->address);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
    ANSWER(hsa_variable_allocation_t, symbol->agent ? HSA_VARIABLE_ALLOCATION_AGENT : HSA_VARIABLE_ALLOCATION_PROGRAM);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
    ANSWER(hsa_variable_segment_t, symbol->readonly ? HSA_VARIABLE_SEGMENT_READONLY : HSA_VARIABLE_SEGMENT_GLOBAL);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT: ANSWER(uint32_t, symbol->alignment);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE: ANSWER(uint32_t, OG_MIN(symbol->size, UINT32_MAX));
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST: ANSWER(bool, symbol->readonly);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t kernel_info(const struct og_hsa_symbol *symbol, uint32_t attribute, void *value) {
  const struct og_kernel *kernel = symbol->kernel;
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT: ANSWER(uint64_t, symbol->address);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE: ANSWER(uint32_t, kernel->kernarg_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
    ANSWER(uint32_t, OG_MAX(kernel->kernarg_align, 16u)); /* hsa.h: at least 16 */
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE: ANSWER(uint32_t, kernel->group_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE: ANSWER(uint32_t, kernel->private_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK: ANSWER(bool, kernel->uses_dynamic_stack);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION: ANSWER(uint32_t, 0);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t og_hsa_symbol_info(const struct og_hsa_symbol *symbol, uint32_t attribute, void *value) {
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
    ANSWER(hsa_symbol_kind_t, symbol->kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE);
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH: ANSWER(uint32_t, strlen(symbol->name));
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME: /* hsa.h: so many characters, no NUL */
    memcpy(value, symbol->name, strlen(symbol->name));
    return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH: ANSWER(uint32_t, 0);
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME: return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
    ANSWER(hsa_agent_t, symbol->agent ? og_hsa_agent_handle(symbol->agent) : (hsa_agent_t){0});
  case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
    ANSWER(hsa_symbol_linkage_t, symbol->module ? HSA_SYMBOL_LINKAGE_MODULE : HSA_SYMBOL_LINKAGE_PROGRAM);
  case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION: ANSWER(bool, !symbol->external);
  }
  return (symbol->kernel ? kernel_info : variable_info)(symbol, attribute, value);
}
