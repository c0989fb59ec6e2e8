/* labels.h - the places in an object that have names, for listings. */
#ifndef OG_LABELS_H
#define OG_LABELS_H

#include "isa/isa.h"
#include "object/object.h"

struct og_label {
  uint64_t address; /* in relocatable objects, from the section's start */
  const char *name;
  uint32_t section;
  uint8_t type; /* the symbol's */
};

/* Ordered by section, address, name. */
struct og_labels {
  struct og_label *items;
  uint32_t count, capacity;
};

static inline bool og_is_named(const struct og_symbol *s) {
  return s->name && s->name[0] && s->type != STT_SECTION && s->type != STT_FILE;
}
/* The named symbols that are in sections: section by section, in the table's order. They are from the dynamic table if
 * there is no other. */
const struct og_symbol **og_placed_symbols(struct og_arena *arena, const struct og_object *object, size_t *count);
void og_labels_collect(struct og_arena *arena, const struct og_object *object, struct og_labels *labels);
/* Names the targets of a section's branches "L0" and so on, except targets that have a symbol without a type. */
void og_labels_name_targets(struct og_arena *arena, struct og_labels *labels, const struct og_isa *isa,
                            const struct og_object *object, uint32_t section);
/* The index behind the last of the section's labels at or below the address. */
size_t og_labels_until(const struct og_labels *labels, uint32_t section, uint64_t address);
/* Of the symbols without a type exactly at the address, the first by name; NULL: none. LLVM names targets of branches
 * by no others. */
const struct og_label *og_labels_target(const struct og_labels *labels, uint32_t section, uint64_t address);

/* The address that labels have at a section's first byte. */
static inline uint64_t og_labels_base(const struct og_object *object, uint32_t section) {
  return object->type == ET_REL ? 0 : object->sections.items[section].address;
}

#endif
