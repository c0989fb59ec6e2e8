/* export.c - exports: values that a shader would pass to later graphics stages. There are none here, so only observers
 * see exports (`--trace` writes them down). */
#include "exec/memory.h"

#include "exec/modifiers.h"
#include "exec/place.h"

struct export {
  uint32_t source[4]; /* places; 0: not enabled */
  uint8_t target;
};

static const struct og_operation *hand_over(struct og_wave *wave, const struct og_operation *op) {
  const struct export *export = op->detail;
  const struct og_observer *observer = wave->observer;
  if (observer == NULL || observer->exported == NULL)
    return og_next(op);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes), enabled = 0;
    uint32_t values[4] = {0};
    for (unsigned i = 0; i < 4; i++)
      if (export->source[i])
        values[i] = og_at(wave, export->source[i])[lane], enabled |= 1u << i;
    observer->exported(observer->context, wave, op, export->target, lane, enabled, values);
  }
  return og_next(op);
}

/* Of a compressed export two registers have two halves each, and a pair of bits enables each of them; operands are four
 * all the same, each register twice. */
bool og_prepare_export(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct og_operand *target = og_operand(inst, OG_ROLE_TARGET);
  struct export *export = OG_NEW(program->arena, struct export);
  unsigned sources = 0, enabled = (unsigned)inst->mod[OG_MOD_EN];
  bool compressed = inst->mod[OG_MOD_COMPR];
  *export = (struct export){.target = target ? (uint8_t)target->value : 0};
  if (!og_obeys(program, inst, OG_MODS(EN) | OG_MODS(COMPR) | OG_MODS(DONE) | OG_MODS(VM) | OG_MODS(ROW_EN)))
    return false;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *operand = &inst->operands[i];
    if (operand->role == OG_ROLE_TARGET)
      continue;
    unsigned n = sources++, at = compressed ? n / 2 : n;
    bool is_enabled = compressed ? n % 2 == 0 && enabled >> n & 3 : enabled >> n & 1;
    if (n < 4 && is_enabled && operand->kind == OG_OPERAND_VGPR && !og_place_vector(operand, 1, &export->source[at]))
      return false;
  }
  op->detail = export;
  op->handler = hand_over;
  return target != NULL;
}
