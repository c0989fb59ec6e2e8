/* matrix.c - decodes matrix instructions: where each element of the four matrices stands, and how products are summed.
 * ISA manuals: CDNA3 and CDNA4, "Matrix Arithmetic Instructions"; RDNA3, RDNA4 and CDNA5, "Wave Matrix Multiply
 * Accumulate". */
#include "exec/matrix.h"

#include <string.h>

#include "exec/element.h"
#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/program.h"
#include "exec/vector.h"

static bool is_mfma(const struct og_matrix *facts) {
  return facts->kind == OG_MATRIX_MFMA || facts->kind == OG_MATRIX_SMFMAC;
}
static bool is_sparse(const struct og_matrix *facts) {
  return facts->kind == OG_MATRIX_SMFMAC || facts->kind == OG_MATRIX_SWMMAC;
}
static bool is_integer(unsigned element) { return element >= OG_ELEMENT_I32; }

/* ---- A and B ----------------------------------------------------------------------------------------------------- */

static bool choose_element(unsigned format, uint8_t *element) {
  *element = (uint8_t)(OG_ELEMENT_FP8 + format); /* E4M3, E5M2, E2M3, E3M2, E2M1 in this order everywhere */
  return format <= 4;
}

/* Neighbours along k that a lane holds before the next lane goes on. Up to gfx950 a lane has at most 128 bits of them;
 * on gfx12.5 128 too, but 64 of 8-bit elements without a choice of formats. A sparse A's partner has twice as many. */
static unsigned neighbours(const struct og_matrix *facts, const struct og_matrix_side *m, unsigned items, bool late,
                           bool twice) {
  bool any = facts->a == OG_ELEMENT_F8F6F4 || facts->a == OG_ELEMENT_F4;
  unsigned bits = m->width == 6 ? 192 : m->width == 8 && late && !any ? 64 : 128;
  unsigned count = bits / m->width * (twice && late ? 2 : 1);
  return is_mfma(facts) || late ? OG_MIN(count, items) : items;
}

/* `dense`: as many elements of k as if nothing were left out. */
static void lay_side(const struct og_matrix *facts, unsigned rows, bool is_a, bool late, bool old,
                     struct og_matrix_side *m) {
  unsigned packed = is_a && is_sparse(facts) ? 2 : 1;
  m->side = (uint16_t)(rows * facts->blocks);
  m->lanes = (uint8_t)(!is_mfma(facts) ? 16 : m->side);
  m->width = (uint8_t)og_element_bits(m->element);
  m->least_exponent = (int8_t)(og_element_facts[m->element].least_exponent - m->fnuz);
  m->parts = (uint8_t)(m->side / m->lanes);
  unsigned count = old ? 1 : facts->lanes / m->lanes; /* groups of lanes that share k */
  unsigned per_lane = m->parts * facts->k / packed;   /* if there were one group */
  while (per_lane / count * m->width < 32 && count > 1) /* a register is the least */
    count /= 2;
  m->items = (uint8_t)(per_lane / count);
  bool halved = !is_mfma(facts) && facts->lanes == 64 && count == 4; /* gfx12: see below */
  unsigned groups = halved ? 2 : count, items = m->items * (halved ? 2u : 1) / m->parts * packed;
  unsigned run = neighbours(facts, m, items, late, is_sparse(facts));
  for (unsigned g = 0; g < count; g++)
    for (unsigned n = 0; n < m->items; n++) {
      /* On gfx12 waves of 64 have the later half of a lane of 32 in the lane 32 behind it. */
      unsigned in_part = n % (m->items / m->parts), part = n / (m->items / m->parts);
      unsigned item = in_part / packed * packed * packed + (halved && g >= 2 ? items / 2 : 0);
      unsigned group = halved ? g % 2 : g, bit = n * m->width;
      unsigned k = (item / run * groups + group) * run + item % run + in_part % packed;
      m->place[part][k] =
          (struct og_matrix_place){(uint16_t)(bit / 32 * OG_LANES + g * m->lanes), (uint8_t)(bit % 32), (uint8_t)n};
    }
}

