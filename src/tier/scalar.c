/* scalar.c - scalar operations that do not depend on lanes, as host instructions on the wave's scalar file. */
#include "tier/unit.h"

#include "isa/rows.h"


#include "exec/place.h"

/* What becomes of SCC. */
enum condition { KEEPS, NOT_ZERO, CARRY, OVERFLOW, COMPARES };

enum form {
  TWO,       /* RAX = opcode(RAX, RCX) */
  SHIFT,     /* RAX by CL: `opcode` is the digit */
  SHIFT_ADD, /* s_lshl1_add_u32 ... */
  MOVE,
  MOVE_NOT,
  ONE_IMMEDIATE, /* s_movk_i32, s_addk_i32, s_mulk_i32 */
  TEST,          /* s_cmp_*: `opcode` is the condition of SETcc */
  SELECT,
  EXTEND,    /* MOVSX */
  BETTER,    /* minimum and maximum: `opcode` is the condition of CMOVcc where the second is taken */
  HIGH,      /* the upper half of a product: `opcode` is the digit */
  FIELD,     /* s_bfe_*, of constant places: `opcode` is the digit of the shift right */
  BITS,      /* one operand: opcode, after F3 */
  SAVE_EXEC, /* D = EXEC, EXEC = opcode(S0, EXEC) */
  PLACE,     /* the address of the next operation */
};

struct og_scalar_code {
  uint16_t row;
  uint8_t form, dwords, condition;
  uint16_t opcode;
  bool takes_carry, second_not;
};

