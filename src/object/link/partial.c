/* partial.c - -r: several relocatable objects as one that can be linked again. Sections of the same name are
 * joined; nothing is resolved but names. */
#include "object/link/linker.h"

#include <string.h>

struct partial {
  struct linker *ld;
  struct og_object *out;
};

/* Sections of another kind, and those of other COMDAT groups, stay apart. */
static bool joins(const struct og_section *a, const struct og_section *b) {
  bool same_group = a->group == b->group || (a->group && b->group && strcmp(a->group, b->group) == 0);
  return a->type == b->type && a->flags == b->flags && a->entry_size == b->entry_size && same_group &&
         strcmp(a->name, b->name) == 0 && !(a->flags & SHF_LINK_ORDER);
}

static bool is_left_out(const struct ld_section *s) {
  return !s->in || ld_is_table(s->in) || s->in->type == OG_SHT_LLVM_ADDRSIG;
}

static uint32_t find_or_add(struct partial *p, const struct og_section *in) {
  for (uint32_t i = 1; i < p->out->sections.count; i++)
    if (joins(&p->out->sections.items[i], in))
      return i;
  uint32_t index = og_object_add_section(p->out, in->name, in->type, in->flags, 1);
  struct og_section *made = &p->out->sections.items[index];
  made->entry_size = in->entry_size;
  made->group = in->group;
  made->plain_group = in->plain_group;
  return index;
}

static bool place(struct partial *p, struct ld_section *s) {
  uint32_t index = find_or_add(p, s->in);
  struct og_section *out = &p->out->sections.items[index];
  uint64_t alignment = OG_MAX(s->in->alignment, 1);
  s->placed = index;
  s->offset = og_align_up(out->size, alignment);
  if (alignment & (alignment - 1) || alignment > UINT32_MAX || s->in->size > UINT64_MAX / 4 - s->offset)
    return og_error_in(p->ld->diagnostics, s->object->elf->name, "section '%s' is too large, or its alignment is wrong",
                       s->in->name);
  out->alignment = OG_MAX(out->alignment, alignment);
  out->size = s->offset + s->in->size;
  return true;
}

static bool place_sections(struct partial *p) {
  struct linker *ld = p->ld;
  bool good = true;
  uint64_t inputs = 0, total = 0;
  for (uint32_t o = 0; o < ld->objects.count; o++) {
    inputs += ld->objects.items[o]->elf->size;
    for (uint32_t i = 1; i < ld->objects.items[o]->elf->sections.count; i++)
      if (!is_left_out(&ld->objects.items[o]->sections[i]))
        good = good && place(p, &ld->objects.items[o]->sections[i]);
  }
  for (uint32_t i = 1; i < p->out->sections.count; i++)
    total += p->out->sections.items[i].type == SHT_NOBITS ? 0 : p->out->sections.items[i].size;
  if (total > 16 * inputs)
    return og_error_in(ld->diagnostics, NULL, "section alignments would make the output far larger than the input");
  return good;
}

static void copy_contents(struct partial *p) {
  for (uint32_t i = 1; i < p->out->sections.count; i++)
    if (p->out->sections.items[i].type != SHT_NOBITS)
      p->out->sections.items[i].data = og_arena_alloc(p->ld->arena, p->out->sections.items[i].size + 1);
  for (uint32_t o = 0; o < p->ld->objects.count; o++)
    for (uint32_t i = 1; i < p->ld->objects.items[o]->elf->sections.count; i++) {
      const struct ld_section *s = &p->ld->objects.items[o]->sections[i];
      if (s->placed && s->in->type != SHT_NOBITS)
        memcpy((uint8_t *)p->out->sections.items[s->placed].data + s->offset, s->in->data, s->in->size);
    }
}

/* What a symbol of an object is in the output. */
static struct og_symbol moved(const struct ld_object *object, const struct og_symbol *symbol) {
  struct og_symbol result = *symbol;
  if (symbol->section != OG_SECTION_UNDEFINED && symbol->section < object->elf->sections.count) {
    const struct ld_section *s = &object->sections[symbol->section];
    result.section = s->placed;
    result.value += s->offset;
  }
  return result;
}

