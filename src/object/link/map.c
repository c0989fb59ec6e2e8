/* map.c - -Map: which section of which input stands where, in lld's columns. */
#include "object/link/linker.h"

#include <inttypes.h>
#include <stdlib.h>

/* Symbols of one input section by address. */
struct place {
  uint64_t address, size;
  const char *name;
};

static void line(struct og_buffer *out, uint64_t address, uint64_t size, uint64_t alignment, int indent,
                 const char *text) {
  og_buffer_printf(out, "%16" PRIx64 " %16" PRIx64 " %8" PRIx64 " %5" PRIu64 " %*s%s", address, address, size,
                   alignment, indent, "", text);
}

static int by_address(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

static void put_symbols(const struct linker *ld, const struct ld_section *s, struct og_buffer *out) {
  const struct og_object *elf = s->object->elf;
  OG_VECTOR(struct place) places = {0};
  for (uint32_t i = 1; i < elf->symbols.count; i++) {
    const struct og_symbol *symbol = &elf->symbols.items[i];
    const struct ld_symbol *global =
        symbol->binding == STB_LOCAL ? NULL : og_map_get(&ld->names, og_text(symbol->name));
    if (symbol->section != s->index || symbol->type == STT_SECTION || !*symbol->name ||
        (global && global->symbol != symbol))
      continue;
    *OG_PUSH(ld->arena, &places) =
        (struct place){s->out->address + ld_offset_in_output(s, symbol->value), symbol->size, symbol->name};
  }
  if (places.count)
    qsort(places.items, places.count, sizeof *places.items, by_address);
  for (uint32_t i = 0; i < places.count; i++) {
    line(out, places.items[i].address, places.items[i].size, 1, 16, places.items[i].name);
    og_buffer_u8(out, '\n');
  }
}

/* Pieces of a merged section stand in several places: the first tells where. */
static void put_input(const struct linker *ld, const struct ld_section *s, struct og_buffer *out) {
  uint64_t address = s->out->address + ld_offset_in_output(s, 0);
  line(out, address, s->in->size, OG_MAX(s->in->alignment, 1), 8, s->object->elf->name);
  og_buffer_printf(out, ":(%s)\n", s->in->name);
  put_symbols(ld, s, out);
}

static void put_common(const struct linker *ld, const struct ld_output *o, struct og_buffer *out) {
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    const struct ld_symbol *s = ld->symbols.items[i];
    if (s->state != LD_COMMON)
      continue;
    line(out, o->address + s->value, s->size, s->alignment, 8, s->object->elf->name);
    og_buffer_text(out, ":(COMMON)\n");
    line(out, o->address + s->value, s->size, 1, 16, s->name);
    og_buffer_u8(out, '\n');
  }
}

void ld_write_map(const struct linker *ld, const struct ld_output *common, struct og_buffer *out) {
  OG_VECTOR(const struct ld_section *) *inputs =
      og_arena_alloc(ld->arena, (ld->outputs.count + 1) * sizeof *inputs); /* by the output's index */
  for (uint32_t o = 0; o < ld->objects.count; o++)
    for (uint32_t i = 1; i < ld->objects.items[o]->elf->sections.count; i++) {
      const struct ld_section *s = &ld->objects.items[o]->sections[i];
      if (s->out)
        *OG_PUSH(ld->arena, &inputs[s->out->index]) = s;
    }
  og_buffer_text(out, "             VMA              LMA     Size Align Out     In      Symbol\n");
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    const struct ld_output *o = ld->outputs.items[i];
    line(out, o->address, o->size, o->alignment, 0, o->name);
    og_buffer_u8(out, '\n');
    for (uint32_t k = 0; k < inputs[o->index].count; k++)
      put_input(ld, inputs[o->index].items[k], out);
    if (o == common)
      put_common(ld, o, out);
    if (!inputs[o->index].count && o != common) {
      line(out, o->address, o->size, o->alignment, 8, "<internal>:(");
      og_buffer_printf(out, "%s)\n", o->name);
    }
  }
}