static const struct og_scalar_code codes[] = {{OG_ROW_S_ADD_I32, TWO, 1, OVERFLOW, 0x03, false, false},
                                              {OG_ROW_S_ADD_U32, TWO, 1, CARRY, 0x03, false, false},
                                              {OG_ROW_S_ADDC_U32, TWO, 1, CARRY, 0x13, true, false},
                                              {OG_ROW_S_SUB_I32, TWO, 1, OVERFLOW, 0x2b, false, false},
                                              {OG_ROW_S_SUB_U32, TWO, 1, CARRY, 0x2b, false, false},
                                              {OG_ROW_S_SUBB_U32, TWO, 1, CARRY, 0x1b, true, false},
                                              {OG_ROW_S_MUL_I32, TWO, 1, KEEPS, 0x1af, false, false},
                                              {OG_ROW_S_AND_B32, TWO, 1, NOT_ZERO, 0x23, false, false},
                                              {OG_ROW_S_AND_B64, TWO, 2, NOT_ZERO, 0x23, false, false},
                                              {OG_ROW_S_OR_B32, TWO, 1, NOT_ZERO, 0x0b, false, false},
                                              {OG_ROW_S_OR_B64, TWO, 2, NOT_ZERO, 0x0b, false, false},
                                              {OG_ROW_S_XOR_B32, TWO, 1, NOT_ZERO, 0x33, false, false},
                                              {OG_ROW_S_XOR_B64, TWO, 2, NOT_ZERO, 0x33, false, false},
                                              {OG_ROW_S_ANDN2_B32, TWO, 1, NOT_ZERO, 0x23, false, true},
                                              {OG_ROW_S_ANDN2_B64, TWO, 2, NOT_ZERO, 0x23, false, true},
                                              {OG_ROW_S_ORN2_B32, TWO, 1, NOT_ZERO, 0x0b, false, true},
                                              {OG_ROW_S_ORN2_B64, TWO, 2, NOT_ZERO, 0x0b, false, true},
                                              {OG_ROW_S_LSHL_B32, SHIFT, 1, NOT_ZERO, 4, false, false},
                                              {OG_ROW_S_LSHL_B64, SHIFT, 2, NOT_ZERO, 4, false, false},
                                              {OG_ROW_S_LSHR_B32, SHIFT, 1, NOT_ZERO, 5, false, false},
                                              {OG_ROW_S_LSHR_B64, SHIFT, 2, NOT_ZERO, 5, false, false},
                                              {OG_ROW_S_ASHR_I32, SHIFT, 1, NOT_ZERO, 7, false, false},
                                              {OG_ROW_S_ASHR_I64, SHIFT, 2, NOT_ZERO, 7, false, false},
                                              {OG_ROW_S_LSHL1_ADD_U32, SHIFT_ADD, 1, NOT_ZERO, 1, false, false},
                                              {OG_ROW_S_LSHL2_ADD_U32, SHIFT_ADD, 1, NOT_ZERO, 2, false, false},
                                              {OG_ROW_S_LSHL3_ADD_U32, SHIFT_ADD, 1, NOT_ZERO, 3, false, false},
                                              {OG_ROW_S_LSHL4_ADD_U32, SHIFT_ADD, 1, NOT_ZERO, 4, false, false},
                                              {OG_ROW_S_MOV_B32, MOVE, 1, KEEPS, 0, false, false},
                                              {OG_ROW_S_MOV_B64, MOVE, 2, KEEPS, 0, false, false},
                                              {OG_ROW_S_NOT_B32, MOVE_NOT, 1, NOT_ZERO, 0, false, false},
                                              {OG_ROW_S_NOT_B64, MOVE_NOT, 2, NOT_ZERO, 0, false, false},
                                              {OG_ROW_S_MOVK_I32, ONE_IMMEDIATE, 1, KEEPS, 0, false, false},
                                              {OG_ROW_S_ADDK_I32, ONE_IMMEDIATE, 1, OVERFLOW, 0x03, false, false},
                                              {OG_ROW_S_MULK_I32, ONE_IMMEDIATE, 1, KEEPS, 0x1af, false, false},
                                              {OG_ROW_S_CMP_EQ_U32, TEST, 1, COMPARES, 0x194, false, false},
                                              {OG_ROW_S_CMP_EQ_I32, TEST, 1, COMPARES, 0x194, false, false},
                                              {OG_ROW_S_CMP_LG_U32, TEST, 1, COMPARES, 0x195, false, false},
                                              {OG_ROW_S_CMP_LG_I32, TEST, 1, COMPARES, 0x195, false, false},
                                              {OG_ROW_S_CMP_EQ_U64, TEST, 2, COMPARES, 0x194, false, false},
                                              {OG_ROW_S_CMP_LG_U64, TEST, 2, COMPARES, 0x195, false, false},
                                              {OG_ROW_S_CMP_LT_U32, TEST, 1, COMPARES, 0x192, false, false},
                                              {OG_ROW_S_CMP_LT_I32, TEST, 1, COMPARES, 0x19c, false, false},
                                              {OG_ROW_S_CMP_LE_U32, TEST, 1, COMPARES, 0x196, false, false},
                                              {OG_ROW_S_CMP_LE_I32, TEST, 1, COMPARES, 0x19e, false, false},
                                              {OG_ROW_S_CMP_GT_U32, TEST, 1, COMPARES, 0x197, false, false},
                                              {OG_ROW_S_CMP_GT_I32, TEST, 1, COMPARES, 0x19f, false, false},
                                              {OG_ROW_S_CMP_GE_U32, TEST, 1, COMPARES, 0x193, false, false},
                                              {OG_ROW_S_CMP_GE_I32, TEST, 1, COMPARES, 0x19d, false, false},
                                              {OG_ROW_S_SEXT_I32_I8, EXTEND, 1, KEEPS, 0x1be, false, false},
                                              {OG_ROW_S_SEXT_I32_I16, EXTEND, 1, KEEPS, 0x1bf, false, false},
                                              {OG_ROW_S_MIN_I32, BETTER, 1, COMPARES, 0x14d, false, false},
                                              {OG_ROW_S_MIN_U32, BETTER, 1, COMPARES, 0x143, false, false},
                                              {OG_ROW_S_MAX_I32, BETTER, 1, COMPARES, 0x14e, false, false},
                                              {OG_ROW_S_MAX_U32, BETTER, 1, COMPARES, 0x146, false, false},
                                              {OG_ROW_S_MUL_HI_U32, HIGH, 1, KEEPS, 4, false, false},
                                              {OG_ROW_S_MUL_HI_I32, HIGH, 1, KEEPS, 5, false, false},
                                              {OG_ROW_S_BFE_U32, FIELD, 1, NOT_ZERO, 5, false, false},
                                              {OG_ROW_S_BFE_I32, FIELD, 1, NOT_ZERO, 7, false, false},
                                              {OG_ROW_S_BFE_U64, FIELD, 2, NOT_ZERO, 5, false, false},
                                              {OG_ROW_S_BFE_I64, FIELD, 2, NOT_ZERO, 7, false, false},
                                              {OG_ROW_S_BCNT1_I32_B32, BITS, 1, NOT_ZERO, 0x1b8, false, false},
                                              {OG_ROW_S_AND_SAVEEXEC_B32, SAVE_EXEC, 1, NOT_ZERO, 0x23, false, false},
                                              {OG_ROW_S_AND_SAVEEXEC_B64, SAVE_EXEC, 2, NOT_ZERO, 0x23, false, false},
                                              {OG_ROW_S_OR_SAVEEXEC_B32, SAVE_EXEC, 1, NOT_ZERO, 0x0b, false, false},
                                              {OG_ROW_S_OR_SAVEEXEC_B64, SAVE_EXEC, 2, NOT_ZERO, 0x0b, false, false},
                                              {OG_ROW_S_XOR_SAVEEXEC_B32, SAVE_EXEC, 1, NOT_ZERO, 0x33, false, false},
                                              {OG_ROW_S_XOR_SAVEEXEC_B64, SAVE_EXEC, 2, NOT_ZERO, 0x33, false, false},
                                              {OG_ROW_S_ANDN2_SAVEEXEC_B32, SAVE_EXEC, 1, NOT_ZERO, 0x23, false, true},
                                              {OG_ROW_S_ANDN2_SAVEEXEC_B64, SAVE_EXEC, 2, NOT_ZERO, 0x23, false, true},
                                              {OG_ROW_S_GETPC_B64, PLACE, 2, KEEPS, 0, false, false},
                                              {OG_ROW_S_CSELECT_B32, SELECT, 1, KEEPS, 0, false, false},
                                              {OG_ROW_S_CSELECT_B64, SELECT, 2, KEEPS, 0, false, false}};

