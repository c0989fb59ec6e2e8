/* bitcode_constants.c - constants in bitcode. Records are kept until all have been read, since they may refer to later
 * ones. */
#include "ir/bitcode.h"

#include <string.h>

enum { DEEPEST = 1000 };

bool og_bc_read_constants(struct og_bc *b) {
  uint32_t id;
  uint64_t type = 0;
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    if (b->bits.code == 1) { /* SETTYPE */
      type = og_bc_op(b, 0);
      continue;
    }
    og_ir_type known;
    if (!og_bc_type(b, type, &known))
      return false;
    struct og_bc_constant c = {b->bits.code, known, b->numbers.count, b->bits.record.count, 0};
    for (uint32_t i = 0; i < c.count; i++)
      *OG_PUSH(b->arena, &b->numbers) = og_bc_op(b, i);
    *OG_PUSH(b->arena, &b->constants) = c;
    while (b->constant_of.count <= b->values.count)
      *OG_PUSH(b->arena, &b->constant_of) = 0;
    b->constant_of.items[b->values.count] = b->constants.count;
    *OG_PUSH(b->arena, &b->values) = OG_IR_NONE;
  }
  return (entry == OG_BIT_END || og_bc_fail(b, "Malformed block of constants")) && (!b->f || og_bc_make_constants(b));
}

static bool make(struct og_bc *b, uint64_t value, og_ir_ref *ref, unsigned depth);

/* ---- records ---- */

struct record {
  const struct og_bc_constant *c;
  const uint64_t *numbers;
  uint32_t count;
  og_ir_type type;
  unsigned depth;
};

static uint64_t number(const struct record *r, uint32_t index) { return index < r->count ? r->numbers[index] : 0; }

static og_ir_ref of_bits(struct og_bc *b, og_ir_type type, uint64_t bits) {
  uint32_t words[4] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
  return og_ir_wide(b->m, type, words, 2);
}

static bool is_number(const struct og_bc *b, og_ir_type type, bool only_integer) {
  uint8_t kind = og_ir_kind(b->m, type);
  return kind == OG_IR_INTEGER || (!only_integer && og_ir_is_float(b->m, type));
}

static bool wide(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  bool integer = r->c->code == 5;
  const struct og_ir_type_record *t = og_ir_type_of(b->m, r->type);
  uint64_t bits = integer ? t->count : og_ir_float_bits(t->kind);
  if (t->kind == OG_IR_X86_FP80 || !is_number(b, r->type, integer) || !r->count || bits > 1 << 16)
    return og_bc_fail(b, "Invalid wide number");
  uint32_t needs = (uint32_t)(bits + 31) / 32;
  uint32_t *words = OG_NEW_ARRAY(b->scratch, uint32_t, OG_MAX(needs, 4u) + 2);
  for (uint32_t i = 0; i < r->count && i * 2 < needs; i++) {
    uint64_t word = integer ? (uint64_t)og_bc_signed(r->numbers[i]) : r->numbers[i];
    words[i * 2] = (uint32_t)word;
    words[i * 2 + 1] = (uint32_t)(word >> 32);
  }
  *ref = og_ir_wide(b->m, r->type, words, OG_MAX(needs, 4u));
  return true;
}

/* Elements of an aggregate as numbers. */
static bool data(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  const struct og_ir_type_record *t = og_ir_type_of(b->m, r->type);
  if ((t->kind != OG_IR_ARRAY && t->kind != OG_IR_VECTOR) || t->count != r->count)
    return og_bc_fail(b, "Invalid data");
  og_ir_type element = og_ir_part(b->m, r->type, 0);
  if (!is_number(b, element, false))
    return og_bc_fail(b, "Invalid data");
  uint32_t *parts = OG_NEW_ARRAY(b->scratch, uint32_t, r->count + 1);
  for (uint32_t i = 0; i < r->count; i++)
    parts[i] = of_bits(b, element, r->numbers[i]);
  *ref = og_ir_aggregate(b->m, r->type, parts, r->count);
  return true;
}

static bool bytes(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  uint32_t size = r->count + (r->c->code == 9); /* a CSTRING ends with a zero that is not written */
  const struct og_ir_type_record *t = og_ir_type_of(b->m, r->type);
  if (t->kind != OG_IR_ARRAY || t->count != size || og_ir_type_of(b->m, og_ir_part(b->m, r->type, 0))->count != 8)
    return og_bc_fail(b, "Invalid string");
  char *text = og_arena_alloc(b->arena, size + 1);
  for (uint32_t i = 0; i < r->count; i++)
    text[i] = (char)r->numbers[i];
  *ref = og_ir_bytes(b->m, r->type, (struct og_text){text, size});
  return true;
}

