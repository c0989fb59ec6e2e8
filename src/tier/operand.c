/* operand.c - what steps of vector operations are of and what they leave: constants, VGPRs, scalars for all lanes,
 * sources with modifiers; results in registers or at home. */
#include "tier/rows.h"

#include <string.h>

#include "exec/modifiers.h"

static const uint32_t constants[] = {[N3] = 3,
                                     [N1] = 1,
                                     [N2] = 2,
                                     [N4] = 4,
                                     [N6] = 6,
                                     [N8] = 8,
                                     [N15] = 15,
                                     [N16] = 16,
                                     [N22] = 22,
                                     [N23] = 23,
                                     [N24] = 24,
                                     [N31] = 31,
                                     [N32] = 32,
                                     [N63] = 63,
                                     [N127] = 127,
                                     [N158] = 158,
                                     [ZERO] = 0,
                                     [LOW8] = 255,
                                     [LOW16] = 0xffff,
                                     [LOW24] = 0xffffff,
                                     [PAIRS] = 0x55555555,
                                     [FOURS] = 0x33333333,
                                     [BYTES] = 0x0f0f0f0f,
                                     [SHORTS] = 0x00ff00ff,
                                     [ONES] = UINT32_MAX,
                                     [SIGN] = 0x80000000,
                                     [SIZE] = 0x7fffffff,
                                     [EXPONENT] = 0x7f800000,
                                     [ONE_F] = 0x3f800000,
                                     [SIGN16] = 0x8000,
                                     [NOT_SIGN16] = 0xffff7fff,
                                     [QUIET] = 0x400000,
                                     [LEAST_NORMAL] = 0x800000};

/* ---- places ------------------------------------------------------------------------------------------------------ */

void og_emit_load(struct og_unit *unit, unsigned reg, struct og_place from) {
  og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x10), reg, 0, from, 0, false);
}
void og_emit_store(struct og_unit *unit, struct og_place to, unsigned reg) {
  og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x11), reg, 0, to, 0, false);
}
void og_emit_broadcast(struct og_unit *unit, unsigned reg, struct og_place from) {
  from.broadcast = false;
  og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x58), reg, 0, from, 0, false);
}

static unsigned source_index(enum operand operand) { return operand >= S0H ? operand - S0H : operand - S0; }
static bool is_source(enum operand operand) { return operand >= S0 && operand <= S2H; }

static struct og_place vgpr_place(const struct og_unit *unit, unsigned vgpr) {
  return unit->host[vgpr] ? og_place_register(unit->host[vgpr]) : og_home(unit, vgpr);
}

/* One dword for all lanes: as it is where the instruction takes that, else in `reg`. */
static struct og_place spread(struct og_unit *unit, struct og_place from, bool broadcasts, unsigned reg) {
  if (unit->code.wide && broadcasts) {
    from.broadcast = true;
    return from;
  }
  og_emit_broadcast(unit, reg, from);
  return og_place_register(reg);
}

/* Of a scalar: as it was before the stretch. */
static struct og_place scalar_place(const struct og_unit *unit, uint32_t offset) {
  bool kept = unit->before != OG_NO_CARRY && offset - unit->before < (unit->wave32 ? 4 : 8);
  return kept ? og_before_place((offset - unit->before) / 4) : og_in_wave(offset);
}

static struct og_place source_place(struct og_unit *unit, const struct og_item *item, enum operand operand,
                                    bool broadcasts) {
  const struct og_operation *op = item->does;
  unsigned i = source_index(operand), high = operand >= S0H ? 1 : 0;
  if (unit->prepared[i])
    return og_place_register(OG_P0 + i);
  if (og_is_vector_place(op->s[i]))
    return vgpr_place(unit, og_vgpr_of(op->s[i]) + high);
  struct og_place from = op->s[i] == OG_AT_S(OG_S_ZERO)
                             ? og_constant_place(&unit->code, (uint32_t)(op->constant[i] >> (32 * high)))
                             : scalar_place(unit, op->s[i] + 4 * high);
  return spread(unit, from, broadcasts, OG_P0 + i);
}

struct og_place og_place_of(struct og_unit *unit, const struct og_item *item, enum operand operand, bool broadcasts) {
  if (is_source(operand))
    return source_place(unit, item, operand, broadcasts);
  if (operand == OLD)
    return vgpr_place(unit, og_vgpr_of(item->does->d));
  bool temporary = operand >= T0 && operand <= T2;
  if (temporary && !unit->known[operand - T0])
    return og_place_register(OG_T0 + operand - T0);
  uint32_t row[16], value = temporary ? unit->value[operand - T0] : operand == ODD ? 0 : constants[operand];
  for (unsigned i = 0; i < 16; i++)
    row[i] = operand == ODD ? (i & 1 ? UINT32_MAX : 0) : value;
  if (unit->code.wide && broadcasts && operand != ODD)
    return og_constant_lanes(&unit->code, value);
  return og_constant_row(&unit->code, row);
}

unsigned og_register_of(struct og_unit *unit, const struct og_item *item, enum operand operand, unsigned spare) {
  struct og_place place = og_place_of(unit, item, operand, false);
  if (place.kind == OG_PLACE_REGISTER)
    return place.reg;
  bool temporary = operand >= T0 && operand <= T2; /* that holds a constant: the others may be in use */
  unsigned reg = is_source(operand) ? OG_P0 + source_index(operand) : temporary ? OG_T0 + operand - T0 : spare;
  og_emit_load(unit, reg, place);
  return reg;
}

