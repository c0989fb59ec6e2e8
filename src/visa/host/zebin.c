/* zebin.c - a zebin's data besides its code: .ze_info's argument layout, constant data and its symbols. */
#include "visa/run.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* ---- the container ----------------------------------------------------------------------------------------------- */

struct section {
  const char *name;
  const uint8_t *data;
  size_t size;
  uint32_t type, link;
};

/* Section `index` of an ELF in memory; false: there are no more. libelf checks the bounds. */
static bool section_at(Elf *elf, size_t index, struct section *out) {
  size_t strings;
  Elf_Scn *scn = elf_getscn(elf, index);
  GElf_Shdr header;
  if (!scn || elf_getshdrstrndx(elf, &strings) != 0 || !gelf_getshdr(scn, &header))
    return false;
  Elf_Data *data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(scn, NULL);
  const char *name = elf_strptr(elf, strings, header.sh_name);
  *out = (struct section){name ? name : "", data ? data->d_buf : NULL, data ? data->d_size : header.sh_size,
                          header.sh_type, header.sh_link};
  return true;
}

static Elf *open_elf(const struct og_zebin *zebin) {
  elf_version(EV_CURRENT);
  return elf_memory((char *)(uintptr_t)zebin->data, zebin->size);
}

static bool is_section(const struct section *section, const char *prefix) {
  return strncmp(section->name, prefix, strlen(prefix)) == 0;
}

enum { MAX_DATA = 1 << 28 /* bytes of all together */ };

/* Sections of variables (.data.const, .data.global, .bss.* and others) become memory of their own, to which symbols
 * point. */
static bool load_data(struct og_arena *arena, const struct section *section, uint32_t index, struct og_zebin *zebin,
                      struct og_diagnostics *diagnostics) {
  if (section->size == 0 || (!is_section(section, ".data.") && !is_section(section, ".bss.")))
    return true;
  size_t left = MAX_DATA;
  for (uint32_t i = 0; i < zebin->sections.count; i++)
    left -= zebin->sections.items[i].size;
  if (section->size > left)
    return og_error_in(diagnostics, zebin->file, "section %s: the variables have more than %d bytes", section->name,
                       MAX_DATA);
  struct og_zebin_data *data = OG_PUSH(arena, &zebin->sections);
  *data = (struct og_zebin_data){
      .name = og_arena_copy(arena, section->name, strlen(section->name)), .section = index, .size = section->size};
  data->bytes = (uint8_t *)og_align_up((uintptr_t)og_arena_alloc(arena, section->size + 2 * 4096), 4096);
  data->writable = !strstr(section->name, ".const");
  if (section->data)
    memcpy(data->bytes, section->data, section->size);
  return true;
}

uint8_t *og_zebin_section(const struct og_zebin *zebin, const char *name) {
  for (uint32_t i = 0; i < zebin->sections.count; i++)
    if (strcmp(zebin->sections.items[i].name, name) == 0)
      return zebin->sections.items[i].bytes;
  return NULL;
}

static const struct og_zebin_data *loaded(const struct og_zebin *zebin, uint32_t section) {
  for (uint32_t i = 0; i < zebin->sections.count; i++)
    if (zebin->sections.items[i].section == section)
      return &zebin->sections.items[i];
  return NULL;
}

bool og_zebin_open(struct og_arena *arena, const char *file, const void *data, size_t size, struct og_zebin *zebin,
                   struct og_diagnostics *diagnostics) {
  *zebin = (struct og_zebin){.file = file, .data = data, .size = size};
  if (size < 4 || memcmp(data, "\177ELF", 4) != 0) { /* the YAML itself */
    zebin->info = data;
    zebin->info_size = size;
    zebin->size = 0;
    return true;
  }
  Elf *elf = open_elf(zebin);
  struct section section;
  bool fine = true;
  for (size_t i = 1; elf && fine && section_at(elf, i, &section); i++) {
    if (strcmp(section.name, ".ze_info") == 0 && section.data) {
      zebin->info = (const char *)section.data;
      zebin->info_size = section.size;
    } else {
      fine = load_data(arena, &section, (uint32_t)i, zebin, diagnostics);
    }
  }
  if (zebin->info)
    zebin->info = og_arena_copy(arena, zebin->info, zebin->info_size);
  if (elf)
    elf_end(elf);
  return fine && (zebin->info ||
                  og_error_in(diagnostics, file, "expected a zebin with a .ze_info section, or the text of one"));
}