static bool aggregate(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  const struct og_ir_type_record *t = og_ir_type_of(b->m, r->type);
  uint64_t expected = t->kind == OG_IR_STRUCT ? t->parts : t->count;
  bool right = t->kind == OG_IR_STRUCT || t->kind == OG_IR_ARRAY || t->kind == OG_IR_VECTOR;
  if (!right || expected != r->count)
    return og_bc_fail(b, "Invalid aggregate");
  uint32_t *parts = OG_NEW_ARRAY(b->scratch, uint32_t, r->count + 1);
  for (uint32_t i = 0; i < r->count; i++) {
    if (!make(b, r->numbers[i], &parts[i], r->depth + 1))
      return false;
    if (og_ir_constant_of(b->m, parts[i])->type != og_ir_element(b->m, r->type, i))
      return og_bc_fail(b, "Invalid aggregate: an element has another type");
  }
  *ref = og_ir_aggregate(b->m, r->type, parts, r->count);
  return true;
}

static const uint8_t binaries[] = {OG_IR_ADD, OG_IR_SUB,  OG_IR_MUL,  OG_IR_UDIV, OG_IR_SDIV, OG_IR_UREM, OG_IR_SREM,
                                   OG_IR_SHL, OG_IR_LSHR, OG_IR_ASHR, OG_IR_AND,  OG_IR_OR,   OG_IR_XOR};
static const uint8_t casts[] = {OG_IR_TRUNC,    OG_IR_ZEXT,     OG_IR_SEXT,    OG_IR_FPTOUI,  OG_IR_FPTOSI,
                                OG_IR_UITOFP,   OG_IR_SITOFP,   OG_IR_FPTRUNC, OG_IR_FPEXT,   OG_IR_PTRTOINT,
                                OG_IR_INTTOPTR, OG_IR_BITCAST,  OG_IR_ADDRSPACECAST, OG_IR_PTRTOADDR};

static og_ir_ref expression(struct og_bc *b, uint8_t opcode, uint16_t flags, og_ir_type type, uint64_t value,
                            const uint32_t *parts, uint32_t count) {
  return og_ir_constant(b->m,
                        (struct og_ir_constant){.kind = OG_IR_C_EXPRESSION, .opcode = opcode, .flags = flags,
                                                .type = type, .value = value, .parts = count}, parts);
}

static bool binary(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  uint32_t parts[2];
  if (number(r, 0) >= sizeof binaries || og_ir_kind(b->m, og_ir_scalar(b->m, r->type)) != OG_IR_INTEGER)
    return og_bc_fail(b, "Invalid constant expression");
  uint8_t opcode = binaries[number(r, 0)];
  if (!make(b, number(r, 1), &parts[0], r->depth + 1) || !make(b, number(r, 2), &parts[1], r->depth + 1))
    return false;
  uint16_t flags = (uint16_t)((number(r, 3) & 3) << 8) & og_ir_opcodes[opcode].flags;
  *ref = expression(b, opcode, flags, r->type, 0, parts, 2);
  return true;
}

static bool cast(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  og_ir_ref part;
  if (number(r, 0) >= sizeof casts || !make(b, number(r, 2), &part, r->depth + 1))
    return og_bc_fail(b, "Invalid constant expression");
  uint8_t opcode = casts[number(r, 0)];
  bool nothing = opcode == OG_IR_BITCAST && og_ir_constant_of(b->m, part)->type == r->type;
  *ref = nothing ? part : expression(b, opcode, 0, r->type, 0, &part, 1);
  return true;
}

/* Expressions of older versions: comparisons (before 19) and choices (before 17). */
static bool compare(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  uint32_t parts[2];
  uint64_t predicate = number(r, 3);
  bool real = predicate < 16;
  if (!make(b, number(r, 1), &parts[0], r->depth + 1) || !make(b, number(r, 2), &parts[1], r->depth + 1))
    return false;
  og_ir_type type = og_ir_constant_of(b->m, parts[0])->type;
  if (type != og_ir_constant_of(b->m, parts[1])->type || predicate > 41 || (!real && predicate < 32) ||
      real != og_ir_is_float(b->m, og_ir_scalar(b->m, type)) ||
      r->type != og_ir_with_scalar(b->m, type, og_ir_integer(b->m, 1)))
    return og_bc_fail(b, "Invalid constant expression");
  *ref = expression(b, real ? OG_IR_FCMP : OG_IR_ICMP, 0, r->type, predicate, parts, 2);
  return true;
}