static bool is_nothing(unsigned row) {
  static const uint16_t rows[] = {OG_ROW_S_NOP, OG_ROW_S_WAITCNT, OG_ROW_S_DELAY_ALU, OG_ROW_S_CLAUSE,
                                  OG_ROW_S_WAITCNT_VSCNT, OG_ROW_S_WAITCNT_DEPCTR};
  for (size_t i = 0; i < OG_COUNT(rows); i++)
    if (row == rows[i])
      return true;
  return false;
}

/* How many sources. */
static unsigned sources_of(const struct og_scalar_code *code) {
  switch ((enum form)code->form) {
  case ONE_IMMEDIATE:
  case PLACE: return 0;
  case MOVE:
  case MOVE_NOT:
  case EXTEND:
  case BITS:
  case SAVE_EXEC: return 1;
  default: return 2;
  }
}
static unsigned source_dwords(const struct og_scalar_code *code, unsigned i) {
  return (code->form == SHIFT || code->form == FIELD) && i == 1 ? 1 : code->dwords;
}

/* Registers that stand for themselves, or constants. */
static bool is_plain(uint32_t offset, unsigned dwords) {
  return offset == OG_AT_S(OG_S_ZERO) || offset / 4 + dwords <= OG_S_SHARED_BASE;
}

/* What writes EXEC, all of it and nothing else. */
static bool writes_exec(const struct og_unit *unit, const struct og_operation *op, const struct og_scalar_code *code) {
  bool whole = code->dwords == (unit->wave32 ? 1 : 2);
  if (code->form == SAVE_EXEC)
    return whole && is_plain(op->d, code->dwords) && op->d < OG_AT_S(OG_S_FLAT_SCRATCH) &&
           !og_place_has_exec(op->d, code->dwords);
  return whole && op->d == OG_AT_S(OG_S_EXEC) && code->form != TEST && code->form != ONE_IMMEDIATE;
}

