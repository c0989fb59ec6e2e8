/* carried.c - chooses one of the code objects inside a bundle or a host file: by processor, by the end of an id. */
#include "object/code/code_object.h"

#include <string.h>

bool og_is_code_object(const void *bytes, size_t size) {
  return og_is_elf(bytes, size) && size > 20 && og_load16((const uint8_t *)bytes + 18) == OG_EM_AMDGPU;
}

bool og_carries_code(const void *bytes, size_t size) {
  return og_is_bundle(bytes, size) || (og_is_elf(bytes, size) && size > 20 && !og_is_code_object(bytes, size));
}

/* "gfx906" means gfx906 of whatever features, "gfx906:xnack+" those alone. */
static bool is_meant(const struct og_bundle_entry *entry, const char *which) {
  size_t id = strlen(entry->id), wanted = which ? strlen(which) : 0;
  const uint8_t *e = entry->data;
  struct og_target target;
  return !wanted || (id >= wanted && strcmp(entry->id + id - wanted, which) == 0) ||
         (entry->size >= 52 && og_target_from_e_flags(&target, e[EI_OSABI], e[EI_ABIVERSION], og_load32(e + 48)) &&
          target.processor == og_find_processor(og_text(which)));
}

static bool has_bitcode(const struct og_bundle *bundle) {
  bool found = false;
  for (uint32_t i = 0; i < bundle->entries.count; i++)
    found |=
        bundle->entries.items[i].size >= 4 && og_load32(bundle->entries.items[i].data) == 0xdec04342; /* "BC" c0 de */
  return found;
}

bool og_carried_code(struct og_arena *arena, const char *name, const void *bytes, size_t size, const char *which,
                     struct og_bundle *chosen, struct og_diagnostics *diagnostics) {
  struct og_bundle all;
  const char *names = "", *first = NULL;
  unsigned targets = 0;
  *chosen = (struct og_bundle){0};
  if (!og_bundle_read(arena, name, bytes, size, &all, diagnostics))
    return false;
  for (uint32_t i = 0; i < all.entries.count; i++) {
    const struct og_bundle_entry *entry = &all.entries.items[i];
    if (!og_is_code_object(entry->data, entry->size))
      continue;
    if (!strstr(names, entry->id))
      names = og_arena_printf(arena, "%s%s%s", names, *names ? ", " : "", entry->id);
    if (!is_meant(entry, which))
      continue;
    targets += !first || strcmp(first, entry->id) != 0;
    first = first ? first : entry->id;
    *OG_PUSH(arena, &chosen->entries) =
        (struct og_bundle_entry){og_arena_printf(arena, "%s(%s)", name, entry->id), entry->data, entry->size};
  }
  if (targets == 1)
    return true;
  if (!*names && has_bitcode(&all))
    return og_error_in(diagnostics, name,
                       "the device code inside is LLVM bitcode, as -fgpu-rdc leaves it: not compiled yet");
  return og_error_in(diagnostics, name,
                     "code objects for %u targets%s%s inside; -mcpu=PROCESSOR or the end of its id chooses one of: %s",
                     targets, which ? " named " : "", which ? which : "", *names ? names : "none");
}
