/* dead.c - removes instructions whose results are not read. It goes backwards, so that what only they read is removed,
 * too. */
#include "cc/select.h"

/* Which of SCC and VCC are read from this instruction on in its block before they are written, given the same for the
 * next one. */
static unsigned read_from(const struct cc_function *c, const struct cc_inst *i, const struct og_form *form,
                          unsigned behind) {
  unsigned reads = form->reads & (OG_IMPLICIT_SCC | OG_IMPLICIT_VCC), writes = form->writes;
  for (unsigned o = 0; o < i->operands; o++) {
    struct cc_operand op = c->operands.items[i->first + o];
    if (op.kind == CC_SPECIAL && op.value == OG_SPECIAL_VCC_LO)
      *(o < i->defs ? &writes : &reads) |= OG_IMPLICIT_VCC;
  }
  return reads | (behind & ~writes);
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
  unsigned read = 0;
  c->begins[c->insts.count] = true;
  for (uint32_t k = c->insts.count; k-- > 0;) {
    struct cc_inst *i = &c->insts.items[k];
    read = c->begins[k + 1] ? 0 : read;
    if (i->row >= OG_ROW_COUNT || !cc_has_row(c, i->row))
      continue;
    const struct og_form *form = og_form(c->isa, c->forms[i->row][0]);
    bool needed =
        !i->defs || i->keep ||
        form->row_flags & (OG_FLAG_STORE | OG_FLAG_ATOMIC | OG_FLAG_SIDE_EFFECTS | OG_FLAG_BRANCH | OG_FLAG_CALL) ||
        (form->writes & OG_IMPLICIT_SCC && read & OG_IMPLICIT_SCC);
    for (unsigned o = 0; o < i->defs && !needed; o++) {
      struct cc_operand def = c->operands.items[i->first + o];
      if (def.kind == CC_SPECIAL && def.value == OG_SPECIAL_VCC_LO)
        needed = read & OG_IMPLICIT_VCC;
      else
        needed = def.kind != CC_REG || reads[def.value];
    }
    dead[k] = !needed;
    read = needed ? read_from(c, i, form, read) : read;
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