bool og_recognize_scalar(const struct og_unit *unit, struct og_item *item) {
  const struct og_operation *op = item->op;
  if (op->class == OG_CLASS_OTHER && is_nothing(op->row)) {
    item->kind = OG_ITEM_NOTHING;
    return true;
  }
  if (op->class != OG_CLASS_SALU)
    return false;
  for (size_t k = 0; k < OG_COUNT(codes); k++) {
    const struct og_scalar_code *code = &codes[k];
    if (code->row != op->row)
      continue;
    for (unsigned i = 0; i < sources_of(code); i++)
      if (!is_plain(op->s[i], source_dwords(code, i)))
        return false;
    if (code->form == FIELD && op->s[1] != OG_AT_S(OG_S_ZERO))
      return false;
    if (writes_exec(unit, op, code)) {
      item->scalar = code;
      item->kind = OG_ITEM_EXEC;
      return true;
    }
    bool easy = code->form == TEST || (is_plain(op->d, code->dwords) && op->d < OG_AT_S(OG_S_FLAT_SCRATCH) &&
                                       !og_place_has_exec(op->d, code->dwords));
    if (code->form == SAVE_EXEC || !easy)
      return false;
    item->scalar = code;
    item->kind = OG_ITEM_SCALAR;
    return true;
  }
  return false;
}

/* ---- host code --------------------------------------------------------------------------------------------------- */

static const struct og_place in_rax = {.kind = OG_PLACE_REGISTER, .reg = OG_RAX};

static void load_source(struct og_unit *unit, const struct og_item *item, unsigned i, enum og_gpr reg) {
  const struct og_operation *op = item->does;
  bool wide = source_dwords(item->scalar, i) == 2;
  if (op->s[i] == OG_AT_S(OG_S_ZERO))
    og_emit_load_constant(&unit->code, reg, wide ? op->constant[i] : (uint32_t)op->constant[i]);
  else
    og_emit_general(&unit->code, wide, 0x8b, reg, og_in_wave(op->s[i]));
}

/* SCC is 0 or 1, and only its lowest byte is written and read again soon: what is wider would wait for it. */
static struct og_place scc_place(void) { return og_in_wave(OG_AT_S(OG_S_SCC)); }
static void store_condition(struct og_unit *unit, unsigned set) {
  og_emit_general(&unit->code, false, set, 0, scc_place());
}
void og_emit_compare_scc(struct og_unit *unit) {
  og_emit_general(&unit->code, false, 0x80, 7, scc_place()), og_emit_byte(&unit->code, 0);
}

/* S0[offset + size - 1 : offset]; no bits give 0, bits beyond the last one are 0 or the sign. */
static void emit_field(struct og_unit *unit, const struct og_scalar_code *code, uint32_t place) {
  struct og_encoder *e = &unit->code;
  bool wide = code->dwords == 2;
  unsigned bits = 32 * code->dwords, offset = place & (bits - 1), size = place >> 16 & 127;
  if (size == 0) {
    og_emit_load_constant(e, OG_RAX, 0);
    return;
  }
  unsigned above = offset + size < bits ? bits - offset - size : 0;
  og_emit_general(e, wide, 0xc1, 4, in_rax), og_emit_byte(e, above);
  og_emit_general(e, wide, 0xc1, code->opcode, in_rax), og_emit_byte(e, above + offset);
}

/* RDX: EXEC as it was; RAX: as it will be. */
static void emit_save_exec(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  const struct og_scalar_code *code = item->scalar;
  bool wide = code->dwords == 2;
  og_emit_general(e, wide, 0x8b, OG_RDX, og_in_wave(OG_AT_S(OG_S_EXEC)));
  if (code->second_not) {
    og_emit_general(e, wide, 0x8b, OG_RCX, og_place_register(OG_RDX));
    og_emit_general(e, wide, 0xf7, 2, og_place_register(OG_RCX));
  }
  og_emit_general(e, wide, code->opcode, OG_RAX, og_place_register(code->second_not ? OG_RCX : OG_RDX));
  og_emit_general(e, wide, 0x89, OG_RDX, og_in_wave(item->does->d));
}

/* RAX = opcode(RAX, the second source). */
static void emit_two(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  const struct og_scalar_code *code = item->scalar;
  const struct og_operation *op = item->does;
  bool wide = code->dwords == 2, constant = op->s[1] == OG_AT_S(OG_S_ZERO);
  uint64_t value = wide ? op->constant[1] : (uint64_t)(int32_t)op->constant[1];
  struct og_place second = constant ? og_place_register(OG_RCX) : og_in_wave(op->s[1]);
  if (code->takes_carry) /* CF: 0 below SCC */
    og_emit_load_constant(e, OG_RDX, 0), og_emit_general(e, false, 0x3a, OG_RDX, scc_place());
  if (constant && !code->second_not && code->opcode < 0x100 && (int64_t)value == (int32_t)value) {
    og_emit_immediate(e, wide, code->opcode >> 3, in_rax, (uint32_t)value);
    return;
  }
  if (constant || code->second_not) {
    load_source(unit, item, 1, OG_RCX);
    second = og_place_register(OG_RCX);
  }
  if (code->second_not)
    og_emit_general(e, wide, 0xf7, 2, second);
  og_emit_general(e, wide, code->opcode, OG_RAX, second);
}

