/* debug_types.c - DWARF of variables and their types. A variable in private memory stands there as long as its function
 * runs: its location is one expression, an offset with address space 5 (user guide, "AMDGPU DWARF Address Space
 * Identifier"). One that stands in registers has a list of locations (debug_lists.c). */
#include "cc/address.h"
#include "cc/calls.h"
#include "cc/debug.h"

/* DWARF 5, section 7.5. */
enum {
  TAG_ARRAY = 0x01, TAG_ENUMERATION = 0x04, TAG_PARAMETER = 0x05, TAG_BLOCK = 0x0b, TAG_MEMBER = 0x0d,
  TAG_POINTER = 0x0f,
  TAG_REFERENCE = 0x10, TAG_UNIT = 0x11, TAG_STRUCT = 0x13, TAG_SUBROUTINE = 0x15, TAG_TYPEDEF = 0x16, TAG_UNION = 0x17,
  TAG_INHERITANCE = 0x1c, TAG_INLINED = 0x1d, TAG_SUBRANGE = 0x21, TAG_BASE = 0x24, TAG_CONST = 0x26,
  TAG_ENUMERATOR = 0x28,
  TAG_SUBPROGRAM = 0x2e, TAG_VARIABLE = 0x34, TAG_VOLATILE = 0x35, TAG_RESTRICT = 0x37, TAG_UNSPECIFIED = 0x3b,
  TAG_CLASS = 0x02, TAG_RVALUE_REFERENCE = 0x42,
  AT_LOCATION = 0x02, AT_NAME = 0x03, AT_BYTE_SIZE = 0x0b, AT_BIT_SIZE = 0x0d, AT_STMT_LIST = 0x10, AT_LOW_PC = 0x11,
  AT_HIGH_PC = 0x12, AT_LANGUAGE = 0x13, AT_COMP_DIR = 0x1b, AT_CONST_VALUE = 0x1c, AT_INLINE = 0x20,
  AT_PRODUCER = 0x25,
  AT_ORIGIN = 0x31, AT_ARTIFICIAL = 0x34, AT_COUNT = 0x37, AT_MEMBER_AT = 0x38, AT_DECL_FILE = 0x3a,
  AT_DECL_LINE = 0x3b, AT_ENCODING = 0x3e,
  AT_EXTERNAL = 0x3f, AT_TYPE = 0x49, AT_CALL_COLUMN = 0x57, AT_CALL_FILE = 0x58, AT_CALL_LINE = 0x59, AT_BIT_AT = 0x6b,
  AT_LINKAGE_NAME = 0x6e, AT_RANGES = 0x55, AT_RNGLISTS_BASE = 0x74,
  FORM_ADDR = 0x01, FORM_DATA2 = 0x05, FORM_DATA4 = 0x06, FORM_STRING = 0x08, FORM_DATA1 = 0x0b, FORM_SDATA = 0x0d,
  FORM_UDATA = 0x0f, FORM_REF4 = 0x13, FORM_SEC_OFFSET = 0x17, FORM_EXPRESSION = 0x18, FORM_FLAG_PRESENT = 0x19,
  FORM_LOCLISTX = 0x22, FORM_RNGLISTX = 0x23,
  OP_ADDR = 0x03, OP_CONSTU = 0x10, OP_SWAP = 0x16, OP_XDEREF = 0x18, OP_SHR = 0x25, OP_PLUS_UCONST = 0x23,
  OP_LIT0 = 0x30, OP_BREGX = 0x92,
};
enum { LOCAL = 3, PRIVATE_LANE = 5, SGPR0 = 32 }; /* address spaces; a register by its number */

