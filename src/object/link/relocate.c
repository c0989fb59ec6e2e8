/* relocate.c - what symbols stand for in `offgrid ld`, which relocations remain for the loader, and how all others
 * are applied. */
#include "object/kernel/kernel.h"
#include "object/link/writer.h"

#include <inttypes.h>
#include <string.h>

/* ---- what symbols stand for -------------------------------------------------------------------------------------- */

uint64_t ld_place_address(const struct ld_section *s, uint64_t offset) {
  return s->out ? s->out->address + ld_offset_in_output(s, offset) : 0;
}

struct ld_ref ld_refer_global(const struct ld_writer *w, struct ld_symbol *s) {
  struct ld_ref ref = {.global = s, .name = s->name};
  switch (s->state) {
  case LD_UNDEFINED:
    ref.kind =
        w->ld->options->undefined != OG_UNDEFINED_ERROR && s->visibility != STV_HIDDEN && s->visibility != STV_INTERNAL
            ? REF_DYNAMIC
            : REF_CONSTANT;
    break;
  case LD_DEFINED:
    ref.kind = REF_ADDRESS;
    ref.value = ld_place_address(&s->object->sections[s->symbol->section], s->symbol->value);
    break;
  case LD_COMMON:
    ref.kind = REF_ADDRESS;
    ref.value = w->bss->address + s->value;
    break;
  case LD_EDGE:
    ref.kind = REF_ADDRESS;
    ref.value = ld_edge(w->ld, s, &(const struct ld_output *){NULL});
    break;
  case LD_ABSOLUTE: ref.value = s->symbol->value; break;
  case LD_LDS: ref.value = s->value; break;
  }
  return ref;
}

/* The addend matters where it chooses among merged pieces: those that a section symbol stands for. */
struct ld_ref ld_refer(const struct ld_writer *w, const struct ld_object *object, uint32_t index, int64_t addend) {
  if (object->globals[index])
    return ld_refer_global(w, object->globals[index]);
  const struct og_symbol *symbol = &object->elf->symbols.items[index];
  struct ld_ref ref = {.value = symbol->value, .name = symbol->name};
  if (symbol->section != OG_SECTION_UNDEFINED && symbol->section < object->elf->sections.count) {
    const struct ld_section *s = &object->sections[symbol->section];
    ref.kind = REF_ADDRESS;
    uint64_t piece = symbol->type == STT_SECTION && s->piece_count ? (uint64_t)addend : 0;
    ref.value = ld_place_address(s, symbol->value + piece) - piece;
    if (!*ref.name && s->in)
      ref.name = s->in->name;
  }
  return ref;
}

/* ---- which relocations remain for the loader --------------------------------------------------------------------- */

static uint32_t got_slot(struct ld_writer *w, const struct ld_object *object, uint32_t index) {
  struct ld_symbol *global = object->globals[index];
  uint32_t *slot;
  if (global) {
    slot = &global->got;
  } else {
    const char *key = og_arena_printf(w->ld->arena, "%p:%u", (const void *)object, index);
    void **found = og_map_at(w->ld->arena, &w->local_slots, og_text(key));
    if (!*found)
      *found = OG_NEW(w->ld->arena, uint32_t);
    slot = *found;
  }
  if (!*slot) {
    *OG_PUSH(w->ld->arena, &w->slots) = (struct ld_dynamic_relocation){.object = object, .symbol = index};
    *slot = w->slots.count;
  }
  return *slot - 1;
}

static void add_dynamic(struct ld_writer *w, struct ld_dynamic_relocation r, enum ld_ref_kind kind) {
  if (kind == REF_ADDRESS && r.type == OG_R_AMDGPU_ABS64) {
    r.type = OG_R_AMDGPU_RELATIVE64;
    *OG_PUSH(w->ld->arena, &w->relative) = r;
  } else {
    *OG_PUSH(w->ld->arena, &w->symbolic) = r;
  }
}

static bool scan_one(struct ld_writer *w, const struct ld_section *s, const struct og_relocation *r) {
  struct ld_ref ref = ld_refer(w, s->object, r->symbol, r->addend);
  struct ld_dynamic_relocation dynamic = {s, r->offset, r->type, s->object, r->symbol, r->addend};
  bool mesa =
      s->object->elf->os_abi == OG_OSABI_MESA3D && ref.global && (ref.kind == REF_DYNAMIC || ld_exported(ref.global));
  const char *type = og_relocation_name(r->type);
  switch (r->type) {
  case OG_R_AMDGPU_NONE: return true;
  case OG_R_AMDGPU_ABS64:
    if (ref.kind != REF_CONSTANT)
      add_dynamic(w, dynamic, ref.kind);
    return true;
  case OG_R_AMDGPU_ABS32:
  case OG_R_AMDGPU_ABS32_LO:
  case OG_R_AMDGPU_ABS32_HI:
    if (ref.kind == REF_CONSTANT)
      return true;
    if (mesa)
      return add_dynamic(w, dynamic, REF_DYNAMIC), true;
    return LD_FAIL(w, s->object,
                   "relocation %s against '%s' at %s+0x%" PRIx64
                   ": its address is known only when loaded; use @rel32 or @gotpcrel32",
                   type, ref.name, s->in->name, r->offset);
  case OG_R_AMDGPU_REL32:
  case OG_R_AMDGPU_REL32_LO:
  case OG_R_AMDGPU_REL32_HI:
  case OG_R_AMDGPU_REL64:
  case OG_R_AMDGPU_REL16:
    return ref.kind != REF_DYNAMIC ||
           LD_FAIL(w, s->object, "relocation %s against undefined symbol '%s' at %s+0x%" PRIx64 ": use @gotpcrel32",
                   type, ref.name, s->in->name, r->offset);
  case OG_R_AMDGPU_GOTPCREL:
  case OG_R_AMDGPU_GOTPCREL32_LO:
  case OG_R_AMDGPU_GOTPCREL32_HI: got_slot(w, s->object, r->symbol); return true;
  }
  return LD_FAIL(w, s->object, "relocation type %u (%s) at %s+0x%" PRIx64 " cannot stand in a relocatable object",
                 r->type, type ? type : "unknown", s->in->name, r->offset);
}