/* Broadcasts between lanes: cbsz and abid for A, blgp for B. */
static void move_a(unsigned cbsz, unsigned abid, struct og_matrix_side *m) {
  unsigned size = OG_LANES >> cbsz;
  m->moved = cbsz != 0;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    m->lane[lane] = (uint8_t)(lane % size + size * abid);
}
static void move_b(unsigned blgp, struct og_matrix_side *m) {
  m->moved = blgp != 0;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    m->lane[lane] = (uint8_t)(blgp == 1   ? lane % 32
                              : blgp == 2 ? lane % 32 + 32
                              : blgp == 3 ? (lane + 16) % 64
                              : blgp >= 4 ? lane % 16 + 16 * (blgp - 4)
                                          : lane);
}

static bool place_side(const struct og_inst *inst, enum og_role role, struct og_matrix_side *m) {
  unsigned dwords = (unsigned)m->items * m->width / 32;
  return og_place_vector(og_operand(inst, role), OG_MAX(dwords, 1u), &m->at);
}

/* ---- C and D ----------------------------------------------------------------------------------------------------- */

/* Row and column of a lane's elements of D, blocks side by side. */
static void lay_result(const struct og_matrix *facts, bool old, struct og_matrix_plan *plan) {
  unsigned m = facts->m, n = facts->n, lanes = facts->lanes;
  plan->results = (uint8_t)(m * n * facts->blocks / lanes);
  for (unsigned r = 0; r < plan->results; r++)
    for (unsigned lane = 0; lane < lanes; lane++) {
      unsigned row, column = lane % n, block = 0;
      if (is_mfma(facts)) { /* CDNA4, 7.1.4.2 */
        unsigned height = facts->d == OG_ELEMENT_F64 ? 1 : 4, across = lanes / n;
        unsigned blocks = OG_MAX(1u, lanes * height / (n * m)), rows = across / blocks;
        unsigned groups = m / (height * rows);
        unsigned group = r / height % groups;
        block = r / height / groups * blocks + lane / n / rows;
        row = r % height + height * (lane / n % rows + rows * group);
      } else if (old) { /* gfx11: rows alternate between groups of lanes */
        row = r * (lanes / 16) + lane / 16;
      } else if (lanes == 32) {
        row = r / 8 * 16 + lane / 16 * 8 + r % 8;
      } else {
        row = lane / 16 % 2 * 8 + lane / 32 * 4 + r;
      }
      plan->row[r][lane] = (uint16_t)(block * m + row);
      plan->column[r][lane] = (uint16_t)(block * n + column);
    }
  plan->uniform = n >= 16;
  plan->one_to_register = old;
}

/* The bits of a constant, as an element of C. */
static uint64_t constant_of(const struct og_operand *operand, unsigned element) {
  static const uint64_t reals[][9] = {
      {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983},
      {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118},
      {0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e23},
      {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x4000000000000000,
       0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882}};
  unsigned code = operand->reg;
  if (code >= OG_CODE_REAL)
    return reals[element == OG_ELEMENT_F16 ? 1 : element == OG_ELEMENT_BF16 ? 2 : element == OG_ELEMENT_F64 ? 3 : 0]
                [code - OG_CODE_REAL];
  int64_t number = code <= OG_CODE_64 ? (int)code - OG_CODE_0 : OG_CODE_64 - (int)code;
  return (uint64_t)number;
}