static const uint8_t abbreviations[] = {
    CC_DEBUG_UNIT, TAG_UNIT, true, AT_PRODUCER, FORM_STRING, AT_LANGUAGE, FORM_DATA2, AT_NAME, FORM_STRING,
    AT_STMT_LIST, FORM_SEC_OFFSET, AT_COMP_DIR, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4,
    AT_RNGLISTS_BASE, FORM_SEC_OFFSET, 0x8c, 0x01, FORM_SEC_OFFSET, 0, 0, /* DW_AT_loclists_base */
    CC_DEBUG_FUNCTION, TAG_SUBPROGRAM, true, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, AT_NAME, FORM_STRING,
    AT_LINKAGE_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE, FORM_UDATA, AT_EXTERNAL, FORM_FLAG_PRESENT, 0,
    0,
    CC_DEBUG_ABSTRACT, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_LINKAGE_NAME, FORM_STRING, AT_DECL_FILE,
    FORM_UDATA,
    AT_DECL_LINE, FORM_UDATA, AT_INLINE, FORM_DATA1, 0, 0,
    CC_DEBUG_INLINE, TAG_INLINED, true, AT_ORIGIN, FORM_REF4, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4,
    AT_CALL_FILE,
    FORM_UDATA, AT_CALL_LINE, FORM_UDATA, AT_CALL_COLUMN, FORM_UDATA, 0, 0,
    CC_DEBUG_INLINE_PARTS, TAG_INLINED, true, AT_ORIGIN, FORM_REF4, AT_RANGES, FORM_RNGLISTX, AT_CALL_FILE,
    FORM_UDATA, AT_CALL_LINE, FORM_UDATA, AT_CALL_COLUMN, FORM_UDATA, 0, 0,
    CC_DEBUG_BLOCK, TAG_BLOCK, true, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0, 0,
    CC_DEBUG_BLOCK_PARTS, TAG_BLOCK, true, AT_RANGES, FORM_RNGLISTX, 0, 0,
    CC_DEBUG_PARAMETER, TAG_PARAMETER, false, AT_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE, FORM_UDATA,
    AT_TYPE, FORM_REF4, AT_LOCATION, FORM_EXPRESSION, 0, 0,
    CC_DEBUG_PARAMETER_MOVES, TAG_PARAMETER, false, AT_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE,
    FORM_UDATA,
    AT_TYPE, FORM_REF4, AT_LOCATION, FORM_LOCLISTX, 0, 0,
    CC_DEBUG_PARAMETER_GONE, TAG_PARAMETER, false, AT_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE,
    FORM_UDATA,
    AT_TYPE, FORM_REF4, 0, 0,
    CC_DEBUG_VARIABLE, TAG_VARIABLE, false, AT_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE, FORM_UDATA,
    AT_TYPE, FORM_REF4, AT_LOCATION, FORM_EXPRESSION, 0, 0,
    CC_DEBUG_VARIABLE_MOVES, TAG_VARIABLE, false, AT_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE,
    FORM_UDATA,
    AT_TYPE, FORM_REF4, AT_LOCATION, FORM_LOCLISTX, 0, 0,
    CC_DEBUG_VARIABLE_GONE, TAG_VARIABLE, false, AT_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE,
    FORM_UDATA,
    AT_TYPE, FORM_REF4, 0, 0,
    CC_DEBUG_LDS, TAG_VARIABLE, false, AT_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE, FORM_UDATA,
    AT_TYPE, FORM_REF4, AT_BYTE_SIZE, FORM_UDATA, AT_LOCATION, FORM_EXPRESSION, 0, 0,
    CC_DEBUG_NAMELESS_LDS, TAG_VARIABLE, false, AT_ARTIFICIAL, FORM_FLAG_PRESENT, AT_NAME, FORM_STRING, AT_BYTE_SIZE,
    FORM_UDATA,
    AT_LOCATION, FORM_EXPRESSION, 0, 0,
    CC_DEBUG_HOME, TAG_VARIABLE, false, AT_ARTIFICIAL, FORM_FLAG_PRESENT, AT_BYTE_SIZE, FORM_UDATA, AT_LOCATION,
    FORM_EXPRESSION, 0, 0,
    CC_DEBUG_BASE, TAG_BASE, false, AT_NAME, FORM_STRING, AT_ENCODING, FORM_DATA1, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_POINTER, TAG_POINTER, false, AT_TYPE, FORM_REF4, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_POINTER_TO_VOID, TAG_POINTER, false, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_REFERENCE, TAG_REFERENCE, false, AT_TYPE, FORM_REF4, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_CONST, TAG_CONST, false, AT_TYPE, FORM_REF4, 0, 0,
    CC_DEBUG_CONST_VOID, TAG_CONST, false, 0, 0,
    CC_DEBUG_VOLATILE, TAG_VOLATILE, false, AT_TYPE, FORM_REF4, 0, 0,
    CC_DEBUG_VOLATILE_VOID, TAG_VOLATILE, false, 0, 0,
    CC_DEBUG_TYPEDEF, TAG_TYPEDEF, false, AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, 0, 0,
    CC_DEBUG_TYPEDEF_VOID, TAG_TYPEDEF, false, AT_NAME, FORM_STRING, 0, 0,
    CC_DEBUG_STRUCT, TAG_STRUCT, true, AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_UNION, TAG_UNION, true, AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_MEMBER, TAG_MEMBER, false, AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, AT_MEMBER_AT, FORM_UDATA, 0, 0,
    CC_DEBUG_BITS, TAG_MEMBER, false, AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, AT_BIT_AT, FORM_UDATA, AT_BIT_SIZE,
    FORM_UDATA, 0, 0,
    CC_DEBUG_ARRAY, TAG_ARRAY, true, AT_TYPE, FORM_REF4, 0, 0,
    /* DW_AT_GNU_vector, 0x2107 */
    CC_DEBUG_VECTOR, TAG_ARRAY, true, 0x87, 0x42, FORM_FLAG_PRESENT, AT_TYPE, FORM_REF4, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_COUNT, TAG_SUBRANGE, false, AT_COUNT, FORM_UDATA, 0, 0,
    CC_DEBUG_ENUMERATION, TAG_ENUMERATION, true, AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_UDATA, 0, 0,
    CC_DEBUG_ENUMERATOR, TAG_ENUMERATOR, false, AT_NAME, FORM_STRING, AT_CONST_VALUE, FORM_SDATA, 0, 0,
    CC_DEBUG_SUBROUTINE, TAG_SUBROUTINE, false, 0, 0,
    CC_DEBUG_UNSPECIFIED, TAG_UNSPECIFIED, false, AT_NAME, FORM_STRING, 0, 0,
    0,
};

