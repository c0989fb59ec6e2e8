/* vector.c - decodes vector instructions into operations. */
#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/program.h"
#include "exec/vector.h"
#include "isa/rows.h"

#include <string.h>

enum { WRITES_EXEC = 1 << 15 }; /* in vector_of_row */
#include "exec/vector_rows.inc"

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

int og_find_vector_row(unsigned row) { return row < OG_ROW_COUNT ? (vector_of_row[row] & ~WRITES_EXEC) - 1 : -1; }

static bool is_float(unsigned type) {
  return type == OG_AS_F16 || type == OG_AS_F32 || type == OG_AS_F64;
}

/* Sources in the order of the semantics: of the two with a constant of their own, v_madmk has it in the middle.
 * `order`, which may be NULL: which source of the encoding each is. */
static void find_sources(const struct og_inst *inst, const struct og_operand *sources[3], uint8_t order[3]) {
  const struct og_operand *constant = og_operand(inst, OG_ROLE_SIMM);
  sources[0] = og_operand(inst, OG_ROLE_SRC0);
  sources[1] = og_operand(inst, OG_ROLE_SRC1);
  sources[2] = og_operand(inst, OG_ROLE_SRC2);
  if (constant && constant < sources[1]) {
    sources[2] = sources[1];
    sources[1] = constant;
  } else if (constant) {
    sources[2] = constant;
  }
  for (int i = 0; i < 3 && order; i++)
    order[i] = sources[i] && sources[i] != constant ? (uint8_t)og_source_index(sources[i]->role) : (uint8_t)i;
}

/* A 32-bit literal in a 64-bit operand: high half of a double, else extended. An instruction's own constant and a
 * literal of 64 bits are whole. */
static uint64_t literal(const struct og_operand *operand, enum og_as type) {
  bool whole = operand->role == OG_ROLE_SIMM || operand->reg == OG_LITERAL64;
  if (operand->kind != OG_OPERAND_LITERAL || whole || operand->value >> 32)
    return operand->value;
  return type == OG_AS_F64 ? operand->value << 32
         : type == OG_AS_I64 ? (uint64_t)(int64_t)(int32_t)operand->value : operand->value;
}

static bool place_sources(const struct og_inst *inst, const struct og_vector_row *row, struct og_operation *op) {
  const struct og_operand *sources[3];
  find_sources(inst, sources, NULL);
  for (int i = 0; i < 3; i++) {
    op->s[i] = OG_AT_S(OG_S_ZERO);
    bool carry = i == 2 && row->flags & OG_VECTOR_CARRY_IN, wide = og_as_is_64((enum og_as)row->source[i]);
    if (!sources[i]) {
      if (row->source[i] != OG_AS_NONE)
        return false;
      if (carry)
        op->s[i] = OG_AT_S(OG_S_VCC);
      continue;
    }
    if (row->source[i] == OG_AS_NONE && !carry)
      continue;
    /* Of a mask the second dword counts in waves of 64 alone. */
    bool placed = carry ? og_place_scalar(sources[i], 1, &op->s[i], &op->constant[i])
                        : og_place_source(sources[i], wide ? 2 : 1, &op->s[i], &op->constant[i]);
    if (!placed)
      return false;
    if (op->s[i] == OG_AT_S(OG_S_ZERO))
      op->constant[i] = literal(sources[i], row->source[i]);
  }
  return true;
}

static bool place_results(const struct og_inst *inst, const struct og_vector_row *row, bool writes_exec,
                          struct og_operation *op) {
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *sdst = og_operand(inst, OG_ROLE_SDST);
  op->d = op->d2 = OG_AT_S(OG_S_SINK);
  if (row->result != OG_AS_NONE) {
    if (!og_place_vector(vdst, og_as_is_64((enum og_as)row->result) ? 2 : 1, &op->d))
      return false;
  } else if (!sdst) {
    sdst = vdst; /* the mask of a comparison */
  }
  if (row->flags & OG_VECTOR_CARRY_OUT) {
    op->d2 = OG_AT_S(OG_S_VCC);
    if (sdst && !og_place_result(sdst, 1, &op->d2))
      return false;
    if (writes_exec)
      op->d = OG_AT_S(OG_S_EXEC);
  }
  return true;
}

