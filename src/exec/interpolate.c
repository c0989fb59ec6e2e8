/* interpolate.c - the reads of graphics shaders from LDS without an address in a register: one value for all lanes, and
 * the parameters of the wave's triangles with the interpolation between their vertices. ISA manuals: "RDNA3", 12.2 to
 * 12.4; "Vega", 10.3. Here LDS has the parameters if the kernel put them there.
 *
 * Of each triangle and attribute channel LDS has P0, P10 and P20, and a quad of lanes belongs to one triangle. */
#include "exec/memory.h"

#include <string.h>

#include "base/floats.h"
#include "base/float_control.h"
#include "exec/lane_small.h"
#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/vector.h"
#include "isa/rows.h"

enum vertex { P0, P10, P20, VERTICES };
enum { CHANNELS = 4 };

/* ---- LDS --------------------------------------------------------------------------------------------------------- */

/* Which of the wave's triangles each quad belongs to: M0 has a bit where a new one begins, the first one not
 * counted. */
static uint32_t primitive_of(const struct og_wave *wave, unsigned quad) {
  return (uint32_t)__builtin_popcount(wave->s[OG_S_M0] >> 16 & ((1u << quad) - 1));
}

/* A parameter of the lane's triangle. False: there was a fault. */
static bool read_parameter(struct og_wave *wave, const struct og_operation *op, unsigned lane, uint32_t attribute,
                           uint32_t channel, enum vertex vertex, uint32_t *value) {
  uint32_t primitives = primitive_of(wave, wave->wave_size / 4u - 1) + 1, primitive = primitive_of(wave, lane / 4);
  uint32_t index = ((attribute * primitives + primitive) * VERTICES + vertex) * CHANNELS + channel;
  struct og_lane_place place = {OG_SPACE_LDS, (wave->s[OG_S_M0] & 0xffff) + 4 * index, 0, false};
  return og_lane_read(wave, op, lane, &place, value, 4);
}

/* That of all lanes, quad by quad. False: not without faults, or not untold. */
static bool read_parameters(struct og_wave *wave, uint32_t attribute, uint32_t channel, enum vertex vertex,
                            uint32_t *values) {
  uint32_t begins = wave->s[OG_S_M0] >> 16, base = wave->s[OG_S_M0] & 0xffff, primitive = 0;
  uint32_t primitives = primitive_of(wave, wave->wave_size / 4u - 1) + 1;
  if (og_sees_accesses(wave))
    return false;
  for (unsigned quad = 0; quad < wave->wave_size / 4u; primitive += begins >> quad & 1, quad++) {
    uint64_t index = ((attribute * primitives + primitive) * VERTICES + vertex) * CHANNELS + channel;
    uint64_t at = base + 4 * index;
    if (at + 4 > wave->lds_size)
      return false;
    uint32_t value = og_load32(wave->lds + at);
    for (unsigned i = 0; i < 4; i++)
      values[4 * quad + i] = value;
  }
  return true;
}

/* M0 has an address and a type: unsigned and signed bytes and shorts, dwords. */
bool og_lds_direct(struct og_wave *wave, const struct og_operation *op, uint32_t *value) {
  static const uint8_t sizes[8] = {1, 2, 4, 0, 1, 2, 0, 0};
  uint32_t m0 = wave->s[OG_S_M0], type = m0 >> 16 & 7, size = sizes[type], bits = 0, shift = 32 - 8 * size;
  struct og_lane_place place = {OG_SPACE_LDS, m0 & 0xffff, 0, false};
  if (size == 0) {
    og_wave_fault(wave, op, "a direct read of LDS with the reserved type %u in M0", type);
    return false;
  }
  if (!og_lane_read(wave, op, 0, &place, &bits, size))
    return false;
  *value = type >= 4 ? (uint32_t)((int32_t)(bits << shift) >> shift) : bits;
  return true;
}

/* Quads are written as a whole where any of their lanes is active. */
static bool is_in_quad(uint64_t active, unsigned lane) { return active >> (lane & ~3u) & 15; }

static const struct og_operation *direct_load(struct og_wave *wave, const struct og_operation *op) {
  uint64_t active = og_active(wave);
  uint32_t value, *to = og_at(wave, op->d);
  if (active && !og_lds_direct(wave, op, &value))
    return &og_stop;
  for (unsigned lane = 0; lane < wave->wave_size; lane++)
    if (is_in_quad(active, lane))
      to[lane] = value;
  return og_next(op);
}

