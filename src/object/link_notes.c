/* link_notes.c - the notes of several objects as one section: loaders read only the first metadata note. */
#include "object/link.h"

#include <string.h>

struct notes {
  struct linker *ld;
  struct og_buffer others; /* records that are no metadata, without repetition */
  OG_VECTOR(struct og_node *) metadata;
  bool v2;
};

static bool is_repeated(const struct og_buffer *others, const struct og_note *note) {
  struct og_note seen;
  for (size_t offset = 0; og_note_next(others->data, others->size, 4, &offset, &seen);)
    if (seen.type == note->type && strcmp(seen.name, note->name) == 0 && seen.size == note->size && memcmp(seen.description, note->description, note->size) == 0)
      return true;
  return false;
}

static bool add_note(struct notes *n, const struct ld_object *object, const struct og_note *note) {
  struct linker *ld = n->ld;
  bool v2 = strcmp(note->name, "AMD") == 0 && note->type == OG_NT_AMD_HSA_METADATA;
  bool v3 = strcmp(note->name, "AMDGPU") == 0 && note->type == OG_NT_AMDGPU_METADATA && object->elf->os_abi == OG_OSABI_HSA;
  if (!v2 && !v3) {
    if (!is_repeated(&n->others, note))
      og_note_append(&n->others, note->name, note->type, note->description, note->size);
    return true;
  }
  n->v2 = v2;
  struct og_node *root;
  if (v2) {
    size_t size = strnlen((const char *)note->description, note->size);
    struct og_source *source = OG_NEW(ld->arena, struct og_source);
    *source = (struct og_source){.name = object->elf->name, .text = (const char *)note->description, .size = size};
    root = og_metadata_from_yaml(ld->arena, (struct og_text){source->text, size}, (struct og_range){source, 0, (uint32_t)size}, ld->diagnostics);
  } else {
    root = og_metadata_from_msgpack(ld->arena, object->elf->name, note->description, note->size, ld->diagnostics);
  }
  if (root)
    *OG_PUSH(ld->arena, &n->metadata) = root;
  return root;
}

static void append_list(struct linker *ld, struct og_node *into, const struct og_node *from, const char *key) {
  struct og_node *a = og_node_get(into, key);
  const struct og_node *b = og_node_get(from, key);
  if (!b || b->kind != OG_NODE_LIST)
    return;
  if (!a) { /* the key is new: one more pair */
    struct og_node *items = OG_NEW_ARRAY(ld->arena, struct og_node, 2 * (into->count + 1));
    memcpy(items, into->items, 2 * into->count * sizeof *items);
    items[2 * into->count] = (struct og_node){.kind = OG_NODE_STRING, .text = og_text(key)};
    items[2 * into->count + 1] = *b;
    into->items = items;
    into->count++;
    return;
  }
  if (a->kind != OG_NODE_LIST)
    return;
  struct og_node *items = OG_NEW_ARRAY(ld->arena, struct og_node, a->count + b->count);
  for (uint32_t i = 0; i < a->count; i++)
    items[i] = a->items[i];
  for (uint32_t i = 0; i < b->count; i++)
    items[a->count + i] = b->items[i];
  a->items = items;
  a->count += b->count;
}

/* Kernels ask for the LDS that the linker gave out. */
static void raise_lds(struct linker *ld, struct og_node *root, bool v2) {
  struct og_node *kernels = og_node_get(root, v2 ? "Kernels" : "amdhsa.kernels");
  for (uint32_t i = 0; kernels && kernels->kind == OG_NODE_LIST && i < kernels->count; i++) {
    struct og_node *props = v2 ? og_node_get(&kernels->items[i], "CodeProps") : &kernels->items[i];
    struct og_node *size = og_node_get(props, v2 ? "GroupSegmentFixedSize" : ".group_segment_fixed_size");
    if (size)
      *size = (struct og_node){.kind = OG_NODE_UINT, .unsigned_integer = ld->lds_size};
  }
}

static void write_metadata(struct notes *n, struct og_buffer *out) {
  struct linker *ld = n->ld;
  struct og_node *root = n->metadata.items[0];
  for (uint32_t i = 1; i < n->metadata.count; i++) {
    append_list(ld, root, n->metadata.items[i], n->v2 ? "Kernels" : "amdhsa.kernels");
    append_list(ld, root, n->metadata.items[i], n->v2 ? "Printf" : "amdhsa.printf");
  }
  if (ld->lds_size != ld->lds_base)
    raise_lds(ld, root, n->v2);
  og_metadata_append(root, n->v2 ? 2 : 3, out);
}

bool ld_merge_notes(struct linker *ld, struct og_buffer *out) {
  struct notes n = {.ld = ld};
  bool good = true;
  for (uint32_t o = 0; o < ld->objects.count; o++) {
    const struct ld_object *object = ld->objects.items[o];
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      const struct ld_section *s = &object->sections[i];
      struct og_note note;
      if (!s->live || s->in->type != SHT_NOTE || !(s->in->flags & SHF_ALLOC))
        continue;
      for (size_t offset = 0; og_note_next(s->in->data, s->in->size, s->in->alignment, &offset, &note);)
        good &= add_note(&n, object, &note);
    }
  }
  if (good) {
    og_buffer_append(out, n.others.data, n.others.size);
    if (n.metadata.count)
      write_metadata(&n, out);
  }
  og_buffer_free(&n.others);
  return good;
}