/* RAX by the second source. */
static void emit_shift(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  bool wide = item->scalar->dwords == 2;
  if (item->does->s[1] == OG_AT_S(OG_S_ZERO)) {
    og_emit_general(e, wide, 0xc1, item->scalar->opcode, in_rax);
    og_emit_byte(e, item->does->constant[1] & (wide ? 63 : 31));
    return;
  }
  load_source(unit, item, 1, OG_RCX);
  og_emit_general(e, wide, 0xd3, item->scalar->opcode, in_rax);
}

/* Whether the item has a copy of SCC made (hoist.c). */
static bool copies_scc(const struct og_unit *unit, const struct og_item *item) {
  for (uint32_t i = 0; i < unit->renamed_count; i++)
    for (unsigned k = 0; unit->renamed[i].item == item && k < 3; k++)
      if (unit->renamed[i].was->s[k] == OG_AT_S(OG_S_SCC))
        return true;
  return false;
}

/* Whether a later one of the stretch writes SCC before any reads it. */
static bool scc_is_dead(const struct og_unit *unit, const struct og_item *item) {
  struct og_scalar_set scc = {{0}}, reads, writes, masks;
  og_add_scalars(&scc, OG_AT_S(OG_S_SCC), 1);
  for (const struct og_item *next = item + 1; next < unit->stretch_end; next++) {
    og_find_scalars(unit, next, &reads, &writes, &masks);
    if (og_scalars_meet(&reads, &scc) || copies_scc(unit, next))
      return false;
    if (og_scalars_meet(&writes, &scc))
      return true;
  }
  return false;
}

bool og_is_scalar_test(const struct og_item *item) {
  return item->kind == OG_ITEM_SCALAR && item->scalar->form == TEST;
}
unsigned og_emit_scalar_test(struct og_unit *unit, const struct og_item *item) {
  const struct og_operation *op = item->does;
  bool constant = op->s[1] == OG_AT_S(OG_S_ZERO) && item->scalar->dwords == 1;
  load_source(unit, item, 0, OG_RAX);
  if (constant) {
    og_emit_immediate(&unit->code, false, 7, in_rax, (uint32_t)op->constant[1]);
  } else {
    load_source(unit, item, 1, OG_RCX);
    og_emit_general(&unit->code, item->scalar->dwords == 2, 0x3b, OG_RAX, og_place_register(OG_RCX));
  }
  return item->scalar->opcode;
}

