/* read_expressions.c - constants that are computed, and other constants with words of their own. */
#include "ir/reader.h"

static bool pending_block(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  og_ir_place place = og_ir_here(r);
  og_ir_ref function;
  og_ir_next(r);
  if (!og_ir_expect(r, '(', "expected '(' in block address expression"))
    return false;
  if (og_ir_at(r) != OG_IR_T_GLOBAL && og_ir_at(r) != OG_IR_T_GLOBAL_NUMBER)
    return og_ir_fail_here(r, "expected function name in blockaddress");
  if (!og_ir_read_global_ref(r, r->program_space, &function))
    return false;
  og_ir_next(r);
  if (!og_ir_expect(r, ',', "expected comma in block address expression"))
    return false;
  bool numbered = og_ir_at(r) == OG_IR_T_LOCAL_NUMBER;
  if (!numbered && og_ir_at(r) != OG_IR_T_LOCAL)
    return og_ir_fail_here(r, "expected basic block name in blockaddress");
  *ref = OG_IR_CONSTANT | r->m->constants.count;
  *OG_PUSH(r->arena, &r->pending_blocks) =
      (struct og_ir_pending_block){r->m->constants.count, numbered, r->lexer.text, r->lexer.number, place};
  uint64_t value = (uint64_t)og_ir_constant_of(r->m, function)->value << 32;
  *OG_PUSH(r->arena, &r->m->constants) =
      (struct og_ir_constant){.kind = OG_IR_C_BLOCKADDRESS, .type = type, .value = value};
  og_ir_next(r);
  return og_ir_expect(r, ')', "expected ')' in block address expression");
}

static bool equivalent(struct og_ir_reader *r, og_ir_type type, uint8_t kind, og_ir_ref *ref) {
  og_ir_ref global;
  og_ir_next(r);
  if (og_ir_at(r) != OG_IR_T_GLOBAL && og_ir_at(r) != OG_IR_T_GLOBAL_NUMBER)
    return og_ir_fail_here(r, "expected global value name in dso_local_equivalent");
  if (!og_ir_read_global_ref(r, (uint32_t)og_ir_type_of(r->m, type)->count, &global))
    return false;
  og_ir_next(r);
  *ref = og_ir_constant(r->m, (struct og_ir_constant){.kind = kind, .type = type, .parts = 1}, &global);
  return true;
}

static bool assembler(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  uint16_t flags = 0;
  struct og_text text, constraints;
  og_ir_next(r);
  flags |= og_ir_take_word(r, "sideeffect") ? OG_IR_ASM_SIDE_EFFECT : 0;
  flags |= og_ir_take_word(r, "alignstack") ? OG_IR_ASM_ALIGN_STACK : 0;
  flags |= og_ir_take_word(r, "inteldialect") ? OG_IR_ASM_INTEL : 0;
  flags |= og_ir_take_word(r, "unwind") ? OG_IR_ASM_UNWIND : 0;
  if (!og_ir_read_string(r, &text) || !og_ir_expect(r, ',', "expected comma in inline asm expression") ||
      !og_ir_read_string(r, &constraints))
    return false;
  uint64_t value = (uint64_t)og_ir_name(r->m, text) << 32;
  value |= og_ir_name(r->m, constraints);
  *ref = og_ir_constant(
      r->m, (struct og_ir_constant){.kind = OG_IR_C_ASSEMBLER, .flags = flags, .type = type, .value = value}, NULL);
  return true;
}

/* ---- expressions: getelementptr, casts, add, sub, xor and what older versions had ---- */

static og_ir_ref make(struct og_ir_reader *r, uint8_t opcode, uint16_t flags, og_ir_type type, uint32_t from,
                      uint64_t value) {
  struct og_ir_constant c = {.kind = OG_IR_C_EXPRESSION, .opcode = opcode, .flags = flags, .type = type};
  c.parts = r->stack.count - from;
  c.value = value;
  og_ir_ref ref = og_ir_constant(r->m, c, r->stack.items + from);
  r->stack.count = from;
  return ref;
}

static bool typed(struct og_ir_reader *r, og_ir_type *type, og_ir_ref *ref) {
  return og_ir_read_type(r, type, false) && og_ir_read_constant(r, *type, ref);
}