/* The first three lanes of a quad get P0, P10 and P20; the fourth one gets 0. */
static const struct og_operation *parameter_load(struct og_wave *wave, const struct og_operation *op) {
  uint64_t active = og_active(wave);
  uint32_t *to = og_at(wave, op->d);
  for (unsigned lane = 0; lane < wave->wave_size; lane++) {
    uint32_t value = 0;
    if (!is_in_quad(active, lane))
      continue;
    if (lane % 4 < VERTICES && !read_parameter(wave, op, lane, (uint32_t)op->constant[0], (uint32_t)op->constant[1],
                                               (enum vertex)(lane % 4), &value))
      return &og_stop;
    to[lane] = value;
  }
  return og_next(op);
}

/* ---- interpolation: factor * weight + addend --------------------------------------------------------------------- */

enum addend { ADDEND_PARAMETER, ADDEND_SOURCE, ADDEND_OLD, ADDEND_NONE };
static const struct kind {
  uint16_t row;
  uint8_t vertex; /* the factor's */
  uint8_t addend;
  bool half, addend_half; /* 16 bits */
  bool half_result, to_zero;
  bool keeps; /* the other half of the register */
} kinds[] = {
    {OG_ROW_V_INTERP_MOV_F32, 0, ADDEND_NONE, false, false, false, false, false},
    {OG_ROW_V_INTERP_P1_F32, P10, ADDEND_PARAMETER, false, false, false, false, false},
    {OG_ROW_V_INTERP_P2_F32, P20, ADDEND_OLD, false, false, false, false, false},
    {OG_ROW_V_INTERP_P1LL_F16, P10, ADDEND_PARAMETER, true, true, false, false, false},
    {OG_ROW_V_INTERP_P1LV_F16, P10, ADDEND_SOURCE, true, true, false, false, false},
    {OG_ROW_V_INTERP_P2_F16, P20, ADDEND_SOURCE, true, false, true, false, true},
    {OG_ROW_V_INTERP_P2_LEGACY_F16, P20, ADDEND_SOURCE, true, false, true, false, false},
    {OG_ROW_V_INTERP_P10_F32, P10, ADDEND_PARAMETER, false, false, false, false, false},
    {OG_ROW_V_INTERP_P10_F16_F32, P10, ADDEND_PARAMETER, true, true, false, false, false},
    {OG_ROW_V_INTERP_P10_RTZ_F16_F32, P10, ADDEND_PARAMETER, true, true, false, true, false},
    {OG_ROW_V_INTERP_P2_F16_F32, P20, ADDEND_SOURCE, true, false, true, false, true},
    {OG_ROW_V_INTERP_P2_RTZ_F16_F32, P20, ADDEND_SOURCE, true, false, true, true, true},
};

/* One of the three numbers: a dword or a half of it, with its sign changed. */
struct number {
  uint32_t at;      /* of a register; 0: in LDS, or none */
  int8_t quad_lane; /* read from that lane of the quad; -1: from its own */
  bool half, high;
  uint8_t flags; /* OG_NEG, OG_ABS */
};
struct interpolation {
  struct og_modifiers treat;
  const struct kind *kind;
  og_handler *widen, *fma, *narrow; /* halves to f32, sums, f32 to halves: as instructions that do just this */
  struct number factor, weight, addend;
  uint8_t attribute, channel, addend_vertex;
  bool high_result;
};

static f32 number_of(const struct og_wave *wave, const struct number *n, uint32_t bits) {
  bits = n->half ? bits_of_f32(og_half_to_float((uint16_t)(bits >> (n->high ? 16 : 0)))) : bits;
  if (n->half && !(wave->mode & 1 << 6)) /* denormal halves count as 0 */
    bits = bits_of_f32(flush_f16(f32_of_bits(bits)));
  bits = n->flags & OG_ABS ? bits & 0x7fffffff : bits;
  return f32_of_bits(bits ^ (n->flags & OG_NEG ? 0x80000000 : 0));
}