/* gfx8 zeroes the other half of every 16-bit result, gfx9 leaves it alone where the table says so, gfx10 everywhere. */
static bool keeps_half(const struct og_program *program, const struct og_vector_row *row) {
  unsigned major = program->target.processor->major;
  return major >= 10 ? og_as_is_16((enum og_as)row->result) : major == 9 && row->flags & OG_VECTOR_KEEP;
}

static void set_selects(const struct og_inst *inst, const struct og_vector_row *row, bool keeps,
                        struct og_modifiers *m) {
  const struct og_operand *sources[3];
  find_sources(inst, sources, m->order);
  for (int i = 0; i < 3; i++) {
    m->select[i] = OG_SELECT_DWORD;
    m->flags[i] = sources[i] ? sources[i]->flags : 0;
    bool high = inst->mod[OG_MOD_OP_SEL] >> m->order[i] & 1 || m->flags[i] & OG_HALF_HI;
    if (og_as_is_16((enum og_as)row->source[i]) && high)
      m->select[i] = OG_SELECT_WORD1;
  }
  m->dst_select = OG_SELECT_DWORD;
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST);
  bool high = inst->mod[OG_MOD_OP_SEL] & 8 || (vdst && vdst->flags & OG_HALF_HI);
  if (row->flags & OG_VECTOR_HIGH || (og_as_is_16((enum og_as)row->result) && high)) {
    m->dst_select = OG_SELECT_WORD1;
    m->dst_unused = OG_UNUSED_PRESERVE;
  } else if (keeps) {
    m->dst_select = OG_SELECT_WORD0;
    m->dst_unused = OG_UNUSED_PRESERVE;
  } else if (row->flags & OG_VECTOR_KEEP) { /* which the handler does */
    m->dst_select = OG_SELECT_WORD0;
  }
  if (inst->variant == OG_VARIANT_SDWA) {
    m->select[0] = (uint8_t)inst->mod[OG_MOD_SRC0_SEL];
    m->select[1] = (uint8_t)inst->mod[OG_MOD_SRC1_SEL];
    m->dst_select = row->result == OG_AS_NONE ? OG_SELECT_DWORD : (uint8_t)inst->mod[OG_MOD_DST_SEL];
    m->dst_unused = (uint8_t)inst->mod[OG_MOD_DST_UNUSED];
    if (m->dst_select == OG_SELECT_DWORD && row->flags & OG_VECTOR_KEEP)
      m->dst_select = OG_SELECT_WORD0, m->dst_unused = OG_UNUSED_PAD;
  }
}

