/* vector.c - decodes vector instructions into operations; prepares slow sources and treats slow results. */
#include "exec/place.h"
#include "exec/program.h"
#include "exec/vector.h"

#include <string.h>

#include "base/floats.h"

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

static int find_row(const char *name) {
  size_t low = 0, high = og_vector_row_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strcmp(name, og_vector_rows[middle].name);
    if (order == 0)
      return (int)middle;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return -1;
}

/* Sources in the order of the semantics: of the two with a constant of their own, v_madmk has it in the middle. */
static void find_sources(const struct og_inst *inst, const struct og_operand *sources[3]) {
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
}

/* A 32-bit literal in a 64-bit operand: high half of a double, else extended. */
static uint64_t literal(const struct og_operand *operand, enum og_as type) {
  if (operand->kind != OG_OPERAND_LITERAL || operand->value >> 32)
    return operand->value;
  return type == OG_AS_F64 ? operand->value << 32
         : type == OG_AS_I64 ? (uint64_t)(int64_t)(int32_t)operand->value : operand->value;
}

/* `pairs`: all are of two registers, whatever the row says. */
static bool place_sources(const struct og_inst *inst, const struct og_vector_row *row, bool pairs,
                          struct og_operation *op) {
  const struct og_operand *sources[3];
  find_sources(inst, sources);
  for (int i = 0; i < 3; i++) {
    op->s[i] = OG_AT_S(OG_S_ZERO);
    bool carry = i == 2 && row->flags & OG_VECTOR_CARRY_IN, wide = pairs || og_as_is_64((enum og_as)row->source[i]);
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

static bool place_results(const struct og_inst *inst, const struct og_vector_row *row, bool pairs, bool writes_exec,
                          struct og_operation *op) {
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *sdst = og_operand(inst, OG_ROLE_SDST);
  op->d = op->d2 = OG_AT_S(OG_S_SINK);
  if (row->result != OG_AS_NONE) {
    if (!og_place_vector(vdst, pairs || og_as_is_64((enum og_as)row->result) ? 2 : 1, &op->d))
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

/* From gfx10 every 16-bit result leaves the other half alone. */
static bool keeps_half(const struct og_program *program, const struct og_vector_row *row) {
  return row->flags & OG_VECTOR_KEEP ||
         (program->target.processor->major >= 10 && og_as_is_16((enum og_as)row->result));
}

static void set_selects(const struct og_inst *inst, const struct og_vector_row *row, bool keeps,
                        struct og_modifiers *m) {
  static const uint8_t roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  for (int i = 0; i < 3; i++) {
    const struct og_operand *source = og_operand(inst, roles[i]);
    m->select[i] = OG_SELECT_DWORD;
    m->flags[i] = source ? source->flags : 0;
    bool high = inst->mod[OG_MOD_OP_SEL] >> i & 1 || m->flags[i] & OG_HALF_HI;
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
  }
  if (inst->variant == OG_VARIANT_SDWA) {
    m->select[0] = (uint8_t)inst->mod[OG_MOD_SRC0_SEL];
    m->select[1] = (uint8_t)inst->mod[OG_MOD_SRC1_SEL];
    m->dst_select = row->result == OG_AS_NONE ? OG_SELECT_DWORD : (uint8_t)inst->mod[OG_MOD_DST_SEL];
    m->dst_unused = (uint8_t)inst->mod[OG_MOD_DST_UNUSED];
  }
}

static void set_modifiers(const struct og_program *program, const struct og_inst *inst, const struct og_vector_row *row,
                          const struct og_operation *op, struct og_modifiers *m) {
  memset(m, 0, sizeof(*m));
  memcpy(m->type, row->source, sizeof(m->type));
  m->result = row->result;
  m->clamp = inst->mod[OG_MOD_CLAMP] != 0;
  m->omod = (uint8_t)inst->mod[OG_MOD_OMOD];
  m->op_sel = (uint8_t)inst->mod[OG_MOD_OP_SEL];
  m->op_sel_hi = (uint8_t)inst->mod[OG_MOD_OP_SEL_HI];
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
  for (int i = 0; i < 3; i++) {
    bool plain = m->select[i] == OG_SELECT_DWORD && !(m->flags[i] & (OG_NEG | OG_ABS | OG_SEXT)) && !(m->dpp && i == 0);
    if (row->flags & (OG_VECTOR_PACKED | OG_VECTOR_MIX))
      plain = false;
    m->kind[i] = !plain ? OG_SOURCE_PREPARED : op->s[i] >= OG_AT_V(0) ? OG_SOURCE_VECTOR : OG_SOURCE_SCALAR;
  }
  bool is_float = m->result == OG_AS_F16 || m->result == OG_AS_F32 || m->result == OG_AS_F64;
  m->clamp = m->clamp && is_float;
  m->omod = is_float ? m->omod : 0;
  m->packed = (row->flags & OG_VECTOR_PACKED) != 0;
  m->mix = (row->flags & OG_VECTOR_MIX) != 0;
  m->reads_d = (row->flags & OG_VECTOR_READS_D) != 0;
  /* The handlers keep the other half by themselves. */
  bool kept = row->flags & OG_VECTOR_KEEP && m->dst_select == OG_SELECT_WORD0 && m->dst_unused == OG_UNUSED_PRESERVE;
  m->plain_result = !m->clamp && !m->omod && !m->dpp && (m->dst_select == OG_SELECT_DWORD || kept);
}

/* Whether the handlers by shape do: no modifiers but perhaps commuted sources. */
static bool is_simple(const struct og_modifiers *m) {
  return m->plain_result && !m->packed && !m->mix && m->kind[0] != OG_SOURCE_PREPARED &&
         m->kind[1] != OG_SOURCE_PREPARED && m->kind[2] != OG_SOURCE_PREPARED;
}

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
    scalars = 1;
  }
  return scalars == 0 ? handlers->all_vector : scalars == 1 ? handlers->scalar_0 : scalars == 2 ? handlers->scalar_1
         : scalars == 4 ? handlers->scalar_2 : NULL;
}

/* ---- packed 32-bit floats (gfx90a and later): register pairs, op_sel chooses dwords ------------------------------ */

static const uint32_t *packed32_source(struct og_wave *wave, const struct og_operation *op, int i, unsigned part,
                                       uint32_t flip, uint32_t *temp) {
  const uint32_t *from = og_at(wave, op->s[i]);
  bool vector = op->s[i] >= OG_AT_V(0);
  uint32_t scalar = op->s[i] == OG_AT_S(OG_S_ZERO) ? (uint32_t)(op->constant[i] >> (32 * part))
                    : vector                       ? 0
                                                   : from[part];
  for (int lane = 0; lane < OG_LANES; lane++)
    temp[lane] = (vector ? from[lane + OG_LANES * part] : scalar) ^ flip;
  return temp;
}

/* Without a handler it is v_pk_mov_b32: the low result from source 0, the high one from source 1. */
static const struct og_operation *packed32(struct og_wave *wave, const struct og_operation *op) {
  const struct og_modifiers *m = op->detail;
  struct og_operation moved = *op;
  enum { RESULT = OG_V_TEMPORARY + 6 };
  for (int half = 0; half < 2; half++) {
    moved.d = OG_AT_V(RESULT + half);
    if (!m->handler) {
      packed32_source(wave, op, half, m->op_sel >> half & 1, 0, og_at(wave, moved.d));
      continue;
    }
    for (int i = 0; i < 3; i++) {
      if (m->type[i] == OG_AS_NONE)
        continue;
      unsigned part = (half ? m->op_sel_hi : m->op_sel) >> i & 1;
      moved.s[i] = OG_AT_V(OG_V_TEMPORARY + 2 * i);
      packed32_source(wave, op, i, part, (half ? m->neg_hi : m->neg_lo) >> i & 1 ? 0x80000000 : 0,
                      og_at(wave, moved.s[i]));
    }
    m->handler(wave, &moved);
    if (m->clamp)
      og_treat_float(wave, m, og_at(wave, moved.d));
  }
  uint32_t *d = og_at(wave, op->d);
  for (int k = 0; k < 2; k++)
    for (int lane = 0; lane < OG_LANES; lane++)
      if (wave->lanes[lane])
        d[lane + k * OG_LANES] = wave->v[RESULT + k][lane];
  return og_next(op);
}

static bool prepare_packed32(struct og_program *program, const char *name, const struct og_inst *inst,
                             struct og_operation *op) {
  static const char *const names[][2] = {{"v_pk_fma_f32", "v_fma_f32"},
                                         {"v_pk_mul_f32", "v_mul_f32"},
                                         {"v_pk_add_f32", "v_add_f32"},
                                         {"v_pk_mov_b32", NULL}};
  for (size_t n = 0; n < OG_COUNT(names); n++) {
    if (strcmp(names[n][0], name) != 0)
      continue;
    int k = names[n][1] ? find_row(names[n][1]) : find_row("v_mul_f32");
    const struct og_vector_row *row = &og_vector_rows[k];
    if (!place_sources(inst, row, true, op) || !place_results(inst, row, true, false, op))
      return false;
    struct og_modifiers *detail = OG_NEW(program->arena, struct og_modifiers);
    set_modifiers(program, inst, row, op, detail);
    detail->handler = names[n][1] ? program->variant->handlers[k].all_vector : NULL;
    op->detail = detail;
    op->handler = packed32;
    return true;
  }
  return false;
}

bool og_prepare_vector_named(struct og_program *program, const char *name, const struct og_inst *inst,
                             struct og_operation *op) {
  char compare[32];
  op->detail = NULL;
  op->class = OG_CLASS_VALU;
  /* v_cmpx_ is v_cmp_ that writes EXEC too; from gfx10 it writes nothing else. v_cmps_ signals more exceptions. */
  bool writes_exec = strncmp(name, "v_cmpx_", 7) == 0 || strncmp(name, "v_cmpsx_", 8) == 0;
  if (writes_exec || strncmp(name, "v_cmps_", 7) == 0) {
    const char *rest = strchr(name + 2, '_') + 1;
    size_t size = strlen(rest) + 1;
    if (size > sizeof(compare) - 6)
      return false;
    memcpy(compare, "v_cmp_", 6);
    memcpy(compare + 6, rest, size);
    name = compare;
  }
  int k = find_row(name);
  if (k < 0)
    return prepare_packed32(program, name, inst, op) || og_prepare_lanes(program, name, inst, op);
  const struct og_vector_row *row = &og_vector_rows[k];
  const struct og_vector_handlers *handlers = &program->variant->handlers[k];
  if (!place_sources(inst, row, false, op) || !place_results(inst, row, false, writes_exec, op))
    return false;
  if (writes_exec && program->target.processor->major >= 10)
    op->d2 = OG_AT_S(OG_S_SINK);
  bool selects = inst->mod[OG_MOD_OP_SEL] || inst->mod[OG_MOD_NEG_LO] || inst->mod[OG_MOD_NEG_HI];
  if (inst->encoding == OG_ENC_VOP3P && selects && !(row->flags & (OG_VECTOR_PACKED | OG_VECTOR_MIX)))
    return false; /* dot products with selected or negated halves */
  struct og_modifiers modifiers;
  set_modifiers(program, inst, row, op, &modifiers);
  bool clamped = inst->mod[OG_MOD_CLAMP] && handlers->clamped;
  if (is_simple(&modifiers) && !clamped)
    op->handler = handler_by_shape(row, handlers, op);
  if (!op->handler) {
    struct og_modifiers *detail = OG_NEW(program->arena, struct og_modifiers);
    *detail = modifiers;
    detail->handler = clamped ? handlers->clamped : handlers->all_vector;
    op->detail = detail;
    op->handler = program->variant->general;
  }
  return true;
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

/* The lane a DPP control reads from, -1 where there is none. */
static int dpp_lane(int control, uint32_t dpp8, int lane) {
  int row = lane & ~15, in_row = lane & 15, n = control & 15;
  if (control < 0)
    return (lane & ~7) + (int)(dpp8 >> (3 * (lane & 7)) & 7);
  if (control <= 0xff) /* quad_perm */
    return (lane & ~3) + (control >> (2 * (lane & 3)) & 3);
  switch (control & ~15) {
  case 0x100: return in_row + n < 16 ? lane + n : -1;      /* row_shl */
  case 0x110: return in_row - n >= 0 ? lane - n : -1;      /* row_shr */
  case 0x120: return row + ((in_row - n) & 15);            /* row_ror */
  case 0x150: return row + n;                              /* row_share, gfx10 and row_newbcast, gfx90a */
  case 0x160: return row + (in_row ^ n);                   /* row_xmask, gfx10 */
  }
  switch (control) {
  case 0x130: return lane < 63 ? lane + 1 : -1;            /* wave_shl:1 */
  case 0x134: return (lane + 1) & 63;                      /* wave_rol:1 */
  case 0x138: return lane - 1;                             /* wave_shr:1 */
  case 0x13c: return (lane - 1) & 63;                      /* wave_ror:1 */
  case 0x140: return row + 15 - in_row;                    /* row_mirror */
  case 0x141: return (lane & ~7) + 7 - (lane & 7);         /* row_half_mirror */
  case 0x142: return row - 1;                              /* row_bcast:15: the last lane of the row before */
  case 0x143: return lane >= 32 ? 31 : -1;                 /* row_bcast:31 */
  }
  return -1;
}

/* Whether the lane has something to read: the source exists and is active. */
static bool dpp_valid(const struct og_modifiers *m, uint64_t exec, int source) {
  return source >= 0 && (m->fetch_inactive || exec >> source & 1);
}

uint64_t og_dpp_lanes(const struct og_wave *wave, const struct og_modifiers *m) {
  uint64_t exec = og_mask(wave, OG_S_EXEC), mask = 0;
  for (int lane = 0; lane < OG_LANES; lane++) {
    bool enabled = m->row_mask >> (lane >> 4) & 1 && m->bank_mask >> (lane >> 2 & 3) & 1;
    if (enabled && (m->bound_ctrl || dpp_valid(m, exec, dpp_lane(m->dpp_ctrl, m->dpp8, lane))))
      mask |= (uint64_t)1 << lane;
  }
  return mask & exec;
}

static void fetch_dpp(struct og_wave *wave, const struct og_modifiers *m, const uint32_t *from, int dwords,
                      uint32_t *temp) {
  uint64_t exec = og_mask(wave, OG_S_EXEC);
  for (int lane = 0; lane < OG_LANES; lane++) {
    int source = dpp_lane(m->dpp_ctrl, m->dpp8, lane);
    bool valid = dpp_valid(m, exec, source);
    for (int k = 0; k < dwords; k++)
      temp[lane + k * OG_LANES] = valid ? from[source + k * OG_LANES] : 0;
  }
}

static uint32_t select_part(uint32_t value, unsigned select, bool sign_extend) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : select < OG_SELECT_DWORD ? 16 : 32;
  unsigned shift = width == 8 ? 8 * select : width == 16 ? 16 * (select - OG_SELECT_WORD0) : 0;
  if (width == 32)
    return value;
  value = value >> shift & ((1u << width) - 1);
  uint32_t sign = 1u << (width - 1);
  return sign_extend ? (value ^ sign) - sign : value;
}

void og_prepare_source(struct og_wave *wave, const struct og_operation *op, int i, uint32_t *temp) {
  const struct og_modifiers *m = op->detail;
  int dwords = og_as_is_64(m->type[i]) ? 2 : 1;
  if (op->s[i] < OG_AT_V(0)) {
    uint64_t value = dwords == 2 ? og_scalar64(wave, op, i) : og_scalar32(wave, op, i);
    for (int lane = 0; lane < OG_LANES; lane++) {
      temp[lane] = (uint32_t)value;
      if (dwords == 2)
        temp[lane + OG_LANES] = (uint32_t)(value >> 32);
    }
  } else if (m->dpp && i == 0) {
    fetch_dpp(wave, m, og_at(wave, op->s[i]), dwords, temp);
  } else {
    memcpy(temp, og_at(wave, op->s[i]), (size_t)dwords * OG_LANES * 4);
  }
  uint32_t sign = m->type[i] == OG_AS_F16 ? 0x8000u : 0x80000000u;
  uint32_t keep = m->flags[i] & OG_ABS ? ~sign : UINT32_MAX, flip = m->flags[i] & OG_NEG ? sign : 0;
  uint32_t *top = temp + (dwords - 1) * OG_LANES;
  if (m->select[i] < OG_SELECT_DWORD)
    for (int lane = 0; lane < OG_LANES; lane++)
      top[lane] = select_part(top[lane], m->select[i], (m->flags[i] & OG_SEXT) != 0);
  if (flip || ~keep)
    for (int lane = 0; lane < OG_LANES; lane++)
      top[lane] = (top[lane] & keep) ^ flip;
}

void og_mix_source(struct og_wave *wave, const struct og_operation *op, int i, uint32_t *temp) {
  const struct og_modifiers *m = op->detail;
  bool is_half = m->op_sel_hi >> i & 1;
  unsigned shift = m->op_sel >> i & 1 ? 16 : 0;
  bool absolute = m->neg_hi >> i & 1 || m->flags[i] & OG_ABS, negate = m->neg_lo >> i & 1 || m->flags[i] & OG_NEG;
  uint32_t keep = absolute ? 0x7fffffff : 0xffffffff, flip = negate ? 0x80000000 : 0;
  const uint32_t *from = op->s[i] < OG_AT_V(0) ? NULL : og_at(wave, op->s[i]);
  uint32_t scalar = from ? 0 : og_scalar32(wave, op, i);
  for (int lane = 0; lane < OG_LANES; lane++) {
    uint32_t bits = from ? from[lane] : scalar;
    if (is_half) {
      float value = og_half_to_float((uint16_t)(bits >> shift));
      memcpy(&bits, &value, 4);
    }
    temp[lane] = (bits & keep) ^ flip;
  }
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static double scale_and_clamp(double value, unsigned omod, bool clamp, bool dx10_clamp) {
  static const double factors[4] = {1, 2, 4, 0.5};
  if (omod)
    value = value * factors[omod & 3] + 0.0; /* -0 becomes +0 */
  if (clamp) {
    if (value != value)
      return dx10_clamp ? 0 : value;
    return value > 1 ? 1 : value > 0 ? value : 0;
  }
  return value;
}

void og_treat_float(struct og_wave *wave, const struct og_modifiers *m, uint32_t *d) {
  /* Output modifiers are ignored where output denormals are kept or IEEE mode is on (manual, 6.2.2). */
  uint32_t keeps = m->result == OG_AS_F32 ? 0x20 : 0x80;
  unsigned omod = wave->mode & (keeps | OG_MODE_IEEE) ? 0 : m->omod;
  bool dx10 = (wave->mode & OG_MODE_DX10_CLAMP) != 0;
  for (int lane = 0; lane < OG_LANES; lane++) {
    if (m->result == OG_AS_F32) {
      float value;
      memcpy(&value, &d[lane], 4);
      value = (float)scale_and_clamp(value, omod, m->clamp, dx10);
      memcpy(&d[lane], &value, 4);
    } else if (m->result == OG_AS_F16) {
      d[lane] = og_double_to_half(scale_and_clamp(og_half_to_float((uint16_t)d[lane]), omod, m->clamp, dx10));
    } else {
      uint64_t bits = (uint64_t)d[lane + OG_LANES] << 32 | d[lane];
      double value;
      memcpy(&value, &bits, 8);
      value = scale_and_clamp(value, omod, m->clamp, dx10);
      memcpy(&bits, &value, 8);
      d[lane] = (uint32_t)bits;
      d[lane + OG_LANES] = (uint32_t)(bits >> 32);
    }
  }
}

/* Puts a result into its part of the old register. */
static uint32_t insert_part(uint32_t old, uint32_t value, unsigned select, unsigned unused) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : 16;
  unsigned shift = width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0);
  uint32_t mask = ((1u << width) - 1) << shift;
  uint32_t part = value << shift & mask;
  if (unused == OG_UNUSED_PRESERVE)
    return (old & ~mask) | part;
  uint32_t sign = part & 1u << (shift + width - 1);
  bool extend = unused == OG_UNUSED_SEXT && sign && shift + width < 32;
  return part | (extend ? ~(uint32_t)0 << ((shift + width) & 31) : 0);
}

void og_treat_result(struct og_wave *wave, const struct og_operation *op, uint32_t *d, int dwords) {
  const struct og_modifiers *m = op->detail;
  if (m->clamp || m->omod)
    og_treat_float(wave, m, d);
  uint64_t mask = m->dpp ? og_dpp_lanes(wave, m) : og_mask(wave, OG_S_EXEC);
  uint32_t *out = og_at(wave, op->d);
  for (int lane = 0; lane < OG_LANES; lane++) {
    if (!(mask >> lane & 1))
      continue;
    out[lane] =
        m->dst_select == OG_SELECT_DWORD ? d[lane] : insert_part(out[lane], d[lane], m->dst_select, m->dst_unused);
    if (dwords == 2)
      out[lane + OG_LANES] = d[lane + OG_LANES];
  }
}

#include "exec/vector_rows.inc"