void cc_debug_put_abbreviations(struct og_buffer *out) { og_buffer_append(out, abbreviations, sizeof abbreviations); }

/* ---- variables --------------------------------------------------------------------------------------------------- */

/* Whether an expression says nothing but the address space of an address. */
static bool is_plain(const struct og_ir_module *m, og_ir_ref ref) {
  if (og_ir_space(ref) != OG_IR_METADATA || og_ir_index(ref) >= m->metadata.count)
    return false;
  const struct og_ir_metadata *e = &m->metadata.items[og_ir_index(ref)];
  const uint64_t *op = m->fields.items + e->first;
  return e->kind == OG_IR_M_EXPRESSION &&
         (!e->parts || (e->parts == 4 && op[0] == OP_CONSTU && op[2] == OP_SWAP && op[3] == OP_XDEREF));
}

/* The alloca that an address points into, through casts and constant offsets. */
static og_ir_ref find_alloca(const struct cc_function *c, og_ir_ref at, int64_t *offset) {
  for (unsigned depth = 0; depth < 16; depth++) {
    at = cc_base(c->m, c->f, at, offset);
    if (og_ir_space(at) != OG_IR_LOCAL || c->f->insts.items[og_ir_index(at)].opcode != OG_IR_ADDRSPACECAST)
      break;
    at = og_ir_operand(c->f, &c->f->insts.items[og_ir_index(at)], 0);
  }
  return at;
}

static bool find_home(const struct cc_function *c, const struct og_ir_inst *i, uint32_t *at) {
  int64_t offset = 0;
  og_ir_ref alloca = find_alloca(c, og_ir_operand(c->f, i, 2), &offset);
  for (uint32_t k = 0; k < c->homes.count; k++)
    if (alloca == c->homes.items[k].record) {
      *at = c->homes.items[k].at + (uint32_t)offset;
      return true;
    }
  return false;
}