static void set_modifiers(const struct og_program *program, const struct og_inst *inst, const struct og_vector_row *row,
                          const struct og_operation *op, struct og_modifiers *m) {
  memset(m, 0, sizeof(*m));
  memcpy(m->type, row->source, sizeof(m->type));
  m->result = row->result;
  m->clamp = inst->mod[OG_MOD_CLAMP] != 0;
  m->omod = (uint8_t)inst->mod[OG_MOD_OMOD];
  m->table = (uint8_t)inst->mod[row->flags & OG_VECTOR_SIGNS01 ? OG_MOD_NEG_LO : OG_MOD_BITOP3];
  bool apart = inst->encoding == OG_ENC_VOP3P; /* elsewhere halves stand where they are */
  m->op_sel = apart ? (uint8_t)inst->mod[OG_MOD_OP_SEL] : 0;
  m->op_sel_hi = apart ? (uint8_t)inst->mod[OG_MOD_OP_SEL_HI] : 7;
  m->neg_lo = (uint8_t)inst->mod[OG_MOD_NEG_LO];
  m->neg_hi = (uint8_t)inst->mod[OG_MOD_NEG_HI];
  set_selects(inst, row, keeps_half(program, row), m);
  if (row->flags & (OG_VECTOR_PACKED | OG_VECTOR_MIX))
    m->dst_select = row->flags & OG_VECTOR_HIGH   ? OG_SELECT_WORD1
                    : row->flags & OG_VECTOR_KEEP ? OG_SELECT_WORD0
                                                  : OG_SELECT_DWORD;
  if (row->flags & OG_VECTOR_MIX && m->dst_select != OG_SELECT_DWORD)
    m->dst_unused = OG_UNUSED_PRESERVE;
  m->dpp = inst->variant == OG_VARIANT_DPP16 || inst->variant == OG_VARIANT_DPP8;
  m->dpp_ctrl = inst->variant == OG_VARIANT_DPP8 ? -1 : (int16_t)inst->mod[OG_MOD_DPP_CTRL];
  m->dpp8 = (uint32_t)inst->mod[OG_MOD_DPP8];
  m->row_mask = m->dpp_ctrl < 0 ? 15 : (uint8_t)inst->mod[OG_MOD_ROW_MASK];
  m->bank_mask = m->dpp_ctrl < 0 ? 15 : (uint8_t)inst->mod[OG_MOD_BANK_MASK];
  m->bound_ctrl = inst->mod[OG_MOD_BOUND_CTRL] != 0 || m->dpp_ctrl < 0;
  m->fetch_inactive = inst->mod[OG_MOD_FI] != 0;
  if (m->dpp)
    og_find_dpp_lanes(m);
  for (int i = 0; i < 3; i++) {
    bool plain = m->select[i] == OG_SELECT_DWORD && !(m->flags[i] & (OG_NEG | OG_ABS | OG_SEXT)) && !(m->dpp && i == 0);
    if (row->flags & (OG_VECTOR_PACKED | OG_VECTOR_MIX))
      plain = false;
    bool in_place = !(m->op_sel >> i & 1) && m->op_sel_hi >> i & 1 && !((m->neg_lo | m->neg_hi) >> i & 1);
    if (row->flags & OG_VECTOR_PAIRS && i < 2)
      plain = plain && in_place;
    m->kind[i] = !plain ? OG_SOURCE_PREPARED : op->s[i] >= OG_AT_V(0) ? OG_SOURCE_VECTOR : OG_SOURCE_SCALAR;
  }
  m->clamp = m->clamp && is_float(m->result);
  m->omod = is_float(m->result) ? m->omod : 0;
  m->packed = (row->flags & OG_VECTOR_PACKED) != 0;
  m->mix = (row->flags & OG_VECTOR_MIX) != 0;
  m->bfloats = (row->flags & OG_VECTOR_BFLOATS) != 0;
  m->pairs = (row->flags & OG_VECTOR_PAIRS) != 0;
  m->reads_d = (row->flags & OG_VECTOR_READS_D) != 0;
  m->writes_mask = (row->flags & OG_VECTOR_CARRY_OUT) != 0;
  m->has_table = (row->flags & OG_VECTOR_TABLE) != 0;
  /* The handlers keep the other half by themselves. */
  bool kept = row->flags & OG_VECTOR_KEEP && m->dst_select == OG_SELECT_WORD0 && m->dst_unused == OG_UNUSED_PRESERVE;
  m->plain_result = !m->clamp && !m->omod && (m->dst_select == OG_SELECT_DWORD || kept);
}

/* Whether the handlers by shape do: no modifiers but perhaps commuted sources. */
static bool is_simple(const struct og_modifiers *m) {
  return m->plain_result && !m->dpp && !m->packed && !m->mix && !m->has_table && m->kind[0] != OG_SOURCE_PREPARED &&
         m->kind[1] != OG_SOURCE_PREPARED && m->kind[2] != OG_SOURCE_PREPARED;
}

/* The details of handlers by shape whose sources are not in the encoding's order. */
static const uint8_t in_order[3] = {0, 1, 2}, exchanged[3] = {1, 0, 2}, constant_between[3] = {0, 1, 1};

static og_handler *handler_by_shape(const struct og_vector_row *row, const struct og_vector_handlers *handlers,
                                    struct og_operation *op) {
  unsigned scalars = 0;
  for (int i = 0; i < 3; i++)
    if (row->source[i] != OG_AS_NONE && op->s[i] < OG_AT_V(0))
      scalars |= 1u << i;
  if (scalars == 2 && row->flags & OG_VECTOR_COMMUTES) {
    uint32_t place = op->s[0];
    uint64_t constant = op->constant[0];
    op->s[0] = op->s[1], op->constant[0] = op->constant[1];
    op->s[1] = place, op->constant[1] = constant;
    op->detail = exchanged;
    scalars = 1;
  }
  return scalars == 0 ? handlers->all_vector : scalars == 1 ? handlers->scalar_0 : scalars == 2 ? handlers->scalar_1
         : scalars == 4 ? handlers->scalar_2 : NULL;
}

