/* notes.c - ELF note records, and the metadata note of every code object version.
 * Seed: AMDGPU backend guide, "Code Object V2 Note Records", "Code Object V3 Note Records". */
#include "object/metadata.h"

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
  *note = (struct og_note){name_size ? (const char *)record + 12 : "", og_load32(record + 8), record + description, description_size};
  *offset += OG_MIN(og_align_up(description + description_size, alignment), left);
  return true;
}

void og_metadata_append(const struct og_node *root, int code_object_version, struct og_buffer *out) {
  struct og_buffer document = {0};
  if (code_object_version == 2) {
    og_metadata_to_yaml(root, 2, &document);
    og_note_append(out, "AMD", OG_NT_AMD_HSA_METADATA, document.data, document.size);
  } else {
    og_metadata_to_msgpack(root, &document);
    og_note_append(out, "AMDGPU", OG_NT_AMDGPU_METADATA, document.data, document.size);
  }
  og_buffer_free(&document);
}

bool og_metadata_note(struct og_arena *arena, struct og_text yaml, struct og_range within, int code_object_version,
                      struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct og_node *root = og_metadata_from_yaml(arena, yaml, within, diagnostics);
  if (!root || !og_metadata_verify(root, code_object_version, within.source ? within.source->name : NULL, diagnostics))
    return false;
  if (code_object_version == 2)
    og_metadata_order_v2(root);
  og_metadata_append(root, code_object_version, out);
  return true;
}
