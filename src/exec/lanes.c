/* lanes.c - vector instructions that look across lanes or have shapes of their own, written out by hand. */
#include "exec/lane.h"
#include "exec/modifiers.h"
#include "exec/scalar.h"
#include "exec/vector.h"

#include <string.h>

static const struct og_operation *nothing(struct og_wave *wave, const struct og_operation *op) {
  (void)wave;
  return og_next(op);
}

/* Of a scalar source the value, of a VGPR its value in a lane. */
static u32 value_in_lane(struct og_wave *wave, const struct og_operation *op, int i, u32 lane) {
  return op->s[i] < OG_AT_V(0) ? og_scalar32(wave, op, i) : og_at(wave, op->s[i])[lane];
}

static const struct og_operation *readfirstlane(struct og_wave *wave, const struct og_operation *op) {
  u64 exec = og_mask(wave, OG_S_EXEC);
  og_write_scalar32(wave, op->d, value_in_lane(wave, op, 0, exec ? (u32)__builtin_ctzll(exec) : 0));
  return og_next(op);
}

static const struct og_operation *readlane(struct og_wave *wave, const struct og_operation *op) {
  u32 lane = og_scalar32(wave, op, 1) & (wave->wave_size - 1u);
  og_write_scalar32(wave, op->d, value_in_lane(wave, op, 0, lane));
  return og_next(op);
}

/* Whatever EXEC says. */
static const struct og_operation *writelane(struct og_wave *wave, const struct og_operation *op) {
  u32 lane = og_scalar32(wave, op, 1) & (wave->wave_size - 1u);
  og_at(wave, op->d)[lane] = og_scalar32(wave, op, 0);
  return og_next(op);
}

static const struct og_operation *swap(struct og_wave *wave, const struct og_operation *op) {
  u32 *a = og_at(wave, op->d), *b = og_at(wave, op->s[0]);
  for (int i = 0; i < OG_LANES; i++) {
    u32 old = a[i], m = wave->lanes[i];
    a[i] = (b[i] & m) | (old & ~m);
    b[i] = (old & m) | (b[i] & ~m);
  }
  return og_next(op);
}

/* Four 32-bit sums; the source and the sums may overlap the result, so all is read before anything is written. */
static const struct og_operation *mqsad_u32_u8(struct og_wave *wave, const struct og_operation *op) {
  const u32 *a = og_at(wave, op->s[0]), *c = og_at(wave, op->s[2]);
  u32 *d = og_at(wave, op->d);
  for (u32 i = 0; i < OG_LANES; i++) {
    if (!wave->lanes[i])
      continue;
    u64 from = op->s[0] < OG_AT_V(0) ? og_scalar64(wave, op, 0) : (u64)a[i + OG_LANES] << 32 | a[i];
    u32 reference = value_in_lane(wave, op, 1, i), sums[4];
    for (u32 k = 0; k < 4; k++)
      sums[k] = msad_u8((u32)(from >> (8 * k)), reference) + c[i + k * OG_LANES];
    for (u32 k = 0; k < 4; k++)
      d[i + k * OG_LANES] = sums[k];
  }
  return og_next(op);
}

static const struct og_operation *move_lanes(struct og_wave *wave, const struct og_operation *op) {
  u32 *d = og_at(wave, op->d);
  for (u32 i = 0; i < OG_LANES; i++)
    d[i] = wave->lanes[i] ? value_in_lane(wave, op, 0, i) : d[i];
  return og_next(op);
}

/* Registers relative to M0: op->constant[1] says which, bit 0 the source, bit 1 the destination; bit 2: by M0[7:0] and
 * M0[25:16] rather than by all of it. */
static const struct og_operation *move_relative(struct og_wave *wave, const struct og_operation *op) {
  u32 m0 = wave->s[OG_S_M0], which = (u32)op->constant[1];
  u64 source = op->s[0] + (u64)(which & 1 ? which & 4 ? m0 & 255 : m0 : 0) * OG_LANES * 4;
  u64 destination = op->d + (u64)(which & 2 ? which & 4 ? m0 >> 16 & 1023 : m0 : 0) * OG_LANES * 4;
  if ((which & 1 && source >= OG_AT_V(256)) || destination >= OG_AT_V(256))
    return og_wave_fault(wave, op, "VGPR index in m0 (0x%x) is out of range", m0);
  struct og_operation moved = *op;
  moved.s[0] = (u32)source, moved.d = (u32)destination;
  move_lanes(wave, &moved);
  return og_next(op);
}