static og_handler packed_wide, packed_move;

const uint8_t *og_source_order(const struct og_program *program, const struct og_operation *op) {
  if (op->handler == program->variant->general || op->handler == packed_wide || op->handler == packed_move)
    return ((const struct og_modifiers *)op->detail)->order;
  return op->detail == exchanged || op->detail == constant_between ? op->detail : in_order;
}

/* ---- what is obeyed ---------------------------------------------------------------------------------------------- */

static bool obeys_operands(struct og_program *program, const struct og_inst *inst, const struct og_vector_row *row) {
  const struct og_operand *sources[3], *vdst = og_operand(inst, OG_ROLE_VDST);
  find_sources(inst, sources, NULL);
  bool moves = row->flags & OG_VECTOR_SIGNS; /* floats as anything else: the manual gives them the floats' modifiers */
  for (int i = 0; i < 3; i++) {
    if (!sources[i])
      continue;
    bool half = og_as_is_16((enum og_as)row->source[i]);
    bool signs = is_float(row->source[i]) || (moves && row->source[i] != OG_AS_NONE);
    if (row->flags & OG_VECTOR_PACKED) /* neg_lo and neg_hi say it */
      signs = false;
    unsigned flags = (signs ? OG_NEG | OG_ABS : 0) | (half ? OG_HALF_HI : 0);
    if (!og_obeys_flags(program, sources[i], flags | (inst->variant == OG_VARIANT_SDWA ? OG_SEXT : 0)))
      return false;
  }
  return !vdst || og_obeys_flags(program, vdst, og_as_is_16((enum og_as)row->result) ? OG_HALF_HI : 0);
}

/* Whether the bits of op_sel and its kin that the instruction has choose something. */
static bool obeys_halves(struct og_program *program, const struct og_inst *inst, const struct og_vector_row *row) {
  bool apart = inst->encoding == OG_ENC_VOP3P, packed = apart && row->flags & (OG_VECTOR_PACKED | OG_VECTOR_MIX);
  int32_t pairs = apart && row->flags & OG_VECTOR_PAIRS ? 3 : 0;
  int32_t selectable = packed ? 7 : og_as_is_16((enum og_as)row->result) ? 8 : pairs;
  uint8_t order[3];
  const struct og_operand *sources[3];
  find_sources(inst, sources, order);
  for (int i = 0; i < 3; i++)
    selectable |= og_as_is_16((enum og_as)row->source[i]) ? 1 << order[i] : 0;
  if (row->flags & OG_VECTOR_PACKED && !apart)
    selectable = 0;
  if (inst->mod[OG_MOD_OP_SEL] & ~selectable)
    return og_refuse(program, "op_sel");
  int32_t negated = inst->mod[OG_MOD_NEG_LO] | inst->mod[OG_MOD_NEG_HI];
  bool signs = is_float(row->source[0]) || row->flags & OG_VECTOR_SIGNS;
  bool integers = row->flags & OG_VECTOR_PACKED ? !signs : pairs && !is_float(row->result) && row->result != OG_AS_U16;
  int32_t may = integers ? 0 : pairs ? pairs : 7;
  if ((packed || pairs) && negated & ~may)
    return og_refuse(program, inst->mod[OG_MOD_NEG_LO] & ~may ? "neg_lo" : "neg_hi");
  return true;
}

