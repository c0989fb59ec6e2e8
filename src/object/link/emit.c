/* emit.c - --emit-relocs: relocations that were applied stay in the file, against its own symbols. */
#include "object/link/writer.h"

#include <string.h>

static bool is_kept(const struct ld_section *s) {
  return s->out && s->in->type != SHT_NOBITS && !s->piece_count;
}

static struct ld_emitted *emitted_of(struct ld_writer *w, struct ld_output *of) {
  for (uint32_t i = 0; i < w->emitted.count; i++)
    if (w->emitted.items[i].of == of)
      return &w->emitted.items[i];
  struct ld_emitted *e = OG_PUSH(w->ld->arena, &w->emitted);
  e->of = of;
  return e;
}

/* The section whose symbol a relocation names, or NULL. */
static struct ld_output *section_named(const struct ld_object *object, uint32_t index) {
  const struct og_symbol *symbol = &object->elf->symbols.items[index];
  bool is_section = !object->globals[index] && symbol->type == STT_SECTION &&
                    symbol->section < object->elf->sections.count;
  return is_section ? object->sections[symbol->section].out : NULL;
}

void ld_make_emitted(struct ld_writer *w) {
  struct linker *ld = w->ld;
  if (!ld->options->emit_relocations)
    return;
  for (uint32_t o = 0; o < ld->objects.count; o++) {
    struct ld_object *object = ld->objects.items[o];
    object->symtab_index = OG_NEW_ARRAY(ld->arena, uint32_t, object->elf->symbols.count);
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      const struct ld_section *s = &object->sections[i];
      if (!is_kept(s) || object->order.start[i] == object->order.start[i + 1])
        continue;
      emitted_of(w, s->out)->count += object->order.start[i + 1] - object->order.start[i];
      LD_EACH_RELOCATION(s, r) {
        struct ld_output *named = section_named(object, r->symbol);
        if (named)
          named->has_symbol = true;
      }
    }
  }
  for (uint32_t i = 0; i < w->emitted.count; i++) {
    struct ld_emitted *e = &w->emitted.items[i];
    e->table = ld_add_output(ld, og_arena_printf(ld->arena, ".rela%s", e->of->name), SHT_RELA, SHF_INFO_LINK, 8,
                             RANK_EMITTED);
    e->table->entry_size = sizeof(Elf64_Rela);
    ld_give_data(ld, e->table, e->count * sizeof(Elf64_Rela));
    e->count = 0;
  }
}

static Elf64_Rela emitted(const struct ld_section *s, const struct og_relocation *r) {
  const struct ld_object *object = s->object;
  const struct og_symbol *symbol = &object->elf->symbols.items[r->symbol];
  const struct ld_output *named = section_named(object, r->symbol);
  Elf64_Rela rela = {ld_place_address(s, r->offset), 0, r->addend};
  uint32_t index = object->globals[r->symbol] ? object->globals[r->symbol]->symtab_index
                                              : object->symtab_index[r->symbol];
  if (named) {
    const struct ld_section *target = &object->sections[symbol->section];
    index = named->symtab_index;
    rela.r_addend = target->piece_count ? (int64_t)ld_offset_in_output(target, (uint64_t)r->addend)
                                        : r->addend + (int64_t)target->offset;
  }
  rela.r_info = ELF64_R_INFO((uint64_t)index, r->type);
  return rela;
}

void ld_fill_emitted(struct ld_writer *w) {
  for (uint32_t i = 0; i < w->emitted.count; i++) {
    w->emitted.items[i].table->link = w->symtab;
    w->emitted.items[i].table->info = w->emitted.items[i].of->index;
  }
  for (uint32_t o = 0; w->emitted.count && o < w->ld->objects.count; o++) {
    const struct ld_object *object = w->ld->objects.items[o];
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      const struct ld_section *s = &object->sections[i];
      if (!is_kept(s))
        continue;
      LD_EACH_RELOCATION(s, r) {
        struct ld_emitted *e = emitted_of(w, s->out);
        Elf64_Rela rela = emitted(s, r);
        memcpy(e->table->data + e->count++ * sizeof rela, &rela, sizeof rela);
      }
    }
  }
}
