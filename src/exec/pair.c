/* pair.c - VOPD: two vector instructions in one. Both read before either writes. */
#include <string.h>

#include "exec/modifiers.h"
#include "exec/program.h"
#include "isa/rows.h"

struct pair {
  struct og_operation first, second; /* in the order of execution */
  uint32_t later; /* where the first one's result belongs that stands in a temporary register until both are done */
  int dwords;
};

static const struct og_operation *run_pair(struct og_wave *wave, const struct og_operation *op) {
  const struct pair *pair = op->detail;
  pair->first.handler(wave, &pair->first);
  pair->second.handler(wave, &pair->second);
  return og_next(op);
}

/* Each half reads what the other writes. */
static const struct og_operation *run_crossed(struct og_wave *wave, const struct og_operation *op) {
  const struct pair *pair = op->detail;
  uint32_t *d = og_at(wave, pair->later), *temporary = og_at(wave, pair->first.d);
  size_t size = (size_t)pair->dwords * OG_LANES * 4;
  memcpy(temporary, d, size);
  run_pair(wave, op);
  memcpy(d, temporary, size);
  return og_next(op);
}

bool og_pair_halves(const struct og_operation *op, og_handler *handler, const struct og_operation *halves[2]) {
  if (handler != run_pair)
    return false;
  const struct pair *pair = op->detail;
  halves[0] = &pair->first;
  halves[1] = &pair->second;
  return true;
}

/* One half as an instruction of its own. */
static void take_half(const struct og_inst *inst, bool second, bool has_table, struct og_inst *half) {
  static const uint8_t roles[][2] = {{OG_ROLE_VDST, OG_ROLE_VDST_Y}, {OG_ROLE_SRC0, OG_ROLE_SRC0_Y},
                                     {OG_ROLE_SRC1, OG_ROLE_SRC1_Y}, {OG_ROLE_SRC2, OG_ROLE_SRC2_Y}};
  memset(half, 0, sizeof(*half));
  half->encoding = OG_ENC_VOP2;
  half->mod[OG_MOD_BITOP3] = has_table ? inst->mod[OG_MOD_BITOP3] : 0;
  bool seen = false; /* the second half's operands stand behind its destination */
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand operand = inst->operands[i];
    seen |= operand.role == OG_ROLE_VDST_Y;
    if (seen != second)
      continue;
    for (size_t k = 0; k < OG_COUNT(roles); k++)
      if (operand.role == roles[k][1])
        operand.role = roles[k][0];
    half->operands[half->operand_count++] = operand;
  }
}

static bool is_table(unsigned row) { return row == OG_ROW_V_DUAL_BITOP2_B32; }

static bool prepare_half(struct og_program *program, unsigned row, const struct og_inst *inst, bool second,
                         struct og_operation *op) {
  struct og_inst half;
  take_half(inst, second, is_table(row), &half);
  return og_prepare_vector_row(program, row, &half, op) && op->handler;
}

/* Whether a half reads vector registers that start at `d`, its own result apart. */
static bool reads(const struct og_operation *op, uint32_t d, int dwords) {
  for (int i = 0; i < 3; i++)
    if (op->s[i] >= OG_AT_V(0) && op->s[i] + 2 * OG_LANES * 4 > d && op->s[i] < d + (uint32_t)dwords * OG_LANES * 4)
      return true;
  return false;
}

bool og_prepare_pair(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  if (!og_obeys(program, inst, is_table(og_form(program->isa, inst->form)->second) ? OG_MODS(BITOP3) : 0))
    return false;
  struct pair *pair = OG_NEW(program->arena, struct pair);
  struct og_operation x = {0}, y = {0};
  if (!prepare_half(program, inst->row, inst, false, &x) ||
      !prepare_half(program, og_form(program->isa, inst->form)->second, inst, true, &y))
    return false;
  pair->dwords = og_operand(inst, OG_ROLE_VDST)->dwords;
  pair->later = x.d;
  bool y_reads = reads(&y, x.d, pair->dwords), x_reads = reads(&x, y.d, og_operand(inst, OG_ROLE_VDST_Y)->dwords);
  pair->first = y_reads && !x_reads ? y : x;
  pair->second = y_reads && !x_reads ? x : y;
  if (y_reads && x_reads)
    pair->first.d = OG_AT_V(OG_V_TEMPORARY + 8);
  op->class = OG_CLASS_VALU;
  op->d = x.d;
  op->detail = pair;
  op->handler = y_reads && x_reads ? run_crossed : run_pair;
  return true;
}
