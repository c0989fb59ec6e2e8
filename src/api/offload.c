/* offload.c - og_offload: the code objects in a bundle or a host program. */
#include "api/fill.h"
#include "object/object.h"

struct og_offload {
  struct og_arena *arena;
  struct og_bundle bundle;
};

og_offload *og_offload_open(const void *data, size_t size, const char *name, og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  og_offload *offload = OG_NEW(arena, og_offload);
  offload->arena = arena;
  name = og_arena_printf(arena, "%s", name ? name : "<memory>");
  const char *bytes = og_arena_copy_input(arena, name, data, size, diagnostics);
  if (bytes && og_bundle_read(arena, name, bytes, size, &offload->bundle, diagnostics))
    return offload;
  og_arena_free(arena);
  return NULL;
}

void og_offload_free(og_offload *offload) {
  if (offload)
    og_arena_free(offload->arena);
}

bool og_offload_get(const og_offload *offload, size_t index, og_offload_entry *entry) {
  if (index >= offload->bundle.entries.count)
    return false;
  const struct og_bundle_entry *found = &offload->bundle.entries.items[index];
  return OG_FILL(entry, .id = found->id, .data = found->data, .size = found->size);
}
