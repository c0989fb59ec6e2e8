/* notes.c - ELF note records, and the metadata note of every code object version.
 * Seed: AMDGPU backend guide, "Code Object V2 Note Records", "Code Object V3 Note Records". */
#include "object/metadata/metadata.h"
#include "object/metadata/yaml.h"

#include <string.h>

void og_note_append(struct og_buffer *out, const char *name, uint32_t type, const void *description, size_t size) {
  size_t name_size = strlen(name) + 1;
  og_buffer_u32(out, (uint32_t)name_size);
  og_buffer_u32(out, (uint32_t)size);
  og_buffer_u32(out, type);
  og_buffer_append(out, name, name_size);
  og_buffer_extend(out, og_align_up(name_size, 4) - name_size);
  og_buffer_append(out, description, size);
  og_buffer_extend(out, og_align_up(size, 4) - size);
}

bool og_note_next(const uint8_t *bytes, size_t size, uint64_t alignment, size_t *offset, struct og_note *note) {
  alignment = alignment == 8 ? 8 : 4;
  if (*offset > size || size - *offset < 12)
    return false;
  const uint8_t *record = bytes + *offset;
  uint64_t left = size - *offset, name_size = og_load32(record), description_size = og_load32(record + 4);
  uint64_t description = og_align_up(12 + name_size, alignment);
  if (description > left || description_size > left - description || (name_size && record[12 + name_size - 1] != 0))
    return false;
  *note = (struct og_note){name_size ? (const char *)record + 12 : "", og_load32(record + 8), record + description,
                           description_size};
  *offset += OG_MIN(og_align_up(description + description_size, alignment), left);
  return true;
}

/* The note that holds metadata, from `record` on, once its description stands behind the head. */
static void end_metadata(struct og_buffer *out, size_t record, size_t description) {
  size_t size = out->size - description;
  og_store32(out->data + record + 4, (uint32_t)size);
  og_buffer_extend(out, og_align_up(size, 4) - size);
}

void og_metadata_append(const struct og_node *root, int code_object_version, struct og_buffer *out) {
  bool v2 = code_object_version == 2;
  size_t record = out->size;
  og_note_append(out, v2 ? "AMD" : "AMDGPU", v2 ? OG_NT_AMD_HSA_METADATA : OG_NT_AMDGPU_METADATA, NULL, 0);
  size_t description = out->size;
  if (v2)
    og_metadata_to_yaml(root, 2, out);
  else
    og_metadata_to_msgpack(root, out);
  end_metadata(out, record, description);
}

/* As compilers write it. */
static bool append_directly(struct og_text yaml, int code_object_version, struct og_buffer *out) {
  size_t record = out->size;
  og_note_append(out, "AMDGPU", OG_NT_AMDGPU_METADATA, NULL, 0);
  size_t description = out->size;
  if (!og_metadata_direct(yaml, code_object_version, out))
    return out->size = record, false;
  end_metadata(out, record, description);
  return true;
}

bool og_metadata_note(struct og_text yaml, struct og_range within, int code_object_version, struct og_buffer *out,
                      struct og_diagnostics *diagnostics) {
  if (append_directly(yaml, code_object_version, out))
    return true;
  struct og_arena *arena = og_arena_new(); /* the tree is larger than the text, and nobody needs it afterwards */
  struct og_node *root = og_metadata_from_yaml(arena, yaml, within, diagnostics);
  bool good = root && og_metadata_verify(root, code_object_version, within.source ? within.source->name : NULL,
                                         diagnostics);
  if (good && code_object_version == 2)
    og_metadata_order_v2(root);
  if (good)
    og_metadata_append(root, code_object_version, out);
  og_arena_free(arena);
  return good;
}

int og_note_metadata_version(const struct og_note *note) {
  if (strcmp(note->name, "AMDGPU") == 0 && note->type == OG_NT_AMDGPU_METADATA)
    return 3;
  return strcmp(note->name, "AMD") == 0 && note->type == OG_NT_AMD_HSA_METADATA ? 2 : 0;
}

struct og_node *og_note_read_metadata(struct og_arena *arena, const char *name, const struct og_note *note,
                                      struct og_diagnostics *diagnostics) {
  if (og_note_metadata_version(note) > 2)
    return og_metadata_from_msgpack(arena, name, note->description, note->size, diagnostics);
  size_t size = strnlen((const char *)note->description, note->size);
  struct og_source *source = OG_NEW(arena, struct og_source);
  *source = (struct og_source){.name = name, .text = (const char *)note->description, .size = size};
  return og_metadata_from_yaml(arena, (struct og_text){source->text, size},
                               (struct og_range){source, 0, (uint32_t)size}, diagnostics);
}

/* The lists of that key in all documents as one. */
static void merge_list(struct og_arena *arena, struct og_node *const *documents, uint32_t count, const char *key) {
  struct og_node *root = documents[0], *first = og_node_get(root, key);
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct og_node *list = og_node_get(documents[i], key);
    total += list && list->kind == OG_NODE_LIST ? list->count : 0;
  }
  if (!total || root->kind != OG_NODE_MAP || (first && first->kind != OG_NODE_LIST))
    return;
  struct og_node merged = {.kind = OG_NODE_LIST, .items = OG_NEW_ARRAY(arena, struct og_node, total)};
  for (uint32_t i = 0; i < count; i++) {
    const struct og_node *list = og_node_get(documents[i], key);
    for (uint32_t k = 0; list && list->kind == OG_NODE_LIST && k < list->count; k++)
      merged.items[merged.count++] = list->items[k];
  }
  *og_node_add(arena, root, key) = merged;
}

struct og_node *og_metadata_merge(struct og_arena *arena, struct og_node *const *documents, uint32_t count, bool v2) {
  for (int i = 0; count > 1 && i < 2; i++)
    merge_list(arena, documents, count, v2 ? (i ? "Printf" : "Kernels") : (i ? "amdhsa.printf" : "amdhsa.kernels"));
  return documents[0];
}