bool og_zebin_symbol(const struct og_zebin *zebin, const char *name, uint64_t *address) {
  Elf *elf = zebin->size ? open_elf(zebin) : NULL;
  struct section section;
  bool found = false;
  for (size_t i = 1; elf && !found && section_at(elf, i, &section); i++) {
    for (size_t at = 0; section.type == SHT_SYMTAB && section.data && at + sizeof(Elf64_Sym) <= section.size;
         at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      memcpy(&symbol, section.data + at, sizeof symbol);
      const char *text = elf_strptr(elf, section.link, symbol.st_name);
      const struct og_zebin_data *home = text && strcmp(text, name) == 0 ? loaded(zebin, symbol.st_shndx) : NULL;
      if (home) {
        *address = (uintptr_t)home->bytes + symbol.st_value;
        found = true;
      }
    }
  }
  if (elf)
    elf_end(elf);
  return found;
}

/* ---- .ze_info ---------------------------------------------------------------------------------------------------- */

struct info {
  yaml_document_t document;
  struct og_arena *arena;
};

static yaml_node_t *get(struct info *info, yaml_node_t *map, const char *key) {
  if (!map || map->type != YAML_MAPPING_NODE)
    return NULL;
  for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
    yaml_node_t *name = yaml_document_get_node(&info->document, pair->key);
    if (name && name->type == YAML_SCALAR_NODE && strcmp((char *)name->data.scalar.value, key) == 0)
      return yaml_document_get_node(&info->document, pair->value);
  }
  return NULL;
}