/* Each lane of a row reads the lane of its row, or of the row's neighbour, that its nibble of S1 or S2 names. */
static const struct og_operation *permlane(struct og_wave *wave, const struct og_operation *op) {
  const struct og_modifiers *m = op->detail;
  bool by_lane = op->s[1] >= OG_AT_V(0); /* each lane has its own choice */
  u64 choices = by_lane ? 0 : (u64)og_scalar32(wave, op, 2) << 32 | og_scalar32(wave, op, 1);
  u64 exec = og_mask(wave, OG_S_EXEC);
  u32 from[OG_LANES], choice[OG_LANES], *d = og_at(wave, op->d);
  memcpy(from, og_at(wave, op->s[0]), sizeof(from));
  for (u32 i = 0; i < OG_LANES; i++)
    choice[i] = by_lane ? og_at(wave, op->s[1])[i] & 15 : (u32)(choices >> (4 * (i & 15)) & 15);
  for (u32 i = 0; i < OG_LANES; i++) {
    u32 source = ((i & ~(u32)15) ^ m->dpp8) | choice[i];
    bool valid = m->fetch_inactive || exec >> source & 1;
    if (exec >> i & 1 && (valid || m->bound_ctrl))
      d[i] = valid ? from[source] : 0;
  }
  return og_next(op);
}

/* Every second row of D (half of D) changes places with the row (half) of the source before it; constant[1]: its lanes. */
static const struct og_operation *permlane_swap(struct og_wave *wave, const struct og_operation *op) {
  u32 *d = og_at(wave, op->d), *s = og_at(wave, op->s[0]), row = (u32)op->constant[1];
  for (u32 i = 0; i < OG_LANES; i++) {
    u32 later = i + row;
    if (i & row || !wave->lanes[i] || !wave->lanes[later])
      continue;
    u32 old = d[later];
    d[later] = s[i];
    s[i] = old;
  }
  return og_next(op);
}

/* The other half of a wave of 64. */
static const struct og_operation *permlane64(struct og_wave *wave, const struct og_operation *op) {
  u32 from[OG_LANES], *d = og_at(wave, op->d);
  memcpy(from, og_at(wave, op->s[0]), sizeof(from));
  for (u32 i = 0; i < OG_LANES; i++)
    d[i] = wave->lanes[i] ? from[i ^ 32] : d[i];
  return og_next(op);
}

/* What stands for D and the sources: VGPRs, scalars, or either; of so many dwords, 1 where nothing is said. */
enum { NONE, VECTOR, SCALAR, EITHER, QUAD = 16 /* VECTOR of four */, PAIR = 32 /* EITHER of two */ };