static bool place_result(const struct og_inst *inst, bool old, struct og_matrix_plan *plan) {
  const struct og_matrix *facts = plan->facts;
  unsigned width_d = old ? 32 : og_element_bits(plan->d), width_c = old ? 32 : og_element_bits(plan->c);
  const struct og_operand *d = og_operand(inst, OG_ROLE_VDST),
                          *c = is_sparse(facts) ? d : og_operand(inst, OG_ROLE_SRC2);
  if (!c || !og_place_vector(d, plan->results * width_d / 32, &plan->d_at))
    return false;
  if (c->kind == OG_OPERAND_INLINE) {
    plan->constant_c = true;
    plan->c_constant = constant_of(c, plan->c);
  } else if (!og_place_vector(c, plan->results * width_c / 32, &plan->c_at)) {
    return false;
  }
  return true;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* Measured on MI100, MI210 and MI300X: Xie et al., "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix
 * Cores", 2025. The manuals do not give the order of sums, and for gfx950 and WMMA no source does: those are our
 * choice. */
static void choose_sum(const struct og_matrix *facts, enum og_generation generation, struct og_matrix_plan *plan) {
  unsigned width = plan->a.width;
  bool small = facts->a >= OG_ELEMENT_FP8 && facts->a <= OG_ELEMENT_F8F6F4;
  plan->group = 1;
  plan->sum = OG_SUM_FUSED;
  plan->mantissas = (uint8_t)(og_element_facts[plan->a.element].mantissa + og_element_facts[plan->b.element].mantissa);
  if (is_integer(facts->d)) {
    plan->sum = OG_SUM_INTEGER;
  } else if (facts->a == OG_ELEMENT_F8F6F4 || facts->a == OG_ELEMENT_F4) {
    plan->sum = OG_SUM_SCALED;
    plan->group = facts->scaled ? facts->scaled : 32;
  } else if (is_mfma(facts) && width < 32) {
    bool pairs = facts->a == OG_ELEMENT_BF16 && plan->a.items == 2; /* gfx908's first ones */
    plan->sum = generation == OG_GFX908   ? OG_SUM_EXACT
                : generation == OG_GFX90A ? OG_SUM_PAIRWISE
                : small                   ? OG_SUM_ALTERNATE
                                          : OG_SUM_TRUNCATED;
    plan->group = (uint8_t)OG_MIN(pairs ? 2u : generation <= OG_GFX90A ? 4u : small ? 16u : 8u, (unsigned)facts->k);
  } else if (facts->a == OG_ELEMENT_XF32) {
    plan->sum = OG_SUM_TRUNCATED;
    plan->group = 4;
  }
  bool told = width >= 32 && facts->a != OG_ELEMENT_XF32;
  plan->sum_is_chosen = plan->sum != OG_SUM_INTEGER && !told && !(is_mfma(facts) && generation <= OG_GFX942);
  unsigned side = OG_MAX(plan->a.side, plan->b.side), most = OG_MATRIX_CHUNK / side;
  plan->step = (uint8_t)OG_MIN((unsigned)facts->k, plan->sum == OG_SUM_SCALED ? plan->group : most);
}

/* ---- modifiers --------------------------------------------------------------------------------------------------- */

/* The byte or the registers that hold a matrix's scales. */
static bool place_scale(const struct og_inst *inst, enum og_role role, unsigned operand_bit, bool is_a,
                        const struct og_matrix *facts, struct og_matrix_scale *scale) {
  const struct og_operand *operand = og_operand(inst, role);
  uint64_t constant = 0;
  unsigned dwords = facts->scaled == 16 ? 2 : 1;
  if (!operand || !og_place_source(operand, dwords, &scale->at, &constant))
    return false;
  scale->is_vector = scale->at >= OG_AT_V(0);
  scale->by_lane_group = is_mfma(facts);
  if (is_mfma(facts)) {
    unsigned part = (unsigned)(inst->mod[OG_MOD_OP_SEL] >> operand_bit & 1) |
                    (unsigned)(inst->mod[OG_MOD_OP_SEL_HI] >> operand_bit & 1) << 1;
    scale->shift = (uint8_t)(8 * part);
    if (operand->kind == OG_OPERAND_INLINE) /* a float, of which the exponent counts */
      scale->constant = (uint32_t)constant_of(operand, OG_ELEMENT_F32) >> 23 & 255, scale->shift = 0;
  } else {
    scale->first_lane = inst->mod[is_a ? OG_MOD_MATRIX_A_SCALE : OG_MOD_MATRIX_B_SCALE] ? 16 : 0;
    scale->format = (uint8_t)inst->mod[is_a ? OG_MOD_MATRIX_A_SCALE_FMT : OG_MOD_MATRIX_B_SCALE_FMT];
    if (operand->kind == OG_OPERAND_INLINE)
      scale->constant = operand->reg == OG_CODE_0 ? 0x7f : (uint32_t)constant & 255;
  }
  return scale->format <= 2;
}

static bool place_scales(struct og_program *program, const struct og_inst *inst, struct og_matrix_plan *plan) {
  const struct og_matrix *facts = plan->facts;
  if (!facts->scaled)
    return true;
  if (is_mfma(facts) ? false : inst->mod[OG_MOD_MATRIX_A_SCALE_FMT] > 2 || inst->mod[OG_MOD_MATRIX_B_SCALE_FMT] > 2)
    return og_refuse(program, inst->mod[OG_MOD_MATRIX_A_SCALE_FMT] > 2 ? "matrix_a_scale_fmt" : "matrix_b_scale_fmt");
  if (facts->m == 32 && !is_mfma(facts) && inst->mod[OG_MOD_MATRIX_A_SCALE]) /* all lanes hold scales of A */
    return og_refuse(program, "matrix_a_scale");
  return place_scale(inst, OG_ROLE_SCALE0, 0, true, facts, &plan->scale_a) &&
         place_scale(inst, OG_ROLE_SCALE1, 1, false, facts, &plan->scale_b);
}

/* cbsz, abid, blgp: broadcasts, formats, signs or the choice of an index, by the instruction. */
static bool take_controls(struct og_program *program, const struct og_inst *inst, bool since_942,
                          struct og_matrix_plan *plan) {
  const struct og_matrix *facts = plan->facts;
  unsigned cbsz = (unsigned)inst->mod[OG_MOD_CBSZ], abid = (unsigned)inst->mod[OG_MOD_ABID],
           blgp = (unsigned)inst->mod[OG_MOD_BLGP];
  if (facts->kind == OG_MATRIX_SMFMAC) {
    unsigned bits = 2u * plan->a.items;
    plan->index_shift = (uint8_t)(cbsz & 3 ? 0 : abid % (32 / bits) * bits);
    return true;
  }
  if (facts->a == OG_ELEMENT_F8F6F4)
    return true;
  if (facts->a == OG_ELEMENT_F64 && since_942) {
    plan->a.negate = blgp & 1 ? 3 : 0, plan->b.negate = blgp & 2 ? 3 : 0, plan->c_negate = blgp >> 2 & 1;
    return true;
  }
  if (facts->a == OG_ELEMENT_F64 && (cbsz || abid)) /* nothing public says what they do on gfx90a */
    return og_refuse(program, cbsz ? "cbsz" : "abid");
  if (1u << cbsz > facts->blocks)
    return og_refuse(program, "cbsz");
  if (cbsz && abid >= 1u << cbsz)
    return og_refuse(program, "abid");
  if (cbsz)
    move_a(cbsz, abid, &plan->a);
  move_b(blgp, &plan->b);
  return true;
}

static bool take_signs(struct og_program *program, const struct og_inst *inst, bool old, struct og_matrix_plan *plan) {
  const struct og_matrix *facts = plan->facts;
  unsigned low = (unsigned)inst->mod[OG_MOD_NEG_LO], high = (unsigned)inst->mod[OG_MOD_NEG_HI];
  unsigned select = (unsigned)inst->mod[OG_MOD_OP_SEL], select_high = (unsigned)inst->mod[OG_MOD_OP_SEL_HI] & 7;
  bool narrow = old && og_element_bits(plan->d) == 16;
  if (select & ~(narrow ? 4u : 0u) && !facts->scaled)
    return og_refuse(program, "op_sel");
  if (narrow && select_high != 7 && select_high != 0)
    return og_refuse(program, "op_sel_hi");
  plan->half_high = select >> 2 & 1;
  if (is_integer(facts->d)) {
    if (low & 4 || high)
      return og_refuse(program, high ? "neg_hi" : "neg_lo");
    plan->a.is_signed = low & 1, plan->b.is_signed = low >> 1 & 1;
    return true;
  }
  if (facts->kind == OG_MATRIX_SWMMAC && (low | high) & 4)
    return og_refuse(program, high & 4 ? "neg_hi" : "neg_lo");
  if (plan->a.width < 16 && (low | high) & 3)
    return og_refuse(program, high & 3 ? "neg_hi" : "neg_lo");
  if (plan->a.width > 16) /* one element to a register: one sign */
    high = (high & 4) | (low & 3);
  plan->a.negate = (uint8_t)((low & 1) | (high & 1) << 1);
  plan->b.negate = (uint8_t)((low >> 1 & 1) | (high >> 1 & 1) << 1);
  plan->c_negate = low >> 2 & 1, plan->c_absolute = high >> 2 & 1;
  return true;
}

static bool obeys(struct og_program *program, const struct og_inst *inst, const struct og_matrix *facts) {
  og_mod_set obeyed = OG_MODS(CBSZ) | OG_MODS(ABID) | OG_MODS(BLGP);
  if (!is_mfma(facts)) /* reuse is a hint */
    obeyed = OG_MODS(NEG_LO) | OG_MODS(NEG_HI) | OG_MODS(OP_SEL) | OG_MODS(OP_SEL_HI) | OG_MODS(MATRIX_A_FMT) |
             OG_MODS(MATRIX_B_FMT) | OG_MODS(MATRIX_A_REUSE) | OG_MODS(MATRIX_B_REUSE) |
             (is_integer(facts->d) ? OG_MODS(CLAMP) : 0) | (is_sparse(facts) ? OG_MODS(INDEX_KEY) : 0);
  if (facts->scaled)
    obeyed |= OG_MODS(OP_SEL) | OG_MODS(OP_SEL_HI) | OG_MODS(MATRIX_A_SCALE) | OG_MODS(MATRIX_B_SCALE) |
              OG_MODS(MATRIX_A_SCALE_FMT) | OG_MODS(MATRIX_B_SCALE_FMT);
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (!og_obeys_flags(program, &inst->operands[i], 0))
      return false;
  return og_obeys(program, inst, obeyed);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool choose_elements(struct og_program *program, const struct og_inst *inst, bool late,
                            struct og_matrix_plan *plan) {
  const struct og_matrix *facts = plan->facts;
  plan->a.element = facts->a, plan->b.element = facts->b;
  if (facts->a != OG_ELEMENT_F8F6F4)
    return true;
  if (!choose_element((unsigned)inst->mod[late ? OG_MOD_MATRIX_A_FMT : OG_MOD_CBSZ], &plan->a.element))
    return og_refuse(program, late ? "matrix_a_fmt" : "cbsz");
  if (!choose_element((unsigned)inst->mod[late ? OG_MOD_MATRIX_B_FMT : OG_MOD_BLGP], &plan->b.element))
    return og_refuse(program, late ? "matrix_b_fmt" : "blgp");
  return true;
}

static bool place_index(struct og_program *program, const struct og_inst *inst, bool late,
                        struct og_matrix_plan *plan) {
  const struct og_matrix *facts = plan->facts;
  if (!is_sparse(facts))
    return true;
  enum og_role role = facts->kind == OG_MATRIX_SMFMAC ? OG_ROLE_IDX : OG_ROLE_SRC2;
  unsigned bits = 2u * plan->a.items, key = (unsigned)inst->mod[OG_MOD_INDEX_KEY];
  if (facts->kind == OG_MATRIX_SWMMAC && key) {
    if (late || key >= 32 / OG_MIN(bits, 32u)) /* CDNA5 has no such choice: the index fills its registers */
      return og_refuse(program, "index_key");
    plan->index_shift = (uint8_t)(key * bits);
  }
  return og_place_vector(og_operand(inst, role), (bits + 31) / 32, &plan->index_at);
}

bool og_prepare_matrix(struct og_program *program, const struct og_inst *inst, const struct og_matrix *facts,
                       struct og_operation *op) {
  enum og_generation generation = program->target.processor->generation;
  bool old = generation < OG_GFX12 && !is_mfma(facts); /* gfx11 */
  bool late = generation >= OG_GFX1250, since_942 = generation >= OG_GFX942;
  struct og_matrix_plan *plan = OG_NEW(program->arena, struct og_matrix_plan);
  memset(plan, 0, sizeof(*plan));
  plan->facts = facts;
  plan->d = facts->d, plan->c = facts->c;
  plan->a.is_signed = plan->b.is_signed = facts->a == OG_ELEMENT_I8;
  plan->a.fnuz = plan->b.fnuz = generation == OG_GFX942 && facts->a >= OG_ELEMENT_FP8 && facts->a <= OG_ELEMENT_BF8;
  if (!obeys(program, inst, facts) || !choose_elements(program, inst, late, plan))
    return false;
  lay_side(facts, facts->m, true, late, old, &plan->a);
  lay_side(facts, facts->n, false, late, old, &plan->b);
  lay_result(facts, old, plan);
  choose_sum(facts, generation, plan);
  plan->saturates = inst->mod[OG_MOD_CLAMP] != 0;
  plan->ovfl_saturates = late ? plan->d != OG_ELEMENT_F32 && plan->d != OG_ELEMENT_F64 : is_mfma(facts) && since_942;
  plan->flushes_by_mode = is_mfma(facts) && facts->a == OG_ELEMENT_F32;
  if (is_mfma(facts) ? !take_controls(program, inst, since_942, plan) : !take_signs(program, inst, old, plan))
    return false;
  if (!place_side(inst, OG_ROLE_SRC0, &plan->a) || !place_side(inst, OG_ROLE_SRC1, &plan->b) ||
      !place_result(inst, old, plan) || !place_index(program, inst, late, plan) || !place_scales(program, inst, plan))
    return false;
  op->class = OG_CLASS_VALU;
  op->d = plan->d_at;
  op->detail = plan;
  op->handler = program->variant->multiply;
  return true;
}