static bool read_number(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct number *n,
                        enum vertex vertex, f32 *value) {
  const struct interpolation *i = op->detail;
  uint32_t bits;
  if (n->at)
    bits = og_at(wave, n->at)[n->quad_lane < 0 ? lane : (lane & ~3u) + (unsigned)n->quad_lane];
  else if (!read_parameter(wave, op, lane, i->attribute, i->channel, vertex, &bits))
    return false;
  *value = number_of(wave, n, bits);
  return true;
}

static uint32_t rounded_half(const struct og_wave *wave, f32 value, bool to_zero) {
  enum og_rounding rounding = to_zero ? OG_ROUND_ZERO : (enum og_rounding)((wave->mode & OG_MODE_ROUND_16_64) >> 2);
  uint32_t bits = og_float_to_half(value, rounding);
  return bits & 0x7c00 || wave->mode & 1 << 7 ? bits : bits & 0x8000;
}

/* Lane by lane. False: there was a fault. */
static bool sum_lanes(struct og_wave *wave, const struct og_operation *op, uint32_t *results) {
  const struct interpolation *i = op->detail;
  const struct kind *kind = i->kind;
  bool faulted = false;
  uint32_t control = og_float_control(3, (wave->mode & OG_MODE_DENORM_32) >> 4);
  if (kind->to_zero)
    og_set_float_control(control);
  for (uint64_t lanes = og_active(wave); lanes != 0 && !faulted; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    f32 factor = 0, weight = 0, addend = 0;
    faulted = !read_number(wave, op, lane, &i->factor, (enum vertex)kind->vertex, &factor) ||
              !read_number(wave, op, lane, &i->weight, P0, &weight) ||
              !read_number(wave, op, lane, &i->addend, P0, &addend);
    f32 sum = __builtin_fmaf(factor, weight, addend);
    results[lane] = kind->half_result ? rounded_half(wave, sum, kind->to_zero) : bits_of_f32(sum);
  }
  if (kind->to_zero)
    og_set_float_control(wave->float_control_32);
  return !faulted;
}

enum { NUMBERS = OG_V_TEMPORARY, SUMS = OG_V_TEMPORARY + 6 };
static void call(struct og_wave *wave, og_handler *handler, unsigned d, unsigned s) {
  struct og_operation op = {.d = OG_AT_V(d), .s = {OG_AT_V(s), OG_AT_V(s + 1), OG_AT_V(s + 2)}};
  handler(wave, &op);
}

/* One of the three numbers of all lanes, into a register. */
static bool read_numbers(struct og_wave *wave, const struct og_operation *op, const struct number *n,
                         enum vertex vertex, unsigned to) {
  const struct interpolation *i = op->detail;
  uint32_t *out = og_at(wave, OG_AT_V(to)), keep = n->flags & OG_ABS ? 0x7fffffff : UINT32_MAX;
  const uint32_t *from = n->at ? og_at(wave, n->at) : out, flip = n->flags & OG_NEG ? 0x80000000 : 0;
  if (!n->at && !read_parameters(wave, i->attribute, i->channel, vertex, out))
    return false;
  for (unsigned quad = 0; quad < OG_LANES && n->at && n->quad_lane >= 0; quad += 4)
    for (unsigned lane = 0; lane < 4; lane++)
      out[quad + lane] = from[quad + (unsigned)n->quad_lane];
  from = n->at && n->quad_lane >= 0 ? out : from;
  uint32_t shift = n->half && n->high ? 16 : 0;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    out[lane] = from[lane] >> shift;
  if (n->half)
    call(wave, i->widen, to, to);
  for (unsigned lane = 0; lane < OG_LANES && (flip | ~keep); lane++)
    out[lane] = (out[lane] & keep) ^ flip;
  return true;
}

/* All lanes at a time. False: not in these modes, or not without faults. */
static bool sum_registers(struct og_wave *wave, const struct og_operation *op, uint32_t *results) {
  const struct interpolation *i = op->detail;
  bool products_stay = wave->mode & 1 << 4 || !(wave->mode & 1 << 5);
  bool rounds_so = !i->kind->half_result || (products_stay && !(wave->mode & OG_MODE_FP16_OVFL));
  if (i->kind->to_zero || !rounds_so ||
      !read_numbers(wave, op, &i->factor, (enum vertex)i->kind->vertex, NUMBERS) ||
      !read_numbers(wave, op, &i->weight, P0, NUMBERS + 1) || !read_numbers(wave, op, &i->addend, P0, NUMBERS + 2))
    return false;
  call(wave, i->fma, SUMS, NUMBERS);
  const uint32_t mask = i->kind->half_result ? 0xffff : UINT32_MAX, *sums = og_at(wave, OG_AT_V(SUMS));
  if (i->kind->half_result)
    call(wave, i->narrow, SUMS, SUMS);
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    results[lane] = sums[lane] & mask;
  return true;
}

