/* globals.c - the bytes of global variables, and their symbols. */
#include "cc/object.h"

#include <string.h>

/* An address in a variable's bytes, which the linker fills in. */
struct address {
  uint64_t at; /* offset in the variable */
  uint32_t global;
  int64_t addend;
};
struct addresses {
  struct og_arena *arena;
  const uint8_t *begin;
  OG_VECTOR(struct address) list;
};

/* An address of a global, in any address space of 64 bits, with a constant offset. */
static bool put_address(const struct og_ir_module *m, og_ir_ref ref, const uint8_t *to, struct addresses *found) {
  int64_t addend = 0;
  for (unsigned depth = 0; depth < 32; depth++) {
    ref = cc_base(m, NULL, ref, &addend);
    const struct og_ir_constant *k = og_ir_constant_of(m, ref);
    if (k->kind == OG_IR_C_GLOBAL) {
      const struct og_ir_global *g = &m->globals.items[k->value];
      bool known = g->kind == OG_IR_DEFINITION ? g->function->blocks.count > 0 : g->kind == OG_IR_VARIABLE;
      if (!known ||
          (g->kind == OG_IR_VARIABLE && g->address_space != 0 && g->address_space != 1 && g->address_space != 4))
        return false;
      *OG_PUSH(found->arena, &found->list) =
          (struct address){(uint64_t)(to - found->begin), (uint32_t)k->value, addend};
      return true;
    }
    bool cast = k->kind == OG_IR_C_EXPRESSION && cc_bits(m, k->type) == 64 &&
                (k->opcode == OG_IR_ADDRSPACECAST || k->opcode == OG_IR_BITCAST || k->opcode == OG_IR_PTRTOINT);
    if (!cast)
      return false;
    ref = m->pool.items[k->first];
  }
  return false;
}

static bool put_constant(const struct og_ir_module *m, og_ir_ref ref, uint8_t *to, struct addresses *found) {
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
      if (!put_constant(m, part, to + at, found))
        return false;
    }
    return true;
  }
  default: return put_address(m, ref, to, found);
  }
}

static bool relocate(struct cc_object *o, const struct og_ir_module *m, const struct og_symbol *symbol,
                     const struct addresses *found, struct og_diagnostics *diagnostics) {
  for (uint32_t k = 0; k < found->list.count; k++) {
    const struct address *a = &found->list.items[k];
    uint32_t to = m->globals.items[a->global].function ? cc_function_symbol(o, m, a->global)
                                                       : cc_global_symbol(o, m, a->global, diagnostics);
    if (!to)
      return false;
    og_object_add_relocation(o->elf, (struct og_relocation){.section = symbol->section,
                                                            .offset = symbol->value + a->at,
                                                            .type = OG_R_AMDGPU_ABS64,
                                                            .symbol = to,
                                                            .addend = a->addend});
  }
  return true;
}

static bool has_address(const struct og_ir_module *m, og_ir_ref ref, unsigned depth) {
  const struct og_ir_constant *k = og_ir_constant_of(m, ref);
  if (k->kind == OG_IR_C_GLOBAL || k->kind == OG_IR_C_EXPRESSION)
    return true;
  for (uint32_t i = 0; (k->kind == OG_IR_C_AGGREGATE || k->kind == OG_IR_C_SPLAT) && depth < 32 &&
                       i < (k->kind == OG_IR_C_SPLAT ? 1 : k->parts); i++)
    if (has_address(m, m->pool.items[k->first + i], depth + 1))
      return true;
  return false;
}

/* Whether others, such as the host, look for a variable by its name. */
bool cc_is_exported(const struct og_ir_module *m, const struct og_ir_global *g) {
  bool everywhere = g->linkage == OG_IR_EXTERNAL || g->linkage == OG_IR_WEAK || g->linkage == OG_IR_WEAK_ODR;
  struct og_text name = m->names.items[g->name];
  return g->kind == OG_IR_VARIABLE && everywhere && g->value != OG_IR_NONE && g->name &&
         !og_text_skip(&name, "llvm.") && (g->address_space == 0 || g->address_space == 1 || g->address_space == 4);
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
  bool constant = g->constant && g->value != OG_IR_NONE && !has_address(m, g->value, 0); /* the loader writes to data */
  struct og_symbol symbol = {.name = og_arena_copy(o->arena, name.data, name.size),
                             .size = size,
                             .type = STT_OBJECT,
                             .binding = g->linkage == OG_IR_INTERNAL || g->linkage == OG_IR_PRIVATE ? STB_LOCAL
                                        : g->linkage == OG_IR_EXTERNAL                             ? STB_GLOBAL
                                                                                                   : STB_WEAK,
                             .visibility = g->visibility == OG_IR_HIDDEN ? STV_HIDDEN : STV_PROTECTED};
  if (g->value == OG_IR_NONE || size > MOST || align > 256) {
    og_error_in(diagnostics, m->file, "not compiled yet: the global variable '%.*s', which is %s", OG_TEXT_ARGS(name),
                g->value == OG_IR_NONE ? "only declared" : "larger than 64 MiB or aligned to more than 256 bytes");
    return 0;
  }
  uint8_t kind = og_ir_constant_of(m, g->value)->kind;
  bool zero = !constant && (kind == OG_IR_C_ZERO || kind == OG_IR_C_UNDEF || kind == OG_IR_C_POISON);
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
  struct addresses found = {.arena = o->arena, .begin = bytes};
  if (!put_constant(m, g->value, bytes, &found)) {
    og_error_in(diagnostics, m->file, "not compiled yet: what the global variable '%.*s' holds", OG_TEXT_ARGS(name));
    return 0;
  }
  o->symbols[number] = og_object_add_symbol(o->elf, symbol);
  return relocate(o, m, &symbol, &found, diagnostics) ? o->symbols[number] : 0;
}
