/* rules.c - rules for an instruction as a whole: the constant bus, sizes of images, matrices. */
#include "isa/rules.h"

static void add(struct og_scalar_values *values, uint32_t value) {
  for (unsigned i = 0; i < values->count; i++)
    if (values->seen[i] == value)
      return;
  if (values->count < OG_COUNT(values->seen))
    values->seen[values->count++] = value;
}

static uint32_t special(enum og_special which, uint32_t dwords) {
  return (uint32_t)OG_OPERAND_SPECIAL << 16 | which | dwords << 24;
}

struct og_scalar_values og_implicit_scalar_values(const struct og_isa *isa, const struct og_form *form) {
  struct og_scalar_values values = {.most = isa->gfx10 && !(form->traits & OG_TRAIT_ONE_SCALAR) ? 2 : 1};
  if (form->reads & OG_IMPLICIT_VCC) /* the pair, in waves of 32 too */
    add(&values, special(OG_SPECIAL_VCC_LO, 2));
  if (form->reads & OG_IMPLICIT_M0)
    add(&values, special(OG_SPECIAL_M0, 1));
  return values;
}

unsigned og_free_scalars(const struct og_isa *isa, const struct og_form *form) {
  struct og_scalar_values values = og_implicit_scalar_values(isa, form);
  return values.most > values.count ? values.most - values.count : 0;
}

/* vcc and vcc_lo are two values; a register with one name for all sizes, such as src_scc, is one. */
static uint32_t size_of(const struct og_operand *o) {
  return o->kind == OG_OPERAND_SPECIAL && o->reg >= OG_SPECIAL_SHARED_BASE ? 0 : o->dwords;
}

static bool is_scalar(const struct og_slot *slot, const struct og_operand *o) {
  if (o->kind != OG_OPERAND_SPECIAL)
    return o->kind == OG_OPERAND_SGPR || o->kind == OG_OPERAND_TTMP;
  return o->reg != OG_SPECIAL_NULL && o->reg != OG_SPECIAL_LDS_DIRECT &&
         !(o->reg == OG_SPECIAL_M0 && slot->flags & OG_SLOT_LANE); /* the number of a lane does not count */
}

bool og_add_scalar_value(struct og_scalar_values *values, const struct og_slot *slot, const struct og_operand *o) {
  unsigned before = values->count;
  if (slot->flags & OG_SLOT_WRITE || slot->takes == OG_TAKES_VCC)
    return true;
  if (o->kind == OG_OPERAND_LITERAL || slot->takes == OG_TAKES_KIMM)
    add(values, UINT32_MAX - (slot->dwords > 1)); /* a value read in two sizes counts twice */
  else if (is_scalar(slot, o))
    add(values, (uint32_t)o->kind << 16 | o->reg | size_of(o) << 24);
  return values->count == before || values->count <= values->most;
}

unsigned og_image_data_words(const struct og_isa *isa, const struct og_form *form, const struct og_inst *inst) {
  unsigned components = (unsigned)__builtin_popcount((unsigned)inst->mod[OG_MOD_DMASK] & 15),
           count = form->row_flags & OG_FLAG_GATHER4 ? 4 : OG_MAX(components, 1u);
  if (inst->mod[OG_MOD_D16] && !og_unpacked_d16(isa))
    count = (count + 1) / 2;
  return count + (inst->mod[OG_MOD_TFE] != 0);
}

unsigned og_image_addresses(const struct og_inst *inst, unsigned *places) {
  unsigned words = 0;
  *places = 0;
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (og_is_image_address(inst->operands[i].role))
      ++*places, words += inst->operands[i].dwords;
  return words;
}

unsigned og_ray_address_words(const struct og_form *form, bool a16) {
  return (a16 ? 8u : 11u) + ((form->address & OG_IMAGE_NODE64) != 0);
}

bool og_matrix_overlaps(const struct og_inst *inst) {
  const struct og_operand *d = og_operand(inst, OG_ROLE_VDST), *a = og_operand(inst, OG_ROLE_SRC2);
  return d && a && d->kind == a->kind && d->dwords > 4 && d->reg != a->reg && d->reg < a->reg + a->dwords &&
         a->reg < d->reg + d->dwords;
}

bool og_has_integer_result(const struct og_shape *shape) {
  const struct og_slot *result = &og_slots(shape)[0];
  return result->role != OG_ROLE_VDST || result->type == OG_TYPE_I16 || result->type == OG_TYPE_I32 ||
         result->type == OG_TYPE_I64;
}

bool og_is_scalar_buffer(const struct og_form *form, const struct og_shape *shape) {
  const struct og_slot *base = form->encoding == OG_ENC_SMEM ? og_slot_of(shape, OG_ROLE_SBASE) : NULL;
  return base && base->dwords == 4;
}

bool og_scales_offset(const struct og_form *form, const struct og_shape *shape) {
  const struct og_slot *vaddr = og_slot_of(shape, OG_ROLE_VADDR);
  if (form->encoding == OG_ENC_SMEM)
    return !og_is_scalar_buffer(form, shape);
  return form->encoding == OG_ENC_FLAT && vaddr && vaddr->dwords == 1;
}