bool ld_scan(struct ld_writer *w) {
  bool good = true;
  for (uint32_t o = 0; o < w->ld->objects.count; o++) {
    struct ld_object *object = w->ld->objects.items[o];
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      const struct ld_section *s = &object->sections[i];
      if (!s->out || !(s->in->flags & SHF_ALLOC) || s->in->type == SHT_NOBITS)
        continue;
      LD_EACH_RELOCATION(s, r) { good &= scan_one(w, s, r); }
    }
  }
  for (uint32_t i = 0; i < w->slots.count; i++) {
    struct ld_dynamic_relocation r = w->slots.items[i];
    struct ld_ref ref = ld_refer(w, r.object, r.symbol, 0);
    r.offset = 8 * (uint64_t)i;
    r.type = OG_R_AMDGPU_ABS64;
    if (ref.kind != REF_CONSTANT)
      add_dynamic(w, r, ref.kind);
  }
  return good;
}

/* ---- relocation -------------------------------------------------------------------------------------------------- */

static bool overflow(struct ld_writer *w, const struct ld_section *s, const struct og_relocation *r,
                     const struct ld_ref *ref, uint64_t value, const char *range) {
  return LD_FAIL(w, s->object, "relocation %s against '%s' at %s+0x%" PRIx64 ": value 0x%" PRIx64 " is not %s",
                 og_relocation_name(r->type), ref->name, s->in->name, r->offset, value, range);
}

static bool relocate(struct ld_writer *w, const struct ld_section *s, const struct og_relocation *r) {
  const struct og_relocation_formula *f = og_relocation_formula(r->type);
  if (r->type == OG_R_AMDGPU_NONE)
    return true;
  if (!f || f->origin == OG_FROM_BASE)
    return LD_FAIL(w, s->object, "relocation type %u at %s+0x%" PRIx64 " is unknown", r->type, s->in->name, r->offset);
  if (r->offset > s->in->size || f->bytes > s->in->size - r->offset)
    return LD_FAIL(w, s->object, "relocation %s at %s+0x%" PRIx64 " is outside the section",
                   og_relocation_name(r->type), s->in->name, r->offset);
  bool loaded = s->in->flags & SHF_ALLOC;
  if (f->origin == OG_FROM_GOT && !loaded)
    return LD_FAIL(w, s->object, "relocation %s in '%s', which is not loaded", og_relocation_name(r->type),
                   s->in->name);
  struct ld_ref ref = ld_refer(w, s->object, r->symbol, r->addend);
  if (r->type == OG_R_AMDGPU_ABS64 && ref.kind != REF_CONSTANT && loaded)
    return true; /* the loader's */
  uint64_t value =
      f->origin == OG_FROM_GOT ? w->got->address + 8 * (uint64_t)got_slot(w, s->object, r->symbol) : ref.value;
  value += (uint64_t)r->addend - (f->origin == OG_FROM_ADDRESS ? 0 : ld_place_address(s, r->offset));
  const char *range = og_relocation_store(f, s->out->data + s->offset + r->offset, value);
  return !range || overflow(w, s, r, &ref, value, range);
}

bool ld_fill_sections(struct ld_writer *w) {
  struct linker *ld = w->ld;
  bool good = true;
  for (uint32_t i = 0; i < ld->outputs.count; i++)
    if (ld->outputs.items[i]->type != SHT_NOBITS && !ld->outputs.items[i]->data)
      ld_give_data(ld, ld->outputs.items[i], ld->outputs.items[i]->size);
  for (uint32_t o = 0; o < ld->objects.count; o++) {
    struct ld_object *object = ld->objects.items[o];
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      const struct ld_section *s = &object->sections[i];
      if (!s->out || s->in->type == SHT_NOBITS)
        continue;
      if (s->piece_count) {
        ld_copy_pieces(s);
        continue;
      }
      memcpy(s->out->data + s->offset, s->in->data, s->in->size);
      LD_EACH_RELOCATION(s, r) { good &= relocate(w, s, r); }
    }
  }
  return good;
}

/* Kernels ask for the LDS that the symbols were given after theirs. */
void ld_raise_lds(struct ld_writer *w) {
  struct linker *ld = w->ld;
  for (uint32_t i = 0; ld->lds_size != ld->lds_base && i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    size_t length = strlen(s->name);
    if (s->state != LD_DEFINED || !ld_is_live(s))
      continue;
    const struct ld_section *home = &s->object->sections[s->symbol->section];
    if (!home->out->data || home->piece_count || s->symbol->value > home->in->size)
      continue;
    uint64_t left = home->in->size - s->symbol->value;
    uint8_t *at = home->out->data + home->offset + s->symbol->value;
    if (s->type == OG_STT_AMDGPU_HSA_KERNEL && left >= OG_KERNEL_CODE_SIZE)
      og_kernel_code_set(at, og_find_kernel_code_field(OG_TEXT("workgroup_group_segment_byte_size")), ld->lds_size);
    else if (s->type == STT_OBJECT && length > 3 && strcmp(s->name + length - 3, ".kd") == 0 &&
             left >= OG_DESCRIPTOR_SIZE)
      og_store32(at + OG_KD_WORD_GROUP, (uint32_t)ld->lds_size);
  }
}
