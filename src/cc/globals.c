/* globals.c - the bytes of global variables, and their symbols. */
#include "cc/object.h"

#include <string.h>

static bool put_constant(const struct og_ir_module *m, og_ir_ref ref, uint8_t *to) {
  const struct og_ir_constant *k = og_ir_constant_of(m, ref);
  uint64_t size = cc_store_size(m, k->type);
  switch (k->kind) {
  case OG_IR_C_ZERO:
  case OG_IR_C_UNDEF:
  case OG_IR_C_POISON: return true;
  case OG_IR_C_NUMBER: memcpy(to, &k->value, OG_MIN(size, 8u)); return true;
  case OG_IR_C_WIDE: memcpy(to, &m->pool.items[k->first], OG_MIN(size, 4u * k->parts)); return true;
  case OG_IR_C_BYTES:
    memcpy(to, m->names.items[k->value].data, OG_MIN(size, m->names.items[k->value].size));
    return true;
  case OG_IR_C_AGGREGATE:
  case OG_IR_C_SPLAT: {
    bool is_struct = og_ir_kind(m, k->type) == OG_IR_STRUCT, is_vector = og_ir_is_vector(m, k->type);
    uint64_t count = k->kind == OG_IR_C_SPLAT ? og_ir_type_of(m, k->type)->count : k->parts;
    for (uint64_t i = 0; i < count; i++) {
      og_ir_ref part = m->pool.items[k->first + (k->kind == OG_IR_C_SPLAT ? 0 : i)];
      og_ir_type type = og_ir_constant_of(m, part)->type;
      if (is_vector && cc_bits(m, type) % 8)
        return false;
      uint64_t at =
          is_struct ? cc_field_offset(m, k->type, i) : i * (is_vector ? cc_store_size(m, type) : cc_size_of(m, type));
      if (!put_constant(m, part, to + at))
        return false;
    }
    return true;
  }
  default: return false; /* addresses: they would need relocations */
  }
}

uint32_t cc_global_symbol(struct cc_object *o, const struct og_ir_module *m, uint32_t number,
                          struct og_diagnostics *diagnostics) {
  enum { MOST = 64 << 20 };
  const struct og_ir_global *g = &m->globals.items[number];
  struct og_text name = m->names.items[g->name];
  if (!o->symbols)
    o->symbols = OG_NEW_ARRAY(o->arena, uint32_t, m->globals.count);
  if (o->symbols[number])
    return o->symbols[number];
  uint64_t size = cc_size_of(m, g->type), align = g->align ? UINT64_C(1) << (g->align - 1) : cc_align_of(m, g->type);
  bool constant = g->constant;
  struct og_symbol symbol = {.name = og_arena_copy(o->arena, name.data, name.size),
                             .size = size,
                             .type = STT_OBJECT,
                             .binding =
                                 g->linkage == OG_IR_INTERNAL || g->linkage == OG_IR_PRIVATE ? STB_LOCAL : STB_GLOBAL,
                             .visibility = g->visibility == OG_IR_HIDDEN ? STV_HIDDEN : STV_PROTECTED};
  if (g->value == OG_IR_NONE || size > MOST || align > 256) {
    og_error_in(diagnostics, m->file, "not compiled yet: the global variable '%.*s', which is %s", OG_TEXT_ARGS(name),
                g->value == OG_IR_NONE ? "only declared" : "larger than 64 MiB or aligned to more than 256 bytes");
    return 0;
  }
  bool zero = !constant && og_ir_constant_of(m, g->value)->kind == OG_IR_C_ZERO;
  if (zero) {
    if (!o->bss_section)
      o->bss_section = og_object_add_section(o->elf, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 16);
    struct og_section *bss = &o->elf->sections.items[o->bss_section];
    bss->alignment = OG_MAX(bss->alignment, align);
    symbol.section = o->bss_section, symbol.value = og_align_up(bss->size, align);
    bss->size = symbol.value + size;
    return o->symbols[number] = og_object_add_symbol(o->elf, symbol);
  }
  if (!constant && !o->data_section)
    o->data_section = og_object_add_section(o->elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 16);
  struct og_buffer *to = constant ? &o->rodata : &o->data;
  struct og_section *section = &o->elf->sections.items[constant ? o->rodata_section : o->data_section];
  section->alignment = OG_MAX(section->alignment, align);
  og_buffer_align(to, align, 0);
  symbol.section = constant ? o->rodata_section : o->data_section, symbol.value = to->size;
  uint8_t *bytes = og_buffer_extend(to, size);
  if (!put_constant(m, g->value, bytes)) {
    og_error_in(diagnostics, m->file, "not compiled yet: what the global variable '%.*s' holds", OG_TEXT_ARGS(name));
    return 0;
  }
  return o->symbols[number] = og_object_add_symbol(o->elf, symbol);
}
