/* elf.c - the object in memory: making, filling and searching it; names of relocations. */
#include "object/elf/elf.h"

#include <stdlib.h>
#include <string.h>

const char *og_relocation_name(uint32_t type) {
  switch (type) {
#define OG_CASE(name, value) case value: return "R_AMDGPU_" #name;
    OG_RELOCATIONS(OG_CASE)
  }
  return NULL;
}

bool og_has_addends(const struct og_object *object) { return object->os_abi == OG_OSABI_HSA; }

bool og_is_elf(const void *bytes, size_t size) {
  return size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static bool starts(const void *bytes, size_t size, const char *magic) {
  return size >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

bool og_is_bundle(const void *bytes, size_t size) {
  return starts(bytes, size, OG_BUNDLE_MAGIC) || starts(bytes, size, OG_COMPRESSED_MAGIC) ||
         starts(bytes, size, OG_OFFLOAD_MAGIC);
}

/* EI_ABIVERSION of each code object version (LLVM's AMDGPU usage guide, "ELF header"): V2 is 0, V3 is 1 ... */
static uint8_t abi_version(uint8_t os_abi, int code_object_version) {
  return os_abi == OG_OSABI_HSA ? (uint8_t)(code_object_version - 2) : 0;
}

void og_object_set_version(struct og_object *object, const struct og_target *target, int code_object_version) {
  object->abi_version = abi_version(object->os_abi, code_object_version);
  object->flags = target->processor ? og_target_e_flags(target, code_object_version) : 0;
}

struct og_object *og_object_new(struct og_arena *arena, const struct og_target *target, int code_object_version) {
  static const uint8_t os_abis[] = {[OG_OS_NONE] = OG_OSABI_NONE,
                                    [OG_OS_AMDHSA] = OG_OSABI_HSA,
                                    [OG_OS_AMDPAL] = OG_OSABI_PAL,
                                    [OG_OS_MESA3D] = OG_OSABI_MESA3D};
  struct og_object *object = OG_NEW(arena, struct og_object);
  object->arena = arena;
  object->name = "";
  object->elf32 = target->processor && target->processor->generation == OG_R600;
  object->os_abi = os_abis[target->os];
  object->type = ET_REL;
  object->machine = OG_EM_AMDGPU;
  og_object_set_version(object, target, code_object_version);
  OG_PUSH(arena, &object->sections)->name = "";
  OG_PUSH(arena, &object->symbols)->name = "";
  OG_PUSH(arena, &object->dynamic_symbols)->name = "";
  return object;
}

uint32_t og_object_add_section(struct og_object *object, const char *name, uint32_t type, uint64_t flags,
                               uint64_t alignment) {
  struct og_section *section = OG_PUSH(object->arena, &object->sections);
  section->name = name;
  section->type = type;
  section->flags = flags;
  section->alignment = alignment;
  return object->sections.count - 1;
}

uint32_t og_object_add_symbol(struct og_object *object, struct og_symbol symbol) {
  *OG_PUSH(object->arena, &object->symbols) = symbol;
  return object->symbols.count - 1;
}

void og_object_add_relocation(struct og_object *object, struct og_relocation relocation) {
  *OG_PUSH(object->arena, &object->relocations) = relocation;
}

uint32_t og_object_find_section(const struct og_object *object, const char *name) {
  for (uint32_t i = 1; i < object->sections.count; i++)
    if (strcmp(object->sections.items[i].name, name) == 0)
      return i;
  return 0;
}

static const struct og_symbol *find_in(const struct og_symbol *symbols, uint32_t count, struct og_text name) {
  for (uint32_t i = 1; i < count; i++)
    if (og_text_is(name, symbols[i].name))
      return &symbols[i];
  return NULL;
}

const struct og_symbol *og_object_find_symbol(const struct og_object *object, struct og_text name) {
  const struct og_symbol *symbol = find_in(object->symbols.items, object->symbols.count, name);
  return symbol ? symbol : find_in(object->dynamic_symbols.items, object->dynamic_symbols.count, name);
}

struct og_relocation_order og_order_relocations(struct og_arena *arena, const struct og_object *object) {
  uint32_t sections = object->sections.count, count = object->relocations.count;
  struct og_relocation_order order = {OG_NEW_ARRAY(arena, uint32_t, sections + 1),
                                      OG_NEW_ARRAY(arena, uint32_t, count + 1)};
  uint32_t *next = OG_NEW_ARRAY(arena, uint32_t, sections + 1);
  for (uint32_t i = 0; i < count; i++)
    order.start[object->relocations.items[i].section + 1]++;
  for (uint32_t i = 0; i < sections; i++)
    next[i + 1] = order.start[i + 1] += order.start[i];
  for (uint32_t i = 0; i < count; i++)
    order.index[next[object->relocations.items[i].section]++] = i;
  return order;
}

static int by_place(const void *a, const void *b) {
  const struct og_relocation *x = *(const struct og_relocation *const *)a, *y = *(const struct og_relocation *const *)b;
  return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : x < y ? -1 : x > y;
}

/* By section as they are counted; of most sections they ascend already. */
struct og_relocations og_relocations_by_place(struct og_arena *arena, const struct og_object *object) {
  const struct og_relocation *items = object->relocations.items;
  struct og_relocation_order order = og_order_relocations(arena, object);
  struct og_relocations all = {OG_NEW_ARRAY(arena, const struct og_relocation *, object->relocations.count + 1),
                               object->relocations.count};
  for (uint32_t section = 0; section < object->sections.count; section++) {
    uint32_t from = order.start[section], to = order.start[section + 1];
    bool ascends = true;
    for (uint32_t i = from; i < to; i++) {
      all.items[i] = &items[order.index[i]];
      ascends &= i == from || all.items[i - 1]->offset <= all.items[i]->offset;
    }
    if (!ascends)
      qsort(all.items + from, to - from, sizeof *all.items, by_place);
  }
  return all;
}

size_t og_relocations_from(const struct og_relocations *all, uint32_t section, uint64_t offset) {
  size_t low = 0, high = all->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const struct og_relocation *r = all->items[middle];
    if (r->section < section || (r->section == section && r->offset < offset))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct og_relocations og_relocations_of(const struct og_relocations *all, uint32_t section) {
  size_t from = og_relocations_from(all, section, 0);
  return (struct og_relocations){all->items + from, og_relocations_from(all, section + 1, 0) - from};
}