/* The constant that an operand is; false: it is none. */
bool og_constant_of(const struct og_unit *unit, const struct og_item *item, enum operand operand, uint32_t *value) {
  if (operand >= T0 && operand <= T2) {
    *value = unit->value[operand - T0];
    return unit->known[operand - T0];
  }
  if (operand >= N3 && operand < ODD) {
    *value = constants[operand];
    return true;
  }
  if (operand < S0 || operand > S2 || unit->prepared[operand - S0] || item->does->s[operand - S0] != OG_AT_S(OG_S_ZERO))
    return false;
  *value = (uint32_t)item->does->constant[operand - S0];
  return true;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

struct og_result og_result_of(struct og_unit *unit, const struct og_item *item, enum operand to) {
  if (to >= T0 && to <= T2)
    return (struct og_result){.reg = OG_T0 + to - T0};
  unsigned vgpr = og_vgpr_of(item->does->d) + (to == DH ? 1 : 0), host = unit->host[vgpr];
  if (host && (!unit->masked || unit->code.wide))
    return (struct og_result){.reg = host, .mask = unit->masked ? OG_K_EXEC : 0, .vgpr = vgpr};
  return (struct og_result){.reg = to == DH ? OG_T1 : OG_T0, .moves = true, .vgpr = vgpr};
}

void og_finish_result(struct og_unit *unit, const struct og_result *result) {
  if (!result->moves)
    return;
  unsigned host = unit->host[result->vgpr];
  if (host) /* 256 bits, masked: VBLENDVPS */
    og_emit_vector(&unit->code, OG_VEX(1, 3, 0, 0x4a), host, host, og_place_register(result->reg), 0, false),
        og_emit_fourth(&unit->code, OG_EXEC_LANES);
  else if (unit->masked)
    og_merge_home(unit, result->vgpr, result->reg);
  else
    og_emit_store(unit, og_home(unit, result->vgpr), result->reg);
}

void og_merge_home(struct og_unit *unit, unsigned vgpr, unsigned reg) {
  struct og_encoder *e = &unit->code;
  struct og_place home = og_home(unit, vgpr);
  if (e->wide) {
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x11), reg, 0, home, OG_K_EXEC, false);
    return;
  }
  unsigned spare = reg < OG_TEMPORARIES ? reg : OG_T0;
  og_emit_vector(e, OG_VEX(1, 1, 0, 0xef), spare, reg, home, 0, false);
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0xdb), spare, spare, OG_EXEC_LANES);
  og_emit_vector(e, OG_VEX(1, 1, 0, 0xef), spare, spare, home, 0, false);
  og_emit_store(unit, home, spare);
}

/* ---- modifiers --------------------------------------------------------------------------------------------------- */

enum { AND_I = OG_VEX(1, 1, 0, 0xdb), XOR_I = OG_VEX(1, 1, 0, 0xef) };

/* The byte or half of each lane that SDWA names, as og_prepare_source() has it. */
static void select_part(struct og_unit *unit, unsigned to, unsigned from, unsigned select, bool sign_extends) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : 16, shift = width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0);
  og_emit_shift(unit, OG_SHIFT_LEFT, to, from, 32 - width - shift);
  og_emit_shift(unit, sign_extends ? OG_SHIFT_ARITHMETIC : OG_SHIFT_RIGHT, to, to, 32 - width);
}

/* Parts of sources and sources with neg or abs, into registers of their own. */
void og_prepare_sources(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  memset(unit->prepared, 0, sizeof unit->prepared);
  for (unsigned i = 0; item->modifiers && i < 3; i++) {
    unsigned flags = item->modifiers->flags[i], select = item->modifiers->select[i];
    enum og_as source = (enum og_as)item->types->source[i];
    bool fetches = i == 0 && item->modifiers->dpp;
    if (source == OG_AS_NONE || og_as_is_64(source) ||
        (!fetches && !(flags & (OG_NEG | OG_ABS)) && select >= OG_SELECT_DWORD))
      continue;
    bool half = og_as_is_16((enum og_as)item->modifiers->type[i]);
    if (fetches)
      og_emit_dpp_source(unit, item);
    unsigned from = fetches ? (unsigned)OG_P0 : og_register_of(unit, item, S0 + i, OG_P0 + i);
    if (select < OG_SELECT_DWORD) {
      select_part(unit, OG_P0 + i, from, select, flags & OG_SEXT);
      from = OG_P0 + i;
    }
    if (flags & OG_ABS) {
      struct og_place size = og_place_of(unit, item, half ? NOT_SIGN16 : SIZE, true);
      og_emit_vector(e, AND_I, OG_P0 + i, from, size, 0, false);
      from = OG_P0 + i;
    }
    if (flags & OG_NEG) {
      struct og_place sign = og_place_of(unit, item, half ? SIGN16 : SIGN, true);
      og_emit_vector(e, XOR_I, OG_P0 + i, from, sign, 0, false);
    }
    unit->prepared[i] = true;
  }
}