static const struct {
  const char *name;
  og_handler *handler;
  uint8_t d, s[3];
  uint8_t which; /* as constant[1] has it; permlane: 16 for the neighbouring row */
} by_hand[] = {
    {"v_movrels_b32", move_relative, VECTOR, {VECTOR}, 1},
    {"v_movreld_b32", move_relative, VECTOR, {EITHER}, 2},
    {"v_movrelsd_b32", move_relative, VECTOR, {VECTOR}, 3},
    {"v_movrelsd_2_b32", move_relative, VECTOR, {VECTOR}, 7},
    {"v_permlane16_b32", permlane, VECTOR, {VECTOR, SCALAR, SCALAR}, 0},
    {"v_permlanex16_b32", permlane, VECTOR, {VECTOR, SCALAR, SCALAR}, 16},
    {"v_permlane16_var_b32", permlane, VECTOR, {VECTOR, VECTOR}, 0},
    {"v_permlanex16_var_b32", permlane, VECTOR, {VECTOR, VECTOR}, 16},
    {"v_permlane16_swap_b32", permlane_swap, VECTOR, {VECTOR}, 16},
    {"v_permlane32_swap_b32", permlane_swap, VECTOR, {VECTOR}, 32},
    {"v_permlane64_b32", permlane64, VECTOR, {VECTOR}, 0},
    {"v_nop", nothing, NONE, {NONE}, 0},
    {"v_clrexcp", nothing, NONE, {NONE}, 0},
    {"v_readfirstlane_b32", readfirstlane, SCALAR, {EITHER}, 0},
    {"v_readlane_b32", readlane, SCALAR, {EITHER, SCALAR}, 0},
    {"v_writelane_b32", writelane, VECTOR, {SCALAR, SCALAR}, 0},
    {"v_swap_b32", swap, VECTOR, {VECTOR}, 0},
    {"v_mqsad_u32_u8", mqsad_u32_u8, QUAD, {PAIR, EITHER, QUAD}, 0},
    {"v_accvgpr_read_b32", move_lanes, VECTOR, {VECTOR}, 0},
    {"v_accvgpr_write_b32", move_lanes, VECTOR, {EITHER}, 0},
    {"v_accvgpr_mov_b32", move_lanes, VECTOR, {VECTOR}, 0},
};

static bool place_one(const struct og_operand *operand, unsigned what, uint32_t *offset, uint64_t *constant) {
  switch (what) {
  case VECTOR: return og_place_vector(operand, 1, offset);
  case QUAD: return og_place_vector(operand, 4, offset);
  case SCALAR: return og_place_scalar(operand, 1, offset, constant);
  case EITHER: return og_place_source(operand, 1, offset, constant);
  case PAIR: return og_place_source(operand, 2, offset, constant);
  default: return true;
  }
}

static bool place(const struct og_inst *inst, unsigned d, const uint8_t sources[3], struct og_operation *op) {
  static const uint8_t roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *sdst = og_operand(inst, OG_ROLE_SDST);
  if (d == SCALAR ? !og_place_result(sdst != NULL ? sdst : vdst, 1, &op->d) : !place_one(vdst, d, &op->d, NULL))
    return false;
  for (int i = 0; i < 3; i++)
    if (!place_one(og_operand(inst, roles[i]), sources[i], &op->s[i], &op->constant[i]))
      return false;
  return true;
}

bool og_prepare_lanes(struct og_program *program, const char *name, const struct og_inst *inst,
                      struct og_operation *op) {
  for (size_t k = 0; k < OG_COUNT(by_hand); k++) {
    if (strcmp(by_hand[k].name, name) != 0)
      continue;
    if (inst->variant != OG_VARIANT_NONE && by_hand[k].handler != nothing)
      return og_refuse(program, inst->variant == OG_VARIANT_SDWA ? "sdwa" : "dpp");
    og_mod_set obeyed = by_hand[k].handler == permlane ? OG_MODS(OP_SEL) : 0;
    if (by_hand[k].handler != nothing && !og_obeys(program, inst, obeyed))
      return false;
    for (unsigned i = 0; i < inst->operand_count; i++)
      if (!og_obeys_flags(program, &inst->operands[i], 0))
        return false;
    op->s[0] = op->s[1] = op->s[2] = OG_AT_S(OG_S_ZERO);
    op->handler = by_hand[k].handler;
    if (op->handler == permlane64 && program->isa->wave == 32)
      return og_refuse(program, "a wave of 32 lanes");
    if (op->handler == permlane) {
      struct og_modifiers *m = OG_NEW(program->arena, struct og_modifiers);
      m->fetch_inactive = inst->mod[OG_MOD_OP_SEL] & 1;
      m->bound_ctrl = inst->mod[OG_MOD_OP_SEL] & 2;
      m->dpp8 = by_hand[k].which;
      op->detail = m;
    }
    if (!place(inst, by_hand[k].d, by_hand[k].s, op))
      return false;
    if (op->handler == move_relative || op->handler == permlane_swap)
      op->constant[1] = by_hand[k].which;
    return true;
  }
  return false;
}