static bool obeys_modifiers(struct og_program *program, const struct og_inst *inst, const struct og_vector_row *row,
                            bool clamps) {
  og_mod_set obeyed = OG_MODS(OP_SEL) | OG_MODS(OP_SEL_HI);
  /* Of a comparison the clamp bit says which exceptions it signals, and there are none. */
  if (clamps || is_float(row->result) || row->result == OG_AS_NONE)
    obeyed |= OG_MODS(CLAMP);
  if (is_float(row->result) && !(row->flags & (OG_VECTOR_PACKED | OG_VECTOR_MIX)))
    obeyed |= OG_MODS(OMOD);
  if (row->flags & (OG_VECTOR_PACKED | OG_VECTOR_MIX | OG_VECTOR_PAIRS))
    obeyed |= OG_MODS(NEG_LO) | OG_MODS(NEG_HI);
  if ((inst->variant == OG_VARIANT_DPP16 || inst->variant == OG_VARIANT_DPP8) && !(row->flags & OG_VECTOR_PACKED))
    obeyed |= OG_MODS_DPP;
  if (inst->variant == OG_VARIANT_SDWA && row->flags & OG_VECTOR_PACKED)
    return og_refuse(program, "sdwa");
  if (inst->variant == OG_VARIANT_SDWA)
    obeyed |= OG_MODS_SDWA;
  if (row->flags & OG_VECTOR_SIGNS01) {
    obeyed |= OG_MODS(NEG_LO);
    if (inst->mod[OG_MOD_NEG_LO] & 4)
      return og_refuse(program, "neg_lo");
  } else if (row->flags & OG_VECTOR_TABLE) {
    obeyed |= OG_MODS(BITOP3);
  }
  /* An accumulator is all of the old register, or one of its halves. */
  unsigned part = (unsigned)inst->mod[OG_MOD_DST_SEL];
  if (inst->variant == OG_VARIANT_SDWA && row->flags & OG_VECTOR_READS_D && part != OG_SELECT_DWORD &&
      (part < OG_SELECT_WORD0 || !og_as_is_16((enum og_as)row->result)))
    return og_refuse(program, "dst_sel");
  return og_obeys(program, inst, obeyed) && obeys_halves(program, inst, row) && obeys_operands(program, inst, row);
}

/* ---- packed operations of 32 and 64 bits: two of them side by side; of 32 bits op_sel chooses which is read ------ */

struct packed_wide {
  struct og_modifiers modifiers;
  unsigned dwords[3], result; /* of an element */
  bool scalars_repeat;        /* a scalar is one element, for both: gfx12.5 ("CDNA5" ISA, 7.7.1), and if it has 64
                                 bits */
};

static void packed_source(struct og_wave *wave, const struct og_operation *op, int i, unsigned part, uint32_t flip,
                          uint32_t *temp) {
  const struct packed_wide *packed = op->detail;
  const uint32_t *from = og_at(wave, op->s[i]);
  unsigned dwords = packed->dwords[i];
  bool vector = op->s[i] >= OG_AT_V(0), repeats = dwords == 2 || packed->scalars_repeat;
  uint64_t scalar = vector ? 0 : og_scalar64(wave, op, i) >> (repeats ? 0 : 32 * part);
  for (unsigned k = 0; k < dwords; k++)
    for (int lane = 0; lane < OG_LANES; lane++)
      temp[lane + OG_LANES * k] =
          (vector ? from[lane + OG_LANES * (dwords * part + k)] : (uint32_t)(scalar >> (32 * k))) ^
          (k + 1 == dwords ? flip : 0);
}

static unsigned part_of(const struct packed_wide *packed, int i, unsigned half) {
  const struct og_modifiers *m = &packed->modifiers;
  return packed->result == 2 ? half : (half ? m->op_sel_hi : m->op_sel) >> i & 1;
}

/* Where half a source stands as it is wanted; 0: nowhere. */
static uint32_t place_of_part(const struct og_operation *op, int i, unsigned half) {
  const struct packed_wide *packed = op->detail;
  bool negated = (half ? packed->modifiers.neg_hi : packed->modifiers.neg_lo) >> i & 1;
  return op->s[i] < OG_AT_V(0) || negated ? 0 : op->s[i] + packed->dwords[i] * part_of(packed, i, half) * OG_AT_ROW;
}

/* Whether the low result may be written before the high one's sources are read. */
static bool halves_are_apart(const struct og_operation *op) {
  const struct packed_wide *packed = op->detail;
  for (int i = 0; i < 3; i++) {
    uint32_t from = op->s[i] + packed->dwords[i] * part_of(packed, i, 1) * OG_AT_ROW;
    if (op->s[i] >= OG_AT_V(0) && from < op->d + packed->result * OG_AT_ROW &&
        op->d < from + packed->dwords[i] * OG_AT_ROW)
      return false;
  }
  return true;
}

