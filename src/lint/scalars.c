/* scalars.c - values of SGPRs along a straight run. */
#include "lint/scalars.h"
#include "isa/rows.h"

static bool source_value(const struct og_scalars *scalars, const struct og_operand *operand,
                         const struct og_relocation *r, uint32_t *value) {
  if (!operand || (r && operand->kind == OG_OPERAND_LITERAL))
    return false;
  if (operand->kind == OG_OPERAND_LITERAL || operand->kind == OG_OPERAND_INLINE) {
    *value = (uint32_t)operand->value;
    return true;
  }
  *value = operand->kind == OG_OPERAND_SGPR && operand->reg < OG_SCALARS ? scalars->value[operand->reg] : 0;
  return operand->kind == OG_OPERAND_SGPR && operand->reg < OG_SCALARS && scalars->known[operand->reg];
}

static void forget_written(struct og_scalars *scalars, const struct og_effects *effects) {
  for (unsigned i = 0; i < effects->write_count; i++) {
    const struct og_use *use = &effects->writes[i];
    for (unsigned r = use->reg; use->kind == OG_OPERAND_SGPR && r < use->reg + use->dwords && r < OG_SCALARS; r++)
      scalars->known[r] = false;
  }
}

void og_scalars_follow(struct og_scalars *scalars, const struct og_inst *inst, const struct og_effects *effects,
                       const struct og_relocation *r, uint64_t pc) {
  const struct og_operand *d = og_operand(inst, OG_ROLE_SDST);
  uint32_t a = 0, b = 0;
  bool one = source_value(scalars, og_operand(inst, OG_ROLE_SRC0), r, &a),
       two = source_value(scalars, og_operand(inst, OG_ROLE_SRC1), r, &b), known = false;
  uint64_t result = 0;
  int carried = effects->implicit_writes & OG_IMPLICIT_SCC ? -1 : scalars->carry;
  switch (inst->row) {
  case OG_ROW_S_GETPC_B64:
    result = pc + inst->size;
    known = true;
    break;
  case OG_ROW_S_MOV_B32:
    result = a;
    known = one;
    break;
  case OG_ROW_S_SEXT_I32_I16: /* sign-extends the high half, which gfx12's s_getpc_b64 leaves without its sign */
    result = (uint32_t)(int16_t)a;
    known = one;
    break;
  case OG_ROW_S_ADD_U32:
    result = (uint64_t)a + b;
    known = one && two;
    carried = known ? result >> 32 != 0 : -1;
    break;
  case OG_ROW_S_ADDC_U32:
    result = (uint64_t)a + b + (uint64_t)OG_MAX(scalars->carry, 0);
    known = one && two && scalars->carry >= 0;
    carried = known ? result >> 32 != 0 : -1;
    break;
  }
  scalars->carry = carried;
  forget_written(scalars, effects);
  if (!known || !d || d->kind != OG_OPERAND_SGPR || d->reg + d->dwords > OG_SCALARS)
    return;
  for (unsigned i = 0; i < d->dwords; i++) {
    scalars->known[d->reg + i] = true;
    scalars->value[d->reg + i] = (uint32_t)(result >> 32 * i);
  }
}

bool og_scalars_pair(const struct og_scalars *scalars, const struct og_operand *operand, uint64_t *address) {
  if (!operand || operand->kind != OG_OPERAND_SGPR || operand->reg + 1u >= OG_SCALARS ||
      !scalars->known[operand->reg] || !scalars->known[operand->reg + 1])
    return false;
  *address = scalars->value[operand->reg] | (uint64_t)scalars->value[operand->reg + 1] << 32;
  return true;
}
