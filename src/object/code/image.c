/* image.c - a code object's segments in memory, and its dynamic relocations applied there. Both come from untrusted
 * files: places outside the segments, or in two of them, are refused before anything is written. */
#include <inttypes.h>
#include <string.h>

#include "object/code/code_object.h"

#define FAIL(c, ...) og_error_in((c)->diagnostics, (c)->code->elf->name, __VA_ARGS__)

/* ---- segments ---------------------------------------------------------------------------------------------------- */

struct checker {
  const struct og_code_object *code;
  struct og_diagnostics *diagnostics;
  const struct og_segment **segments; /* to load, by address */
  uint32_t count;
};

/* ELF has them by rising address, so two that overlap stand side by side. */
static bool check_segments(struct checker *c) {
  const struct og_object *elf = c->code->elf;
  uint64_t end = 0;
  for (uint32_t i = 0; i < elf->segments.count; i++) {
    const struct og_segment *s = &elf->segments.items[i];
    if (s->type != PT_LOAD || s->memory_size == 0)
      continue;
    if (c->count && s->address < end)
      return FAIL(c, "segment %u at 0x%" PRIx64 " begins before the one in front of it ends, at 0x%" PRIx64, i,
                  s->address, end);
    end = s->address + s->memory_size;
    c->segments[c->count++] = s;
  }
  return true;
}

static const struct og_segment *segment_at(const struct checker *c, uint64_t address) {
  uint32_t low = 0, high = c->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->segments[middle]->address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? c->segments[low - 1] : NULL;
}

static bool check_relocation(const struct checker *c, const struct og_relocation *r) {
  const struct og_relocation_formula *f = og_relocation_formula(r->type);
  const char *name = og_relocation_name(r->type);
  if (r->type == OG_R_AMDGPU_NONE)
    return true;
  if (!f || r->type == OG_R_AMDGPU_REL16)
    return FAIL(c, "relocation type %u (%s) at 0x%" PRIx64 " cannot be applied by a loader", r->type,
                name ? name : "unknown", r->offset);
  const struct og_segment *s = segment_at(c, r->offset);
  uint64_t inside = s ? r->offset - s->address : 0;
  if (!s || inside > s->memory_size || f->bytes > s->memory_size - inside)
    return FAIL(c, "relocation %s at 0x%" PRIx64 " is outside the loaded segments", name, r->offset);
  return true;
}

bool og_code_object_place(const struct og_code_object *code, void *memory, struct og_diagnostics *diagnostics) {
  const struct og_object *elf = code->elf;
  struct checker c = {code, diagnostics, OG_NEW_ARRAY(elf->arena, const struct og_segment *, elf->segments.count), 0};
  if (elf->type != ET_DYN)
    return FAIL(&c, "a relocatable object cannot be loaded: link it first (offgrid ld)");
  if (!check_segments(&c))
    return false;
  bool good = true;
  for (uint32_t i = 0; i < elf->dynamic_relocations.count; i++)
    good &= check_relocation(&c, &elf->dynamic_relocations.items[i]);
  for (uint32_t i = 0; good && i < c.count; i++)
    memcpy((uint8_t *)memory + c.segments[i]->address, elf->bytes + c.segments[i]->offset, c.segments[i]->file_size);
  return good;
}

/* ---- relocations ------------------------------------------------------------------------------------------------- */

struct image {
  const struct og_code_object *code;
  uint8_t *memory;
  uint64_t address;
  og_resolve_symbol resolve;
  void *context;
  struct og_diagnostics *diagnostics;
  uint64_t got; /* the next slot */
};

static bool symbol_address(const struct image *image, uint32_t index, uint64_t *value) {
  const struct og_object *elf = image->code->elf;
  *value = 0;
  if (index == 0)
    return true;
  const struct og_symbol *symbol = &elf->dynamic_symbols.items[index];
  if (symbol->section == OG_SECTION_ABSOLUTE)
    return *value = symbol->value, true;
  if (symbol->section != OG_SECTION_UNDEFINED)
    return *value = image->address + symbol->value, true;
  if (image->resolve && image->resolve(image->context, symbol, value))
    return true;
  return symbol->binding == STB_WEAK || FAIL(image, "undefined symbol '%s'", symbol->name);
}

static bool apply(struct image *image, const struct og_relocation *r) {
  const struct og_relocation_formula *f = og_relocation_formula(r->type);
  uint64_t value = image->address, place = image->address + r->offset;
  if (!f)
    return true;
  if (f->origin != OG_FROM_BASE && !symbol_address(image, r->symbol, &value))
    return false;
  if (f->origin == OG_FROM_GOT) {
    og_store64(image->memory + image->got, value);
    value = image->address + image->got;
    image->got += 8;
  }
  value += (uint64_t)r->addend - (f->origin == OG_FROM_DISTANCE || f->origin == OG_FROM_GOT ? place : 0);
  const char *range = og_relocation_store(f, image->memory + r->offset, value);
  return !range || FAIL(image, "relocation %s at 0x%" PRIx64 ": value 0x%" PRIx64 " is not %s",
                        og_relocation_name(r->type), r->offset, value, range);
}

bool og_code_object_relocate(const struct og_code_object *code, void *memory, uint64_t address,
                             og_resolve_symbol resolve, void *context, struct og_diagnostics *diagnostics) {
  struct image image = {code, memory, address, resolve, context, diagnostics, code->got};
  bool good = true;
  for (uint32_t i = 0; i < code->elf->dynamic_relocations.count; i++)
    good &= apply(&image, &code->elf->dynamic_relocations.items[i]);
  return good;
}
