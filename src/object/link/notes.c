/* notes.c - the notes of several objects as one section: loaders read only the first metadata note. */
#include "object/link/linker.h"
#include "object/metadata/metadata.h"

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
    if (seen.type == note->type && strcmp(seen.name, note->name) == 0 && seen.size == note->size &&
        memcmp(seen.description, note->description, note->size) == 0)
      return true;
  return false;
}

static bool add_note(struct notes *n, const struct ld_object *object, const struct og_note *note) {
  struct linker *ld = n->ld;
  int version = og_note_metadata_version(note);
  if (!version || (version > 2 && object->elf->os_abi != OG_OSABI_HSA)) {
    if (!is_repeated(&n->others, note))
      og_note_append(&n->others, note->name, note->type, note->description, note->size);
    return true;
  }
  n->v2 = version == 2;
  struct og_node *root = og_note_read_metadata(ld->arena, object->elf->name, note, ld->diagnostics);
  if (root)
    *OG_PUSH(ld->arena, &n->metadata) = root;
  return root;
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
  struct og_node *root = og_metadata_merge(ld->arena, n->metadata.items, n->metadata.count, n->v2);
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