void og_emit_scalar_item(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  const struct og_scalar_code *code = item->scalar;
  const struct og_operation *op = item->does;
  bool wide = code->dwords == 2;
  struct og_place in_rcx = og_place_register(OG_RCX);
  if (code->form == TEST) {
    store_condition(unit, og_emit_scalar_test(unit, item));
    return;
  }
  if (sources_of(code) > 0)
    load_source(unit, item, 0, OG_RAX);
  if (sources_of(code) > 1 && code->form != TWO && code->form != SHIFT)
    load_source(unit, item, 1, OG_RCX);
  switch ((enum form)code->form) {
  case ONE_IMMEDIATE:
    og_emit_load_constant(e, OG_RCX, (uint32_t)(int16_t)op->constant[2]);
    if (code->opcode == 0) {
      og_emit_general(e, false, 0x8b, OG_RAX, in_rcx);
      break;
    }
    og_emit_general(e, false, 0x8b, OG_RAX, og_in_wave(op->d));
    og_emit_general(e, false, code->opcode, OG_RAX, in_rcx);
    break;
  case TWO: emit_two(unit, item); break;
  case SHIFT: emit_shift(unit, item); break;
  case SHIFT_ADD:
    og_emit_general(e, true, 0xc1, 4, in_rax), og_emit_byte(e, code->opcode);
    og_emit_general(e, true, 0x03, OG_RAX, in_rcx);
    break;
  case MOVE: break;
  case MOVE_NOT: og_emit_general(e, wide, 0xf7, 2, in_rax); break;
  case TEST: break;
  case SELECT:
    og_emit_compare_scc(unit);
    og_emit_general(e, wide, 0x144, OG_RAX, in_rcx); /* cmove */
    break;
  case EXTEND: og_emit_general(e, false, code->opcode, OG_RAX, in_rax); break;
  case BETTER: /* SCC: the first is taken, the opposite condition */
    og_emit_general(e, false, 0x3b, OG_RAX, in_rcx);
    store_condition(unit, 0x190 | ((code->opcode & 15) ^ 1));
    og_emit_general(e, false, code->opcode, OG_RAX, in_rcx);
    break;
  case HIGH:
    og_emit_general(e, false, 0xf7, code->opcode, in_rcx);
    og_emit_general(e, false, 0x8b, OG_RAX, og_place_register(OG_RDX));
    break;
  case FIELD: emit_field(unit, code, (uint32_t)op->constant[1]); break;
  case BITS: og_emit_byte(e, 0xf3), og_emit_general(e, wide, code->opcode, OG_RAX, in_rax); break;
  case SAVE_EXEC: emit_save_exec(unit, item); break;
  case PLACE: og_emit_load_constant(e, OG_RAX, og_pc(unit->program, og_next(item->op))); break;
  }
  uint32_t to = code->form == SAVE_EXEC ? OG_AT_S(OG_S_EXEC) : op->d;
  og_emit_general(e, wide, 0x89, OG_RAX, og_in_wave(to)); /* moves leave flags alone */
  if (code->condition != KEEPS && scc_is_dead(unit, item))
    return;
  if (code->condition == CARRY) {
    store_condition(unit, 0x192);
  } else if (code->condition == OVERFLOW) {
    store_condition(unit, 0x190);
  } else if (code->condition == NOT_ZERO) {
    if (code->form == SHIFT_ADD)
      og_emit_general(e, true, 0xc1, 5, in_rax), og_emit_byte(e, 32); /* what goes beyond 32 bits */
    if (code->form != TWO && code->form != SAVE_EXEC) /* whose flags are of the result */
      og_emit_general(e, wide || code->form == SHIFT_ADD, 0x85, OG_RAX, in_rax);
    store_condition(unit, 0x195);
  }
}

/* ---- what depends on what ---------------------------------------------------------------------------------------- */

void og_find_scalars(const struct og_unit *unit, const struct og_item *item, struct og_scalar_set *reads,
                     struct og_scalar_set *writes, struct og_scalar_set *masks) {
  const struct og_operation *op = item->does;
  *reads = *writes = *masks = (struct og_scalar_set){{0}};
  unsigned mask = unit->wave32 ? 1 : 2;
  if (item->kind == OG_ITEM_SCALAR) {
    const struct og_scalar_code *code = item->scalar;
    for (unsigned i = 0; i < sources_of(code); i++)
      og_add_scalars(reads, op->s[i], source_dwords(code, i));
    if (code->form == ONE_IMMEDIATE && code->opcode)
      og_add_scalars(reads, op->d, 1);
    if (code->takes_carry || code->form == SELECT)
      og_add_scalars(reads, OG_AT_S(OG_S_SCC), 1);
    if (code->form != TEST)
      og_add_scalars(writes, op->d, code->dwords);
    if (code->condition != KEEPS)
      og_add_scalars(writes, OG_AT_S(OG_S_SCC), 1);
  } else if (item->kind == OG_ITEM_VECTOR) {
    for (int i = 0; i < 3; i++)
      if (item->types->source[i] != OG_AS_NONE && !og_is_vector_place(op->s[i]))
        og_add_scalars(reads, op->s[i], og_as_is_64((enum og_as)item->types->source[i]) ? 2 : 1);
    if (item->types->flags & OG_VECTOR_CARRY_OUT)
      og_add_scalars(masks, op->d2, mask);
  } else if (item->kind == OG_ITEM_MEMORY) {
    og_add_scalars(reads, OG_AT_S(OG_S_M0), 1); /* up to gfx8 it limits LDS */
    if (item->access->addressing == OG_ADDRESS_SADDR)
      og_add_scalars(reads, op->s[1], 2);
  }
}
