/* lanes.c - vector instructions that look across lanes or have shapes of their own, written out by hand. */
#include "exec/lane_integer.h"
#include "exec/modifiers.h"
#include "exec/program.h"
#include "exec/scalar.h"
#include "exec/vector.h"
#include "isa/rows.h"

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

/* Halves of registers: bit 0 of constant[1] says which of D, bit 1 which of the source. */
static const struct og_operation *swap_b16(struct og_wave *wave, const struct og_operation *op) {
  u32 *a = og_at(wave, op->d), *b = og_at(wave, op->s[0]);
  u32 shift_a = op->constant[1] & 1 ? 16 : 0, shift_b = op->constant[1] & 2 ? 16 : 0;
  for (int i = 0; i < OG_LANES; i++) {
    u32 half_a = a[i] >> shift_a & 0xffff, half_b = b[i] >> shift_b & 0xffff;
    if (!wave->lanes[i])
      continue;
    a[i] = (a[i] & ~((u32)0xffff << shift_a)) | half_b << shift_a; /* they may stand in one register */
    b[i] = (b[i] & ~((u32)0xffff << shift_b)) | half_a << shift_b;
  }
  return og_next(op);
}

/* As the host does best (vector_tables.h). */
static const struct og_operation *perm_pk16(struct og_wave *wave, const struct og_operation *op) {
  return wave->program->variant->permute_table(wave, op);
}
static const struct og_operation *mqsad_u32_u8(struct og_wave *wave, const struct og_operation *op) {
  return wave->program->variant->four_sums(wave, op);
}

static const struct og_operation *move_lanes(struct og_wave *wave, const struct og_operation *op) {
  u32 *d = og_at(wave, op->d);
  for (u32 i = 0; i < OG_LANES; i++)
    d[i] = wave->lanes[i] ? value_in_lane(wave, op, 0, i) : d[i];
  return og_next(op);
}

/* Both registers relative to M0[25:16] and M0[9:0]. */
static const struct og_operation *swap_relative(struct og_wave *wave, const struct og_operation *op) {
  u32 m0 = wave->s[OG_S_M0];
  u64 a = op->d + (u64)(m0 >> 16 & 1023) * OG_AT_ROW, b = op->s[0] + (u64)(m0 & 1023) * OG_AT_ROW;
  if (a >= OG_AT_V(256) || b >= OG_AT_V(256))
    return og_wave_fault(wave, op, "VGPR index in m0 (0x%x) is out of range", m0);
  struct og_operation moved = og_operation_copy(op);
  moved.d = (u32)a, moved.s[0] = (u32)b;
  swap(wave, &moved);
  return og_next(op);
}

/* Registers relative to M0: op->constant[1] says which, bit 0 the source, bit 1 the destination; bit 2: by M0[7:0] and
 * M0[25:16] rather than by all of it. */
static bool shift_relative(const struct og_wave *wave, u32 which, struct og_operation *op) {
  u32 m0 = wave->s[OG_S_M0];
  u64 source = op->s[0] + (u64)(which & 1 ? which & 4 ? m0 & 255 : m0 : 0) * OG_LANES * 4;
  u64 destination = op->d + (u64)(which & 2 ? which & 4 ? m0 >> 16 & 1023 : m0 : 0) * OG_LANES * 4;
  if ((which & 1 && source >= OG_AT_V(256)) || destination >= OG_AT_V(256))
    return false;
  op->s[0] = (u32)source, op->d = (u32)destination;
  return true;
}

static const struct og_operation *move_relative(struct og_wave *wave, const struct og_operation *op) {
  struct og_operation moved = og_operation_copy(op);
  if (!shift_relative(wave, (u32)op->constant[1], &moved))
    return og_wave_fault(wave, op, "VGPR index in m0 (0x%x) is out of range", wave->s[OG_S_M0]);
  move_lanes(wave, &moved);
  return og_next(op);
}

/* With DPP or SDWA: M0 is the same for all lanes and parts, so that it does not matter whether register or lane or part
 * is chosen first. It is v_mov_b32 of the registers that M0 leads to. */
struct moved {
  struct og_operation move;
  og_handler *handler;
  u32 which;
};
static const struct og_operation *move_relative_modified(struct og_wave *wave, const struct og_operation *op) {
  const struct moved *detail = op->detail;
  struct og_operation move = og_operation_copy(&detail->move);
  if (!shift_relative(wave, detail->which, &move))
    return og_wave_fault(wave, op, "VGPR index in m0 (0x%x) is out of range", wave->s[OG_S_M0]);
  detail->handler(wave, &move);
  return og_next(op);
}

