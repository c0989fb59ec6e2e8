/* hazards.c - wait states between instructions that the hardware does not keep apart itself, by hazards.def. Looks back
 * in the order of the code, which across a branch is more than what runs before. */
#include "cc/select.h"

enum { VALU, SALU, VMEM, SMEM, LDS, LANE, FMAS };
enum { SGPR, VCC, M0 };
static const struct {
  uint32_t where;
  uint8_t writer, what, reader, states;
} hazards[] = {
#define HAZARD(where, writer, what, reader, states) {OG_##where, writer, what, reader, states},
#include "cc/hazards.def"
};
enum { STATES_MOST = 5 };

static bool is(const struct cc_function *c, const struct cc_inst *i, unsigned who) {
  if (i->row == CC_ROW_WAIT_ALL)
    return false;
  unsigned issue = og_form(c->isa, i->form)->issue;
  switch (who) {
  case VALU: return issue == OG_ISSUE_VALU || issue == OG_ISSUE_TRANS;
  case SALU: return issue == OG_ISSUE_SALU;
  case VMEM: return issue == OG_ISSUE_VMEM || issue == OG_ISSUE_FLAT;
  case SMEM: return issue == OG_ISSUE_SMEM;
  case LDS: return issue == OG_ISSUE_LDS;
  case FMAS: return i->row == OG_ROW_V_DIV_FMAS_F32 || i->row == OG_ROW_V_DIV_FMAS_F64;
  default: return i->row == OG_ROW_V_READLANE_B32 || i->row == OG_ROW_V_WRITELANE_B32;
  }
}

static bool conflict(const struct cc_function *c, const struct cc_inst *from, const struct cc_inst *to, unsigned what) {
  for (unsigned a = 0; a < from->defs; a++) {
    struct cc_operand x = c->operands.items[from->first + a];
    if (what != SGPR && x.kind == CC_SPECIAL)
      return x.value == (what == VCC ? OG_SPECIAL_VCC_LO : OG_SPECIAL_M0);
    if (what != SGPR || x.kind != CC_REG || cc_is_vector(c, x))
      continue;
    unsigned first = c->regs.items[x.value].physical + x.sub;
    for (unsigned b = to->defs; b < to->operands; b++) {
      struct cc_operand y = c->operands.items[to->first + b];
      if (y.kind != CC_REG || cc_is_vector(c, y))
        continue;
      unsigned other = c->regs.items[y.value].physical + y.sub;
      if (first < other + y.dwords && other < first + x.dwords)
        return true;
    }
  }
  return false;
}

bool cc_hazards(struct cc_function *c) {
  c->nops = OG_NEW_ARRAY(c->arena, uint8_t, c->insts.count + 1);
  uint32_t generation = 1u << c->isa->generation;
  for (uint32_t k = 0; k < c->insts.count; k++)
    for (unsigned h = 0; h < OG_COUNT(hazards); h++) {
      if (!(hazards[h].where & generation) || !is(c, &c->insts.items[k], hazards[h].reader))
        continue;
      unsigned passed = 0;
      for (uint32_t back = k; back-- > 0 && passed < hazards[h].states;) {
        const struct cc_inst *i = &c->insts.items[back];
        if (is(c, i, hazards[h].writer) && conflict(c, i, &c->insts.items[k], hazards[h].what))
          c->nops[k] = (uint8_t)OG_MAX(c->nops[k], hazards[h].states - passed);
        passed += i->row == CC_ROW_WAIT_ALL ? 0 : 1u + c->nops[back];
      }
    }
  return true;
}