void cc_debug_find_variables(struct cc_object *o, const struct cc_function *c, struct cc_debug_function *f) {
  OG_VECTOR(struct cc_debug_variable) found = {0};
  f->frame = !c->is_function ? 0 : c->moves_stack ? CC_S_FRAME : CC_S_STACK;
  f->scale = cc_scratch_by_buffer(c) ? (uint8_t)__builtin_ctz(c->target->wave_size) : 0;
  for (uint32_t b = 0; b < c->f->blocks.count; b++)
    for (uint32_t i = c->f->blocks.items[b].first; i; i = c->f->insts.items[i].next) {
      const struct og_ir_inst *inst = &c->f->insts.items[i];
      uint32_t at;
      if (inst->opcode != OG_IR_DBG_DECLARE || inst->operands < 3 || !is_plain(c->m, og_ir_operand(c->f, inst, 1)))
        continue;
      uint64_t node = 1 + (uint64_t)og_ir_index(og_ir_operand(c->f, inst, 0));
      if (cc_debug_is(c->m, node, OG_IR_M_LOCAL_VAR) && cc_debug_field(c->m, node, "type") && find_home(c, inst, &at))
        *OG_PUSH(o->arena, &found) = (struct cc_debug_variable){.node = node, .location = inst->location, .at = at};
    }
  f->variables = found.items, f->variable_count = found.count;
}

static void refer(struct cc_debug_unit *u, uint64_t type) {
  if (!u->type_at[type - 1]) {
    u->type_at[type - 1] = UINT32_MAX;
    *OG_PUSH(u->o->arena, &u->types) = type;
  }
  *OG_PUSH(u->o->arena, &u->patches) = (struct cc_debug_patch){u->info.bytes.size, type};
  og_buffer_u32(&u->info.bytes, 0);
}

void cc_debug_put_private(struct og_buffer *out, const struct cc_debug_function *f, uint32_t at) {
  if (f->frame) {
    og_buffer_u8(out, OP_BREGX);
    og_buffer_uleb(out, SGPR0 + f->frame);
    og_buffer_uleb(out, 0);
    if (f->scale) {
      og_buffer_u8(out, (uint8_t)(OP_LIT0 + f->scale));
      og_buffer_u8(out, OP_SHR);
    }
    og_buffer_u8(out, OP_PLUS_UCONST);
  } else {
    og_buffer_u8(out, OP_CONSTU);
  }
  og_buffer_uleb(out, at);
  og_buffer_u8(out, OP_LIT0 + PRIVATE_LANE);
  og_buffer_u8(out, OP_SWAP);
  og_buffer_u8(out, OP_XDEREF);
}

/* An entry without its location. */
static void put_declaration(struct cc_debug_unit *u, unsigned kind, uint64_t node) {
  struct og_buffer *out = &u->info.bytes;
  og_buffer_uleb(out, kind);
  og_dwarf_string(out, cc_debug_text(u->m, node, "name"));
  og_buffer_uleb(out, cc_debug_file(u, node));
  og_buffer_uleb(out, cc_debug_field(u->m, node, "line"));
  refer(u, cc_debug_field(u->m, node, "type"));
}

static void put_expression(struct cc_debug_unit *u, struct og_buffer *location) {
  og_buffer_uleb(&u->info.bytes, location->size);
  og_buffer_append(&u->info.bytes, location->data, location->size);
  og_buffer_free(location);
}

void cc_debug_put_variable(struct cc_debug_unit *u, const struct cc_debug_function *f,
                           const struct cc_debug_variable *v) {
  struct og_buffer location = {0};
  bool parameter = cc_debug_field(u->m, v->node, "arg");
  if (v->in_registers) {
    bool known = v->range_count;
    put_declaration(u, parameter ? (known ? CC_DEBUG_PARAMETER_MOVES : CC_DEBUG_PARAMETER_GONE)
                                 : known ? CC_DEBUG_VARIABLE_MOVES : CC_DEBUG_VARIABLE_GONE, v->node);
    if (known)
      cc_debug_put_places(u, f->at, v->ranges, v->range_count);
    return;
  }
  put_declaration(u, parameter ? CC_DEBUG_PARAMETER : CC_DEBUG_VARIABLE, v->node);
  cc_debug_put_private(&location, f, v->at);
  put_expression(u, &location);
}