/* A cast of ptr to ptr, which typed pointers leave behind, does nothing. */
static bool cast(struct og_ir_reader *r, uint8_t opcode, og_ir_ref *ref) {
  og_ir_type from, to;
  if (!og_ir_expect(r, '(', "expected '(' after constantexpr cast") || !typed(r, &from, ref) ||
      !og_ir_expect_word(r, "to") || !og_ir_read_type(r, &to, false) ||
      !og_ir_expect(r, ')', "expected ')' at end of constantexpr cast"))
    return false;
  if (from == to && (opcode == OG_IR_BITCAST || opcode == OG_IR_ADDRSPACECAST))
    return true;
  uint32_t at = r->stack.count;
  og_ir_stack(r, *ref);
  *ref = make(r, opcode, 0, to, at, 0);
  return true;
}

/* The type that getelementptr yields: a vector if one of its operands is one. */
static og_ir_type address_type(struct og_ir_reader *r, uint32_t from) {
  og_ir_type type = og_ir_type_of_ref(r->m, r->f, r->stack.items[from]);
  for (uint32_t i = from; i < r->stack.count && !og_ir_is_vector(r->m, type); i++) {
    og_ir_type index = og_ir_type_of_ref(r->m, r->f, r->stack.items[i]);
    if (og_ir_is_vector(r->m, index))
      type = og_ir_with_scalar(r->m, index, type);
  }
  return type;
}

static bool address(struct og_ir_reader *r, og_ir_ref *ref) {
  uint16_t flags = 0;
  og_ir_place place = og_ir_here(r);
  if (!og_ir_read_flags(r, OG_IR_F_INBOUNDS | OG_IR_F_NUSW | OG_IR_F_NUW, &flags))
    return false;
  if (og_ir_at_word(r, "inrange"))
    return og_ir_fail(r, place, "inrange of getelementptr is not handled");
  og_ir_type source, type;
  if (!og_ir_expect(r, '(', "expected '(' in constantexpr") || !og_ir_read_type(r, &source, false) ||
      !og_ir_expect(r, ',', "expected comma after getelementptr's type"))
    return false;
  uint32_t from = r->stack.count;
  og_ir_place base = og_ir_here(r);
  do {
    og_ir_place at = og_ir_here(r);
    (void)og_ir_take_word(r, "inrange");
    if (!typed(r, &type, ref))
      return false;
    if (r->stack.count == from ? og_ir_kind(r->m, og_ir_scalar(r->m, type)) != OG_IR_POINTER
                               : og_ir_kind(r->m, og_ir_scalar(r->m, type)) != OG_IR_INTEGER)
      return og_ir_fail(r, r->stack.count == from ? base : at, r->stack.count == from
                                                                   ? "base of getelementptr must be a pointer"
                                                                   : "getelementptr index must be an integer");
    og_ir_stack(r, *ref);
  } while (og_ir_take(r, ','));
  if (!og_ir_expect(r, ')', "expected ')' in constantexpr"))
    return false;
  if (!og_ir_is_sized(r->m, source))
    return og_ir_fail(r, base, "base element of getelementptr must be sized");
  if (flags & OG_IR_F_INBOUNDS)
    flags |= OG_IR_F_NUSW;
  *ref = make(r, OG_IR_GETELEMENTPTR, flags, address_type(r, from), from, source);
  return true;
}

static bool binary(struct og_ir_reader *r, uint8_t opcode, og_ir_ref *ref) {
  uint16_t flags = 0;
  og_ir_type left, right;
  uint32_t from = r->stack.count;
  og_ir_place place = og_ir_here(r);
  if (!og_ir_read_flags(r, og_ir_opcodes[opcode].flags, &flags) ||
      !og_ir_expect(r, '(', "expected '(' in binary constantexpr") || !typed(r, &left, ref))
    return false;
  og_ir_stack(r, *ref);
  if (!og_ir_expect(r, ',', "expected comma in binary constantexpr") || !typed(r, &right, ref))
    return false;
  og_ir_stack(r, *ref);
  if (!og_ir_expect(r, ')', "expected ')' in binary constantexpr"))
    return false;
  if (left != right)
    return og_ir_fail(r, place, "operands of constexpr must have same type");
  *ref = make(r, opcode, flags, left, from, 0);
  return true;
}