static const char *text(struct info *info, yaml_node_t *map, const char *key) {
  yaml_node_t *node = get(info, map, key);
  return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

static int64_t number(struct info *info, yaml_node_t *map, const char *key, int64_t absent) {
  const char *value = text(info, map, key);
  return *value ? strtoll(value, NULL, 0) : absent;
}

/* The index-th entry of a list; NULL: there are no more. */
static yaml_node_t *entry(struct info *info, yaml_node_t *list, size_t index) {
  if (!list || list->type != YAML_SEQUENCE_NODE ||
      index >= (size_t)(list->data.sequence.items.top - list->data.sequence.items.start))
    return NULL;
  return yaml_document_get_node(&info->document, list->data.sequence.items.start[index]);
}

static uint8_t payload_kind(struct info *info, yaml_node_t *argument) {
  static const struct {
    const char *name;
    uint8_t what;
  } kinds[] = {
      {"arg_byvalue", OG_VISA_PAYLOAD_VALUE},
      {"buffer_address", OG_VISA_PAYLOAD_POINTER},
      {"buffer_offset", OG_VISA_PAYLOAD_BUFFER_OFFSET},
      {"local_size", OG_VISA_PAYLOAD_LOCAL_SIZE},
      {"enqueued_local_size", OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE},
      {"global_size", OG_VISA_PAYLOAD_GLOBAL_SIZE},
      {"group_count", OG_VISA_PAYLOAD_GROUP_COUNT},
      {"global_id_offset", OG_VISA_PAYLOAD_GLOBAL_OFFSET},
      {"work_dimensions", OG_VISA_PAYLOAD_WORK_DIMENSIONS},
      {"private_base_stateless", OG_VISA_PAYLOAD_PRIVATE_BASE},
      {"const_base", OG_VISA_PAYLOAD_CONST_BASE},
      {"global_base", OG_VISA_PAYLOAD_GLOBAL_BASE},
      {"printf_buffer", OG_VISA_PAYLOAD_PRINTF},
      {"image_width", OG_VISA_PAYLOAD_IMAGE_WIDTH},
      {"image_height", OG_VISA_PAYLOAD_IMAGE_HEIGHT},
      {"image_depth", OG_VISA_PAYLOAD_IMAGE_DEPTH},
      {"image_array_size", OG_VISA_PAYLOAD_IMAGE_LAYERS},
      {"image_channel_data_type", OG_VISA_PAYLOAD_IMAGE_TYPE},
      {"image_channel_order", OG_VISA_PAYLOAD_IMAGE_ORDER},
      {"sampler_snap_wa", OG_VISA_PAYLOAD_SAMPLER_SNAP},
      {"sampler_normalized", OG_VISA_PAYLOAD_SAMPLER_NORMALIZED},
      {"sampler_address", OG_VISA_PAYLOAD_SAMPLER_ADDRESS},
  };
  const char *type = text(info, argument, "arg_type"), *mode = text(info, argument, "addrmode"),
             *space = text(info, argument, "addrspace");
  if (strcmp(type, "arg_bypointer") == 0 && (strcmp(space, "image") == 0 || strcmp(space, "sampler") == 0))
    return *space == 'i' ? OG_VISA_PAYLOAD_IMAGE : OG_VISA_PAYLOAD_SAMPLER;
  if (strcmp(type, "arg_bypointer") == 0)
    return strcmp(mode, "slm") == 0        ? OG_VISA_PAYLOAD_SLM
           : strcmp(mode, "bindless") == 0 ? OG_VISA_PAYLOAD_BINDLESS
                                           : OG_VISA_PAYLOAD_POINTER;
  for (size_t i = 0; i < OG_COUNT(kinds); i++)
    if (strcmp(type, kinds[i].name) == 0)
      return kinds[i].what;
  return OG_VISA_PAYLOAD_OTHER;
}

static void read_payload(struct info *info, yaml_node_t *kernel, struct og_visa_layout *layout) {
  yaml_node_t *list = get(info, kernel, "payload_arguments"), *argument;
  for (size_t i = 0; (argument = entry(info, list, i)); i++) {
    struct og_visa_payload_entry *to = OG_PUSH(info->arena, &layout->payload);
    to->what = payload_kind(info, argument);
    to->argument = (int32_t)number(info, argument, "arg_index", -1);
    to->offset = (uint32_t)number(info, argument, "offset", 0);
    to->size = (uint32_t)number(info, argument, "size", 0);
    to->source_offset = (uint32_t)number(info, argument, "source_offset", 0);
    if (to->what == OG_VISA_PAYLOAD_SAMPLER)
      *OG_PUSH(info->arena, &layout->sampler_bindings) =
          (struct og_visa_binding){(uint32_t)number(info, argument, "sampler_index", 0), to->argument};
    if (to->argument >= 0)
      layout->argument_count = OG_MAX(layout->argument_count, (uint32_t)to->argument + 1);
  }
  list = get(info, kernel, "per_thread_payload_arguments");
  for (size_t i = 0; (argument = entry(info, list, i)); i++)
    layout->per_thread_size = OG_MAX(
        layout->per_thread_size, (uint32_t)(number(info, argument, "offset", 0) + number(info, argument, "size", 0)));
  list = get(info, kernel, "binding_table_indices");
  for (size_t i = 0; (argument = entry(info, list, i)); i++)
    *OG_PUSH(info->arena, &layout->bindings) = (struct og_visa_binding){
        (uint32_t)number(info, argument, "bti_value", 0), (int32_t)number(info, argument, "arg_index", -1)};
}

static void read_samplers(struct info *info, yaml_node_t *kernel, struct og_visa_layout *layout) {
  static const char *const modes[] = {"clamp_edge", "clamp_border", "repeat", "mirror"};
  yaml_node_t *list = get(info, kernel, "inline_samplers"), *sampler;
  for (size_t i = 0; (sampler = entry(info, list, i)); i++) {
    struct og_visa_inline_sampler *to = OG_PUSH(info->arena, &layout->inline_samplers);
    to->index = (uint32_t)number(info, sampler, "sampler_index", 0);
    for (uint8_t mode = 0; mode < OG_COUNT(modes); mode++)
      if (strcmp(text(info, sampler, "addrmode"), modes[mode]) == 0)
        to->sampler.address = mode;
    to->sampler.linear = strcmp(text(info, sampler, "filtermode"), "linear") == 0;
    to->sampler.normalized = strcmp(text(info, sampler, "normalized"), "true") == 0;
  }
}

static void read_memory(struct info *info, yaml_node_t *kernel, struct og_visa_layout *layout) {
  yaml_node_t *environment = get(info, kernel, "execution_env"), *buffer;
  layout->simd_size = (uint32_t)number(info, environment, "simd_size", 0);
  layout->slm_size = (uint32_t)number(info, environment, "slm_size", 0);
  yaml_node_t *group = get(info, environment, "required_work_group_size"), *size_of;
  for (size_t i = 0; i < 3 && (size_of = entry(info, group, i)) && size_of->type == YAML_SCALAR_NODE; i++)
    layout->required_group[i] = (uint32_t)strtoul((const char *)size_of->data.scalar.value, NULL, 0);
  yaml_node_t *list = get(info, kernel, "per_thread_memory_buffers");
  for (size_t i = 0; (buffer = entry(info, list, i)); i++) {
    uint32_t size = (uint32_t)number(info, buffer, "size", 0);
    if (strcmp(text(info, buffer, "type"), "scratch") == 0)
      layout->scratch_size = OG_MAX(layout->scratch_size, size);
    else
      layout->private_size = OG_MAX(layout->private_size, size);
  }
}

/* An argument that the kernel never uses has no payload, but the source has it all the same. */
static void count_arguments(struct info *info, yaml_node_t *root, const char *name, struct og_visa_layout *layout) {
  yaml_node_t *list = get(info, root, "kernels_misc_info"), *kernel, *argument;
  for (size_t i = 0; (kernel = entry(info, list, i)); i++) {
    if (strcmp(text(info, kernel, "name"), name) != 0)
      continue;
    yaml_node_t *arguments = get(info, kernel, "args_info");
    for (size_t k = 0; (argument = entry(info, arguments, k)); k++)
      layout->argument_count = OG_MAX(layout->argument_count, (uint32_t)number(info, argument, "index", 0) + 1);
  }
}

struct og_visa_layout *og_zebin_layout(struct og_arena *arena, const struct og_zebin *zebin, const char *name,
                                       struct og_diagnostics *diagnostics) {
  struct info info = {.arena = arena};
  yaml_parser_t parser;
  struct og_visa_layout *layout = NULL;
  if (!yaml_parser_initialize(&parser))
    return NULL;
  yaml_parser_set_input_string(&parser, (const unsigned char *)zebin->info, zebin->info_size);
  if (!yaml_parser_load(&parser, &info.document)) {
    og_error_in(diagnostics, zebin->file, ".ze_info, line %zu: %s", parser.problem_mark.line + 1,
                parser.problem ? parser.problem : "not YAML");
    yaml_parser_delete(&parser);
    return NULL;
  }
  yaml_node_t *root = yaml_document_get_root_node(&info.document), *kernels = get(&info, root, "kernels"), *kernel;
  for (size_t i = 0; !layout && (kernel = entry(&info, kernels, i)); i++) {
    if (strcmp(text(&info, kernel, "name"), name) != 0)
      continue;
    layout = OG_NEW(arena, struct og_visa_layout);
    read_payload(&info, kernel, layout);
    read_memory(&info, kernel, layout);
    read_samplers(&info, kernel, layout);
    count_arguments(&info, root, name, layout);
  }
  if (!layout)
    og_error_in(diagnostics, zebin->file, ".ze_info describes no kernel '%s'", name);
  yaml_document_delete(&info.document);
  yaml_parser_delete(&parser);
  return layout;
}