static bool prepare_modified_move(struct og_program *program, const struct og_inst *inst, u32 which,
                                  struct og_operation *op) {
  struct moved *detail = OG_NEW(program->arena, struct moved);
  struct og_operation move = *op;
  move.handler = NULL;
  if (!og_prepare_vector_row(program, OG_ROW_V_MOV_B32, inst, &move))
    return false;
  *detail = (struct moved){.move = move, .handler = move.handler, .which = which};
  op->detail = detail;
  op->handler = move_relative_modified;
  return true;
}

/* Each lane of a row reads the lane of its row, or of the row's neighbour, that its nibble of S1 or S2 names. */
static const struct og_operation *permlane(struct og_wave *wave, const struct og_operation *op) {
  const struct og_modifiers *m = op->detail;
  const bool by_lane = op->s[1] >= OG_AT_V(0); /* each lane has its own choice */
  const u64 choices = by_lane ? 0 : (u64)og_scalar32(wave, op, 2) << 32 | og_scalar32(wave, op, 1);
  const u32 *from = og_at(wave, op->s[0]), *choice = by_lane ? og_at(wave, op->s[1]) : NULL, *active = wave->lanes;
  const u32 fetched = m->fetch_inactive ? UINT32_MAX : 0, bound = m->bound_ctrl ? UINT32_MAX : 0;
  u32 values[OG_LANES], valid[OG_LANES], *d = og_at(wave, op->d);
  for (u32 i = 0; i < OG_LANES; i++) {
    u32 source = ((i & ~(u32)15) ^ m->dpp8) | (by_lane ? choice[i] & 15 : (u32)(choices >> (4 * (i & 15)) & 15));
    values[i] = from[source], valid[i] = active[source] | fetched;
  }
  for (u32 i = 0; i < OG_LANES; i++) {
    u32 written = active[i] & (valid[i] | bound);
    d[i] = (values[i] & valid[i] & written) | (d[i] & ~written);
  }
  return og_next(op);
}

/* Within groups of S2 lanes each reads the lane that S1 names (constant[0]: how), whatever EXEC says (CDNA5, 15.14). */
enum { BROADCAST, UP, DOWN, XOR };
static const struct og_operation *permlane_group(struct og_wave *wave, const struct og_operation *op) {
  u32 from[OG_LANES], *d = og_at(wave, op->d), s1 = og_scalar32(wave, op, 1), width = og_scalar32(wave, op, 2);
  memcpy(from, og_at(wave, op->s[0]), sizeof(from));
  if (width == 0 || width > wave->wave_size || width & (width - 1))
    return og_wave_fault(wave, op, "groups of %u lanes: not a power of two up to %u", width, wave->wave_size);
  for (u32 i = 0; i < wave->wave_size; i++) {
    u32 base = i & ~(width - 1), in_group = i - base, delta = min_u32(s1, width), source = i;
    switch (op->constant[0]) {
    case BROADCAST: source = base + (s1 & (width - 1)); break;
    case UP: source = in_group < delta ? i : i - delta; break;
    case DOWN: source = in_group + delta < width ? i + delta : i; break;
    default: source = s1 >= wave->wave_size || (i ^ s1) >= base + width ? i : i ^ s1; break;
    }
    d[i] = wave->lanes[i] ? from[source] : d[i];
  }
  return og_next(op);
}

/* The address for ds_bpermute that reads the lane S0 in a group of S1 lanes. */
static const struct og_operation *permlane_index(struct og_wave *wave, const struct og_operation *op) {
  const u32 *s = og_at(wave, op->s[0]);
  u32 *d = og_at(wave, op->d), mask = og_scalar32(wave, op, 1) - 1;
  for (u32 i = 0; i < OG_LANES; i++)
    d[i] = wave->lanes[i] ? ((s[i] & 63 & mask) + (i & ~mask)) << 2 : d[i];
  return og_next(op);
}

/* Every second row of D (half of D) changes places with the row (half) of the source before it; constant[1]: its lanes,
 * constant[2]: bit 0 fetches from lanes that are off, bit 1 puts 0 where nothing is fetched. */