/* Comparisons and choices, which versions before 19 and 17 had. */
static bool compare(struct og_ir_reader *r, uint8_t opcode, og_ir_ref *ref) {
  og_ir_type left, right;
  uint32_t from = r->stack.count;
  int64_t predicate = og_ir_take_class(r, opcode == OG_IR_FCMP ? OG_IR_W_FCMP : OG_IR_W_ICMP);
  og_ir_place place = og_ir_here(r);
  if (predicate < 0)
    return og_ir_fail_here(r, "expected a predicate");
  if (!og_ir_expect(r, '(', "expected '(' in compare constantexpr") || !typed(r, &left, ref))
    return false;
  og_ir_stack(r, *ref);
  if (!og_ir_expect(r, ',', "expected comma in compare constantexpr") || !typed(r, &right, ref))
    return false;
  og_ir_stack(r, *ref);
  if (!og_ir_expect(r, ')', "expected ')' in compare constantexpr"))
    return false;
  if (left != right || (opcode == OG_IR_FCMP) != og_ir_is_float(r->m, og_ir_scalar(r->m, left)))
    return og_ir_fail(r, place, "compare operands must have the same type");
  *ref = make(r, opcode, 0, og_ir_with_scalar(r->m, left, og_ir_integer(r->m, 1)), from, (uint64_t)predicate);
  return true;
}

static bool choose(struct og_ir_reader *r, og_ir_ref *ref) {
  og_ir_type types[3];
  uint32_t from = r->stack.count;
  og_ir_place place = og_ir_here(r);
  for (unsigned i = 0; i < 3; i++) {
    if (!og_ir_expect(r, i ? ',' : '(', "expected comma or '(' in select constantexpr") || !typed(r, &types[i], ref))
      return false;
    og_ir_stack(r, *ref);
  }
  if (!og_ir_expect(r, ')', "expected ')' in select constantexpr"))
    return false;
  if (types[0] != og_ir_integer(r->m, 1) || types[1] != types[2])
    return og_ir_fail(r, place, "invalid operands of select constantexpr");
  *ref = make(r, OG_IR_SELECT, 0, types[1], from, 0);
  return true;
}

static bool is_binary(uint8_t opcode) { /* those that an expression may be */
  return (opcode >= OG_IR_ADD && opcode <= OG_IR_XOR) && og_ir_opcodes[opcode].shape == OG_IR_SHAPE_BINARY_INT &&
         opcode != OG_IR_UDIV && opcode != OG_IR_SDIV && opcode != OG_IR_UREM && opcode != OG_IR_SREM;
}

bool og_ir_read_expression(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  og_ir_place place = og_ir_here(r);
  struct og_text word = r->lexer.text;
  if (og_text_is(word, "asm"))
    return assembler(r, type, ref);
  if (og_text_is(word, "blockaddress"))
    return pending_block(r, type, ref);
  if (og_text_is(word, "dso_local_equivalent") || og_text_is(word, "no_cfi"))
    return equivalent(r, type, *word.data == 'd' ? OG_IR_C_EQUIVALENT : OG_IR_C_NO_CFI, ref);
  int64_t opcode = og_ir_word(r->words, OG_IR_W_OPCODE, word);
  uint8_t shape = opcode < 0 ? 0 : og_ir_opcodes[opcode].shape;
  bool binary_one = opcode >= 0 && is_binary((uint8_t)opcode);
  if (shape != OG_IR_SHAPE_CAST && shape != OG_IR_SHAPE_GETELEMENTPTR && shape != OG_IR_SHAPE_ICMP &&
      shape != OG_IR_SHAPE_FCMP && shape != OG_IR_SHAPE_SELECT && !binary_one) {
    if (opcode > 0)
      return og_ir_fail(r, place, "%.*s constexprs are no longer supported", OG_TEXT_ARGS(word));
    return og_ir_fail_here(r, "expected value token");
  }
  og_ir_next(r);
  if (!og_ir_enter(r))
    return false;
  bool ok = shape == OG_IR_SHAPE_CAST              ? cast(r, (uint8_t)opcode, ref)
            : shape == OG_IR_SHAPE_GETELEMENTPTR ? address(r, ref)
            : shape == OG_IR_SHAPE_SELECT          ? choose(r, ref)
            : shape == OG_IR_SHAPE_ICMP || shape == OG_IR_SHAPE_FCMP ? compare(r, (uint8_t)opcode, ref)
                                                 : binary(r, (uint8_t)opcode, ref);
  if (!ok)
    return false;
  r->depth--;
  const struct og_ir_constant *c = og_ir_constant_of(r->m, *ref);
  return c->type == type || og_ir_fail(r, place, "constant expression type mismatch: got type '%s' but expected '%s'",
                                       og_ir_type_text(r, c->type), og_ir_type_text(r, type));
}