static uint32_t add_global(struct partial *p, struct ld_symbol *s) {
  if (s->symtab_index)
    return s->symtab_index;
  struct og_symbol symbol = moved(s->object, s->symbol);
  symbol.name = s->name;
  symbol.size = s->size;
  symbol.visibility = s->visibility;
  symbol.binding = s->state == LD_UNDEFINED && s->strong_reference ? STB_GLOBAL : s->binding;
  if (s->state == LD_COMMON || s->state == LD_LDS)
    symbol.value = s->alignment;
  return s->symtab_index = og_object_add_symbol(p->out, symbol);
}

/* One section symbol for each output section: relocations against it tell by their addend what they mean. */
static uint32_t section_symbol(struct partial *p, uint32_t *symbols, uint32_t section) {
  if (!symbols[section])
    symbols[section] = og_object_add_symbol(p->out, (struct og_symbol){.name = "", .section = section,
                                                                      .binding = STB_LOCAL, .type = STT_SECTION});
  return symbols[section];
}

static void add_locals(struct partial *p, uint32_t *symbols) {
  for (uint32_t o = 0; o < p->ld->objects.count; o++) {
    struct ld_object *object = p->ld->objects.items[o];
    object->symtab_index = OG_NEW_ARRAY(p->ld->arena, uint32_t, object->elf->symbols.count);
    for (uint32_t i = 1; i < object->elf->symbols.count; i++) {
      const struct og_symbol *symbol = &object->elf->symbols.items[i];
      if (object->globals[i])
        continue;
      struct og_symbol local = moved(object, symbol);
      if (symbol->section != OG_SECTION_UNDEFINED && local.section == 0)
        continue; /* of a COMDAT group that another object has */
      object->symtab_index[i] = symbol->type == STT_SECTION && local.section < p->out->sections.count
                                    ? section_symbol(p, symbols, local.section)
                                    : og_object_add_symbol(p->out, local);
    }
  }
}

static void add_relocations(struct partial *p) {
  for (uint32_t o = 0; o < p->ld->objects.count; o++) {
    const struct ld_object *object = p->ld->objects.items[o];
    for (uint32_t i = 0; i < object->elf->relocations.count; i++) {
      struct og_relocation r = object->elf->relocations.items[i];
      const struct og_symbol *symbol = &object->elf->symbols.items[r.symbol];
      const struct ld_section *home = &object->sections[r.section];
      if (!home->placed)
        continue;
      if (r.symbol && !object->globals[r.symbol] && symbol->type == STT_SECTION &&
          symbol->section < object->elf->sections.count)
        r.addend += (int64_t)object->sections[symbol->section].offset;
      r.symbol = object->globals[r.symbol] ? add_global(p, object->globals[r.symbol]) : object->symtab_index[r.symbol];
      r.section = home->placed;
      r.offset += home->offset;
      og_object_add_relocation(p->out, r);
    }
  }
}

bool ld_write_relocatable(struct linker *ld, struct og_buffer *out) {
  const struct og_object *first = ld->objects.items[0]->elf;
  struct og_target target;
  if (!og_target_from_e_flags(&target, first->os_abi, first->abi_version, ld->flags))
    return og_error_in(ld->diagnostics, first->name, "e_flags 0x%x name no processor", ld->flags);
  struct partial p = {.ld = ld, .out = og_object_new(ld->arena, &target, 5)};
  p.out->name = "the output";
  p.out->os_abi = first->os_abi;
  p.out->abi_version = first->abi_version;
  p.out->flags = ld->flags;
  if (!place_sections(&p))
    return false;
  copy_contents(&p);
  add_locals(&p, OG_NEW_ARRAY(ld->arena, uint32_t, p.out->sections.count));
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    if (s->state != LD_UNDEFINED || s->referenced)
      add_global(&p, s);
  }
  add_relocations(&p);
  return og_object_write(p.out, out, ld->diagnostics);
}