/* v_pk_mov_b32: the low result from source 0, the high one from source 1, each as v_mov_b32 does it. */
static const struct og_operation *packed_move(struct og_wave *wave, const struct og_operation *op) {
  const struct packed_wide *packed = op->detail;
  const struct og_modifiers *m = &packed->modifiers;
  struct og_operation moved = og_operation_copy(op);
  uint32_t from[2];
  for (unsigned half = 0; half < 2; half++) { /* a copy, if no register holds it or the low result overwrites it */
    const unsigned part = m->op_sel >> half & 1;
    from[half] = op->s[half] + part * OG_AT_ROW;
    if (op->s[half] >= OG_AT_V(0) && !(half && from[half] == op->d))
      continue;
    from[half] = OG_AT_V(OG_V_TEMPORARY + half);
    packed_source(wave, op, (int)half, part, 0, og_at(wave, from[half]));
  }
  for (unsigned half = 0; half < 2; half++) {
    moved.s[0] = from[half], moved.d = op->d + half * OG_AT_ROW;
    m->handler(wave, &moved);
  }
  return og_next(op);
}

static const struct og_operation *packed_wide(struct og_wave *wave, const struct og_operation *op) {
  const struct packed_wide *packed = op->detail;
  const struct og_modifiers *m = &packed->modifiers;
  struct og_operation moved = og_operation_copy(op);
  enum { RESULT = OG_V_TEMPORARY + 6 };
  const bool direct = !m->clamp && halves_are_apart(op);
  for (unsigned half = 0; half < 2; half++) {
    moved.d = direct ? op->d + half * packed->result * OG_AT_ROW : OG_AT_V(RESULT + half * packed->result);
    for (int i = 0; i < 3; i++) {
      if (m->type[i] == OG_AS_NONE)
        continue;
      moved.s[i] = place_of_part(op, i, half);
      if (moved.s[i])
        continue;
      moved.s[i] = OG_AT_V(OG_V_TEMPORARY + 2 * i);
      packed_source(wave, op, i, part_of(packed, i, half), (half ? m->neg_hi : m->neg_lo) >> i & 1 ? 0x80000000 : 0,
                    og_at(wave, moved.s[i]));
    }
    m->handler(wave, &moved);
    if (m->clamp)
      wave->program->variant->treat_float(wave, m, og_at(wave, moved.d));
  }
  for (unsigned k = 0; k < 2 * packed->result && !direct; k++) {
    uint32_t *restrict d = og_at(wave, op->d + k * OG_AT_ROW);
    const uint32_t *restrict from = wave->v[RESULT + k], *restrict lanes = wave->lanes;
    for (int lane = 0; lane < OG_LANES; lane++)
      d[lane] = lanes[lane] ? from[lane] : d[lane];
  }
  return og_next(op);
}

static bool obeys_packed(struct og_program *program, const struct og_inst *inst, const struct og_vector_row *row) {
  og_mod_set obeyed = OG_MODS(OP_SEL) | OG_MODS(OP_SEL_HI);
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (!og_obeys_flags(program, &inst->operands[i], 0))
      return false;
  bool floats = is_float(row->result);
  return og_obeys(program, inst, obeyed | (floats ? OG_MODS(CLAMP) | OG_MODS(NEG_LO) | OG_MODS(NEG_HI) : 0));
}

static bool place_packed(const struct og_inst *inst, struct packed_wide *packed, struct og_operation *op) {
  const struct og_operand *sources[3];
  find_sources(inst, sources, NULL);
  for (int i = 0; i < 3; i++) {
    unsigned dwords = 2 * packed->dwords[i];
    op->s[i] = OG_AT_S(OG_S_ZERO);
    if (!dwords)
      continue;
    bool placed = sources[i] && (og_place_vector(sources[i], dwords, &op->s[i]) ||
                                 og_place_scalar(sources[i], 2, &op->s[i], &op->constant[i]));
    if (!placed)
      return false;
    if (op->s[i] == OG_AT_S(OG_S_ZERO))
      op->constant[i] = literal(sources[i], packed->dwords[i] == 2 ? packed->modifiers.type[i] : OG_AS_U64);
  }
  return og_place_vector(og_operand(inst, OG_ROLE_VDST), 2 * packed->result, &op->d);
}

