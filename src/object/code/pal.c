/* pal.c - the registers that a PAL pipeline's metadata sets, of both its notes, and what PAL hands over in them. */
#include "object/code/pal.h"

#include <string.h>

/* What compute shaders find in them, by the first register of each range. */
static const struct {
  uint32_t first;
  const char *use;
} compute_map[] = {
    {OG_PAL_COMPUTE_GLOBAL_TABLE, "global internal table"},
    {OG_PAL_COMPUTE_SHADER_TABLE, "per-shader internal table"},
    {OG_PAL_COMPUTE_USER_DATA, "application's user data"},
    {OG_PAL_COMPUTE_SPILL_TABLE, "spill table"},
    {OG_PAL_COMPUTE_GROUP_COUNT, "thread group count"},
    {OG_PAL_COMPUTE_GDS_RANGE, "GDS range"},
    {OG_PAL_COMPUTE_GDS_RANGE + 1, ""},
};

const char *og_pal_stage(uint32_t number, uint32_t *index) {
  const char *name = og_pal_register(number, index);
  return name && strstr(name, "_USER_DATA") ? name : NULL;
}

const char *og_pal_use(uint32_t number) {
  uint32_t index;
  if (!og_pal_stage(number, &index))
    return "";
  if (number < OG_PAL_COMPUTE_STAGE)
    return index == OG_PAL_GRAPHICS_GLOBAL_TABLE ? "global internal table" : "as the pipeline maps it";
  const char *use = "";
  for (size_t i = 0; i < OG_COUNT(compute_map) && compute_map[i].first <= index; i++)
    use = compute_map[i].use;
  return use;
}

/* "AMD", NT_AMD_PAL_METADATA: pairs of register and value. */
static void each_of_list(const struct og_note *note, og_pal_visit *visit, void *context) {
  for (size_t i = 0; i + 8 <= note->size; i += 8)
    visit(og_load32(note->description + i), og_load32(note->description + i + 4), context);
}

/* "AMDGPU", NT_AMDGPU_METADATA: a map in each pipeline. */
static void each_of_document(const struct og_node *metadata, og_pal_visit *visit, void *context) {
  const struct og_node *pipelines = og_node_get(metadata, "amdpal.pipelines");
  for (uint32_t i = 0; pipelines && pipelines->kind == OG_NODE_LIST && i < pipelines->count; i++) {
    const struct og_node *map = og_node_get(&pipelines->items[i], ".registers");
    uint64_t number, value;
    for (uint32_t k = 0; map && map->kind == OG_NODE_MAP && k < map->count; k++)
      if (og_node_uint(&map->items[2 * k], &number) && og_node_uint(&map->items[2 * k + 1], &value))
        visit((uint32_t)number, (uint32_t)value, context);
  }
}

void og_pal_each_register(const struct og_code_object *code, og_pal_visit *visit, void *context) {
  const struct og_object *elf = code->elf;
  if (elf->os_abi != OG_OSABI_PAL)
    return;
  each_of_document(code->metadata, visit, context);
  for (uint32_t i = 1; i < elf->sections.count; i++) {
    const struct og_section *s = &elf->sections.items[i];
    struct og_note note;
    for (size_t offset = 0; s->type == SHT_NOTE && og_note_next(s->data, s->size, s->alignment, &offset, &note);)
      if (strcmp(note.name, "AMD") == 0 && note.type == OG_NT_AMD_PAL_METADATA)
        each_of_list(&note, visit, context);
  }
}