void cc_debug_find_homes(struct cc_object *o, const struct cc_function *c, struct cc_debug_function *f) {
  uint32_t end = 0, all = (uint32_t)og_align_up(c->scratch_size, 16);
  if (!c->homes.count)
    return;
  f->homes = OG_NEW_ARRAY(o->arena, struct cc_debug_home, c->homes.count + 2);
  if (c->stack_arguments)
    f->homes[f->home_count++] = (struct cc_debug_home){0, c->stack_arguments};
  for (uint32_t k = 0; k < c->homes.count; k++) {
    const struct cc_home *home = &c->homes.items[k];
    f->homes[f->home_count++] = (struct cc_debug_home){home->at, home->size};
    end = OG_MAX(end, (uint32_t)og_align_up(home->at + home->size + c->frame_gap, 4));
  }
  uint32_t own = c->scratch_size > end ? end : all; /* spilled registers; or nothing, at the frame's end */
  f->homes[f->home_count++] = (struct cc_debug_home){own, all - own};
}

void cc_debug_put_home(struct cc_debug_unit *u, const struct cc_debug_function *f, const struct cc_debug_home *home) {
  struct og_buffer location = {0};
  og_buffer_uleb(&u->info.bytes, CC_DEBUG_HOME);
  og_buffer_uleb(&u->info.bytes, home->size);
  cc_debug_put_private(&location, f, home->at);
  put_expression(u, &location);
}

/* The variable in the source that a global of the IR is, if the two are the same; 0: none. */
static uint64_t find_global(const struct og_ir_module *m, const struct og_ir_global *g) {
  uint64_t both = g->kind == OG_IR_VARIABLE ? cc_debug_attached(m, g, OG_IR_M_GLOBAL_VAR_EXPR) : 0;
  uint64_t node = cc_debug_field(m, both, "var"), expression = cc_debug_field(m, both, "expr");
  bool plain = expression && is_plain(m, (og_ir_ref)(OG_IR_METADATA | (uint32_t)(expression - 1)));
  return plain && cc_debug_is(m, node, OG_IR_M_GLOBAL_VAR) && cc_debug_field(m, node, "type") ? node : 0;
}

void cc_debug_find_statics(struct cc_object *o, const struct cc_function *c, struct cc_debug_function *f) {
  OG_VECTOR(struct cc_debug_static) found = {0};
  for (uint32_t k = 0; k < c->m->globals.count; k++) {
    const struct og_ir_global *g = &c->m->globals.items[k];
    if (c->lds_offset[k] && c->lds_offset[k] != CC_LDS_DYNAMIC)
      *OG_PUSH(o->arena, &found) =
          (struct cc_debug_static){.node = find_global(c->m, g), .name = c->m->names.items[g->name],
                                   .at = c->lds_offset[k] - 1, .size = (uint32_t)cc_size_of(c->m, g->type)};
  }
  f->statics = found.items, f->static_count = found.count;
}

void cc_debug_put_static(struct cc_debug_unit *u, struct cc_debug_static *v) {
  struct og_buffer location = {0};
  if (v->node) {
    put_declaration(u, CC_DEBUG_LDS, v->node);
  } else {
    og_buffer_uleb(&u->info.bytes, CC_DEBUG_NAMELESS_LDS);
    og_dwarf_string(&u->info.bytes, v->name);
  }
  og_buffer_uleb(&u->info.bytes, v->size);
  v->put = true;
  og_buffer_u8(&location, OP_CONSTU);
  og_buffer_uleb(&location, v->at);
  og_buffer_u8(&location, OP_LIT0 + LOCAL);
  og_buffer_u8(&location, OP_SWAP);
  og_buffer_u8(&location, OP_XDEREF);
  put_expression(u, &location);
}

