/* dead.c - leaves out instructions whose results nobody reads, back to front, so that what only those read goes too. */
#include "cc/select.h"

/* Whether what is behind instruction k in its block reads SCC or VCC before it is written again. */
static bool is_read(struct cc_function *c, const bool *dead, uint32_t k, unsigned implicit) {
  for (k++; k < c->insts.count && !c->begins[k]; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    if (dead[k] || i->row >= OG_ROW_COUNT || !cc_has_row(c, i->row))
      continue;
    const struct og_form *form = og_form(c->isa, c->forms[i->row][0]);
    if (form->reads & implicit)
      return true;
    bool writes = form->writes & implicit;
    for (unsigned o = i->operands; o-- > 0 && implicit == OG_IMPLICIT_VCC;) {
      struct cc_operand op = c->operands.items[i->first + o];
      if (op.kind != CC_SPECIAL || op.value != OG_SPECIAL_VCC_LO)
        continue;
      if (o >= i->defs)
        return true;
      writes = true;
    }
    if (writes)
      return false;
  }
  return false;
}

bool cc_dead(struct cc_function *c) {
  uint32_t *reads = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  for (uint32_t k = 0; k < c->insts.count; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    for (unsigned o = i->defs; o < i->operands; o++)
      if (c->operands.items[i->first + o].kind == CC_REG)
        reads[c->operands.items[i->first + o].value]++;
  }
  bool *dead = OG_NEW_ARRAY(c->arena, bool, c->insts.count);
  c->begins = OG_NEW_ARRAY(c->arena, bool, c->insts.count + 1);
  for (uint32_t p = 0; p < c->positions; p++)
    c->begins[c->nodes.items[c->layout[p]].first] = true;
  for (uint32_t k = c->insts.count; k-- > 0;) {
    struct cc_inst *i = &c->insts.items[k];
    if (i->row >= OG_ROW_COUNT || !i->defs || !cc_has_row(c, i->row))
      continue;
    const struct og_form *form = og_form(c->isa, c->forms[i->row][0]);
    bool needed = i->keep || form->row_flags & (OG_FLAG_STORE | OG_FLAG_ATOMIC | OG_FLAG_SIDE_EFFECTS | OG_FLAG_BRANCH | OG_FLAG_CALL) ||
                  (form->writes & OG_IMPLICIT_SCC && is_read(c, dead, k, OG_IMPLICIT_SCC));
    for (unsigned o = 0; o < i->defs && !needed; o++) {
      struct cc_operand def = c->operands.items[i->first + o];
      if (def.kind == CC_SPECIAL && def.value == OG_SPECIAL_VCC_LO)
        needed = is_read(c, dead, k, OG_IMPLICIT_VCC);
      else
        needed = def.kind != CC_REG || reads[def.value];
    }
    dead[k] = !needed;
    for (unsigned o = i->defs; o < i->operands && !needed; o++)
      if (c->operands.items[i->first + o].kind == CC_REG)
        reads[c->operands.items[i->first + o].value]--;
  }
  uint32_t kept = 0;
  for (uint32_t p = 0; p < c->positions; p++) {
    struct cc_node *n = &c->nodes.items[c->layout[p]];
    uint32_t first = kept;
    for (uint32_t k = n->first; k < n->end; k++)
      if (!dead[k])
        c->insts.items[kept++] = c->insts.items[k];
    n->first = first, n->end = kept;
  }
  c->insts.count = kept;
  return true;
}