static bool choose(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  uint32_t parts[3];
  for (uint32_t i = 0; i < 3; i++)
    if (!make(b, number(r, i), &parts[i], r->depth + 1))
      return false;
  if (og_ir_constant_of(b->m, parts[0])->type != og_ir_integer(b->m, 1) ||
      og_ir_constant_of(b->m, parts[1])->type != r->type || og_ir_constant_of(b->m, parts[2])->type != r->type)
    return og_bc_fail(b, "Invalid constant expression");
  *ref = expression(b, OG_IR_SELECT, 0, r->type, 0, parts, 3);
  return true;
}

static bool address(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  uint32_t code = r->c->code, at = 0;
  og_ir_type source;
  uint16_t flags = 0;
  bool own_type = code == 32 || code == 24 || r->count % 2;
  if (code == 31 || !own_type)
    return og_bc_fail(b, "inrange of getelementptr, or one without its type, is not handled");
  if (!og_bc_type(b, number(r, at++), &source))
    return false;
  if (code == 20) {
    flags = OG_IR_F_INBOUNDS | OG_IR_F_NUSW;
  } else if (code == 24 || code == 32) {
    uint64_t bits = number(r, at++);
    flags |= bits & 1 ? OG_IR_F_INBOUNDS | OG_IR_F_NUSW : 0;
    flags |= code == 32 && bits & 2 ? OG_IR_F_NUSW : 0;
    flags |= code == 32 && bits & 4 ? OG_IR_F_NUW : 0;
  }
  if ((r->count - at) % 2 || r->count - at < 2 || r->count < at || !og_ir_is_sized(b->m, source))
    return og_bc_fail(b, "Invalid constant expression");
  uint32_t count = (r->count - at) / 2, *parts = OG_NEW_ARRAY(b->scratch, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    if (!make(b, number(r, at + i * 2 + 1), &parts[i], r->depth + 1))
      return false;
  *ref = expression(b, OG_IR_GETELEMENTPTR, flags, r->type, source, parts, count);
  return true;
}

/* [type,] flags, size, characters, size, characters */
static bool assembler(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  uint32_t at = r->c->code == 30;
  uint16_t flags = (uint16_t)number(r, at++) & 15;
  uint32_t names[2];
  for (unsigned i = 0; i < 2; i++) {
    uint64_t size = number(r, at++);
    if (at > r->count || size > r->count - at)
      return og_bc_fail(b, "Invalid inline assembly");
    char *text = og_arena_alloc(b->arena, size + 1);
    for (uint64_t k = 0; k < size; k++)
      text[k] = (char)number(r, at++);
    names[i] = og_ir_name(b->m, (struct og_text){text, size});
  }
  *ref = og_ir_constant(b->m, (struct og_ir_constant){.kind = OG_IR_C_ASSEMBLER, .flags = flags, .type = r->type,
                                                      .value = (uint64_t)names[0] << 32 | names[1]}, NULL);
  return true;
}

static bool block_address(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  og_ir_ref function;
  if (!make(b, number(r, 1), &function, r->depth + 1))
    return false;
  const struct og_ir_global *g = og_ir_global_of(b->m, function);
  if (!g || g->kind != OG_IR_DEFINITION || number(r, 2) > UINT32_MAX)
    return og_bc_fail(b, "Invalid blockaddress");
  *ref = og_ir_constant(
      b->m,
      (struct og_ir_constant){.kind = OG_IR_C_BLOCKADDRESS,
                              .type = r->type,
                              .value = (uint64_t)og_ir_constant_of(b->m, function)->value << 32 | number(r, 2)},
      NULL);
  return true;
}

static bool wrapped(struct og_bc *b, const struct record *r, uint8_t kind, og_ir_ref *ref) {
  og_ir_ref global;
  if (!make(b, number(r, 1), &global, r->depth + 1))
    return false;
  if (!og_ir_global_of(b->m, global))
    return og_bc_fail(b, "Invalid constant");
  *ref = og_ir_constant(b->m, (struct og_ir_constant){.kind = kind, .type = r->type, .parts = 1}, &global);
  return true;
}

static bool make_record(struct og_bc *b, const struct record *r, og_ir_ref *ref) {
  uint8_t kind = og_ir_kind(b->m, r->type);
  switch (r->c->code) {
  case 2:
    if (kind == OG_IR_FUNCTION || r->type == OG_IR_VOID || r->type == OG_IR_LABEL)
      return og_bc_fail(b, "Invalid type for a constant null value");
    *ref = og_ir_zero(b->m, r->type);
    return true;
  case 3:
  case 26: {
    uint8_t what = r->c->code == 3 ? OG_IR_C_UNDEF : OG_IR_C_POISON;
    *ref = og_ir_constant(b->m, (struct og_ir_constant){.kind = what, .type = r->type}, NULL);
    return true;
  }
  case 4:
    if (is_number(b, r->type, true)) {
      uint64_t value = (uint64_t)og_bc_signed(number(r, 0));
      uint32_t words[4] = {(uint32_t)value, (uint32_t)(value >> 32)};
      *ref = og_ir_wide(b->m, r->type, words, 2);
      return true;
    }
    if (og_ir_is_vector(b->m, r->type) && is_number(b, og_ir_part(b->m, r->type, 0), true)) { /* a splat */
      og_ir_ref part = of_bits(b, og_ir_part(b->m, r->type, 0), (uint64_t)og_bc_signed(number(r, 0)));
      *ref = og_ir_constant(b->m, (struct og_ir_constant){.kind = OG_IR_C_SPLAT, .type = r->type, .parts = 1}, &part);
      return true;
    }
    return og_bc_fail(b, "Invalid integer constant");
  case 5: return wide(b, r, ref);
  case 6:
    if (og_ir_is_vector(b->m, r->type) && og_ir_is_float(b->m, og_ir_part(b->m, r->type, 0))) {
      og_ir_ref part = of_bits(b, og_ir_part(b->m, r->type, 0), number(r, 0));
      *ref = og_ir_constant(b->m, (struct og_ir_constant){.kind = OG_IR_C_SPLAT, .type = r->type, .parts = 1}, &part);
      return true;
    }
    if (!og_ir_is_float(b->m, r->type))
      return og_bc_fail(b, "Invalid float constant");
    if (og_ir_float_bits(kind) > 64)
      return wide(b, r, ref);
    *ref = of_bits(b, r->type, number(r, 0));
    return true;
  case 7: return aggregate(b, r, ref);
  case 8: case 9: return bytes(b, r, ref);
  case 10: return binary(b, r, ref);
  case 11: return cast(b, r, ref);
  case 13: return choose(b, r, ref);
  case 17: return compare(b, r, ref);
  case 12: case 20: case 24: case 31: case 32: return address(b, r, ref);
  case 21: return block_address(b, r, ref);
  case 22: return data(b, r, ref);
  case 23: case 28: case 30: return assembler(b, r, ref);
  case 27: return wrapped(b, r, OG_IR_C_EQUIVALENT, ref);
  case 29: return wrapped(b, r, OG_IR_C_NO_CFI, ref);
  default: return og_bc_fail(b, "a constant expression of kind %u is not handled", r->c->code);
  }
}

static bool make(struct og_bc *b, uint64_t value, og_ir_ref *ref, unsigned depth) {
  if (value >= b->values.count)
    return og_bc_fail(b, "Invalid constant reference");
  *ref = b->values.items[value];
  if (*ref != OG_IR_NONE)
    return og_ir_space(*ref) == OG_IR_CONSTANT || og_bc_fail(b, "Invalid constant reference");
  uint32_t index = value < b->constant_of.count ? b->constant_of.items[value] : 0;
  if (!index || depth > DEEPEST || b->constants.items[index - 1].state == 1)
    return og_bc_fail(b, "constants name each other in a circle, or are nested too deeply");
  struct og_bc_constant *c = &b->constants.items[index - 1];
  c->state = 1;
  struct record r = {c, b->numbers.items + c->first, c->count, c->type, depth};
  if (!make_record(b, &r, ref))
    return false;
  b->constants.items[index - 1].state = 2;
  b->values.items[value] = *ref;
  return true;
}

bool og_bc_make_constants(struct og_bc *b) {
  for (uint32_t i = b->f ? b->module_values : 0; i < b->values.count; i++) {
    og_ir_ref ref;
    if (b->values.items[i] == OG_IR_NONE && !make(b, i, &ref, 0))
      return false;
  }
  return true;
}

bool og_bc_constant_value(struct og_bc *b, uint64_t number, og_ir_ref *ref) { return make(b, number, ref, 0); }