void cc_debug_put_globals(struct cc_debug_unit *u) {
  const struct cc_object *o = u->o;
  for (uint32_t k = 0; k < u->m->globals.count && o->symbols; k++) {
    uint64_t node = o->symbols[k] ? find_global(u->m, &u->m->globals.items[k]) : 0;
    if (!node)
      continue;
    const struct og_symbol symbol = o->elf->symbols.items[o->symbols[k]];
    put_declaration(u, CC_DEBUG_VARIABLE, node);
    og_buffer_uleb(&u->info.bytes, 9);
    og_buffer_u8(&u->info.bytes, OP_ADDR);
    og_dwarf_reference(&u->info, symbol.section, symbol.value, true);
  }
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static void put_modified(struct cc_debug_unit *u, unsigned kind, unsigned of_void, uint64_t base) {
  og_buffer_uleb(&u->info.bytes, base ? kind : of_void);
  if (base)
    refer(u, base);
}

static void put_named(struct cc_debug_unit *u, unsigned kind, uint64_t type) {
  og_buffer_uleb(&u->info.bytes, kind);
  og_dwarf_string(&u->info.bytes, cc_debug_text(u->m, type, "name"));
}

static void put_derived(struct cc_debug_unit *u, uint64_t type) {
  const struct og_ir_module *m = u->m;
  uint64_t base = cc_debug_field(m, type, "baseType"), size = cc_debug_field(m, type, "size") / 8;
  switch (cc_debug_field(m, type, "tag")) {
  case TAG_POINTER:
    put_modified(u, CC_DEBUG_POINTER, CC_DEBUG_POINTER_TO_VOID, base);
    og_buffer_uleb(&u->info.bytes, size);
    return;
  case TAG_REFERENCE:
  case TAG_RVALUE_REFERENCE:
    put_modified(u, CC_DEBUG_REFERENCE, CC_DEBUG_POINTER_TO_VOID, base);
    og_buffer_uleb(&u->info.bytes, size);
    return;
  case TAG_VOLATILE: put_modified(u, CC_DEBUG_VOLATILE, CC_DEBUG_VOLATILE_VOID, base); return;
  case TAG_TYPEDEF:
    put_named(u, base ? CC_DEBUG_TYPEDEF : CC_DEBUG_TYPEDEF_VOID, type);
    if (base)
      refer(u, base);
    return;
  case TAG_CONST:
  case TAG_RESTRICT: put_modified(u, CC_DEBUG_CONST, CC_DEBUG_CONST_VOID, base); return;
  default: put_named(u, CC_DEBUG_UNSPECIFIED, type); return;
  }
}

/* A tuple's parts: 1 + metadata each. */
static const uint32_t *parts_of(const struct og_ir_module *m, uint64_t tuple, uint32_t *count) {
  *count = cc_debug_is(m, tuple, OG_IR_M_TUPLE) ? m->metadata.items[tuple - 1].parts : 0;
  return *count ? &m->pool.items[m->metadata.items[tuple - 1].first] : NULL;
}

static void put_members(struct cc_debug_unit *u, uint64_t type) {
  enum { BIT_FIELD = 1 << 19, STATIC = 1 << 12 }; /* of DIFlags */
  const struct og_ir_module *m = u->m;
  uint32_t count;
  const uint32_t *list = parts_of(m, cc_debug_field(m, type, "elements"), &count);
  for (uint32_t k = 0; k < count; k++) {
    uint64_t tag = cc_debug_field(m, list[k], "tag"), flags = cc_debug_field(m, list[k], "flags");
    uint64_t base = cc_debug_field(m, list[k], "baseType"), offset = cc_debug_field(m, list[k], "offset");
    if (!cc_debug_is(m, list[k], OG_IR_M_DERIVED_TYPE) || (tag != TAG_MEMBER && tag != TAG_INHERITANCE) || !base ||
        flags & STATIC)
      continue;
    bool bits = flags & BIT_FIELD;
    put_named(u, bits ? CC_DEBUG_BITS : CC_DEBUG_MEMBER, list[k]);
    refer(u, base);
    og_buffer_uleb(&u->info.bytes, bits ? offset : offset / 8);
    if (bits)
      og_buffer_uleb(&u->info.bytes, cc_debug_field(m, list[k], "size"));
  }
}

static uint64_t bound(const struct og_ir_module *m, uint64_t node) {
  if (!cc_debug_is(m, node, OG_IR_M_VALUE))
    return 0;
  const struct og_ir_constant *c = og_ir_constant_of(m, m->metadata.items[node - 1].first);
  return c->kind == OG_IR_C_NUMBER && (int64_t)c->value > 0 ? c->value : 0;
}

static void put_elements(struct cc_debug_unit *u, uint64_t type, bool numbers) {
  const struct og_ir_module *m = u->m;
  uint32_t count;
  const uint32_t *list = parts_of(m, cc_debug_field(m, type, "elements"), &count);
  for (uint32_t k = 0; k < count; k++) {
    if (numbers && cc_debug_is(m, list[k], OG_IR_M_ENUMERATOR)) {
      put_named(u, CC_DEBUG_ENUMERATOR, list[k]);
      og_buffer_sleb(&u->info.bytes, (int64_t)cc_debug_field(m, list[k], "value"));
    } else if (!numbers && cc_debug_is(m, list[k], OG_IR_M_SUBRANGE)) {
      og_buffer_uleb(&u->info.bytes, CC_DEBUG_COUNT);
      og_buffer_uleb(&u->info.bytes, bound(m, cc_debug_field(m, list[k], "count")));
    }
  }
}

static void put_composite(struct cc_debug_unit *u, uint64_t type) {
  enum { VECTOR = 1 << 11 }; /* of DIFlags */
  uint64_t tag = cc_debug_field(u->m, type, "tag"), base = cc_debug_field(u->m, type, "baseType");
  if (tag == TAG_ARRAY && base) {
    bool vector = cc_debug_field(u->m, type, "flags") & VECTOR;
    og_buffer_uleb(&u->info.bytes, vector ? CC_DEBUG_VECTOR : CC_DEBUG_ARRAY);
    refer(u, base);
    if (vector) /* three elements take the space of four */
      og_buffer_uleb(&u->info.bytes, cc_debug_field(u->m, type, "size") / 8);
    put_elements(u, type, false);
  } else if (tag == TAG_STRUCT || tag == TAG_CLASS || tag == TAG_UNION || tag == TAG_ENUMERATION) {
    put_named(u,
              tag == TAG_UNION         ? CC_DEBUG_UNION
              : tag == TAG_ENUMERATION ? CC_DEBUG_ENUMERATION
                                       : CC_DEBUG_STRUCT,
              type);
    og_buffer_uleb(&u->info.bytes, cc_debug_field(u->m, type, "size") / 8);
    if (tag == TAG_ENUMERATION)
      put_elements(u, type, true);
    else
      put_members(u, type);
  } else {
    put_named(u, CC_DEBUG_UNSPECIFIED, type);
    return;
  }
  og_buffer_u8(&u->info.bytes, 0);
}

static void put_type(struct cc_debug_unit *u, uint64_t type) {
  struct og_buffer *out = &u->info.bytes;
  if (cc_debug_is(u->m, type, OG_IR_M_BASIC_TYPE) && cc_debug_field(u->m, type, "encoding")) {
    put_named(u, CC_DEBUG_BASE, type);
    og_buffer_u8(out, (uint8_t)cc_debug_field(u->m, type, "encoding"));
    og_buffer_uleb(out, cc_debug_field(u->m, type, "size") / 8);
  } else if (cc_debug_is(u->m, type, OG_IR_M_DERIVED_TYPE)) {
    put_derived(u, type);
  } else if (cc_debug_is(u->m, type, OG_IR_M_COMPOSITE_TYPE)) {
    put_composite(u, type);
  } else if (cc_debug_is(u->m, type, OG_IR_M_SUBROUTINE_TYPE)) {
    og_buffer_uleb(out, CC_DEBUG_SUBROUTINE);
  } else {
    put_named(u, CC_DEBUG_UNSPECIFIED, type);
  }
}

void cc_debug_put_types(struct cc_debug_unit *u, size_t start) {
  for (uint32_t k = 0; k < u->types.count; k++) {
    uint64_t type = u->types.items[k];
    u->type_at[type - 1] = (uint32_t)(u->info.bytes.size - start);
    put_type(u, type);
  }
  for (uint32_t k = 0; k < u->patches.count; k++)
    og_store32(u->info.bytes.data + u->patches.items[k].at, u->type_at[u->patches.items[k].type - 1]);
}