static const struct og_operation *interpolate(struct og_wave *wave, const struct og_operation *op) {
  const struct interpolation *i = op->detail;
  _Alignas(64) uint32_t results[OG_LANES] = {0};
  if (!sum_registers(wave, op, results) && !sum_lanes(wave, op, results))
    return &og_stop;
  if (i->treat.clamp || i->treat.omod)
    wave->program->variant->treat_float(wave, &i->treat, results);
  uint32_t *to = og_at(wave, op->d), shift = i->high_result ? 16 : 0;
  uint32_t kept =
      i->kind->half_result && i->treat.dst_unused == OG_UNUSED_PRESERVE ? ~(0xffffu << shift) : 0;
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint32_t active = wave->lanes[lane], result = (to[lane] & kept) | results[lane] << shift;
    to[lane] = (result & active) | (to[lane] & ~active);
  }
  return og_next(op);
}

static const struct og_operation *move(struct og_wave *wave, const struct og_operation *op) {
  const struct interpolation *i = op->detail;
  _Alignas(64) uint32_t results[OG_LANES] = {0};
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    if (!read_parameter(wave, op, lane, i->attribute, i->channel, (enum vertex)i->addend_vertex, &results[lane]))
      return &og_stop;
  }
  wave->program->variant->treat_float(wave, &i->treat, results);
  uint32_t *to = og_at(wave, op->d);
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    if (wave->lanes[lane])
      to[lane] = results[lane];
  return og_next(op);
}

/* ---- preparing --------------------------------------------------------------------------------------------------- */

static bool place_number(struct og_program *program, const struct og_inst *inst, enum og_role role, int quad_lane,
                         bool half, unsigned source, struct number *n) {
  const struct og_operand *operand = og_operand(inst, role);
  *n = (struct number){.quad_lane = (int8_t)quad_lane, .half = half};
  if (!operand)
    return false;
  n->flags = operand->flags & (OG_NEG | OG_ABS);
  n->high = half && (inst->mod[OG_MOD_OP_SEL] >> source & 1 || operand->flags & OG_HALF_HI);
  return og_obeys_flags(program, operand, OG_NEG | OG_ABS | (half ? OG_HALF_HI : 0)) &&
         og_place_vector(operand, 1, &n->at);
}

/* gfx11 and later: the factor and, of p10, the addend come from lanes of the quad. */
static bool place_registers(struct og_program *program, const struct og_inst *inst, struct interpolation *i) {
  const struct kind *kind = i->kind;
  bool first = kind->vertex == P10;
  unsigned selectable = (kind->half ? 1u : 0) | (kind->addend_half ? 4u : 0) | (kind->half_result ? 8u : 0);
  if ((unsigned)inst->mod[OG_MOD_OP_SEL] & ~selectable)
    return og_refuse(program, "op_sel");
  return place_number(program, inst, OG_ROLE_SRC0, kind->vertex, kind->half, 0, &i->factor) &&
         place_number(program, inst, OG_ROLE_SRC1, -1, false, 1, &i->weight) &&
         place_number(program, inst, OG_ROLE_SRC2, first ? P0 : -1, kind->addend_half, 2, &i->addend);
}

