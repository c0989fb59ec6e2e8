/* pal.c - metadata of PAL pipelines: the directives of both forms, and the one note that they make together, as in
 * LLVM. Seed: AMDGPU backend guide, "AMDPAL". */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"

static void add_register(struct og_asm *as, uint64_t number, uint64_t value) {
  *OG_PUSH(as->arena, &as->pal_registers) = (struct og_pal_register){(uint32_t)number, (uint32_t)value};
}

/* The registers of a document, where a list follows one. */
static void absorb_document(struct og_asm *as) {
  const struct og_node *map = as->pal_document_registers;
  uint64_t number, value;
  for (uint32_t i = 0; map && i < map->count; i++)
    if (og_node_uint(&map->items[2 * i], &number) && og_node_uint(&map->items[2 * i + 1], &value))
      add_register(as, number, value);
  as->pal_document = as->pal_document_registers = NULL;
}

/* Old form: a list of register and value. */
bool og_asm_pal_list(struct og_asm *as, const char *at, int arg) {
  (void)at, (void)arg;
  if (as->target.os != OG_OS_AMDPAL)
    return og_asm_error(as, as->p, 1, ".amd_amdgpu_pal_metadata directive is not available on non-amdpal OSes");
  absorb_document(as);
  do {
    uint32_t number, value;
    if (!og_asm_absolute_u32(as, &number) ||
        !og_asm_expect(as, ',', "not an even number of values: PAL metadata is a list of register and value") ||
        !og_asm_absolute_u32(as, &value))
      return false;
    add_register(as, number, value);
  } while (og_asm_accept(as, ','));
  og_asm_list(as, "\n"); /* the rest of the line is an empty statement to LLVM */
  return true;
}

/* LLVM prints the keys as text, a number with the register's name behind: '0x2e40 (COMPUTE_USER_DATA_0)'. */
static bool number_keys(struct og_asm *as, struct og_node *map) {
  for (uint32_t i = 0; i < map->count; i++) {
    struct og_node *key = &map->items[2 * i];
    if (key->kind == OG_NODE_UINT)
      continue;
    const char *text = og_node_string(key, "");
    if (!isdigit((unsigned char)*text))
      return og_error(as->diagnostics, key->range, "invalid PAL metadata: register '%s' has no number", text);
    key->unsigned_integer = strtoull(text, NULL, 0);
    key->kind = OG_NODE_UINT;
  }
  return true;
}

static struct og_node *map_of(struct og_node *node) {
  if (node->kind != OG_NODE_MAP)
    *node = (struct og_node){.kind = OG_NODE_MAP};
  return node;
}

/* New form: YAML. The first pipeline has a map of registers, if only an empty one. */
bool og_asm_pal_document(struct og_asm *as, const char *at, int arg) {
  (void)at, (void)arg;
  struct og_text yaml;
  if (!og_asm_raw_text(as, ".end_amdgpu_pal_metadata", &yaml))
    return false;
  struct og_node *root =
      og_metadata_from_yaml(as->arena, yaml, og_asm_range(as, yaml.data, yaml.data + yaml.size), as->diagnostics);
  if (!root)
    return false;
  struct og_node *pipelines = og_node_add(as->arena, map_of(root), "amdpal.pipelines");
  if (pipelines->kind != OG_NODE_LIST || !pipelines->count) {
    *pipelines = (struct og_node){.kind = OG_NODE_LIST, .items = OG_NEW(as->arena, struct og_node), .count = 1};
    pipelines->items[0] = (struct og_node){.kind = OG_NODE_MAP};
  }
  as->pal_document = root;
  as->pal_document_registers = map_of(og_node_add(as->arena, map_of(&pipelines->items[0]), ".registers"));
  as->pal_registers.count = 0;
  og_asm_list(as, "\n");
  return number_keys(as, as->pal_document_registers);
}

static int by_number(const void *left, const void *right) {
  const struct og_pal_register *a = left, *b = right;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* Ascending; values of one register are or'ed because several parts of a compiler may set its fields. */
static void merge_registers(struct og_asm *as) {
  struct og_pal_register *r = as->pal_registers.items;
  uint32_t kept = 0;
  qsort(r, as->pal_registers.count, sizeof *r, by_number);
  for (uint32_t i = 1; i < as->pal_registers.count; i++)
    if (r[i].number == r[kept].number)
      r[kept].value |= r[i].value;
    else
      r[++kept] = r[i];
  as->pal_registers.count = kept + 1;
}

/* Registers that have names come last, with them in their keys. */
static void name_registers(struct og_asm *as, const struct og_node *map) {
  struct og_node *sorted = OG_NEW_ARRAY(as->arena, struct og_node, 2 * map->count + 1), *to = sorted;
  for (int named = 0; named < 2; named++)
    for (uint32_t i = 0; i < map->count; i++) {
      struct og_node key = map->items[2 * i];
      uint64_t number = UINT64_MAX;
      uint32_t index;
      const char *name =
          og_node_uint(&key, &number) && number <= UINT32_MAX ? og_pal_register((uint32_t)number, &index) : NULL;
      if ((name != NULL) != named)
        continue;
      if (name)
        key = (struct og_node){.kind = OG_NODE_STRING,
                               .text = og_text(index == OG_PAL_SINGLE
                                                   ? og_arena_printf(as->arena, "0x%" PRIx64 " (%s)", number, name)
                                                   : og_arena_printf(as->arena, "0x%" PRIx64 " (%s_%" PRIu32 ")",
                                                                     number, name, index))};
      *to++ = key;
      *to++ = map->items[2 * i + 1];
    }
  memcpy(map->items, sorted, 2 * map->count * sizeof *sorted);
}

/* As the note has it, with sorted keys. */
static void list_document(struct og_asm *as, const struct og_buffer *bytes) {
  struct og_node *root =
      og_metadata_from_msgpack(as->arena, "PAL metadata", bytes->data, bytes->size, as->diagnostics);
  const struct og_node *pipelines = root ? og_node_get(root, "amdpal.pipelines") : NULL;
  const struct og_node *registers = pipelines ? og_node_get(&pipelines->items[0], ".registers") : NULL;
  if (registers)
    name_registers(as, registers);
  og_asm_list(as, "\t.amdgpu_pal_metadata\n");
  if (root)
    og_metadata_to_hex_yaml(root, as->options->listing);
  og_asm_list(as, "\t.end_amdgpu_pal_metadata\n");
}

bool og_asm_pal_finish(struct og_asm *as) {
  if (!as->pal_registers.count && !as->pal_document)
    return true;
  struct og_buffer bytes = {0}, note = {0};
  if (as->pal_registers.count) {
    merge_registers(as);
    for (uint32_t i = 0; i < as->pal_registers.count; i++) {
      const struct og_pal_register *r = &as->pal_registers.items[i];
      og_asm_list(as, "%s0x%" PRIx32 ",0x%" PRIx32, i ? "," : "\t.amd_amdgpu_pal_metadata ", r->number, r->value);
      og_buffer_u32(&bytes, r->number);
      og_buffer_u32(&bytes, r->value);
    }
    og_asm_list(as, "\n");
    og_note_append(&note, "AMD", OG_NT_AMD_PAL_METADATA, bytes.data, bytes.size);
  } else {
    og_metadata_to_msgpack(as->pal_document, &bytes);
    if (og_asm_listing(as))
      list_document(as, &bytes);
    og_note_append(&note, "AMDGPU", OG_NT_AMDGPU_METADATA, bytes.data, bytes.size);
  }
  bool ok = og_asm_add_note(as, note.data, note.size);
  og_buffer_free(&bytes);
  og_buffer_free(&note);
  return ok;
}