static bool prepare_packed(struct og_program *program, unsigned number, const struct og_inst *inst,
                           struct og_operation *op) {
  /* Each with what it does to either half. */
  static const uint16_t halves[][2] = {
      {OG_ROW_V_PK_FMA_F32, OG_ROW_V_FMA_F32},
      {OG_ROW_V_PK_MUL_F32, OG_ROW_V_MUL_F32},
      {OG_ROW_V_PK_ADD_F32, OG_ROW_V_ADD_F32},
      {OG_ROW_V_PK_MOV_B32, OG_ROW_V_MOV_B32},
      {OG_ROW_V_PK_FMA_F64, OG_ROW_V_FMA_F64},
      {OG_ROW_V_PK_MUL_F64, OG_ROW_V_MUL_F64},
      {OG_ROW_V_PK_ADD_F64, OG_ROW_V_ADD_F64},
      {OG_ROW_V_PK_MIN_NUM_F64, OG_ROW_V_MIN_NUM_F64},
      {OG_ROW_V_PK_MAX_NUM_F64, OG_ROW_V_MAX_NUM_F64},
      {OG_ROW_V_PK_ADD_NC_U64, OG_ROW_V_ADD_NC_U64},
      {OG_ROW_V_PK_SUB_NC_U64, OG_ROW_V_SUB_NC_U64},
      {OG_ROW_V_PK_LSHL_ADD_U64, OG_ROW_V_LSHL_ADD_U64}};
  for (size_t n = 0; n < OG_COUNT(halves); n++) {
    if (halves[n][0] != number)
      continue;
    const bool moves = number == OG_ROW_V_PK_MOV_B32;
    const int k = og_find_vector_row(halves[n][1]);
    const struct og_vector_row *row = &og_vector_rows[k];
    struct packed_wide *packed = OG_NEW(program->arena, struct packed_wide);
    memset(packed, 0, sizeof *packed);
    for (int i = 0; i < 3; i++)
      packed->dwords[i] = moves                                     ? i < 2
                          : row->source[i] == OG_AS_NONE            ? 0
                          : og_as_is_64((enum og_as)row->source[i]) ? 2
                                                                    : 1;
    packed->scalars_repeat = program->target.processor->generation >= OG_GFX1250;
    packed->result = og_as_is_64((enum og_as)row->result) ? 2 : 1;
    memcpy(packed->modifiers.type, row->source, sizeof row->source);
    if (!place_packed(inst, packed, op) || !obeys_packed(program, inst, row))
      return false;
    set_modifiers(program, inst, row, op, &packed->modifiers);
    packed->modifiers.handler = program->variant->handlers[k].all_vector;
    op->detail = packed; /* its modifiers first */
    op->handler = moves ? packed_move : packed_wide;
    return true;
  }
  return false;
}

bool og_prepare_vector_row(struct og_program *program, unsigned number, const struct og_inst *inst,
                           struct og_operation *op) {
  op->detail = NULL;
  op->class = OG_CLASS_VALU;
  int k = og_find_vector_row(number);
  if (k < 0)
    return prepare_packed(program, number, inst, op) || og_prepare_lanes(program, number, inst, op);
  /* v_cmpx_ is v_cmp_ that writes EXEC too; from gfx10 it writes nothing else. v_cmps_ signals more exceptions. */
  bool writes_exec = vector_of_row[number] & WRITES_EXEC;
  const struct og_vector_row *row = &og_vector_rows[k];
  const struct og_vector_handlers *handlers = &program->variant->handlers[k];
  if (!place_sources(inst, row, op) || !place_results(inst, row, writes_exec, op))
    return false;
  if (writes_exec && program->target.processor->major >= 10)
    op->d2 = OG_AT_S(OG_S_SINK);
  if (!obeys_modifiers(program, inst, row, handlers->clamped != NULL))
    return false;
  struct og_modifiers modifiers;
  set_modifiers(program, inst, row, op, &modifiers);
  bool clamped = inst->mod[OG_MOD_CLAMP] && handlers->clamped;
  if (is_simple(&modifiers) && !clamped) {
    op->detail = modifiers.order[2] == 1 ? constant_between : NULL;
    op->handler = handler_by_shape(row, handlers, op);
  }
  if (!op->handler) {
    struct og_modifiers *detail = OG_NEW(program->arena, struct og_modifiers);
    *detail = modifiers;
    detail->handler = clamped ? handlers->clamped : handlers->all_vector;
    detail->both = modifiers.clamp ? NULL : handlers->both;
    op->detail = detail;
    op->handler = program->variant->general;
  }
  return true;
}