/* Up to gfx10 factors are read from LDS as they are used; `high` chooses their halves, and that of p1lv's addend. */
static bool place_attribute(struct og_program *program, const struct og_inst *inst, const struct og_operand *vdst,
                            struct interpolation *i) {
  const struct kind *kind = i->kind;
  bool high = inst->mod[OG_MOD_HIGH] != 0;
  i->factor = (struct number){.half = kind->half, .high = high};
  i->addend = i->factor;
  if (kind->addend == ADDEND_OLD)
    i->addend = (struct number){.quad_lane = -1}, og_place_vector(vdst, 1, &i->addend.at);
  else if (kind->addend == ADDEND_SOURCE &&
           !place_number(program, inst, OG_ROLE_SRC2, -1, kind->addend_half, 2, &i->addend))
    return false;
  i->addend.high = high && kind->addend_half;
  if (kind->addend == ADDEND_NONE) {
    static const uint8_t slots[3] = {P10, P20, P0};
    const struct og_operand *slot = og_operand(inst, OG_ROLE_SRC0);
    i->addend_vertex = slot && slot->value < 3 ? slots[slot->value] : VERTICES;
    return i->addend_vertex < VERTICES;
  }
  return place_number(program, inst, OG_ROLE_SRC0, -1, false, 0, &i->weight);
}

bool og_prepare_interpolation(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct kind *kind = NULL;
  for (size_t k = 0; k < OG_COUNT(kinds); k++)
    if (kinds[k].row == inst->row)
      kind = &kinds[k];
  if (!kind)
    return false;
  enum og_generation generation = program->target.processor->generation;
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *attribute = og_operand(inst, OG_ROLE_ATTR),
                          *channel = og_operand(inst, OG_ROLE_ATTR_CHANNEL);
  struct interpolation *i = OG_NEW(program->arena, struct interpolation);
  memset(i, 0, sizeof *i);
  static const struct kind p2_of_registers = {
      OG_ROW_V_INTERP_P2_F32, P20, ADDEND_SOURCE, false, false, false, false, false};
  i->kind = !attribute && kind->row == OG_ROW_V_INTERP_P2_F32 ? &p2_of_registers : kind;
  og_mod_set obeyed =
      OG_MODS(CLAMP) | OG_MODS(OP_SEL) | OG_MODS(WAIT_EXP) | (attribute ? OG_MODS(OMOD) | OG_MODS(HIGH) : 0);
  if (!vdst || !og_obeys(program, inst, obeyed) || !og_place_vector(vdst, 1, &op->d))
    return false;
  if (attribute && channel)
    i->attribute = (uint8_t)attribute->value, i->channel = (uint8_t)channel->value & 3;
  if (attribute && inst->mod[OG_MOD_OP_SEL] & ~(kind->half_result ? 8 : 0))
    return og_refuse(program, "op_sel");
  i->high_result = kind->half_result && (inst->mod[OG_MOD_OP_SEL] & 8 || vdst->flags & OG_HALF_HI);
  const struct og_vector_handlers *handlers = program->variant->handlers;
  i->widen = handlers[og_find_vector_row(OG_ROW_V_CVT_F32_F16)].all_vector;
  i->fma = handlers[og_find_vector_row(OG_ROW_V_FMA_F32)].all_vector;
  i->narrow = handlers[og_find_vector_row(OG_ROW_V_CVT_F16_F32)].all_vector;
  i->treat.result = kind->half_result ? OG_AS_F16 : OG_AS_F32;
  i->treat.clamp = inst->mod[OG_MOD_CLAMP] != 0;
  i->treat.omod = (uint8_t)inst->mod[OG_MOD_OMOD];
  i->treat.dst_unused = kind->keeps && generation >= OG_GFX900 ? OG_UNUSED_PRESERVE : OG_UNUSED_PAD;
  op->class = OG_CLASS_VALU;
  op->detail = i;
  op->handler = kind->addend == ADDEND_NONE ? move : interpolate;
  return attribute ? place_attribute(program, inst, vdst, i) : place_registers(program, inst, i);
}

bool og_prepare_lds_direct(const struct og_inst *inst, struct og_operation *op) {
  const struct og_operand *attribute = og_operand(inst, OG_ROLE_ATTR),
                          *channel = og_operand(inst, OG_ROLE_ATTR_CHANNEL);
  bool direct = inst->row == OG_ROW_LDS_DIRECT_LOAD;
  op->handler = direct ? direct_load : parameter_load;
  op->class = OG_CLASS_LDS;
  op->constant[0] = attribute ? attribute->value : 0;
  op->constant[1] = channel ? channel->value & 3 : 0;
  return (direct || (attribute && channel)) && og_place_vector(og_operand(inst, OG_ROLE_VDST), 1, &op->d);
}