static const struct og_operation *permlane_swap(struct og_wave *wave, const struct og_operation *op) {
  u32 *d = og_at(wave, op->d), *s = og_at(wave, op->s[0]), row = (u32)op->constant[1], how = (u32)op->constant[2];
  for (u32 i = 0; i < wave->wave_size; i++) {
    u32 later = i + row;
    if (i & row)
      continue;
    u32 first = s[i], second = d[later];
    bool has_first = wave->lanes[i] || how & 1, has_second = wave->lanes[later] || how & 1;
    if (wave->lanes[later] && (has_first || how & 2))
      d[later] = has_first ? first : 0;
    if (wave->lanes[i] && (has_second || how & 2))
      s[i] = has_second ? second : 0;
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

/* Kinds of D and the sources: VGPRs, scalars, or either; with the number of dwords, 1 by default. */
enum {
  NONE, VECTOR, SCALAR, EITHER,
  QUAD = 16, /* VECTOR of four */
  PAIR = 32, /* EITHER of two */
  TWO, THREE /* VECTORs */
};

static const struct {
  uint16_t row;
  og_handler *handler;
  uint8_t d, s[3];
  uint8_t which; /* as constant[1] has it; permlane: 16 for the neighbouring row */
} by_hand[] = {
    {OG_ROW_V_MOVRELS_B32, move_relative, VECTOR, {VECTOR}, 1},
    {OG_ROW_V_MOVRELD_B32, move_relative, VECTOR, {EITHER}, 2},
    {OG_ROW_V_MOVRELSD_B32, move_relative, VECTOR, {VECTOR}, 3},
    {OG_ROW_V_MOVRELSD_2_B32, move_relative, VECTOR, {VECTOR}, 7},
    {OG_ROW_V_PERMLANE16_B32, permlane, VECTOR, {VECTOR, SCALAR, SCALAR}, 0},
    {OG_ROW_V_PERMLANEX16_B32, permlane, VECTOR, {VECTOR, SCALAR, SCALAR}, 16},
    {OG_ROW_V_PERMLANE16_VAR_B32, permlane, VECTOR, {VECTOR, VECTOR}, 0},
    {OG_ROW_V_PERMLANEX16_VAR_B32, permlane, VECTOR, {VECTOR, VECTOR}, 16},
    {OG_ROW_V_PERMLANE16_SWAP_B32, permlane_swap, VECTOR, {VECTOR}, 16},
    {OG_ROW_V_PERMLANE32_SWAP_B32, permlane_swap, VECTOR, {VECTOR}, 32},
    {OG_ROW_V_PERMLANE64_B32, permlane64, VECTOR, {VECTOR}, 0},
    {OG_ROW_V_PERMLANE_BCAST_B32, permlane_group, VECTOR, {VECTOR, SCALAR, SCALAR}, BROADCAST},
    {OG_ROW_V_PERMLANE_UP_B32, permlane_group, VECTOR, {VECTOR, SCALAR, SCALAR}, UP},
    {OG_ROW_V_PERMLANE_DOWN_B32, permlane_group, VECTOR, {VECTOR, SCALAR, SCALAR}, DOWN},
    {OG_ROW_V_PERMLANE_XOR_B32, permlane_group, VECTOR, {VECTOR, SCALAR, SCALAR}, XOR},
    {OG_ROW_V_PERMLANE_IDX_GEN_B32, permlane_index, VECTOR, {VECTOR, SCALAR}, 0},
    {OG_ROW_V_PERM_PK16_B4_U4, perm_pk16, TWO, {EITHER, EITHER, TWO}, 4},
    {OG_ROW_V_PERM_PK16_B6_U4, perm_pk16, THREE, {EITHER, PAIR, TWO}, 6},
    {OG_ROW_V_PERM_PK16_B8_U4, perm_pk16, QUAD, {PAIR, PAIR, TWO}, 8},
    {OG_ROW_V_NOP, nothing, NONE, {NONE}, 0},
    {OG_ROW_V_PIPEFLUSH, nothing, NONE, {NONE}, 0},
    {OG_ROW_V_CLREXCP, nothing, NONE, {NONE}, 0},
    {OG_ROW_V_READFIRSTLANE_B32, readfirstlane, SCALAR, {EITHER}, 0},
    {OG_ROW_V_READLANE_B32, readlane, SCALAR, {EITHER, SCALAR}, 0},
    {OG_ROW_V_WRITELANE_B32, writelane, VECTOR, {SCALAR, SCALAR}, 0},
    {OG_ROW_V_SWAP_B32, swap, VECTOR, {VECTOR}, 0},
    {OG_ROW_V_SWAP_B16, swap_b16, VECTOR, {VECTOR}, 0},
    {OG_ROW_V_SWAPREL_B32, swap_relative, VECTOR, {VECTOR}, 0},
    {OG_ROW_V_MQSAD_U32_U8, mqsad_u32_u8, QUAD, {PAIR, EITHER, QUAD}, 0},
    {OG_ROW_V_ACCVGPR_READ_B32, move_lanes, VECTOR, {VECTOR}, 0},
    {OG_ROW_V_ACCVGPR_WRITE_B32, move_lanes, VECTOR, {EITHER}, 0},
    {OG_ROW_V_ACCVGPR_MOV_B32, move_lanes, VECTOR, {VECTOR}, 0},
};

static bool place_one(const struct og_operand *operand, unsigned what, uint32_t *offset, uint64_t *constant) {
  switch (what) {
  case VECTOR: return og_place_vector(operand, 1, offset);
  case QUAD: return og_place_vector(operand, 4, offset);
  case SCALAR: return og_place_scalar(operand, 1, offset, constant);
  case EITHER: return og_place_source(operand, 1, offset, constant);
  case PAIR: return og_place_source(operand, 2, offset, constant);
  case TWO: return og_place_vector(operand, 2, offset);
  case THREE: return og_place_vector(operand, 3, offset);
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

/* What a handler takes besides operands, into constants that no operand has, and modifiers of its own. */
static bool take_controls(struct og_program *program, const struct og_inst *inst, uint8_t which,
                          struct og_operation *op) {
  bool fetch = inst->mod[OG_MOD_OP_SEL] & 1, bound = inst->mod[OG_MOD_OP_SEL] & 2;
  if (op->handler == permlane) {
    struct og_modifiers *m = OG_NEW(program->arena, struct og_modifiers);
    *m = (struct og_modifiers){.fetch_inactive = fetch, .bound_ctrl = bound, .dpp8 = which};
    op->detail = m;
    return true;
  }
  if (op->handler == permlane64 && program->isa->wave == 32)
    op->handler = nothing; /* a wave of 32 has no other half: V_NOP (RDNA3, 16.8) */
  if (op->handler == permlane_swap) { /* from gfx12.5 it fetches always */
    fetch = inst->mod[OG_MOD_FI] || program->target.processor->generation >= OG_GFX1250;
    op->constant[2] = fetch | (inst->mod[OG_MOD_BOUND_CTRL] ? 2u : 0);
  }
  op->constant[op->handler == permlane_group ? 0 : op->handler == perm_pk16 ? 2 : 1] = which;
  if (op->handler == swap_b16)
    op->constant[1] = (og_operand(inst, OG_ROLE_VDST)->flags & OG_HALF_HI ? 1u : 0) |
                      (og_operand(inst, OG_ROLE_SRC0)->flags & OG_HALF_HI ? 2u : 0);
  return true;
}

static bool obeys(struct og_program *program, const struct og_inst *inst, og_handler *handler) {
  if (handler == nothing)
    return true;
  if (inst->variant != OG_VARIANT_NONE)
    return og_refuse(program, inst->variant == OG_VARIANT_SDWA ? "sdwa" : "dpp");
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (!og_obeys_flags(program, &inst->operands[i], handler == swap_b16 ? OG_HALF_HI : 0))
      return false;
  return og_obeys(program, inst, handler == permlane        ? OG_MODS(OP_SEL)
                                 : handler == permlane_swap ? OG_MODS(FI) | OG_MODS(BOUND_CTRL)
                                                            : 0);
}

bool og_prepare_lanes(struct og_program *program, unsigned row, const struct og_inst *inst,
                      struct og_operation *op) {
  for (size_t k = 0; k < OG_COUNT(by_hand); k++) {
    if (by_hand[k].row != row)
      continue;
    op->s[0] = op->s[1] = op->s[2] = OG_AT_S(OG_S_ZERO);
    op->handler = by_hand[k].handler;
    if (op->handler == move_relative && inst->variant != OG_VARIANT_NONE)
      return prepare_modified_move(program, inst, by_hand[k].which, op);
    if (!obeys(program, inst, op->handler) || !place(inst, by_hand[k].d, by_hand[k].s, op))
      return false;
    bool has_which = by_hand[k].s[1] == NONE || op->handler == permlane || op->handler == permlane_group ||
                     op->handler == perm_pk16;
    return !has_which || take_controls(program, inst, by_hand[k].which, op);
  }
  return false;
}
